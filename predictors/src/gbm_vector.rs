//! The feature vector of gradient-boosted models (spec chapter 03, 7.1).

use crate::feature::{Feature, KEYWORDS, RangeMode};

/// Numbers that describe one position of the window.
const PER_POSITION: usize = 6;

/// Numbers that describe one pair of neighbours in the window.
const PER_PAIR: usize = 3;

/// Length of the vector for a window of that many actions: `9 * window + 27`.
pub fn length(window: usize) -> usize {
    PER_POSITION * window + PER_PAIR * window.saturating_sub(1) + KEYWORDS.len() + 2
}

/// The vector for the last `window` actions, `[window * 6 + (window - 1) * 3 + 28 + 2]`.
///
/// Oldest first and padded with zeros on the left: keyword id, range numbers and value type of each action; step and
/// equality of keywords of each pair; counts of keywords; length of the last run of one keyword; whether there are
/// several sheets.
pub fn vector(features: &[Feature], window: usize, mode: RangeMode) -> Vec<f32> {
    let skipped = features.len().saturating_sub(window);
    let features = features.get(skipped..).unwrap_or_default();
    let missing = window - features.len();
    let pairs: Vec<_> = features.iter().zip(features.iter().skip(1)).collect();

    let mut vector = Vec::with_capacity(length(window));
    vector.resize(missing * PER_POSITION, 0.0);
    for feature in features {
        vector.push(f32::from(feature.keyword_id));
        vector.extend(mode.range_numbers(feature).map(single));
        vector.push(f32::from(feature.value_type.id()));
    }
    let missing_pairs = window.saturating_sub(1) - pairs.len();
    vector.resize(vector.len() + missing_pairs * PER_PAIR, 0.0);
    for (earlier, later) in pairs {
        vector.push(single(later.step.rows));
        vector.push(single(later.step.cols));
        vector.push(flag(earlier.keyword == later.keyword));
    }
    for keyword in KEYWORDS {
        vector.push(count(features.iter().filter(|feature| &*feature.keyword == keyword)));
    }
    let last = features.last();
    let run = features
        .iter()
        .rev()
        .take_while(|feature| last.is_some_and(|last| last.keyword == feature.keyword));
    vector.push(count(run).max(1.0));
    vector.push(flag(
        last.is_some_and(|last| features.iter().any(|feature| feature.sheet != last.sheet)),
    ));
    vector
}

#[expect(clippy::cast_precision_loss, reason = "the models were trained on single precision")]
fn single(number: i64) -> f32 {
    number as f32
}

fn flag(holds: bool) -> f32 {
    if holds { 1.0 } else { 0.0 }
}

#[expect(clippy::cast_precision_loss, reason = "a window is far shorter than 2^24 actions")]
fn count<'a>(features: impl Iterator<Item = &'a Feature>) -> f32 {
    features.count() as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_depends_on_the_window_alone() {
        for window in [1, 3, 10] {
            assert_eq!(length(window), 9 * window + 27);
            for n_actions in 0..12 {
                let features = vec![Feature::of_first("INPUT | Sheet1!A1 | 1"); n_actions];
                assert_eq!(vector(&features, window, RangeMode::Relative).len(), length(window));
            }
        }
    }
}

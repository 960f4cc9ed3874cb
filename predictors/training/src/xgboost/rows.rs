//! The rows that trees are grown on: vectors of histories, and what came next.

use std::collections::BTreeSet;

use napsim_predictors::feature::{Feature, RangeMode, UNKNOWN_KEYWORD};
use napsim_predictors::gbm_vector;
use napsim_predictors::xgboost::N_RANGE_NUMBERS;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::{UnknownAs, XgboostSettings};

/// Rows, or so many of them as are kept, each with the same chance (reservoir sampling). The same seed and order keep the
/// same ones.
pub(super) struct Rows {
    range_mode: RangeMode,
    window: usize,
    unknown_as: UnknownAs,
    n_max: usize,
    n_pushed: usize,
    random: ChaCha8Rng,
    /// `[n_rows, gbm_vector::length(window)]`.
    values: Vec<f32>,
    /// Keyword ids, `[n_rows]`.
    keywords: Vec<u8>,
    /// `[n_rows, 4]`.
    ranges: Vec<[f32; N_RANGE_NUMBERS]>,
}

impl Rows {
    /// No rows; none as the most keeps all.
    pub(super) fn new(settings: XgboostSettings, n_max: Option<usize>, seed: u64) -> Self {
        Self {
            range_mode: settings.range_mode,
            window: settings.window,
            unknown_as: settings.unknown_as,
            n_max: n_max.unwrap_or(usize::MAX),
            n_pushed: 0,
            random: ChaCha8Rng::seed_from_u64(seed),
            values: Vec::new(),
            keywords: Vec::new(),
            ranges: Vec::new(),
        }
    }

    /// Takes a row for each action of a sequence but the first.
    pub(super) fn push(&mut self, features: &[Feature]) {
        for (n_before, next) in features.iter().enumerate().skip(1) {
            let history = features.get(..n_before).unwrap_or_default();
            if let Some(slot) = self.slot() {
                self.put(slot, history, next);
            }
        }
    }

    /// Where the next row goes, if it is kept.
    fn slot(&mut self) -> Option<usize> {
        let position = self.n_pushed;
        self.n_pushed += 1;
        let slot = if position < self.n_max {
            position
        } else {
            self.random.random_range(0..=position)
        };
        (slot < self.n_max).then_some(slot)
    }

    fn put(&mut self, slot: usize, history: &[Feature], next: &Feature) {
        let values = gbm_vector::vector(history, self.window, self.range_mode);
        let keyword = match self.unknown_as {
            UnknownAs::Published if next.keyword_id == UNKNOWN_KEYWORD => 0,
            _ => next.keyword_id,
        };
        let range = self.range_mode.range_numbers(next).map(single);
        let begin = slot * values.len();
        if let Some(place) = self.values.get_mut(begin..begin + values.len()) {
            place.copy_from_slice(&values);
        } else {
            self.values.extend(values);
        }
        put_at(&mut self.keywords, slot, keyword);
        put_at(&mut self.ranges, slot, range);
    }

    /// How many rows are kept.
    pub(super) fn len(&self) -> usize {
        self.keywords.len()
    }

    /// The keyword ids that occur, ascending.
    pub(super) fn classes(&self) -> Vec<u8> {
        self.keywords
            .iter()
            .copied()
            .collect::<BTreeSet<u8>>()
            .into_iter()
            .collect()
    }

    /// Leaves out rows whose keyword is not among the classes, which are ascending.
    pub(super) fn retain(&mut self, classes: &[u8]) {
        let length = gbm_vector::length(self.window);
        let is_kept: Vec<bool> = self
            .keywords
            .iter()
            .map(|keyword| classes.binary_search(keyword).is_ok())
            .collect();
        if is_kept.iter().all(|kept| *kept) {
            return;
        }
        let rows = self.values.chunks_exact(length).zip(&is_kept);
        self.values = rows
            .filter(|(_, kept)| **kept)
            .flat_map(|(row, _)| row.iter().copied())
            .collect();
        keep(&mut self.keywords, &is_kept);
        keep(&mut self.ranges, &is_kept);
    }

    /// The numbers of the classes of the rows, `[n_rows]`.
    pub(super) fn class_labels(&self, classes: &[u8]) -> Vec<f32> {
        let number = |keyword| {
            classes
                .binary_search(keyword)
                .ok()
                .and_then(|class| u16::try_from(class).ok())
        };
        self.keywords.iter().filter_map(number).map(f32::from).collect()
    }

    /// The range numbers of the rows, `[4][n_rows]`.
    pub(super) fn range_labels(&self) -> [Vec<f32>; N_RANGE_NUMBERS] {
        let mut labels: [Vec<f32>; N_RANGE_NUMBERS] = Default::default();
        for range in &self.ranges {
            for (labels, number) in labels.iter_mut().zip(range) {
                labels.push(*number);
            }
        }
        labels
    }

    /// The vectors, `[n_rows, gbm_vector::length(window)]`.
    pub(super) fn into_values(self) -> Vec<f32> {
        self.values
    }
}

fn put_at<T>(items: &mut Vec<T>, slot: usize, item: T) {
    match items.get_mut(slot) {
        Some(place) => *place = item,
        None => items.push(item),
    }
}

fn keep<T>(items: &mut Vec<T>, is_kept: &[bool]) {
    let mut is_kept = is_kept.iter();
    items.retain(|_| is_kept.next().copied().unwrap_or_default());
}

#[expect(clippy::cast_precision_loss, reason = "the models are trained on single precision")]
fn single(number: i64) -> f32 {
    number as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(n_actions: usize) -> Vec<Feature> {
        let mut features: Vec<Feature> = Vec::new();
        for row in 1..=n_actions {
            let keyword = if row % 3 == 0 { "AUTOFILL" } else { "INPUT" };
            features.push(Feature::of_next(
                &format!("{keyword} | Sheet1!A{row} | 1"),
                features.last(),
            ));
        }
        features
    }

    fn rows(n_max: Option<usize>, unknown_as: UnknownAs) -> Rows {
        let settings = XgboostSettings {
            window: 2,
            unknown_as,
            ..XgboostSettings::published()
        };
        let mut rows = Rows::new(settings, n_max, 7);
        rows.push(&features(40));
        rows.push(&features(20));
        rows
    }

    #[test]
    fn every_action_but_the_first_makes_a_row() {
        let rows = rows(None, UnknownAs::Published);
        assert_eq!(rows.len(), 39 + 19);
        assert_eq!(rows.classes(), [0, 20]);
        assert!(
            rows.range_labels()[0]
                .iter()
                .all(|step| (step - 1.0).abs() < f32::EPSILON)
        );
        let own = super::tests::rows(None, UnknownAs::OwnClass);
        assert_eq!(own.classes(), [20, UNKNOWN_KEYWORD]);
        assert_eq!(own.class_labels(&own.classes())[..3], [0.0, 1.0, 0.0]);
        assert_eq!(own.into_values().len(), (39 + 19) * gbm_vector::length(2));
    }

    #[test]
    fn a_sample_keeps_rows_whole() {
        let (all, some) = (rows(None, UnknownAs::OwnClass), rows(Some(10), UnknownAs::OwnClass));
        assert_eq!(some.len(), 10);
        let keywords = |rows: &Rows| -> Vec<(Vec<u32>, u8)> {
            let vectors = rows.values.chunks(gbm_vector::length(2));
            let bits = |row: &[f32]| row.iter().map(|value| value.to_bits()).collect();
            vectors
                .zip(&rows.keywords)
                .map(|(row, keyword)| (bits(row), *keyword))
                .collect()
        };
        let known = keywords(&all);
        assert!(keywords(&some).iter().all(|row| known.contains(row)));
        // Not just the first ten, and the same ones again.
        assert_ne!(keywords(&some), known[..10]);
        assert_eq!(keywords(&some), keywords(&rows(Some(10), UnknownAs::OwnClass)));
    }

    #[test]
    fn rows_of_other_classes_are_left_out() {
        let mut rows = rows(None, UnknownAs::OwnClass);
        rows.retain(&[20]);
        assert_eq!(rows.classes(), [20]);
        assert_eq!(rows.values.len(), rows.len() * gbm_vector::length(2));
        assert_eq!(rows.ranges.len(), rows.len());
    }
}

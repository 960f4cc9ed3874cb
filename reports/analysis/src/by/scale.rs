//! The scales that predictions of one trajectory lie on.

use napsim_sim::event::Prediction;
use napsim_trajectories::{Bounds, Range};

use super::By;
use crate::kind::Kind;
use crate::number::part_of_one;

/// How many scales predictions of one trajectory lie on.
pub(crate) const N_SCALES: usize = 6;

/// The most actions of a bin of lengths, and its name.
const LENGTHS: [(usize, &str); 7] = [
    (1, "1"),
    (2, "2"),
    (3, "3"),
    (5, "4–5"),
    (10, "6–10"),
    (15, "11–15"),
    (usize::MAX, "16+"),
];

/// The largest distance of a bin, and its name.
const DISTANCES: [(i64, &str); 6] = [
    (0, "0"),
    (1, "1"),
    (3, "2–3"),
    (7, "4–7"),
    (15, "8–15"),
    (i64::MAX, "16+"),
];

const PROGRESS: [&str; 10] = [
    "0–10 %",
    "10–20 %",
    "20–30 %",
    "30–40 %",
    "40–50 %",
    "50–60 %",
    "60–70 %",
    "70–80 %",
    "80–90 %",
    "90–100 %",
];

const CONFIDENCE: [&str; 11] = [
    "0.0–0.1",
    "0.1–0.2",
    "0.2–0.3",
    "0.3–0.4",
    "0.4–0.5",
    "0.5–0.6",
    "0.6–0.7",
    "0.7–0.8",
    "0.8–0.9",
    "0.9–1.0",
    "none",
];

/// Where a prediction lies on the scales, in the order of [`By::ALL`].
pub(crate) fn places(prediction: &Prediction, n_actions: u32, last_step: Option<&Step>) -> [usize; N_SCALES] {
    let first = prediction.predicted.first().map_or("", String::as_str);
    [
        Kind::of_text(first).place(),
        last_step.map_or(Kind::OTHER, |step| step.kind).place(),
        first_at_least(&LENGTHS, prediction.predicted.len()),
        progress_place(prediction.future_before, n_actions),
        prediction.confidence.map_or(CONFIDENCE.len() - 1, |confidence| {
            usize::from(part_of_one(confidence, 10))
        }),
        distance_place(first, last_step),
    ]
}

fn first_at_least<T: PartialOrd + Copy>(bins: &[(T, &str)], value: T) -> usize {
    bins.iter().position(|(most, _)| value <= *most).unwrap_or(bins.len())
}

/// Tenths of a trajectory done before a prediction.
fn progress_place(future: u32, n_actions: u32) -> usize {
    let done = u64::from(n_actions.saturating_sub(future));
    let tenth = (10 * done).checked_div(u64::from(n_actions)).unwrap_or_default();
    usize::try_from(tenth.min(9)).unwrap_or_default()
}

/// An action that the user carried out: its kind and where.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) kind: Kind,
    pub(crate) range: Option<Range>,
}

impl Step {
    pub(crate) fn of(action: &str) -> Self {
        Self {
            kind: Kind::of_text(action),
            range: range_of(action),
        }
    }
}

/// The range of an action in the notation.
pub(crate) fn range_of(action: &str) -> Option<Range> {
    let range = action.split(" | ").nth(1)?;
    Range::parse(range).ok()
}

fn distance_place(action: &str, last_step: Option<&Step>) -> usize {
    let (other_sheet, unknown) = (DISTANCES.len(), DISTANCES.len() + 1);
    let from = last_step.and_then(|step| step.range.as_ref());
    let Some((from, to)) = from.zip(range_of(action)) else {
        return unknown;
    };
    if from.sheet() == to.sheet() {
        first_at_least(&DISTANCES, distance(&from.bounds(), &to.bounds()))
    } else {
        other_sheet
    }
}

/// Rows or columns, whichever are more, that one has to go from one range to the other; 0 where they overlap.
pub(crate) fn distance(from: &Bounds, to: &Bounds) -> i64 {
    let gap = |(a, b): (i64, i64), (c, d): (i64, i64)| {
        let ((low, high), (other_low, other_high)) = ((a.min(b), a.max(b)), (c.min(d), c.max(d)));
        0.max(other_low - high).max(low - other_high)
    };
    let rows = gap((from.first_row, from.last_row), (to.first_row, to.last_row));
    let columns = gap((from.first_col, from.last_col), (to.first_col, to.last_col));
    rows.max(columns)
}

/// The names of the places on a scale; none for what is not within trajectories.
pub(super) fn labels(by: By) -> Vec<&'static str> {
    match by {
        By::Kind | By::Trigger => Kind::all().map(Kind::name).collect(),
        By::Length => LENGTHS.iter().map(|(_, label)| *label).collect(),
        By::Progress => PROGRESS.to_vec(),
        By::Confidence => CONFIDENCE.to_vec(),
        By::Distance => DISTANCES
            .iter()
            .map(|(_, label)| *label)
            .chain(["other sheet", "unknown"])
            .collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(prediction: &Prediction, last: &str, expect: [&str; N_SCALES]) {
        let places = places(prediction, 20, Some(&Step::of(last)));
        let labels: Vec<&str> = By::ALL
            .iter()
            .zip(places)
            .map(|(by, place)| by.labels()[place])
            .collect();
        assert_eq!(labels, expect);
    }

    #[test]
    fn predictions_lie_where_they_should() {
        let mut prediction = Prediction {
            predicted: vec!["FONT_BOLD | Sheet1!C9:D9 | true".to_owned()],
            future_before: 15,
            ..Prediction::default()
        };
        check(
            &prediction,
            "INPUT | Sheet1!A1:B4 | 1",
            ["font", "input", "1", "20–30 %", "none", "4–7"],
        );
        prediction.predicted = vec!["MERGE | Other!A1:B1 | true".to_owned(); 12];
        prediction.confidence = Some(1.0);
        prediction.future_before = 0;
        check(
            &prediction,
            "AUTOFILL | Sheet1!A1 | Sheet1!A1",
            ["merge", "autofill", "11–15", "90–100 %", "0.9–1.0", "other sheet"],
        );
        prediction.predicted = vec!["nonsense".to_owned(); 16];
        prediction.confidence = Some(0.05);
        prediction.future_before = 40;
        check(
            &prediction,
            "",
            ["other", "other", "16+", "0–10 %", "0.0–0.1", "unknown"],
        );
    }

    #[test]
    fn distances_are_gaps() {
        let bounds = |text: &str| Range::parse(text).unwrap().bounds();
        for (from, to, expect) in [
            ("A1", "A1", 0),
            ("A1:C3", "B2:Z9", 0),
            ("A1", "B2", 1),
            ("A1", "A3", 2),
            ("C3:A1", "D9", 6),
            ("Z1", "A1:B1", 24),
        ] {
            assert_eq!(distance(&bounds(from), &bounds(to)), expect, "{from} {to}");
            assert_eq!(distance(&bounds(to), &bounds(from)), expect, "{to} {from}");
        }
    }
}

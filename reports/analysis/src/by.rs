//! By what predictions can be told apart.

use napsim_sim::event::Prediction;
use napsim_trajectories::{Bounds, Range};
use serde::{Deserialize, Serialize};

use crate::kind::Kind;
use crate::number::part_of_one;

/// By what predictions are told apart.
///
/// The first six are properties of a prediction, the others of the whole run or trajectory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// The kind of the first proposed action.
    Kind,
    /// The kind of the last action that the user carried out before.
    Trigger,
    /// How many actions were proposed: 1, 2, 3, 4–5, 6–10, 11–15, 16 or more.
    Length,
    /// The share of the trajectory that was done before, in tenths: 1 − actions still to do / actions of the trajectory.
    Progress,
    /// The predictor's confidence, in tenths.
    Confidence,
    /// Rows or columns, whichever are more, between the first proposed range and that of the last user action.
    Distance,
    /// The predictor.
    Predictor,
    /// The acceptance policy.
    Policy,
    /// Single or multi.
    Mode,
    /// After how many actions the predictor is asked.
    Stride,
    /// How many actions the predictor knows.
    Context,
    /// How many proposed actions are kept at most.
    MaxActions,
    /// The way of working by which a workbook was made into the trajectory, where its name ends in one.
    Profile,
    /// The trajectory.
    Trajectory,
}

impl By {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::Kind,
        Self::Trigger,
        Self::Length,
        Self::Progress,
        Self::Confidence,
        Self::Distance,
        Self::Predictor,
        Self::Policy,
        Self::Mode,
        Self::Stride,
        Self::Context,
        Self::MaxActions,
        Self::Profile,
        Self::Trajectory,
    ];

    /// The name that a user types.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kind => "kind",
            Self::Trigger => "trigger",
            Self::Length => "length",
            Self::Progress => "progress",
            Self::Confidence => "confidence",
            Self::Distance => "distance",
            Self::Predictor => "predictor",
            Self::Policy => "policy",
            Self::Mode => "mode",
            Self::Stride => "stride",
            Self::Context => "context",
            Self::MaxActions => "max-actions",
            Self::Profile => "profile",
            Self::Trajectory => "trajectory",
        }
    }

    /// The one of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|by| by.name() == name)
    }

    /// What a chart of it asks.
    pub fn question(self) -> &'static str {
        match self {
            Self::Kind => "Which kinds of action are predicted well?",
            Self::Trigger => "After which actions of the user are predictions accepted?",
            Self::Length => "Do longer proposals fare better?",
            Self::Progress => "Do predictions get better as the sheet grows?",
            Self::Confidence => "Are confident predictions accepted more often?",
            Self::Distance => "Are predictions near the user's last action accepted more often?",
            Self::Predictor => "Which predictor is accepted most often?",
            Self::Policy => "How much does the acceptance policy decide?",
            Self::Mode => "Is one action at a time accepted more often than several?",
            Self::Stride => "What if the predictor is asked less often?",
            Self::Context => "How much of the history does the predictor need?",
            Self::MaxActions => "How many actions should be proposed at most?",
            Self::Profile => "Does the user's way of working matter?",
            Self::Trajectory => "In which trajectories are predictions accepted?",
        }
    }

    /// What a row is, in a sentence or two.
    pub fn definition(self) -> &'static str {
        match self {
            Self::Kind => {
                "Predictions by the kind of their first proposed action. Contents and formulas are input; number formats \
                 are format; wrapping and text orientation count as align."
            }
            Self::Trigger => {
                "Predictions by the kind of the last action that the user carried out before, corrections of earlier \
                 proposals included. Accepted proposals are no actions of the user."
            }
            Self::Length => "Predictions by the number of actions proposed at once.",
            Self::Progress => {
                "Predictions by the share of the work that was done before: 1 − actions still to do / actions of the \
                 trajectory, in tenths. Where wrong proposals left more to do than there was, it counts as 0."
            }
            Self::Confidence => "Predictions by what the predictor says of its own certainty, in tenths.",
            Self::Distance => {
                "Rows or columns, whichever are more, from the range of the user's last action to the first proposed \
                 range. 0 is a range that overlaps it, 1 one beside it."
            }
            Self::Predictor => "All predictions of a predictor, over everything that is in the report.",
            Self::Policy => "All predictions under an acceptance policy, over everything that is in the report.",
            Self::Mode => "All predictions in a mode: single asks again after an acceptance, multi once a user action.",
            Self::Stride => "The predictor is asked after every so many actions.",
            Self::Context => "The predictor knows so many of the last actions.",
            Self::MaxActions => "So many proposed actions are kept; the rest is cut off.",
            Self::Profile => {
                "Trajectories that were reconstructed from workbooks, by the way of working that was assumed: the end of \
                 the trajectory's name."
            }
            Self::Trajectory => "All predictions in a trajectory.",
        }
    }

    /// Whether it tells predictions of one trajectory apart.
    pub fn is_within_trajectories(self) -> bool {
        self.place() < N_SCALES
    }

    /// Its place among the scales.
    pub(crate) fn place(self) -> usize {
        Self::ALL.iter().position(|by| *by == self).unwrap_or(Self::ALL.len())
    }

    /// The names of the places on its scale; none for what is not within trajectories.
    pub(crate) fn labels(self) -> Vec<&'static str> {
        match self {
            Self::Kind | Self::Trigger => Kind::all().map(Kind::name).collect(),
            Self::Length => LENGTHS.iter().map(|(_, label)| *label).collect(),
            Self::Progress => PROGRESS.to_vec(),
            Self::Confidence => CONFIDENCE.to_vec(),
            Self::Distance => DISTANCES
                .iter()
                .map(|(_, label)| *label)
                .chain(["other sheet", "unknown"])
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Whether the last place of the scale is for what has no place on it; it is shown only where something is there.
    pub(crate) fn has_rest(self) -> bool {
        matches!(self, Self::Kind | Self::Trigger | Self::Confidence | Self::Distance)
    }
}

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

fn first_at_least<T: PartialOrd>(bins: &[(T, &str)], value: T) -> usize {
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

/// Ways of working under which `napsim corpus build` makes trajectories.
const PROFILES: [&str; 10] = [
    "natural",
    "tidy",
    "typist",
    "formatter-last",
    "dragger",
    "framer",
    "paster",
    "columnist",
    "hesitant",
    "sampled",
];

/// The way of working in which a trajectory's name ends.
pub(crate) fn profile_of(trajectory: &str) -> Option<&'static str> {
    let ends_in = |profile: &&str| {
        let rest = trajectory.strip_suffix(*profile);
        rest.is_some_and(|rest| rest.len() > 1 && rest.ends_with('-'))
    };
    PROFILES.into_iter().find(ends_in)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_again() {
        for by in By::ALL {
            assert_eq!(By::from_name(by.name()), Some(by));
            assert_eq!(serde_json::to_value(by).unwrap(), by.name());
            assert_eq!(by.is_within_trajectories(), !by.labels().is_empty());
        }
    }

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

    #[test]
    fn profiles_are_those_of_the_documentation() {
        let documented = include_str!("../../../docs/RECONSTRUCTION.md");
        let table = documented.split_once("| profile |").unwrap().1;
        let table = table.split_once("\n\n").unwrap().0;
        let names: Vec<&str> = table
            .lines()
            .filter_map(|line| line.strip_prefix("| `")?.split_once('`'))
            .map(|(name, _)| name)
            .collect();
        assert_eq!(names, PROFILES);
        assert_eq!(profile_of("plan-Sheet1-formatter-last"), Some("formatter-last"));
        assert_eq!(profile_of("plan-tidy"), Some("tidy"));
        assert_eq!(profile_of("-tidy"), None);
        assert_eq!(profile_of("untidy"), None);
    }
}

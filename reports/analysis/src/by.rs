//! By what predictions can be told apart.

mod scale;

use serde::{Deserialize, Serialize};

pub(crate) use scale::{N_SCALES, Step, distance, places};

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
        scale::labels(self)
    }

    /// Whether the last place of the scale is for what has no place on it; it is shown only where something is there.
    pub(crate) fn has_rest(self) -> bool {
        matches!(self, Self::Kind | Self::Trigger | Self::Confidence | Self::Distance)
    }
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

//! What a run is asked to measure: everything that its figures depend on besides the trajectories.

use std::fmt;

use napsim_sim::predictor::Fingerprint;
use napsim_sim::settings::Settings;
use serde::{Deserialize, Serialize};

/// How calls follow one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// One action a call, asked again after an acceptance until refused.
    Single,
    /// The predictor decides its own length and is asked once a user action.
    Multi,
}

impl Mode {
    /// The name that a user types.
    pub fn name(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Multi => "multi",
        }
    }

    /// The published settings of the mode.
    pub fn settings(self) -> Settings {
        match self {
            Self::Single => Settings::single(),
            Self::Multi => Settings::multi(),
        }
    }
}

/// How much of the history the predictor knows: written as `"all"` or as a number of actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ContextLength {
    /// The last so many actions.
    Last(u32),
    /// Every action so far.
    All(AllWord),
}

/// The word `all`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AllWord {
    /// The word itself.
    All,
}

impl ContextLength {
    /// Every action so far.
    pub const ALL: Self = Self::All(AllWord::All);
}

impl fmt::Display for ContextLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Last(n) => n.fmt(f),
            Self::All(_) => f.write_str("all"),
        }
    }
}

/// What a run is asked to measure. Two runs of equal set-up over equal trajectories give equal records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunSetup {
    /// Name of the protocol.
    pub protocol: String,
    /// Name of the corpus; empty in the units of a store, which belong to no corpus in particular.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub corpus: String,
    /// Canonical id of the predictor.
    pub predictor: String,
    /// Identity of the predictor: equal fingerprints imply equal outputs.
    pub fingerprint: Fingerprint,
    /// Canonical id of the acceptance policy.
    pub policy: String,
    /// How calls follow one another.
    pub mode: Mode,
    /// How much of the history the predictor knows; absent where it has no such option.
    pub context: Option<ContextLength>,
    /// When to ask, how often, where to stop.
    pub settings: Settings,
}

impl RunSetup {
    /// Whether the predictor, or a part of it, is a program or service of its own, which its fingerprint says.
    pub fn is_foreign(&self) -> bool {
        self.fingerprint.0.contains("external/1 ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn context_is_a_number_or_the_word_all() {
        for (context, json) in [(ContextLength::ALL, "\"all\""), (ContextLength::Last(32), "32")] {
            assert_eq!(serde_json::to_string(&context).unwrap(), json);
            assert_eq!(serde_json::from_str::<ContextLength>(json).unwrap(), context);
        }
    }
}

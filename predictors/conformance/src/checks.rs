//! The checks.

mod basics;

use crate::answer::Failure;
use crate::bench::Bench;
use crate::verdict::Outcome;

/// One check.
pub(crate) struct Check {
    pub(crate) name: &'static str,
    /// What it demands, as a sentence.
    pub(crate) about: &'static str,
    /// Whether it holds answers against each other, which is pointless where they differ by themselves.
    pub(crate) compares: bool,
    pub(crate) run: fn(&mut Bench<'_>) -> Result<Found, Failure>,
}

/// Every check in the order in which they run.
pub(crate) const CHECKS: &[Check] = &[Check {
    name: "answers",
    about: "An ordinary history gets an answer.",
    compares: false,
    run: basics::answers,
}];

/// What a check found that did not fail.
#[derive(Debug, Default)]
pub(crate) struct Found {
    facts: Vec<String>,
    warnings: Vec<String>,
    skipped: bool,
}

impl Found {
    /// All is well.
    pub(crate) fn well(fact: impl Into<String>) -> Self {
        Self {
            facts: vec![fact.into()],
            ..Self::default()
        }
    }

    /// There was nothing to look at.
    pub(crate) fn nothing(reason: impl Into<String>) -> Self {
        Self {
            skipped: true,
            ..Self::well(reason)
        }
    }

    /// Something should be looked at.
    #[must_use]
    pub(crate) fn warn(mut self, warning: impl Into<String>) -> Self {
        self.warnings.push(warning.into());
        self
    }

    /// How the check ended, and what it tells.
    pub(crate) fn conclude(self) -> (Outcome, String) {
        let outcome = match (self.warnings.is_empty(), self.skipped) {
            (false, _) => Outcome::Warned,
            (true, true) => Outcome::Skipped,
            (true, false) => Outcome::Passed,
        };
        let lines: Vec<String> = self.warnings.into_iter().chain(self.facts).collect();
        (outcome, lines.join("\n"))
    }
}

//! The checks.

mod basics;
mod feedback;
mod forgetting;
mod growth;
mod proposals;
mod recovery;
mod rollouts;
mod telling;
mod unusual;

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
pub(crate) const CHECKS: &[Check] = &[
    Check {
        name: "answers",
        about: "An ordinary history gets an answer.",
        compares: false,
        run: basics::answers,
    },
    Check {
        name: "determinism",
        about: "The same seed and history give the same answers, in every process and every time.",
        compares: true,
        run: basics::determinism,
    },
    Check {
        name: "seed",
        about: "Answers follow from the seed that the trajectory begins with, whatever seeds came before; every seed is allowed.",
        compares: true,
        run: basics::seed,
    },
    Check {
        name: "empty-history",
        about: "A trajectory begins without history, and a question then is no error.",
        compares: false,
        run: telling::empty_history,
    },
    Check {
        name: "observe",
        about: "It makes no difference in which pieces history is told.",
        compares: true,
        run: telling::observe,
    },
    Check {
        name: "every-action",
        about: "Every action of the notation can become history.",
        compares: false,
        run: unusual::every_action,
    },
    Check {
        name: "unusual-texts",
        about: "Cells may hold any text: every writing, separators, control characters, 32,767 characters.",
        compares: false,
        run: unusual::texts,
    },
    Check {
        name: "unusual-sheets",
        about: "Sheets may be called anything, and a history may go from one to another.",
        compares: false,
        run: unusual::sheets,
    },
    Check {
        name: "large-ranges",
        about: "Ranges may be large, at the rim of the sheet, reversed or spelled unusually.",
        compares: false,
        run: unusual::ranges,
    },
    Check {
        name: "proposals",
        about: "Proposals are actions, and confidences lie between 0 and 1.",
        compares: false,
        run: proposals::readable,
    },
    Check {
        name: "budget",
        about: "No more actions are proposed than were asked for.",
        compares: false,
        run: proposals::budget,
    },
    Check {
        name: "rewind",
        about: "After a history that left the recorded trajectory, another one begins as if nothing had been.",
        compares: true,
        run: forgetting::rewind,
    },
    Check {
        name: "no-leaks",
        about: "Nothing is left of one trajectory in the next.",
        compares: true,
        run: forgetting::no_leaks,
    },
    Check {
        name: "side-by-side",
        about: "Two predictors at work at the same time do not disturb each other.",
        compares: true,
        run: forgetting::side_by_side,
    },
    Check {
        name: "feedback",
        about: "It can be told at any time that answers were withdrawn or refused.",
        compares: true,
        run: feedback::feedback,
    },
    Check {
        name: "long-history",
        about: "A long history is no error, and the time of a call grows with it at most in proportion.",
        compares: false,
        run: growth::long_history,
    },
    Check {
        name: "rollouts",
        about: "Whole rollouts go through without failed calls, with the same result each time.",
        compares: true,
        run: rollouts::rollouts,
    },
    Check {
        name: "fingerprint",
        about: "The fingerprint is there, the same for every predictor, and does not change by use.",
        compares: false,
        run: basics::fingerprint,
    },
    Check {
        name: "recovery",
        about: "After a call that failed, the next trajectory is answered.",
        compares: false,
        run: recovery::recovery,
    },
];

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

    /// One more thing that was seen.
    #[must_use]
    pub(crate) fn and(mut self, fact: impl Into<String>) -> Self {
        self.facts.push(fact.into());
        self
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

//! The suite: which checks run, on what, in which order.

use napsim_sim::predictor::Predictor;
use serde::Serialize;

use crate::bench::Bench;
use crate::checks::{CHECKS, Check};
use crate::clock::Clock;
use crate::histories::Histories;
use crate::verdict::{Finding, Outcome, Verdict};

/// What is demanded of every predictor, and how thoroughly it is looked at.
#[derive(Clone, Debug)]
pub struct Suite {
    /// Picks and generates the histories, and is the seed that predictors begin with.
    pub seed: u64,
    /// Actions of the longest history.
    pub long_history: usize,
    /// Names of the checks to carry out; all of them where it is empty.
    pub only: Vec<&'static str>,
    /// What calls are timed with.
    pub clock: Clock,
}

impl Default for Suite {
    /// Every check, and a history of 10,000 actions.
    fn default() -> Self {
        Self {
            seed: 0,
            long_history: 10_000,
            only: Vec::new(),
            clock: Clock::default(),
        }
    }
}

/// A check, for lists of what there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CheckInfo {
    /// Its name.
    pub name: &'static str,
    /// What it demands, as a sentence.
    pub about: &'static str,
}

impl Suite {
    /// Every check in the order in which they run.
    pub fn checks() -> impl ExactSizeIterator<Item = CheckInfo> {
        CHECKS.iter().map(|check| CheckInfo {
            name: check.name,
            about: check.about,
        })
    }

    /// Examines a predictor. `make` gives a fresh one each time, as an evaluation with several lanes would; `watch` is
    /// shown each finding as soon as it is there.
    ///
    /// A predictor that panics has failed the check. Whether the message of the panic is printed is up to the panic hook.
    pub fn run(&self, make: &mut dyn FnMut() -> Box<dyn Predictor>, watch: &mut dyn FnMut(&Finding)) -> Verdict {
        self.run_until(make, watch, &mut || false)
    }

    /// The same for those who may be interrupted: once `stop` says so, the remaining checks are skipped. It is asked
    /// before and after each check.
    pub fn run_until(
        &self,
        make: &mut dyn FnMut() -> Box<dyn Predictor>,
        watch: &mut dyn FnMut(&Finding),
        stop: &mut dyn FnMut() -> bool,
    ) -> Verdict {
        let mut verdict = Verdict::default();
        let mut found = |finding: Finding| {
            watch(&finding);
            verdict.findings.push(finding);
        };
        for name in self.only.iter().filter(|name| !is_known(name)) {
            found(Finding {
                check: name,
                about: "Only checks that exist can be asked for.",
                outcome: Outcome::Failed,
                detail: format!("no check is called `{name}`"),
            });
        }
        let histories = Histories::new(self.seed);
        let mut bench = Bench::new(self, &histories, make);
        for check in CHECKS.iter().filter(|check| self.wants(check)) {
            if let Some(reason) = reason_to_skip(check, &bench, stop) {
                found(skipped(check, reason));
                continue;
            }
            let finding = bench.examine(check);
            // What fails while everything is being stopped may have failed for that.
            let interrupted = finding.outcome == Outcome::Failed && stop();
            found(if interrupted { skipped(check, STOPPED) } else { finding });
        }
        verdict
    }

    fn wants(&self, check: &Check) -> bool {
        self.only.is_empty() || self.only.contains(&check.name)
    }
}

const STOPPED: &str = "stopped";

fn is_known(name: &str) -> bool {
    CHECKS.iter().any(|check| check.name == name)
}

fn reason_to_skip(check: &Check, bench: &Bench<'_>, stop: &mut dyn FnMut() -> bool) -> Option<&'static str> {
    if stop() {
        Some(STOPPED)
    } else if bench.is_mute {
        Some("it does not answer an ordinary question, see `answers`")
    } else if check.compares && bench.is_erratic {
        Some("equal questions get different answers as it is, see `determinism`")
    } else {
        None
    }
}

fn skipped(check: &Check, reason: &str) -> Finding {
    Finding {
        check: check.name,
        about: check.about,
        outcome: Outcome::Skipped,
        detail: reason.to_owned(),
    }
}

//! What the suite found.

use std::fmt;

use serde::Serialize;

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It holds.
    Passed,
    /// It holds, and something should be looked at.
    Warned,
    /// It does not hold: figures measured with this predictor cannot be relied on.
    Failed,
    /// It was not looked at, or there was nothing to look at.
    Skipped,
}

impl Outcome {
    /// The word in tables. Failures stand out without any colour.
    pub fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Warned => "warned",
            Self::Failed => "FAILED",
            Self::Skipped => "skipped",
        }
    }
}

/// What one check found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Name of the check.
    pub check: &'static str,
    /// What the check demands, as a sentence.
    pub about: &'static str,
    /// How it ended.
    pub outcome: Outcome,
    /// What was seen, on one line or more. After a failure: what was expected, what came and how to see it again.
    ///
    /// Texts of the predictor and of histories are fit for printing in it: cut, and without control characters.
    pub detail: String,
}

/// How many checks ended in each way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OutcomeCounts {
    /// Checks that passed.
    pub passed: usize,
    /// Checks that passed with a warning.
    pub warned: usize,
    /// Checks that failed.
    pub failed: usize,
    /// Checks that were left out.
    pub skipped: usize,
}

/// What all checks found, in the order in which they ran.
///
/// As text it is a table that a person reads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// One finding a check.
    pub findings: Vec<Finding>,
}

impl Verdict {
    /// Whether no check failed, and at least one was not left out.
    pub fn passed(&self) -> bool {
        let counts = self.counts();
        counts.failed == 0 && counts.passed + counts.warned > 0
    }

    /// How many checks ended in each way.
    pub fn counts(&self) -> OutcomeCounts {
        let mut counts = OutcomeCounts::default();
        for finding in &self.findings {
            match finding.outcome {
                Outcome::Passed => counts.passed += 1,
                Outcome::Warned => counts.warned += 1,
                Outcome::Failed => counts.failed += 1,
                Outcome::Skipped => counts.skipped += 1,
            }
        }
        counts
    }

    /// The finding of a check.
    pub fn finding(&self, check: &str) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.check == check)
    }

    fn conclusion(&self) -> &'static str {
        match self.counts() {
            OutcomeCounts { failed: 1.., .. } => "this predictor cannot be measured reliably",
            OutcomeCounts {
                passed: 0, warned: 0, ..
            } => "nothing was checked",
            OutcomeCounts { warned: 1.., .. } => "this predictor can be measured; see the warnings",
            _ => "this predictor can be measured",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.findings.iter().map(|finding| finding.check.len()).max();
        let width = width.unwrap_or_default();
        for finding in &self.findings {
            let word = finding.outcome.word();
            write!(f, "{word:<7}  {:<width$}  ", finding.check)?;
            if matches!(finding.outcome, Outcome::Passed | Outcome::Skipped) {
                writeln!(f, "{}", finding.detail.lines().collect::<Vec<_>>().join("; "))?;
                continue;
            }
            writeln!(f, "{}", finding.about)?;
            for line in finding.detail.lines() {
                writeln!(f, "{:11}{line}", "")?;
            }
        }
        let OutcomeCounts {
            passed,
            warned,
            failed,
            skipped,
        } = self.counts();
        let conclusion = self.conclusion();
        write!(
            f,
            "{passed} passed, {warned} warned, {failed} failed, {skipped} skipped: {conclusion}"
        )
    }
}

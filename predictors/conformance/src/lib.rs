//! What every predictor must hold to, as a suite of checks.

mod answer;
mod bench;
mod checks;
mod clock;
mod conversation;
mod histories;
mod shown;
mod subject;
mod suite;
mod verdict;

pub use clock::Clock;
pub use suite::{CheckInfo, Suite};
pub use verdict::{Finding, Outcome, OutcomeCounts, Verdict};

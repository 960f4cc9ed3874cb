//! What every predictor must hold to, as a suite of checks.
//!
//! Figures of an evaluation mean something only if the predictor answers for what it was told: the same each time,
//! nothing left of the trajectory before, whatever people type into their sheets. The suite talks to a predictor as an
//! evaluation would and says in plain text what does not hold and how to see it again.
//!
//! A test for one's own predictor, to be pasted:
//!
//! ```
//! use napsim_conformance::Suite;
//! use napsim_sim::predictor::{
//!     Budget, Fingerprint, PredictError, Predictor, Proposals, Seed, TrajectoryHead, Usage, View,
//! };
//! use napsim_trajectories::Action;
//!
//! /// Makes bold whatever was typed last.
//! #[derive(Default)]
//! struct BoldNext {
//!     last: Option<Action>,
//! }
//!
//! impl Predictor for BoldNext {
//!     fn fingerprint(&self) -> Fingerprint {
//!         Fingerprint("bold-next/1".to_owned())
//!     }
//!
//!     fn begin(&mut self, _head: TrajectoryHead<'_>, _seed: Seed) {
//!         self.last = None;
//!     }
//!
//!     fn observe(&mut self, actions: &[Action]) {
//!         self.last = actions.last().cloned().or(self.last.take());
//!     }
//!
//!     fn predict(&mut self, _view: View<'_>, _budget: Budget, out: &mut Proposals) -> Result<Usage, PredictError> {
//!         if let Some(last) = self.last.as_ref().filter(|last| last.is_content()) {
//!             // A line that is no action is counted as a rejected proposal.
//!             let _ = out.push_text(&format!("FONT_BOLD | {} | true", last.range()), Some(0.5));
//!         }
//!         Ok(Usage::default())
//!     }
//! }
//!
//! // With #[test] above it:
//! fn bold_next_is_a_predictor() {
//!     let verdict = Suite::default().run(&mut || Box::new(BoldNext::default()), &mut |_| {});
//!     assert!(verdict.passed(), "\n{verdict}");
//! }
//! # bold_next_is_a_predictor();
//! ```
//!
//! A whole run asks some 430 questions of eight predictors, 180 of them in whole rollouts. The predictors come one after
//! the other but for `side-by-side`, where two are at work. [`Suite::only`] picks checks, for predictors that take long
//! to answer or do not fit into memory twice.

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

//! Which candidates to offer: features of a candidate in its surroundings, and the memory of what was refused.
//!
//! A trained predictor brings a score of its own; everything else is the same for all of them.

mod boosted;
mod calibration;
mod features;
mod gate;
pub mod likelihood;
mod outcomes;

use napsim_trajectories::Action;

use crate::candidates::{Candidate, Generator, Pool, Scene, generate};

pub use boosted::{BoostedRanker, UntrainedRanker};
pub use calibration::{CONFIDENCES, Calibration, CoveragePoint, Judged, risk_coverage};
pub use features::{FEATURES, N_FEATURES, Surroundings};
pub use gate::{Gate, GateRows};
pub use outcomes::Outcomes;

/// The running trajectory as a ranking sees it.
#[derive(Clone, Debug, Default)]
pub struct Desk {
    /// History and sheets.
    pub scene: Scene,
    /// What became of the offers made so far.
    pub outcomes: Outcomes,
    generator: Generator,
    pool: Pool,
}

impl Desk {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.scene.clear();
        self.outcomes.clear();
    }

    /// Sees actions that became history.
    pub fn observe(&mut self, actions: &[Action]) {
        for action in actions {
            self.scene.observe(action);
            if let Some(step) = self.scene.last() {
                self.outcomes.observe(step);
            }
        }
        self.outcomes.settle(actions.len());
    }

    /// Makes everything that might come next, without what was refused before.
    pub fn make_candidates(&mut self) {
        generate(&mut self.scene, &mut self.generator, &mut self.pool);
        let outcomes = &self.outcomes;
        self.pool.retain(|candidate| !outcomes.is_refused(candidate));
    }

    /// The candidates made last.
    pub fn candidates(&self) -> &[Candidate] {
        self.pool.candidates()
    }

    /// Features of the candidates made last, a row each: `[n_candidates, N_FEATURES]`.
    pub fn features(&self, rows: &mut Vec<f32>) {
        rows.clear();
        let surroundings = Surroundings::of(&self.scene);
        for candidate in self.pool.candidates() {
            surroundings.describe(&self.scene, &self.outcomes, candidate, rows);
        }
    }

    /// The action that a candidate stands for.
    pub fn action(&self, candidate: &Candidate) -> Option<Action> {
        self.scene.action(candidate.edit, candidate.place)
    }

    /// Candidates are about to be proposed, in order of execution; none where nothing is.
    pub fn offer(&mut self, offers: &[Candidate]) {
        self.outcomes.offer(&self.scene, offers.iter().copied());
    }

    /// Actions that somebody proposed were refused: they are not proposed again.
    pub fn refuse(&mut self, actions: &[Action]) {
        if let [action] = actions {
            let (edit, place) = self.scene.number(action);
            self.outcomes.refuse(edit, place);
        }
    }

    /// Forgets the first actions of the history, so many of them, and what became of the sheets by them.
    pub fn forget_before(&mut self, n_dropped: usize, history: &[Action]) {
        self.scene.rewind();
        for action in history.get(n_dropped..).unwrap_or_default() {
            self.scene.observe(action);
        }
    }
}

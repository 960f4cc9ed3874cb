//! Which candidates to offer: features of a candidate in its surroundings, and the memory of what was refused.
//!
//! A trained predictor brings a score of its own; everything else is the same for all of them.

mod features;
mod outcomes;

use napsim_trajectories::{Action, Edit};

use crate::candidates::{Candidate, Generator, Pool, Scene, generate};

pub use features::{FEATURES, N_FEATURES, Surroundings};
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

    /// Everything that might come next, without what was refused before.
    pub fn candidates(&mut self) -> &[Candidate] {
        generate(&mut self.scene, &mut self.generator, &mut self.pool);
        let (outcomes, scene) = (&self.outcomes, &self.scene);
        self.pool.retain(|candidate| {
            !outcomes.is_refused(candidate) && !matches!(scene.edits.get(candidate.edit).edit, Edit::Merge { on: false })
        });
        self.pool.candidates()
    }

    /// Features of the candidates made last, a row each: `[n_candidates, N_FEATURES]`.
    pub fn features(&self, rows: &mut Vec<f32>) {
        rows.clear();
        let surroundings = Surroundings::of(&self.scene, &self.outcomes);
        for candidate in self.pool.candidates() {
            surroundings.describe(&self.scene, &self.outcomes, candidate, rows);
        }
    }

    /// The candidates made last.
    pub fn made(&self) -> &[Candidate] {
        self.pool.candidates()
    }

    /// The action that a candidate stands for.
    pub fn action(&self, candidate: &Candidate) -> Option<Action> {
        self.scene.action(candidate.edit, candidate.place)
    }
}

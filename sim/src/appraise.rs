//! What proposals would save, asked of a user who is known whole: the labels from which ranking models are trained.
//!
//! A predictor in a rollout never meets an [`Appraiser`]: it holds the future, and so belongs to training and to studies
//! of what could be had, not to measurement.

use napsim_trajectories::Action;

use crate::apply::StrictError;
use crate::engine::{Engine, Judge, Past};
use crate::plan::Planned;
use crate::protocol::Protocol;
use crate::settings::UNDO_MAX;

/// A user in the midst of a trajectory, and what she would save by taking a proposal.
pub struct Appraiser<'a> {
    trajectory: &'a [Action],
    history: Vec<Action>,
    judge: Box<dyn Judge>,
}

impl<'a> Appraiser<'a> {
    /// A user before the first action of a trajectory, measured by a protocol's rules.
    ///
    /// # Errors
    /// [`StrictError`] when the trajectory cannot be carried out.
    pub fn new(trajectory: &'a [Action], protocol: &Protocol) -> Result<Self, StrictError> {
        let mut judge = Engine::default().judge(protocol);
        judge.begin(trajectory)?;
        Ok(Self {
            trajectory,
            history: Vec::new(),
            judge,
        })
    }

    /// Everything carried out so far, oldest first.
    pub fn history(&self) -> &[Action] {
        &self.history
    }

    /// How many actions the user still has to do.
    pub fn n_future(&self) -> usize {
        self.judge.future_len()
    }

    /// The user carries out her next action; false where there is none or it cannot be carried out.
    pub fn step(&mut self) -> bool {
        let Some(next) = self.judge.take_next() else {
            return false;
        };
        if self.judge.carry_out(&next).is_err() {
            return false;
        }
        self.history.push(next.action.clone());
        true
    }

    /// User actions that a proposal would save: the future as it is less the future after it and the undo actions it
    /// makes necessary. None where its consequences cannot be worked out.
    pub fn saved(&mut self, proposal: &[Action]) -> Option<i64> {
        let predicted = Planned::all(proposal.iter().cloned());
        self.judged(&predicted)
    }

    /// The user takes a proposal and goes on from there; gives what it saved. Where that cannot be worked out, nothing
    /// happens.
    pub fn take(&mut self, proposal: &[Action]) -> Option<i64> {
        let predicted = Planned::all(proposal.iter().cloned());
        let saved = self.judged(&predicted)?;
        self.history.extend(proposal.iter().cloned());
        let past = Past {
            trajectory: self.trajectory,
            history: &self.history,
        };
        self.judge.accept(past, &predicted);
        Some(saved)
    }

    fn judged(&mut self, predicted: &[std::rc::Rc<Planned>]) -> Option<i64> {
        let past = Past {
            trajectory: self.trajectory,
            history: &self.history,
        };
        let n_future = self.judge.future_len();
        let outlook = self.judge.judge(
            past,
            predicted,
            usize::try_from(UNDO_MAX).unwrap_or(usize::MAX),
            &mut || {},
        );
        outlook.rewritten.ok().map(|consequences| consequences.saved(n_future))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn actions(texts: &[&str]) -> Vec<Action> {
        texts.iter().map(|text| Action::parse(text).unwrap()).collect()
    }

    #[test]
    fn a_wide_proposal_saves_what_it_makes_unnecessary() {
        let trajectory = actions(&[
            "FONT_BOLD | Sheet1!A1 | true",
            "FONT_BOLD | Sheet1!A2 | true",
            "FONT_BOLD | Sheet1!A3 | true",
            "INPUT | Sheet1!B1 | 7",
        ]);
        let mut appraiser = Appraiser::new(&trajectory, &Protocol::NAPE_1).unwrap();
        assert!(appraiser.step());
        let wide = actions(&["FONT_BOLD | Sheet1!A2:A3 | true"]);
        let wrong = actions(&["INPUT | Sheet1!B1 | 8"]);
        assert_eq!(appraiser.saved(&wide), Some(2));
        assert!(appraiser.saved(&wrong) < Some(1));
        assert_eq!(appraiser.take(&wide), Some(2));
        assert_eq!((appraiser.history().len(), appraiser.n_future()), (2, 1));
        assert!(appraiser.step());
        assert!(!appraiser.step());
    }
}

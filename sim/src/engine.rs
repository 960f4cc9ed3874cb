//! Where a rollout's state lives, and how the consequences of proposals are worked out: straight from the spec, or from
//! what can have changed.
//!
//! The two engines give the same figures for the same rollout. The plain one reads like the spec and is the measure of
//! the fast one, which is what a rollout uses unless told otherwise.

mod fast;
mod plain;

use std::rc::Rc;

use napsim_trajectories::Action;

use crate::apply::{ApplyError, StrictError};
use crate::plan::Planned;
use crate::protocol::Protocol;
use crate::rewrite::{self, RewriteError};
use crate::score::Score;
pub(crate) use fast::Prepared;

/// The way in which consequences are worked out. The choice changes no figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// Whole states, worked out and compared anew for every proposal.
    Plain,
    /// Only what a proposal can change; the rest is known from before.
    #[default]
    Fast,
}

impl Engine {
    /// Every engine.
    pub const ALL: &'static [Engine] = &[Self::Fast, Self::Plain];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Fast => "fast",
        }
    }

    /// A judge of proposals for one rollout.
    pub(crate) fn judge(self, protocol: &Protocol) -> Box<dyn Judge> {
        match self {
            Self::Plain => Box::new(plain::PlainJudge::new(*protocol)),
            Self::Fast => Box::new(fast::FastJudge::new(*protocol)),
        }
    }
}

/// What has happened in a rollout so far, in the terms of actions.
#[derive(Clone, Copy)]
pub(crate) struct Past<'a> {
    /// The trajectory.
    pub(crate) trajectory: &'a [Action],
    /// Everything carried out, oldest first.
    pub(crate) history: &'a [Action],
}

/// What a proposal comes to.
pub(crate) struct Outlook {
    pub(crate) score: Score,
    pub(crate) rewritten: Result<Consequences, RewriteError>,
}

/// What taking a proposal would mean for the user.
#[derive(Clone, Debug, Default)]
pub(crate) struct Consequences {
    /// Actions to do.
    pub(crate) future: usize,
    /// Actions of the future that become unnecessary; replaced ones are not among them.
    pub(crate) removed: Vec<Rc<Planned>>,
    /// Undo actions: first pass, second pass, wrong merges.
    pub(crate) undo: Vec<Rc<Planned>>,
}

impl Consequences {
    /// User actions saved: future before less future after; the proposed actions are free.
    pub(crate) fn saved(&self, future_before: usize) -> i64 {
        rewrite::saved(future_before, self.future)
    }

    /// Like [`saved`](Self::saved), with the proposed actions charged.
    pub(crate) fn net(&self, future_before: usize, n_predicted: usize) -> i64 {
        rewrite::net(future_before, self.future, n_predicted)
    }
}

/// Holds state and future of one rollout and judges proposals.
pub(crate) trait Judge {
    /// The rollout of a trajectory begins, in an empty workbook.
    ///
    /// # Errors
    /// [`StrictError`] when the trajectory cannot be carried out.
    fn begin(&mut self, trajectory: &[Action]) -> Result<(), StrictError>;

    /// How many actions the user still has to do.
    fn future_len(&self) -> usize;

    /// The actions that the user still has to do.
    fn future(&self) -> Vec<Rc<Planned>>;

    /// Takes the next action out of the future.
    fn take_next(&mut self) -> Option<Rc<Planned>>;

    /// The user carries out the action taken last.
    ///
    /// # Errors
    /// [`ApplyError`] when that fails.
    fn carry_out(&mut self, next: &Rc<Planned>) -> Result<(), ApplyError>;

    /// Works out what a proposal would do; calls `scored` when the score is known.
    fn judge(
        &mut self,
        past: Past<'_>,
        predicted: &[Rc<Planned>],
        undo_max: usize,
        scored: &mut dyn FnMut(),
    ) -> Outlook;

    /// The future if the proposal judged last is taken; empty where its rewriting failed.
    fn future_if_accepted(&self) -> Vec<Rc<Planned>>;

    /// The proposal judged last is carried out, which `past` tells already, and the future rewritten.
    fn accept(&mut self, past: Past<'_>, predicted: &[Rc<Planned>]);
}

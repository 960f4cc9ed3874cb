//! How the consequences of proposals are worked out: straight from the spec, or from what changed since the last one.
//!
//! The two engines give the same figures for the same rollout. The plain one reads like the spec and is the measure of
//! the fast one, which is what a rollout uses unless told otherwise.

mod changes;
mod fast;
mod limited;
mod plain;
mod reach;
mod slots;
mod standing;

use std::rc::Rc;

use crate::plan::Planned;
use crate::rewrite::{Rewrite, RewriteError};
use crate::score::{Score, Situation};
pub(crate) use reach::{Reach, written};
pub(crate) use slots::{Slot, Slots};

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
    /// A judge of proposals for one rollout.
    pub(crate) fn judge(self) -> Box<dyn Judge> {
        match self {
            Self::Plain => Box::new(plain::PlainJudge),
            Self::Fast => Box::new(fast::FastJudge::default()),
        }
    }
}

/// What a proposal comes to.
pub(crate) struct Outlook {
    pub(crate) score: Score,
    pub(crate) rewritten: Result<Rewrite, RewriteError>,
}

/// Judges the proposals of one rollout and is told of everything that happens in it.
pub(crate) trait Judge {
    /// The rollout begins, in an empty workbook.
    fn begin(&mut self, situation: Situation<'_>);

    /// The user has carried out an action; the situation is the one after it.
    fn stepped(&mut self, done: &Planned, situation: Situation<'_>);

    /// Works out what a proposal would do.
    fn judge(&mut self, situation: Situation<'_>, predicted: &[Rc<Planned>], undo_max: usize) -> Outlook;

    /// The proposal judged last has been carried out, and `rewritten` is to take the place of the situation's future.
    fn accepted(&mut self, situation: Situation<'_>, predicted: &[Rc<Planned>], rewritten: &Rewrite);
}

//! The plain engine: whole states, straight from the spec.

use std::rc::Rc;

use super::{Judge, Outlook};
use crate::plan::Planned;
use crate::rewrite::{Rewrite, rewrite};
use crate::score::{Situation, score};

/// Remembers nothing from one proposal to the next.
pub(super) struct PlainJudge;

impl Judge for PlainJudge {
    fn begin(&mut self, _situation: Situation<'_>) {}

    fn stepped(&mut self, _done: &Planned, _situation: Situation<'_>) {}

    fn judge(&mut self, situation: Situation<'_>, predicted: &[Rc<Planned>], undo_max: usize) -> Outlook {
        let mut after = situation.current.clone();
        after.apply_lenient(predicted.iter().map(|planned| &planned.action));
        Outlook {
            score: score(situation, predicted, &after),
            rewritten: rewrite(situation, predicted, &after, undo_max),
        }
    }

    fn accepted(&mut self, _situation: Situation<'_>, _predicted: &[Rc<Planned>], _rewritten: &Rewrite) {}
}

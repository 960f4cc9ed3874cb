//! The plain engine: whole states, straight from the spec.

use std::rc::Rc;

use napsim_trajectories::Action;

use super::{Consequences, Judge, Outlook, Past};
use crate::apply::{ApplyError, StrictError};
use crate::plan::Planned;
use crate::protocol::Protocol;
use crate::rewrite::rewrite;
use crate::score::{Situation, score};
use crate::state::Workbook;

/// Remembers nothing from one proposal to the next.
#[derive(Debug)]
pub(super) struct PlainJudge {
    protocol: Protocol,
    current: Workbook,
    target: Workbook,
    /// Actions still to do, the next one first.
    future: Vec<Rc<Planned>>,
    /// The future after the proposal judged last.
    rewritten: Vec<Rc<Planned>>,
}

impl PlainJudge {
    /// Before the beginning.
    pub(super) fn new(protocol: Protocol) -> Self {
        Self {
            protocol,
            current: Workbook::default(),
            target: Workbook::default(),
            future: Vec::new(),
            rewritten: Vec::new(),
        }
    }

    /// In the middle of a rollout.
    pub(super) fn resume(protocol: Protocol, past: Past<'_>, future: Vec<Rc<Planned>>) -> Self {
        let mut judge = Self::new(protocol);
        judge.target.apply_lenient(past.trajectory);
        judge.current.apply_lenient(past.history);
        judge.future = future;
        judge
    }
}

impl Judge for PlainJudge {
    fn begin(&mut self, trajectory: &[Action]) -> Result<(), StrictError> {
        self.future = Planned::all(trajectory.iter().cloned());
        self.target.apply_strict(trajectory)
    }

    fn future_len(&self) -> usize {
        self.future.len()
    }

    fn future(&self) -> Vec<Rc<Planned>> {
        self.future.clone()
    }

    fn take_next(&mut self) -> Option<Rc<Planned>> {
        (!self.future.is_empty()).then(|| self.future.remove(0))
    }

    fn carry_out(&mut self, next: &Rc<Planned>) -> Result<(), ApplyError> {
        self.current.apply(&next.action)
    }

    fn judge(
        &mut self,
        _past: Past<'_>,
        predicted: &[Rc<Planned>],
        undo_max: usize,
        scored: &mut dyn FnMut(),
    ) -> Outlook {
        let mut after = self.current.clone();
        after.apply_lenient(predicted.iter().map(|planned| &planned.action));
        let situation = Situation {
            protocol: &self.protocol,
            future: &self.future,
            current: &self.current,
            target: &self.target,
        };
        let score = score(situation, predicted, &after);
        scored();
        self.rewritten.clear();
        let rewritten = rewrite(situation, predicted, &after, undo_max).map(|rewrite| {
            self.rewritten = rewrite.future;
            Consequences {
                future: self.rewritten.len(),
                removed: rewrite.removed,
                undo: rewrite.undo,
            }
        });
        Outlook { score, rewritten }
    }

    fn future_if_accepted(&self) -> Vec<Rc<Planned>> {
        self.rewritten.clone()
    }

    fn accept(&mut self, _past: Past<'_>, predicted: &[Rc<Planned>]) {
        self.current
            .apply_lenient(predicted.iter().map(|planned| &planned.action));
        self.future = std::mem::take(&mut self.rewritten);
    }
}

//! The fast engine: carries out and compares only what a proposal can change.
//!
//! Cells, values and looks are numbers ([`cells`]); what would be is a [`layer`] over what is; the future is indexed by
//! cell ([`future`]); three accounts are kept up to date from one event to the next: the current state against the target
//! ([`standing`]), the same after the future's merges ([`adjusted`]), and what the future leads to ([`ending`]).

mod acceptance;
mod adjusted;
mod carry;
mod cells;
mod edits;
mod ending;
mod future;
mod layer;
mod looks;
mod merges;
mod outcomes;
mod placing;
mod prepared;
mod rewriting;
mod scoring;
mod script;
mod slots;
mod standing;
mod values;

use std::rc::Rc;

use napsim_trajectories::Action;

use super::plain::PlainJudge;
use super::{Judge, Outlook, Past};
use crate::apply::{ApplyError, StrictError};
use crate::compare::Record;
use crate::plan::Planned;
use crate::protocol::Protocol;
use adjusted::{Adjusted, Readjustment};
use carry::Board;
use cells::{Cell, Tables};
use edits::Edits;
use ending::Ending;
use future::{Future, Marks};
use layer::Layer;
pub(crate) use prepared::Prepared;
use prepared::Roles;
use rewriting::{Failure, KnownUndo};
use scoring::Scoring;
use slots::{Slot, SlotSet};
use standing::Standing;

/// What the fast engine knows of a rollout.
#[derive(Debug)]
pub(super) struct FastJudge {
    tables: Tables,
    future: Future,
    standing: Standing,
    adjusted: Adjusted,
    ending: Ending,
    /// The proposal judged last, carried out, and the cells that it changes and names.
    after: Layer,
    changed: SlotSet,
    named: SlotSet,
    /// The state after it, adjusted for the future's merges.
    readjusted: Readjustment,
    /// What it does to the future.
    edits: Edits,
    /// Merges that are in excess after it.
    excess_merges: Vec<Record>,
    /// Undo actions of the state without any proposal.
    standing_undo: Option<KnownUndo>,
    settled: Marks,
    met: Marks,
    /// Takes over for good where an action's reach is not known.
    plain: Option<PlainJudge>,
}

impl FastJudge {
    /// Before the beginning.
    pub(super) fn new(protocol: Protocol) -> Self {
        Self {
            tables: Tables::new(protocol),
            future: Future::default(),
            standing: Standing::default(),
            adjusted: Adjusted::default(),
            ending: Ending::default(),
            after: Layer::default(),
            changed: SlotSet::default(),
            named: SlotSet::default(),
            readjusted: Readjustment::default(),
            edits: Edits::default(),
            excess_merges: Vec::new(),
            standing_undo: None,
            settled: Marks::default(),
            met: Marks::default(),
            plain: None,
        }
    }

    /// Leaves the rest of the rollout to the plain engine.
    fn lose(&mut self, past: Past<'_>, future: Vec<Rc<Planned>>) -> &mut PlainJudge {
        self.plain
            .insert(PlainJudge::resume(self.tables.protocol, past, future))
    }

    fn cell_after(&self, slot: Slot) -> Cell {
        self.after.get(slot).unwrap_or_else(|| self.standing.now(slot))
    }

    /// Carries an action out in `self.after`. None where its reach is not known.
    fn carry_out_after(&mut self, planned: &Planned) -> Option<Result<(), ApplyError>> {
        let prepared = planned.prepared(&mut self.tables)?;
        let mut board = Board {
            tables: &mut self.tables,
            ground: self.standing.ground(None),
            layer: &mut self.after,
        };
        Some(board.carry_out(&prepared.script, None))
    }

    /// Finds out what the proposal changes and names.
    fn find_changes(&mut self, predicted: &[Rc<Planned>]) -> Option<()> {
        let Self {
            tables,
            standing,
            after,
            changed,
            named,
            ..
        } = self;
        changed.clear();
        named.clear();
        for slot in after.written() {
            if after.get(*slot) != Some(standing.now(*slot)) {
                changed.insert(*slot);
            }
        }
        for id in after.merges() {
            if after.merge(*id) != Some(standing.has_merge(*id)) {
                changed.extend(tables.merges.cells(&mut tables.slots, *id));
            }
        }
        for planned in predicted {
            named.extend(planned.prepared(tables)?.cells(Roles::NAMES));
        }
        Some(())
    }

    /// Works out what a proposal would do. None where an action's reach is not known.
    fn outlook(&mut self, predicted: &[Rc<Planned>], undo_max: usize, scored: &mut dyn FnMut()) -> Option<Outlook> {
        self.after.clear();
        for planned in predicted {
            // A proposal is carried out leniently.
            let _skipped = self.carry_out_after(planned)?;
        }
        self.find_changes(predicted)?;
        let scoring = Scoring {
            tables: &mut self.tables,
            future: &self.future,
            standing: &self.standing,
            predicted,
            after: &self.after,
            changed: self.changed.members(),
            named: &self.named,
        };
        let score = scoring.score();
        scored();
        let rewritten = match self.rewrite(predicted, undo_max) {
            Ok(consequences) => Ok(consequences),
            Err(Failure::Rewrite(error)) => Err(error),
            Err(Failure::UnknownReach) => return None,
        };
        Some(Outlook { score, rewritten })
    }

    /// The account of the current state is brought up to date with `self.after`, which becomes it.
    fn commit(&mut self) {
        let dirty = &mut self.adjusted.changed.dirty;
        self.standing.commit(&mut self.tables, &self.after, |slot| {
            dirty.insert(slot);
        });
    }
}

impl Judge for FastJudge {
    fn begin(&mut self, trajectory: &[Action]) -> Result<(), StrictError> {
        let planned = Planned::all(trajectory.iter().cloned());
        self.after.clear();
        for (action_idx, planned) in planned.iter().enumerate() {
            let Some(carried_out) = self.carry_out_after(planned) else {
                let plain = self.plain.insert(PlainJudge::new(self.tables.protocol));
                return plain.begin(trajectory);
            };
            carried_out.map_err(|error| StrictError { action_idx, error })?;
        }
        self.standing.aim(&mut self.tables, &self.after);
        self.adjusted.changed.clear();
        self.adjusted.changed.dirty.extend(self.after.written().iter().copied());
        for planned in planned.iter().rev() {
            self.insert(None, planned);
        }
        let _known = self.adjusted.update(&mut self.tables, &self.future, &self.standing);
        Ok(())
    }

    fn future_len(&self) -> usize {
        match &self.plain {
            Some(plain) => plain.future_len(),
            None => self.future.len(),
        }
    }

    fn future(&self) -> Vec<Rc<Planned>> {
        match &self.plain {
            Some(plain) => plain.future(),
            None => self.future.iter().map(|id| self.future.planned(id).clone()).collect(),
        }
    }

    fn take_next(&mut self) -> Option<Rc<Planned>> {
        if let Some(plain) = &mut self.plain {
            return plain.take_next();
        }
        let id = self.future.first()?;
        let planned = self.future.planned(id).clone();
        self.adjusted.changed.clear();
        self.remove(id);
        Some(planned)
    }

    fn carry_out(&mut self, next: &Rc<Planned>) -> Result<(), ApplyError> {
        if let Some(plain) = &mut self.plain {
            return plain.carry_out(next);
        }
        self.after.clear();
        // The reach of what was in the future is known.
        self.carry_out_after(next).unwrap_or(Ok(()))?;
        self.commit();
        let _known = self.adjusted.update(&mut self.tables, &self.future, &self.standing);
        Ok(())
    }

    fn judge(
        &mut self,
        past: Past<'_>,
        predicted: &[Rc<Planned>],
        undo_max: usize,
        scored: &mut dyn FnMut(),
    ) -> Outlook {
        if let Some(plain) = &mut self.plain {
            return plain.judge(past, predicted, undo_max, scored);
        }
        if let Some(outlook) = self.outlook(predicted, undo_max, scored) {
            return outlook;
        }
        let future = self.future();
        self.lose(past, future).judge(past, predicted, undo_max, scored)
    }

    fn future_if_accepted(&self) -> Vec<Rc<Planned>> {
        match &self.plain {
            Some(plain) => plain.future_if_accepted(),
            None => self.edited_future(),
        }
    }

    fn accept(&mut self, past: Past<'_>, predicted: &[Rc<Planned>]) {
        if let Some(plain) = &mut self.plain {
            return plain.accept(past, predicted);
        }
        let after = self.future_if_unknown();
        if self.carry_over().is_none()
            && let Some(future) = after
        {
            self.lose(past, future);
        }
    }
}

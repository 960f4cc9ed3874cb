//! Makes the steps of a film out of a rollout that is done anew.

use std::rc::Rc;

use napsim_sim::event::{EmptyCall, Event, EventSink, FailedCall, Judged, Prediction};
use napsim_sim::plan::Planned;
use napsim_sim::policy::Check;
use napsim_trajectories::Action;
use napsim_trajectories::range::DEFAULT_SHEET;
use rustc_hash::FxHashMap;
use serde::{Serialize, Serializer};

use super::FilmError;
use super::board::{Board, Effect};
use super::dictionary::{Dictionaries, cut};
use super::future::{Edit, edits};
use super::step::{CheckedBound, EmptyStep, FailedStep, ProposalStep, Said, ShownEdit, Step, UserStep, tokens};
use super::widths;

/// A bound of the policy: what is looked at, how it is compared, and with what.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bound(Check);

impl Serialize for Bound {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.0.metric.name(), self.0.comparison.sign(), self.0.bound).serialize(serializer)
    }
}

/// What a rollout that was done anew comes to.
pub(super) struct Shot {
    pub(super) names: Dictionaries,
    pub(super) widths: Vec<Vec<u32>>,
    pub(super) start: Vec<u32>,
    pub(super) bounds: Vec<Bound>,
    pub(super) steps: Vec<Step>,
    pub(super) n_outside: u64,
}

/// A judged proposal until its event comes.
struct Pending {
    predicted: Vec<Rc<Planned>>,
    effect: Effect,
    edits: Option<Vec<Edit>>,
}

/// Takes the events of a rollout and makes steps of them.
pub(super) struct Shoot<'a> {
    /// What was recorded.
    expected: &'a [Event],
    n_events: usize,
    different: Option<usize>,
    board: Board,
    names: Dictionaries,
    start: Vec<u32>,
    bounds: Vec<Bound>,
    steps: Vec<Step>,
    user_step: Option<UserStep>,
    pending: Option<Pending>,
    divergence: Option<String>,
}

impl<'a> Shoot<'a> {
    pub(super) fn new(trajectory: &[Action], expected: &'a [Event]) -> Self {
        let mut names = Dictionaries::new();
        let start = trajectory
            .iter()
            .map(|action| names.actions.number(action, &action.to_string(), &mut names.sheets))
            .collect();
        Self {
            expected,
            n_events: 0,
            different: None,
            board: Board::default(),
            names,
            start,
            bounds: Vec::new(),
            steps: Vec::with_capacity(expected.len()),
            user_step: None,
            pending: None,
            divergence: None,
        }
    }

    /// The steps, if everything came out as recorded.
    pub(super) fn finish(mut self) -> Result<Shot, FilmError> {
        let event_idx = self
            .different
            .or_else(|| (self.n_events < self.expected.len()).then_some(self.n_events));
        if let Some(event_idx) = event_idx {
            return Err(FilmError::Different { event_idx });
        }
        // A trajectory without actions has a sheet to look at, too.
        if self.names.sheets.values().is_empty() {
            self.names.sheets.number(DEFAULT_SHEET.into());
        }
        Ok(Shot {
            widths: widths::of(&self.board, &self.names),
            n_outside: self.board.n_outside(),
            names: self.names,
            start: self.start,
            bounds: self.bounds,
            steps: self.steps,
        })
    }

    fn number(&mut self, planned: &Planned) -> u32 {
        let names = &mut self.names;
        names.actions.number(&planned.action, planned.text(), &mut names.sheets)
    }

    fn prediction(&mut self, prediction: &Prediction) -> Option<Step> {
        let pending = self.pending.take()?;
        let actions: Vec<&Action> = pending.predicted.iter().map(|planned| &planned.action).collect();
        if prediction.accepted {
            self.board.commit(&actions, &pending.effect);
        }
        let predicted = pending.predicted.iter().map(|planned| self.number(planned)).collect();
        let edits = pending.edits.map(|edits| self.shown_edits(&edits, prediction));
        let checks = prediction.checks.iter().map(|check| self.checked(check)).collect();
        let metrics = &prediction.metrics;
        let count = |count: u32| i64::from(count);
        Some(Step::Proposal(Box::new(ProposalStep {
            predicted,
            accepted: prediction.accepted,
            figures: [
                count(metrics.tp),
                count(metrics.fp),
                count(metrics.missing),
                count(metrics.mm),
                metrics.ops_saved,
                count(metrics.undo_gain_from_dedup),
                count(metrics.undo_inverse_ops),
                count(metrics.exact_matches),
                count(metrics.correct_op_wrong_range),
                count(metrics.wrong_op),
                count(metrics.lookahead_matches),
            ],
            confidence: prediction.confidence,
            checks,
            changes: pending.effect.changes,
            edits,
            failures: pending.effect.failures,
            divergence: self.divergence.take(),
            spelled: prediction.proposed.iter().cloned().map(cut).collect(),
            said: Said::of(&prediction.rejected, prediction.remarks.as_deref(), prediction.usage),
        })))
    }

    /// A check as the number of its bound, the value and whether it holds.
    fn checked(&mut self, check: &Check) -> CheckedBound {
        let is_same = |bound: &Bound| {
            bound.0.metric == check.metric
                && bound.0.comparison == check.comparison
                && bound.0.bound.to_bits() == check.bound.to_bits()
        };
        let known = self.bounds.iter().position(is_same);
        let idx = known.unwrap_or_else(|| {
            self.bounds.push(Bound(*check));
            self.bounds.len() - 1
        });
        (
            u32::try_from(idx).unwrap_or(u32::MAX),
            check.value,
            u8::from(check.passed),
        )
    }

    /// Edits of the future in numbers, with those marked that are told of as undone and as removed.
    fn shown_edits(&mut self, edits: &[Edit], prediction: &Prediction) -> Vec<ShownEdit> {
        let mut undo = counted(&prediction.undo);
        let mut removed = counted(&prediction.removed);
        let mut shown = Vec::with_capacity(edits.len());
        for edit in edits {
            let mut inserted = Vec::with_capacity(edit.inserted.len());
            for planned in &edit.inserted {
                let is_undo = take(&mut undo, planned.text());
                inserted.push(2 * self.number(planned) + u32::from(is_undo));
            }
            let replaced = (0..).zip(&edit.removed);
            let replaced = replaced.filter(|(_, planned)| !take(&mut removed, planned.text()));
            shown.push(ShownEdit {
                at: edit.at,
                n_removed: edit.removed.len(),
                inserted,
                replaced: replaced.map(|(idx, _)| idx).collect(),
            });
        }
        shown
    }

    fn step(&mut self, event: &Event) -> Option<Step> {
        match event {
            Event::UserStep(_) => self.user_step.take().map(Step::User),
            Event::Empty(call) => Some(empty(call)),
            Event::Error(call) => Some(failed(call)),
            Event::Prediction(prediction) => self.prediction(prediction),
            Event::Divergence(divergence) => {
                self.divergence = Some(divergence.description.clone());
                None
            }
            Event::End(_) => Some(Step::End),
        }
    }
}

fn empty(call: &EmptyCall) -> Step {
    Step::Empty(EmptyStep {
        said: Said::of(&call.rejected, call.remarks.as_deref(), call.usage),
    })
}

fn failed(call: &FailedCall) -> Step {
    Step::Failed(Box::new(FailedStep {
        message: cut(call.message.clone()),
        kind: call.kind.clone().map(cut),
        fatal: call.fatal,
        raw: call.raw.clone().map(cut),
        stderr: call.stderr.clone().map(cut),
        tokens: tokens(call.usage),
    }))
}

/// How often each text is there.
fn counted(texts: &[String]) -> FxHashMap<&str, u32> {
    let mut counts = FxHashMap::default();
    for text in texts {
        *counts.entry(text.as_str()).or_insert(0) += 1;
    }
    counts
}

/// Takes one of the texts away, if it is there.
fn take(counts: &mut FxHashMap<&str, u32>, text: &str) -> bool {
    let left = counts.get_mut(text).filter(|left| **left > 0);
    left.map(|left| *left -= 1).is_some()
}

impl EventSink for Shoot<'_> {
    fn event(&mut self, mut event: Event) {
        let expected = self.expected.get(self.n_events);
        // What coverage needs is no part of a record that was read.
        if let (Event::Prediction(derived), Some(Event::Prediction(recorded))) = (&mut event, expected)
            && recorded.correct.is_empty()
        {
            derived.correct.clear();
        }
        if self.different.is_none() && expected != Some(&event) {
            self.different = Some(self.n_events);
        }
        self.n_events += 1;
        if let Some(step) = self.step(&event) {
            self.steps.push(step);
        }
    }

    fn wants_actions(&self) -> bool {
        true
    }

    fn user_action(&mut self, planned: &Rc<Planned>) {
        let effect = self.board.carry_out(&[&planned.action], &mut self.names);
        self.user_step = Some(UserStep {
            action: self.number(planned),
            failure: effect.failures.into_iter().next().map(|(_, reason)| reason),
            changes: effect.changes,
        });
    }

    fn judged(&mut self, judged: Judged<'_>) {
        let actions: Vec<&Action> = judged.predicted.iter().map(|planned| &planned.action).collect();
        self.pending = Some(Pending {
            effect: self.board.try_out(&actions, &mut self.names),
            predicted: judged.predicted.to_vec(),
            edits: judged.after.map(|after| edits(judged.before, after)),
        });
    }
}

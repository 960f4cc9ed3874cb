//! What is left to do after a proposal is taken: fulfilled actions go, undo actions come
//! (spec chapter 02, section 12).

mod footing;
mod gap;
mod placement;
mod wrong_merges;

use std::rc::Rc;

use napsim_trajectories::{Action, Edit, RangeError};

use crate::compare::Record;
use crate::fingerprint::Footprint;
use crate::plan::Planned;
use crate::score::Situation;
use crate::state::Workbook;
use crate::synthesis::{SynthesisError, sides_of, synthesize, undo_actions};
use footing::{Footing, owns};
use gap::{Draft, Gap, Whole};
use wrong_merges::WrongMerges;
pub(crate) use wrong_merges::unmerge_record;

/// Why the future cannot be rewritten (spec 02, 2.6).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RewriteError {
    /// An action's writes cannot be told.
    #[error("the range of an action is {0}")]
    Range(#[from] RangeError),
    /// Differences cannot be turned into actions.
    #[error(transparent)]
    Synthesis(#[from] SynthesisError),
}

/// What became of one future action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fate {
    /// The proposal does not touch it.
    Unaffected,
    /// The proposal did it.
    Removed,
    /// The proposal did part of it; other actions do the rest.
    Replaced,
    /// The proposal did part of it, but doing the rest would take too many actions.
    KeptWhole,
    /// It owes nothing, but a later action depends on it.
    KeptLocked,
    /// A merge or unmerge that the proposal did not do.
    KeptMerge,
}

/// The rewritten future and the account of how it came about.
#[derive(Clone, Debug, Default)]
pub struct Rewrite {
    /// What the user has to do after the proposal.
    pub future: Vec<Rc<Planned>>,
    /// Future actions that became unnecessary; replaced ones are not among them.
    pub removed: Vec<Rc<Planned>>,
    /// Undo actions: first pass, second pass, wrong merges.
    pub undo: Vec<Rc<Planned>>,
    /// The proposal, then actions for what would otherwise be missing, then restorations after wrong merges.
    pub added: Vec<Rc<Planned>>,
    /// Fate of every future action, in order.
    pub fates: Vec<Fate>,
    /// Figures of the account.
    pub account: Account,
}

/// Figures of a rewriting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// Distinct properties that the proposal writes.
    pub fingerprint_size: usize,
    /// Missing and mismatching properties after the proposal.
    pub all_missing: usize,
    /// Properties after the proposal that the target does not have or has otherwise.
    pub all_false_positives: usize,
    /// Distinct missing properties that belong to affected future actions.
    pub addressed_missing: usize,
    /// Undo actions of the first pass.
    pub first_pass_undo: usize,
    /// Undo actions of the second pass.
    pub second_pass_undo: usize,
    /// Actions added by the second pass.
    pub missing_actions: usize,
    /// Unmerges of wrong merges.
    pub unmerges: usize,
    /// Restorations after wrong merges.
    pub restorations: usize,
    /// Future actions after processing and placement, without what is put in front.
    pub future_processed: usize,
    /// Merge and unmerge actions of the future before.
    pub future_merges: usize,
    /// Whether the state was adjusted for future merges.
    pub merge_adjusted: bool,
}

impl Rewrite {
    /// User actions saved: future before less future after; the proposed actions are free.
    pub fn saved(&self, future_before: usize) -> i64 {
        saved(future_before, self.future.len())
    }

    /// Like [`saved`](Self::saved), with the proposed actions charged.
    pub fn net(&self, future_before: usize, n_predicted: usize) -> i64 {
        net(future_before, self.future.len(), n_predicted)
    }
}

/// User actions saved by going from one length of the future to another; the proposed actions are free.
pub(crate) fn saved(future_before: usize, future_after: usize) -> i64 {
    to_i64(future_before) - to_i64(future_after)
}

/// The same with the proposed actions charged.
pub(crate) fn net(future_before: usize, future_after: usize, n_predicted: usize) -> i64 {
    saved(future_before, future_after) - to_i64(n_predicted)
}

fn to_i64(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Works out the future after a proposal whose lenient application to the current state gave `after`.
///
/// # Errors
/// [`RewriteError`] when a range cannot be walked over or a difference cannot be described.
pub fn rewrite(
    situation: Situation<'_>,
    predicted: &[Rc<Planned>],
    after: &Workbook,
    undo_max: usize,
) -> Result<Rewrite, RewriteError> {
    let comparisons = Whole {
        situation,
        predicted,
        after,
    };
    let future = situation.future;
    let mut footprint = Footprint::default();
    for planned in predicted {
        footprint.add(planned.fingerprint()?);
    }
    // A fingerprint that cannot be told makes the whole rewriting fail, wherever it stands.
    for planned in future {
        planned.fingerprint()?;
    }
    let n_merges = future.iter().filter(|planned| is_merge(&planned.action)).count();
    let mut footing = Footing::new(future, &footprint)?;
    let gap = comparisons.first_gap();
    footing.settle(&gap.missing)?;
    let first_undo = undo_of(&gap.excess, undo_max)?;
    let wrong = WrongMerges::handle(&gap.excess, &comparisons, situation.current)?;

    let (processed, mut result) = process_future(situation, predicted, &footing, &gap)?;
    let first_undo = Planned::all(first_undo);
    let front: Vec<_> = wrong
        .unmerges
        .iter()
        .chain(&wrong.restorations)
        .chain(&first_undo)
        .cloned()
        .collect();
    let draft = Draft {
        front: &front,
        processed: &processed,
    };
    let (second_undo, missing) = second_pass(&comparisons.final_gap(draft), situation, undo_max).unwrap_or_default();
    let (second_undo, missing) = (Planned::all(second_undo), Planned::all(missing));
    let corrections: Vec<_> = second_undo.iter().chain(&missing).cloned().collect();
    let processed = placement::place(processed, &corrections)?;

    result.account = Account {
        fingerprint_size: footprint.len(),
        all_missing: gap.n_missing,
        all_false_positives: gap.excess.len() + gap.n_mismatches,
        first_pass_undo: first_undo.len(),
        second_pass_undo: second_undo.len(),
        missing_actions: missing.len(),
        unmerges: wrong.unmerges.len(),
        restorations: wrong.restorations.len(),
        future_processed: processed.len(),
        future_merges: n_merges,
        merge_adjusted: n_merges > 0,
        ..result.account
    };
    result.undo = first_undo;
    result.undo.extend(second_undo);
    result.undo.extend(wrong.unmerges);
    result.added = predicted.to_vec();
    result.added.extend(missing);
    result.added.extend(wrong.restorations);
    result.future = front;
    result.future.extend(processed);
    Ok(result)
}

fn is_merge(action: &Action) -> bool {
    matches!(action.edit(), Edit::Merge { .. })
}

/// Rule `transient-state-is-charged`: undo actions for everything in excess, wherever it comes from (Q32).
pub(crate) fn undo_of(excess: &[Record], undo_max: usize) -> Result<Vec<Action>, SynthesisError> {
    let mut undo = undo_actions(excess)?;
    undo.truncate(undo_max);
    Ok(undo)
}

/// Whether two merge or unmerge actions have sheet, range text and value in common.
pub(crate) fn same_merge(a: &Action, b: &Action) -> bool {
    a.range() == b.range() && a.same_value(b)
}

/// What comes of a future: its actions after processing, and the account so far.
type Processed = (Vec<Rc<Planned>>, Rewrite);

/// Goes through the future in order and decides what stays, goes or is replaced (step 9).
fn process_future(
    situation: Situation<'_>,
    predicted: &[Rc<Planned>],
    footing: &Footing<'_>,
    gap: &Gap,
) -> Result<Processed, RewriteError> {
    let proposed: Vec<&Action> = predicted
        .iter()
        .map(|p| &p.action)
        .filter(|action| is_merge(action))
        .collect();
    let mut processed = Vec::with_capacity(situation.future.len());
    let mut result = Rewrite::default();
    let mut addressed = rustc_hash::FxHashSet::default();
    for (idx, planned) in situation.future.iter().enumerate() {
        let fate = if is_merge(&planned.action) {
            if proposed.iter().any(|merge| same_merge(merge, &planned.action)) {
                Fate::Removed
            } else {
                Fate::KeptMerge
            }
        } else if !footing.is_affected(idx) {
            Fate::Unaffected
        } else {
            let owned = owns(planned.fingerprint()?, &gap.missing);
            addressed.extend(owned.iter().map(|record| std::ptr::from_ref(*record)));
            if owned.is_empty() {
                if footing.is_locked(idx)? {
                    Fate::KeptLocked
                } else {
                    Fate::Removed
                }
            } else {
                let owned: Vec<Record> = owned.into_iter().cloned().collect();
                let replacement = synthesize(&owned, |sheet, key| sides_of(situation.target, sheet, key))?;
                if situation.protocol.replaces_by(replacement.len()) {
                    processed.extend(Planned::all(replacement));
                    Fate::Replaced
                } else {
                    Fate::KeptWhole
                }
            }
        };
        if !matches!(fate, Fate::Removed | Fate::Replaced) {
            processed.push(planned.clone());
        }
        if fate == Fate::Removed {
            result.removed.push(planned.clone());
        }
        result.fates.push(fate);
    }
    result.account.addressed_missing = addressed.len();
    Ok((processed, result))
}

/// Works out what the rewritten future still gets wrong (step 10). There is no third pass.
fn second_pass(gap: &Gap, situation: Situation<'_>, undo_max: usize) -> Option<(Vec<Action>, Vec<Action>)> {
    let undo = undo_of(&gap.excess, undo_max).ok()?;
    let missing = synthesize(&gap.missing, |sheet, key| sides_of(situation.target, sheet, key)).ok()?;
    Some((undo, missing))
}

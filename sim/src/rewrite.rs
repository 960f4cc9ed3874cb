//! What is left to do after a proposal is taken: fulfilled actions go, undo actions come
//! (spec chapter 02, section 12).

mod footing;
mod placement;

use std::rc::Rc;

use napsim_trajectories::{Action, Edit, Range, RangeError};

use crate::compare::{Difference, Match, Record, compare_gaps};
use crate::fingerprint::Footprint;
use crate::plan::Planned;
use crate::protocol::Protocol;
use crate::score::Situation;
use crate::state::{CellKey, Workbook};
use crate::synthesis::{SynthesisError, synthesize, undo_actions};
use footing::{Footing, owns};

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
        to_i64(future_before) - to_i64(self.future.len())
    }

    /// Like [`saved`](Self::saved), with the proposed actions charged.
    pub fn net(&self, future_before: usize, n_predicted: usize) -> i64 {
        self.saved(future_before) - to_i64(n_predicted)
    }
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
    let Situation {
        protocol,
        future,
        current,
        target,
    } = situation;
    let mut footprint = Footprint::default();
    for planned in predicted {
        footprint.add(planned.fingerprint()?);
    }
    // A fingerprint that cannot be told makes the whole rewriting fail, wherever it stands.
    for planned in future {
        planned.fingerprint()?;
    }
    let n_merges = future.iter().filter(|planned| is_merge(&planned.action)).count();
    let adjusted = (n_merges > 0).then(|| adjust_for_merges(after, predicted, future));
    let gap = Gap::find(protocol, adjusted.as_ref().unwrap_or(after), target);
    let first_undo = undo_of(&gap.excess, undo_max)?;
    let wrong = WrongMerges::handle(protocol, &gap.excess, after, current)?;

    let (processed, mut result) = process_future(protocol, predicted, future, &footprint, &gap, target)?;
    let first_undo = Planned::all(first_undo);
    let (second_undo, missing) = second_pass(
        situation,
        after,
        [&wrong.unmerges, &wrong.restorations, &first_undo, &processed],
        undo_max,
    )
    .unwrap_or_default();
    let (second_undo, missing) = (Planned::all(second_undo), Planned::all(missing));
    let inserted: Vec<_> = second_undo.iter().chain(&missing).cloned().collect();
    let processed = placement::place(processed, &inserted)?;

    result.account = Account {
        fingerprint_size: footprint.len(),
        all_missing: gap.missing.len(),
        all_false_positives: gap.excess.len() + gap.n_mismatches(),
        first_pass_undo: first_undo.len(),
        second_pass_undo: second_undo.len(),
        missing_actions: missing.len(),
        unmerges: wrong.unmerges.len(),
        restorations: wrong.restorations.len(),
        future_processed: processed.len(),
        future_merges: n_merges,
        merge_adjusted: adjusted.is_some(),
        ..result.account
    };
    result.undo = first_undo
        .iter()
        .chain(&second_undo)
        .chain(&wrong.unmerges)
        .cloned()
        .collect();
    result.added = predicted
        .iter()
        .chain(&missing)
        .chain(&wrong.restorations)
        .cloned()
        .collect();
    result.future = wrong.unmerges;
    result.future.extend(wrong.restorations);
    result.future.extend(first_undo);
    result.future.extend(processed);
    Ok(result)
}

fn is_merge(action: &Action) -> bool {
    matches!(action.edit(), Edit::Merge { .. })
}

/// What is missing from a state, and what is too much in it, in canonical order.
struct Gap<'a> {
    /// Missing and mismatching properties.
    missing: Vec<Difference<'a>>,
    /// Properties that the target does not have.
    excess: Vec<Difference<'a>>,
}

impl<'a> Gap<'a> {
    fn find(protocol: &Protocol, state: &'a Workbook, target: &'a Workbook) -> Self {
        let mut gap = Gap {
            missing: Vec::new(),
            excess: Vec::new(),
        };
        compare_gaps(protocol, state, target, &mut |difference| match difference.outcome {
            Match::FalsePositive => gap.excess.push(difference),
            _ => gap.missing.push(difference),
        });
        gap
    }

    fn n_mismatches(&self) -> usize {
        self.missing
            .iter()
            .filter(|difference| difference.outcome == Match::Mismatch)
            .count()
    }
}

fn to_records(differences: &[Difference<'_>]) -> Vec<Record> {
    differences.iter().map(Difference::to_record).collect()
}

/// Rule `transient-state-is-charged`: undo actions for everything in excess, wherever it comes from (Q32).
fn undo_of(excess: &[Difference<'_>], undo_max: usize) -> Result<Vec<Action>, SynthesisError> {
    let mut undo = undo_actions(&to_records(excess))?;
    undo.truncate(undo_max);
    Ok(undo)
}

/// The state after the proposal with the future's merges done: all merges first, then all unmerges (step 3).
///
/// A predicted merge that overlaps another future merge gives way to it.
fn adjust_for_merges(after: &Workbook, predicted: &[Rc<Planned>], future: &[Rc<Planned>]) -> Workbook {
    let mut adjusted = after.clone();
    let mut proposed: Vec<&Action> = Vec::new();
    for planned in predicted {
        let same = |other: &&Action| same_merge(other, &planned.action);
        if matches!(planned.action.edit(), Edit::Merge { on: true }) && !proposed.iter().any(same) {
            proposed.push(&planned.action);
        }
    }
    let merges = |on: bool| {
        future
            .iter()
            .map(|planned| &planned.action)
            .filter(move |action| match action.edit() {
                Edit::Merge { on: merges } => *merges == on,
                _ => false,
            })
    };
    for merge in merges(true) {
        for proposed in &proposed {
            let (mine, other) = (proposed.range(), merge.range());
            if mine.sheet() == other.sheet() && mine.text() != other.text() && mine.bounds().overlaps(&other.bounds()) {
                adjusted.apply_lenient([&Action::new(mine.clone(), Edit::Merge { on: false })]);
            }
        }
        adjusted.apply_lenient([merge]);
    }
    adjusted.apply_lenient(merges(false));
    adjusted
}

/// Whether two merge or unmerge actions have sheet, range text and value in common.
fn same_merge(a: &Action, b: &Action) -> bool {
    a.range() == b.range() && a.same_value(b)
}

/// Merges that should not be there, undone, and what they destroyed, restored (step 8).
struct WrongMerges {
    unmerges: Vec<Rc<Planned>>,
    restorations: Vec<Rc<Planned>>,
}

impl WrongMerges {
    /// Rule `wrong-merges-are-undone-twice`: the first pass undoes the same merges (Q33).
    fn handle(
        protocol: &Protocol,
        excess: &[Difference<'_>],
        after: &Workbook,
        before: &Workbook,
    ) -> Result<Self, RewriteError> {
        let mut wrong = Vec::new();
        let mut unmerges = Vec::new();
        for difference in excess {
            let Some(bounds) = difference.merge else { continue };
            let range = Range::from_bounds(difference.sheet.clone(), *bounds);
            unmerges.push(Action::new(range, Edit::Merge { on: false }).with_inverse(true));
            wrong.push((difference.sheet, *bounds));
        }
        if wrong.is_empty() {
            return Ok(Self {
                unmerges: Vec::new(),
                restorations: Vec::new(),
            });
        }
        let mut restored = after.clone();
        restored.apply_lenient(&unmerges);
        let within = |difference: &Difference<'_>| {
            let address = difference.cell.and_then(CellKey::address);
            address.is_some_and(|at| {
                wrong
                    .iter()
                    .any(|(sheet, bounds)| *sheet == difference.sheet && bounds.contains_cell(at))
            })
        };
        let mut destroyed = Gap::find(protocol, &restored, before).missing;
        destroyed.retain(within);
        let destroyed = to_records(&destroyed);
        let restorations = synthesize(&destroyed, before)?;
        Ok(Self {
            unmerges: Planned::all(unmerges),
            restorations: Planned::all(restorations),
        })
    }
}

/// Goes through the future in order and decides what stays, goes or is replaced (step 9).
fn process_future(
    protocol: &Protocol,
    predicted: &[Rc<Planned>],
    future: &[Rc<Planned>],
    footprint: &Footprint,
    gap: &Gap<'_>,
    target: &Workbook,
) -> Result<(Vec<Rc<Planned>>, Rewrite), RewriteError> {
    let footing = Footing::new(future, footprint, gap)?;
    let proposed: Vec<&Action> = predicted
        .iter()
        .map(|p| &p.action)
        .filter(|action| is_merge(action))
        .collect();
    let mut processed = Vec::with_capacity(future.len());
    let mut result = Rewrite::default();
    let mut addressed = rustc_hash::FxHashSet::default();
    for (idx, planned) in future.iter().enumerate() {
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
                let owned: Vec<Record> = owned.into_iter().map(Difference::to_record).collect();
                let replacement = synthesize(&owned, target)?;
                if protocol.replaces_by(replacement.len()) {
                    processed.extend(Planned::all(replacement));
                    Fate::Replaced
                } else {
                    Fate::KeptWhole
                }
            }
        };
        match fate {
            Fate::Removed => result.removed.push(planned.clone()),
            Fate::Replaced => {}
            _ => processed.push(planned.clone()),
        }
        result.fates.push(fate);
    }
    result.account.addressed_missing = addressed.len();
    Ok((processed, result))
}

/// Simulates the rewritten future and works out what it still gets wrong (step 10). There is no third pass.
fn second_pass(
    situation: Situation<'_>,
    after: &Workbook,
    parts: [&Vec<Rc<Planned>>; 4],
    undo_max: usize,
) -> Option<(Vec<Action>, Vec<Action>)> {
    let mut end = after.clone();
    end.apply_lenient(parts.into_iter().flatten().map(|planned| &planned.action));
    let gap = Gap::find(situation.protocol, &end, situation.target);
    let undo = undo_of(&gap.excess, undo_max).ok()?;
    let missing = synthesize(&to_records(&gap.missing), situation.target).ok()?;
    Some((undo, missing))
}

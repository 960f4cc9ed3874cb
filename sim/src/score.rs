//! Scoring one proposal against the target (spec chapter 02, section 3).

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::compare::{CellSet, Compared, Difference, Match, Place, Totals, compare_restricted};
use crate::counts::Counts;
use crate::event::PropertyKey;
use crate::matching::{Lookahead, Pairing, pair};
use crate::plan::Planned;
use crate::protocol::Protocol;
use crate::state::{CellKey, Workbook};

/// The figures of one proposal before its consequences are worked out.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// Properties that the proposal changes, by outcome; `fn` is that of the whole comparison.
    pub counts: Counts,
    /// The comparison on all cells that proposal and future touch, before restriction to changes (Q17).
    pub totals: Totals,
    /// Whether there was a future to compare with.
    pub compared: bool,
    /// Pairs with the next actions.
    pub pairs: Vec<Pairing>,
    /// Matches in the whole future.
    pub lookahead: Lookahead,
    /// Changed properties that are right and shown.
    pub correct: Vec<PropertyKey>,
}

impl Score {
    /// How many pairs are of that kind.
    pub fn n_pairs(&self, pairing: Pairing) -> u32 {
        u32::try_from(self.pairs.iter().filter(|pair| **pair == pairing).count()).unwrap_or(u32::MAX)
    }
}

/// Everything a proposal is scored against.
#[derive(Clone, Copy)]
pub struct Situation<'a> {
    /// The rules.
    pub protocol: &'a Protocol,
    /// Actions the user still has to do.
    pub future: &'a [Rc<Planned>],
    /// The state before the proposal.
    pub current: &'a Workbook,
    /// The state the trajectory leads to.
    pub target: &'a Workbook,
}

/// The property that a difference is about, whatever its values.
type Key = (Arc<str>, Place, Compared);

fn key_of(difference: &Difference<'_>) -> Option<Key> {
    let place = match (difference.cell, difference.merge) {
        (Some(cell), _) => Place::Cell(cell.clone()),
        (None, Some(merge)) => Place::Merge(*merge),
        (None, None) => return None,
    };
    Some((difference.sheet.clone(), place, difference.compared))
}

/// Comparisons of restricted workbooks: the spec, word for word.
struct Views<'a> {
    situation: Situation<'a>,
    after: &'a Workbook,
    named: CellSet,
}

impl Views<'_> {
    /// Shows the differences between the states after and before the proposal, on the cells that it names and with the
    /// merges that those bring into view. False where it names no cell.
    fn changes(&self, visit: &mut dyn FnMut(Difference<'_>)) -> bool {
        let Situation { protocol, current, .. } = self.situation;
        if self.named.is_empty() {
            return false;
        }
        compare_restricted(protocol, self.after, current, &self.named, &mut |difference| {
            visit(difference);
        });
        true
    }

    /// Totals of the state after the proposal against the target, on the cells that proposal and future name and with
    /// the merges that those bring into view; shows the merges and the cells that the proposal names.
    fn against_target(&self, visit: &mut dyn FnMut(Difference<'_>)) -> Totals {
        let Situation {
            protocol,
            future,
            target,
            ..
        } = self.situation;
        let mut in_view = self.named.clone();
        add_cells(&mut in_view, future);
        let mut totals = Totals::default();
        compare_restricted(protocol, self.after, target, &in_view, &mut |difference| {
            totals.add(&difference);
            let address = difference.cell.and_then(CellKey::address);
            if address.is_none_or(|at| self.named.contains(difference.sheet, at)) {
                visit(difference);
            }
        });
        totals
    }
}

/// Scores a proposal whose lenient application to the current state gave `after`.
pub fn score(situation: Situation<'_>, predicted: &[Rc<Planned>], after: &Workbook) -> Score {
    let mut named = CellSet::default();
    add_cells(&mut named, predicted);
    let Situation { future, current, .. } = situation;
    let views = Views {
        situation,
        after,
        named,
    };
    let segment = future.iter().take(predicted.len()).map(|planned| &planned.action);
    let proposed = predicted.iter().map(|planned| &planned.action);
    let mut result = Score {
        pairs: pair(&segment.collect::<Vec<_>>(), &proposed.collect::<Vec<_>>()),
        ..Score::default()
    };
    if future.is_empty() {
        // Without a future there is no comparison: every figure is 0.
        return result;
    }
    result.compared = true;
    result.lookahead = Lookahead::find(predicted, future);
    let mut outcomes: FxHashMap<Key, Option<Match>> = FxHashMap::default();
    let delta = views.changes(&mut |difference| {
        if difference.outcome.is_gap()
            && let Some(key) = key_of(&difference)
        {
            outcomes.insert(key, None);
        }
    });
    result.totals = views.against_target(&mut |difference| {
        if !outcomes.is_empty()
            && let Some(key) = key_of(&difference)
            && let Some(outcome) = outcomes.get_mut(&key)
        {
            *outcome = Some(difference.outcome);
        }
    });
    result.counts = result.totals.counts;
    if delta {
        restrict_to_changes(&mut result, outcomes, current);
    }
    result
}

/// Counts only what the proposal changed; a change that leaves both sides default is right.
fn restrict_to_changes(result: &mut Score, outcomes: FxHashMap<Key, Option<Match>>, current: &Workbook) {
    let mut counts = Counts {
        missing: result.counts.missing,
        ..Counts::default()
    };
    let mut outcomes: Vec<_> = outcomes.into_iter().collect();
    outcomes.sort_unstable();
    for ((sheet, place, compared), outcome) in outcomes {
        match outcome {
            None | Some(Match::TruePositive) => counts.tp += 1,
            Some(Match::FalsePositive) => counts.fp += 1,
            Some(Match::FalseNegative | Match::Mismatch) => counts.mm += 1,
        }
        // A merge of the history is not something that the proposal produced (Q15).
        let leaked = match &place {
            Place::Merge(merge) => current
                .sheet(&sheet)
                .is_some_and(|sheet| sheet.merges().contains(merge)),
            Place::Cell(_) => false,
        };
        if outcome == Some(Match::TruePositive) && !leaked {
            result.correct.push(PropertyKey { sheet, place, compared });
        }
    }
    result.counts = counts;
}

/// Every cell of the actions' own ranges; ranges that cannot be walked over contribute nothing (Q13).
fn add_cells(cells: &mut CellSet, actions: &[Rc<Planned>]) {
    for planned in actions {
        let range = planned.action.range();
        if let Ok(bounds) = range.walk() {
            cells.extend(range.sheet(), bounds.cells());
        }
    }
}

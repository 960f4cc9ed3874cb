//! Comparison of two workbook states, property by property (spec chapter 02, section 4).

mod kinds;
mod normalise;
mod record;
mod totals;

use std::sync::Arc;

use napsim_trajectories::{Bounds, CellAddress, Value};
use rustc_hash::FxHashSet;

use crate::protocol::Protocol;
use crate::state::{Cell, CellKey, Cells, Property, Sheet, Workbook};
pub use kinds::{Compared, Match, PropertyType};
use normalise::Side;
pub(crate) use normalise::{outcome as outcome_of, shows};
pub use record::{Difference, Place, Record, merge_text};
pub use totals::{CellSet, Totals};

/// Compares whole workbooks and hands every property that is not default on both sides to `visit`.
///
/// The order is canonical (spec 02, 16): sheets by name, cells row by row, properties in the order of
/// [`Property`], then merges by outcome and bounds.
pub fn compare<'a>(
    protocol: &Protocol,
    predicted: &'a Workbook,
    target: &'a Workbook,
    visit: &mut impl FnMut(Difference<'a>),
) {
    compare_where(
        Scope {
            protocol,
            cells: None,
            agreements: true,
        },
        predicted,
        target,
        visit,
    );
}

/// The same for disagreements alone: true positives are passed over, which makes equal cells cheap.
pub fn compare_gaps<'a>(
    protocol: &Protocol,
    predicted: &'a Workbook,
    target: &'a Workbook,
    visit: &mut impl FnMut(Difference<'a>),
) {
    let mut visit = |difference: Difference<'a>| {
        if difference.outcome.is_gap() {
            visit(difference);
        }
    };
    compare_where(
        Scope {
            protocol,
            cells: None,
            agreements: false,
        },
        predicted,
        target,
        &mut visit,
    );
}

/// Compares two workbooks on a set of cells. A sheet without any of them in one state is dropped from that state
/// together with its merges; otherwise its merges all count, unless the protocol says otherwise.
pub fn compare_restricted<'a>(
    protocol: &Protocol,
    predicted: &'a Workbook,
    target: &'a Workbook,
    cells: &CellSet,
    visit: &mut impl FnMut(Difference<'a>),
) {
    compare_where(
        Scope {
            protocol,
            cells: Some(cells),
            agreements: true,
        },
        predicted,
        target,
        visit,
    );
}

/// What a comparison looks at.
#[derive(Clone, Copy)]
struct Scope<'r> {
    protocol: &'r Protocol,
    /// The cells looked at; none for all.
    cells: Option<&'r CellSet>,
    /// Whether equal cells are visited property by property.
    agreements: bool,
}

fn compare_where<'a>(
    scope: Scope<'_>,
    predicted: &'a Workbook,
    target: &'a Workbook,
    visit: &mut impl FnMut(Difference<'a>),
) {
    for name in predicted.sheet_names_with(target) {
        let only = scope.cells.map(|cells| cells.of_sheet(name));
        if matches!(only, Some(None)) {
            continue;
        }
        let mut sheets = SheetComparison {
            scope,
            sheet: name,
            only: only.flatten(),
            in_predicted: false,
            in_target: false,
        };
        let (predicted, target) = (predicted.sheet(name), target.sheet(name));
        sheets.compare_cells(predicted, target, visit);
        let restricted = scope.cells.is_some();
        let visible = |sheet: Option<&'a Sheet>, any: bool| match sheet {
            Some(sheet) if !restricted || scope.protocol.counts_merges(any) => sheet.merges(),
            _ => &[],
        };
        let (predicted, target) = (
            visible(predicted, sheets.in_predicted),
            visible(target, sheets.in_target),
        );
        compare_merges(name, predicted, target, visit);
    }
}

/// One sheet of a comparison in progress.
struct SheetComparison<'a, 'r> {
    scope: Scope<'r>,
    sheet: &'a Arc<str>,
    only: Option<&'r FxHashSet<CellAddress>>,
    /// Whether the predicted state has any of the cells looked at.
    in_predicted: bool,
    /// Whether the target has any of them.
    in_target: bool,
}

impl<'a> SheetComparison<'a, '_> {
    fn looks_at(&self, key: &CellKey) -> bool {
        match (self.only, key) {
            (None, _) => true,
            (Some(only), CellKey::Address(address)) => only.contains(address),
            (Some(_), CellKey::Text(_)) => false,
        }
    }

    /// Walks the cells of both states together, in canonical order.
    fn compare_cells(
        &mut self,
        predicted: Option<&'a Sheet>,
        target: Option<&'a Sheet>,
        visit: &mut impl FnMut(Difference<'a>),
    ) {
        let cells = |sheet: Option<&'a Sheet>| sheet.and_then(|sheet| sheet.cells.as_ref()).into_iter();
        let mut left = cells(predicted).flat_map(Cells::sorted).peekable();
        let mut right = cells(target).flat_map(Cells::sorted).peekable();
        loop {
            let order = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (Some((a, _)), Some((b, _))) => a.cmp(b),
            };
            let a = if order.is_le() { left.next() } else { None };
            let b = if order.is_ge() { right.next() } else { None };
            let Some((key, _)) = a.or(b) else { break };
            if !self.looks_at(key) {
                continue;
            }
            self.in_predicted |= a.is_some();
            self.in_target |= b.is_some();
            match (a, b) {
                (Some((_, a)), Some((_, b))) if Arc::ptr_eq(a, b) || a.is_same(b) => self.agree(key, a, b, visit),
                _ => compare_cell(
                    self.scope.protocol,
                    self.sheet,
                    key,
                    a.map(|(_, cell)| cell),
                    b.map(|(_, cell)| cell),
                    visit,
                ),
            }
        }
    }

    /// Every property that shows in two equal cells is right.
    fn agree(&self, key: &'a CellKey, a: &'a Cell, b: &'a Cell, visit: &mut impl FnMut(Difference<'a>)) {
        if !self.scope.agreements {
            return;
        }
        for property in Property::from_bits(a.compared_bits()) {
            let (predicted, target) = (a.get(property), b.get(property));
            if normalise::shows(self.scope.protocol, property, predicted) {
                let (compared, outcome) = (Compared::Cell(property), Match::TruePositive);
                let sheet = self.sheet;
                visit(Difference {
                    sheet,
                    cell: Some(key),
                    merge: None,
                    compared,
                    outcome,
                    predicted,
                    target,
                });
            }
        }
    }
}

/// Compares one cell, in the order of [`Property`].
pub(crate) fn compare_cell<'a>(
    protocol: &Protocol,
    sheet: &'a Arc<str>,
    key: &'a CellKey,
    predicted: Option<&'a Arc<Cell>>,
    target: Option<&'a Arc<Cell>>,
    visit: &mut impl FnMut(Difference<'a>),
) {
    let shown = |cell: Option<&'a Arc<Cell>>| cell.map_or(0, |cell| normalise::shown_bits(cell));
    for property in Property::from_bits(shown(predicted) | shown(target)) {
        let predicted = predicted.and_then(|cell| cell.get(property));
        let target = target.and_then(|cell| cell.get(property));
        let Some(outcome) = normalise::outcome(protocol, property, predicted, target) else {
            continue;
        };
        let shown = |side: Side, value: Option<&'a Value>| value.filter(|_| side.is_shown(outcome));
        visit(Difference {
            sheet,
            cell: Some(key),
            merge: None,
            compared: Compared::Cell(property),
            outcome,
            predicted: shown(Side::for_predicted(property), predicted),
            target: shown(Side::for_target(property), target),
        });
    }
}

/// The values that the record of a cell's property keeps, given those of both sides.
pub(crate) fn recorded_sides(
    property: Property,
    outcome: Match,
    (predicted, target): (Option<&Value>, Option<&Value>),
) -> (Option<Value>, Option<Value>) {
    let kept = |side: Side, value: Option<&Value>| {
        let shown = value.filter(|_| side.is_shown(outcome));
        shown.map(|value| normalise::recorded(Compared::Cell(property), value))
    };
    (
        kept(Side::for_predicted(property), predicted),
        kept(Side::for_target(property), target),
    )
}

/// Merges as sets: shared ones, then those of the prediction alone, then those of the target alone.
pub(crate) fn compare_merges<'a>(
    sheet: &'a Arc<str>,
    predicted: &'a [Bounds],
    target: &'a [Bounds],
    visit: &mut impl FnMut(Difference<'a>),
) {
    if predicted.is_empty() && target.is_empty() {
        return;
    }
    let sorted = |merges: &'a [Bounds]| {
        let mut merges: Vec<&'a Bounds> = merges.iter().collect();
        merges.sort_unstable_by_key(|m| (m.first_row, m.first_col, m.last_row, m.last_col));
        merges.dedup();
        merges
    };
    let (predicted, target) = (sorted(predicted), sorted(target));
    let known: FxHashSet<&Bounds> = target.iter().copied().collect();
    let mine: FxHashSet<&Bounds> = predicted.iter().copied().collect();
    let shared = predicted
        .iter()
        .filter(|merge| known.contains(*merge))
        .map(|m| (m, Match::TruePositive));
    let extra = predicted
        .iter()
        .filter(|merge| !known.contains(*merge))
        .map(|m| (m, Match::FalsePositive));
    let missing = target
        .iter()
        .filter(|merge| !mine.contains(*merge))
        .map(|m| (m, Match::FalseNegative));
    for (merge, outcome) in shared.chain(extra).chain(missing) {
        visit(Difference {
            sheet,
            cell: None,
            merge: Some(merge),
            compared: Compared::Merge,
            outcome,
            predicted: None,
            target: None,
        });
    }
}

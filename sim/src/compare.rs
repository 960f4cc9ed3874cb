//! Comparison of two workbook states, property by property (spec chapter 02, section 4).

mod normalise;

use std::sync::Arc;

use napsim_trajectories::{Bounds, CellAddress, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::counts::Counts;
use crate::protocol::Protocol;
use crate::state::{Cell, CellKey, Cells, Property, Sheet, Workbook};
use normalise::Side;

/// What a comparison looks at: a property of a cell, or a merge of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Compared {
    /// A property; fills and border sides are compared as wholes.
    Cell(Property),
    /// A merged range.
    Merge,
}

impl Compared {
    /// The path in the terms of the published records.
    pub fn path(self) -> &'static str {
        match self {
            Self::Cell(property) => property.path(),
            Self::Merge => "merged_cells",
        }
    }

    /// The type that statistics are broken down by: the first two segments of a format's path (spec 02, 4.6).
    pub fn property_type(self) -> PropertyType {
        let Self::Cell(property) = self else {
            return PropertyType::Merge;
        };
        match property {
            Property::Formula => PropertyType::Formula,
            Property::NumberFormat => PropertyType::NumberFormat,
            Property::Fill => PropertyType::Fill,
            Property::HorizontalAlignment => PropertyType::HorizontalAlignment,
            Property::VerticalAlignment => PropertyType::VerticalAlignment,
            Property::TextOrientation => PropertyType::TextOrientation,
            Property::WrapText => PropertyType::WrapText,
            _ => match property.container() {
                Some(Property::Font) => PropertyType::Font,
                Some(Property::Borders) => PropertyType::Borders,
                _ => PropertyType::Value,
            },
        }
    }
}

/// The types by which properties are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum PropertyType {
    Value,
    Formula,
    NumberFormat,
    Font,
    Fill,
    HorizontalAlignment,
    VerticalAlignment,
    TextOrientation,
    WrapText,
    Borders,
    Merge,
}

impl PropertyType {
    /// All types.
    pub const ALL: [PropertyType; 11] = [
        Self::Value,
        Self::Formula,
        Self::NumberFormat,
        Self::Font,
        Self::Fill,
        Self::HorizontalAlignment,
        Self::VerticalAlignment,
        Self::TextOrientation,
        Self::WrapText,
        Self::Borders,
        Self::Merge,
    ];

    /// The name in published records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Formula => "formula",
            Self::NumberFormat => "number_format",
            Self::Font => "Format.font",
            Self::Fill => "Format.fill",
            Self::HorizontalAlignment => "Format.horizontalAlignment",
            Self::VerticalAlignment => "Format.verticalAlignment",
            Self::TextOrientation => "Format.textOrientation",
            Self::WrapText => "Format.wrapText",
            Self::Borders => "Format.borders",
            Self::Merge => "merged_cells",
        }
    }
}

/// How prediction and target agree on one property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Match {
    /// Both have it, alike.
    TruePositive,
    /// Only the prediction has it.
    FalsePositive,
    /// Only the target has it.
    FalseNegative,
    /// Both have it, but it differs.
    Mismatch,
}

impl Match {
    /// The name in published records.
    pub fn name(self) -> &'static str {
        match self {
            Self::TruePositive => "TP",
            Self::FalsePositive => "FP",
            Self::FalseNegative => "FN",
            Self::Mismatch => "MISMATCH",
        }
    }

    /// Whether prediction and target disagree.
    pub fn is_gap(self) -> bool {
        self != Self::TruePositive
    }

    /// Adds one to the count of this outcome.
    pub fn count_into(self, counts: &mut Counts) {
        *self.count_in(counts) += 1;
    }

    /// The count of this outcome.
    fn count_in(self, counts: &mut Counts) -> &mut u32 {
        match self {
            Self::TruePositive => &mut counts.tp,
            Self::FalsePositive => &mut counts.fp,
            Self::FalseNegative => &mut counts.missing,
            Self::Mismatch => &mut counts.mm,
        }
    }
}

/// Where a record belongs: a cell, or the range of a merge.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// A cell.
    Cell(CellKey),
    /// The range of a merge.
    Merge(Bounds),
}

impl Place {
    /// The cell, if it is one.
    pub fn cell(&self) -> Option<&CellKey> {
        match self {
            Self::Cell(key) => Some(key),
            Self::Merge(_) => None,
        }
    }
}

impl std::fmt::Display for Place {
    /// The text of published records: a merge always has a colon.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Cell(key) => key.fmt(f),
            Self::Merge(bounds) => f.write_str(&merge_text(bounds)),
        }
    }
}

/// The range text of a merge, with a colon also for a single cell.
pub fn merge_text(bounds: &Bounds) -> String {
    let last = CellAddress::new(bounds.last_row, bounds.last_col);
    format!("{}:{last}", bounds.first_cell())
}

/// One property on which the states were compared, borrowed from them.
#[derive(Clone, Copy, Debug)]
pub struct Difference<'a> {
    /// Sheet.
    pub sheet: &'a Arc<str>,
    /// The cell; none for a merge.
    pub cell: Option<&'a CellKey>,
    /// The merged range, for a merge.
    pub merge: Option<&'a Bounds>,
    /// What was compared.
    pub compared: Compared,
    /// How it agrees.
    pub outcome: Match,
    /// Raw value in the prediction; none for merges and where it is absent or default.
    pub predicted: Option<&'a Value>,
    /// Raw value in the target; none for merges and where it is absent or default.
    pub target: Option<&'a Value>,
}

impl Difference<'_> {
    /// The same as an owned record. Fills and borders keep only their compared, present parts.
    pub fn to_record(&self) -> Record {
        let place = match (self.cell, self.merge) {
            (Some(cell), _) => Place::Cell(cell.clone()),
            (None, Some(merge)) => Place::Merge(*merge),
            (None, None) => Place::Cell(CellKey::Text("".into())),
        };
        let kept = |value: Option<&Value>| value.map(|value| normalise::recorded(self.compared, value));
        Record {
            sheet: self.sheet.clone(),
            place,
            compared: self.compared,
            outcome: self.outcome,
            predicted: kept(self.predicted),
            target: kept(self.target),
        }
    }
}

/// An owned record of a comparison.
#[derive(Clone, Debug)]
pub struct Record {
    /// Sheet.
    pub sheet: Arc<str>,
    /// Cell or merged range.
    pub place: Place,
    /// What was compared.
    pub compared: Compared,
    /// How it agrees.
    pub outcome: Match,
    /// Value in the prediction, if it has one.
    pub predicted: Option<Value>,
    /// Value in the target, if it has one.
    pub target: Option<Value>,
}

/// The cells that a restricted comparison looks at (spec 02, 3.2).
#[derive(Clone, Debug, Default)]
pub struct CellSet {
    sheets: FxHashMap<Arc<str>, FxHashSet<CellAddress>>,
}

impl CellSet {
    /// Adds cells of a sheet.
    pub fn extend(&mut self, sheet: &Arc<str>, cells: impl IntoIterator<Item = CellAddress>) {
        let mut cells = cells.into_iter().peekable();
        if cells.peek().is_some() {
            self.sheets.entry(sheet.clone()).or_default().extend(cells);
        }
    }

    /// Whether there is no cell.
    pub fn is_empty(&self) -> bool {
        self.sheets.is_empty()
    }

    /// Whether a cell of a sheet is in the set.
    pub fn contains(&self, sheet: &str, cell: CellAddress) -> bool {
        self.sheets.get(sheet).is_some_and(|cells| cells.contains(&cell))
    }

    fn of_sheet(&self, sheet: &str) -> Option<&FxHashSet<CellAddress>> {
        self.sheets.get(sheet)
    }
}

/// Totals of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Over everything.
    pub counts: Counts,
    by_type: [Counts; PropertyType::ALL.len()],
}

impl Totals {
    /// Counts one difference.
    pub fn add(&mut self, difference: &Difference<'_>) {
        self.count(difference.compared, difference.outcome);
    }

    /// Counts one outcome.
    pub(crate) fn count(&mut self, compared: Compared, outcome: Match) {
        outcome.count_into(&mut self.counts);
        if let Some(counts) = self.by_type.get_mut(compared.property_type() as usize) {
            outcome.count_into(counts);
        }
    }

    /// Takes back one outcome that was counted before.
    pub(crate) fn uncount(&mut self, compared: Compared, outcome: Match) {
        *outcome.count_in(&mut self.counts) -= 1;
        if let Some(counts) = self.by_type.get_mut(compared.property_type() as usize) {
            *outcome.count_in(counts) -= 1;
        }
    }

    /// Counts of each type that occurs (spec 02, 4.6).
    pub fn by_type(&self) -> impl Iterator<Item = (PropertyType, Counts)> {
        let all = PropertyType::ALL.into_iter().zip(self.by_type);
        all.filter(|(_, counts)| *counts != Counts::default())
    }
}

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
            Some(sheet) if !restricted || any => sheet.merges(),
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

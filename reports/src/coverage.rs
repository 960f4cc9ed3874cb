//! Predictable coverage: how much of what a predictor could have produced it did produce (spec 02, section 15).

use napsim_sim::compare::{Compared, Place};
use napsim_sim::event::{Event, PropertyKey};
use napsim_sim::state::{CellKey, Property};
use napsim_trajectories::{CellAddress, PredictableState};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// Predictable properties of one trajectory by whether the predictor produced them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoverageCounts {
    /// Properties that are predictable.
    pub predictable: u64,
    /// Of these, how many some accepted proposal got right.
    pub accepted: u64,
    /// Of these, how many some proposal got right, accepted or not.
    pub attempted: u64,
}

impl CoverageCounts {
    /// Share of the predictable properties that accepted proposals produced; absent where nothing is predictable.
    pub fn share_accepted(&self) -> Option<f64> {
        share(self.accepted, self.predictable)
    }

    /// Share of the predictable properties that proposals produced, accepted or not.
    pub fn share_attempted(&self) -> Option<f64> {
        share(self.attempted, self.predictable)
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Collects which predictable properties the proposals of one rollout got right.
#[derive(Clone, Debug)]
pub struct Coverage<'a> {
    sheets: Vec<CoveredSheet<'a>>,
    counts: CoverageCounts,
}

/// The predictable properties of one sheet.
#[derive(Clone, Debug)]
struct CoveredSheet<'a> {
    name: &'a str,
    /// Where each plain address is among the cells.
    at: FxHashMap<CellAddress, usize>,
    /// Where every other text that names a cell is among them.
    at_text: FxHashMap<&'a str, usize>,
    cells: Vec<CoveredCell>,
    /// Cells with a predictable merge.
    merged: Vec<(CellAddress, usize)>,
}

/// Sets of properties of one cell.
#[derive(Clone, Copy, Debug, Default)]
struct CoveredCell {
    predictable: u32,
    accepted: u32,
    attempted: u32,
}

/// Beside the properties of a cell: its being merged, and the two parts that a fill counts as.
const MERGED_CELLS: u32 = 1 << 31;
const FILL_COLOR: u32 = 1 << 30;
const FILL_PATTERN: u32 = 1 << 29;

/// The set of the one property that the predictable files call so; empty where proposals cannot produce it.
fn listed_property(name: &str) -> u32 {
    match name {
        "merged_cells" => MERGED_CELLS,
        "Format.fill.fgColor" => FILL_COLOR,
        "Format.fill.patternType" => FILL_PATTERN,
        _ => Property::from_path(name).map_or(0, |property| 1 << property as u32),
    }
}

/// What a property of the comparison is in the terms of the predictable files.
fn produced_properties(compared: Compared) -> u32 {
    match compared {
        Compared::Merge => MERGED_CELLS,
        Compared::Cell(Property::Fill) => FILL_COLOR | FILL_PATTERN,
        Compared::Cell(property) => 1 << property as u32,
    }
}

impl<'a> Coverage<'a> {
    /// Nothing produced yet.
    pub fn new(predictable: &'a PredictableState) -> Self {
        let names: Vec<u32> = predictable.property_names().map(listed_property).collect();
        let bits = |listed: &u32| usize::try_from(*listed).ok().and_then(|idx| names.get(idx).copied());
        let mut sheets: Vec<CoveredSheet<'a>> = Vec::new();
        for (sheet, cell, properties) in predictable.cells() {
            let properties = properties
                .iter()
                .filter_map(bits)
                .fold(0, |set, property| set | property);
            if sheets.last().is_none_or(|last| last.name != sheet) {
                sheets.push(CoveredSheet::new(sheet));
            }
            if let Some(covered) = sheets.last_mut() {
                covered.add(cell, properties);
            }
        }
        Self {
            sheets,
            counts: CoverageCounts {
                predictable: predictable.predictable_count,
                ..CoverageCounts::default()
            },
        }
    }

    /// Takes note of an event.
    pub fn see(&mut self, event: &Event) {
        let Event::Prediction(prediction) = event else { return };
        // The properties come sheet by sheet, so that most are on the sheet of the one before.
        let mut sheet_idx = 0;
        for key in &prediction.correct {
            let is_on = |sheet: &CoveredSheet<'_>| *sheet.name == *key.sheet;
            if !self.sheets.get(sheet_idx).is_some_and(is_on) {
                match self.sheets.binary_search_by(|sheet| (*sheet.name).cmp(&key.sheet)) {
                    Ok(idx) => sheet_idx = idx,
                    Err(_) => continue,
                }
            }
            if let Some(sheet) = self.sheets.get_mut(sheet_idx) {
                sheet.produce(key, prediction.accepted, &mut self.counts);
            }
        }
    }

    /// The figures so far.
    pub fn counts(&self) -> CoverageCounts {
        self.counts
    }
}

impl<'a> CoveredSheet<'a> {
    fn new(name: &'a str) -> Self {
        Self {
            name,
            at: FxHashMap::default(),
            at_text: FxHashMap::default(),
            cells: Vec::new(),
            merged: Vec::new(),
        }
    }

    fn add(&mut self, cell: &'a str, predictable: u32) {
        let at = self.cells.len();
        self.cells.push(CoveredCell {
            predictable,
            ..CoveredCell::default()
        });
        match CellAddress::from_normalised(cell) {
            Some(address) => {
                self.at.insert(address, at);
                if predictable & MERGED_CELLS != 0 {
                    self.merged.push((address, at));
                }
            }
            None => {
                self.at_text.insert(cell, at);
            }
        }
    }

    /// Translates a property of the comparison into the terms of the predictable files.
    fn produce(&mut self, key: &PropertyKey, accepted: bool, counts: &mut CoverageCounts) {
        let properties = produced_properties(key.compared);
        let cell = match &key.place {
            // A merge produces the property for every cell it covers.
            Place::Merge(bounds) => {
                for (_, at) in self.merged.iter().filter(|(cell, _)| bounds.contains_cell(*cell)) {
                    if let Some(cell) = self.cells.get_mut(*at) {
                        cell.produce(properties, accepted, counts);
                    }
                }
                return;
            }
            Place::Cell(CellKey::Address(address)) => self.at.get(address),
            Place::Cell(CellKey::Text(text)) => self.at_text.get(&**text),
        };
        if let Some(cell) = cell.and_then(|at| self.cells.get_mut(*at)) {
            cell.produce(properties, accepted, counts);
        }
    }
}

impl CoveredCell {
    fn produce(&mut self, properties: u32, accepted: bool, counts: &mut CoverageCounts) {
        let properties = properties & self.predictable;
        counts.attempted += u64::from((properties & !self.attempted).count_ones());
        self.attempted |= properties;
        if accepted {
            counts.accepted += u64::from((properties & !self.accepted).count_ones());
            self.accepted |= properties;
        }
    }
}

#[cfg(test)]
mod tests {
    use napsim_sim::event::Prediction;
    use napsim_trajectories::Range;

    use super::*;

    fn predictable(json: &str) -> PredictableState {
        serde_json::from_str(json).unwrap()
    }

    fn key(place: &str, path: &str) -> PropertyKey {
        let (place, compared) = match Property::from_path(path) {
            Some(property) => (Place::Cell(CellKey::from_text(place)), Compared::Cell(property)),
            None => (Place::Merge(Range::new("S", place).unwrap().bounds()), Compared::Merge),
        };
        PropertyKey {
            sheet: "S".into(),
            place,
            compared,
        }
    }

    fn prediction(accepted: bool, keys: &[(&str, &str)]) -> Event {
        let correct = keys.iter().map(|(place, path)| key(place, path)).collect();
        Event::Prediction(Box::new(Prediction {
            accepted,
            correct,
            ..Prediction::default()
        }))
    }

    #[test]
    fn a_fill_counts_twice_and_a_merge_once_a_cell() {
        let state = predictable(
            r#"{"final_state_size": 9, "predictable_count": 6, "predictable_properties": {"S": {
                "A1": ["Format.fill.fgColor", "Format.fill.patternType", "merged_cells"],
                "B1": ["merged_cells"], "C1": ["merged_cells"], "D1": ["value"]}}}"#,
        );
        let mut coverage = Coverage::new(&state);
        coverage.see(&prediction(false, &[("A1", "Format.fill"), ("A1:B1", "merged_cells")]));
        assert_eq!(
            coverage.counts(),
            CoverageCounts {
                predictable: 6,
                accepted: 0,
                attempted: 4
            }
        );
        coverage.see(&prediction(
            true,
            &[("D1", "value"), ("A1", "Format.fill"), ("Z9", "value")],
        ));
        assert_eq!(
            coverage.counts(),
            CoverageCounts {
                predictable: 6,
                accepted: 3,
                attempted: 5
            }
        );
    }

    #[test]
    fn a_property_produced_twice_counts_once() {
        let state = predictable(
            r#"{"final_state_size": 2, "predictable_count": 2,
                "predictable_properties": {"S": {"A1": ["value", "Format.font.bold"]}}}"#,
        );
        let mut coverage = Coverage::new(&state);
        for _ in 0..2 {
            coverage.see(&prediction(true, &[("A1", "value")]));
        }
        assert_eq!(coverage.counts().share_accepted(), Some(0.5));
        assert_eq!(coverage.counts().share_attempted(), Some(0.5));
    }

    #[test]
    fn a_merge_of_the_whole_sheet_costs_no_walk() {
        let state = predictable(
            r#"{"final_state_size": 1, "predictable_count": 1,
                "predictable_properties": {"S": {"A1": ["merged_cells"]}}}"#,
        );
        let mut coverage = Coverage::new(&state);
        coverage.see(&prediction(true, &[("A1:XFD1048576", "merged_cells")]));
        assert_eq!(coverage.counts().accepted, 1);
    }

    #[test]
    fn without_predictable_properties_there_is_no_share() {
        assert_eq!(CoverageCounts::default().share_accepted(), None);
    }
}

//! Predictable coverage: how much of what a predictor could have produced it did produce (spec 02, section 15).

use std::collections::BTreeMap;

use napsim_sim::compare::{Compared, Place};
use napsim_sim::event::{Event, PropertyKey};
use napsim_sim::state::{CellKey, Property};
use napsim_trajectories::{Bounds, CellAddress, PredictableState};
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
    /// Index of each predictable (sheet, cell, property).
    idx: BTreeMap<(&'a str, &'a str, &'a str), usize>,
    /// Cells with a predictable merge, by sheet.
    merged: BTreeMap<&'a str, Vec<(CellAddress, usize)>>,
    accepted: Vec<bool>,
    attempted: Vec<bool>,
    predictable: u64,
}

const MERGED_CELLS: &str = "merged_cells";

impl<'a> Coverage<'a> {
    /// Nothing produced yet.
    pub fn new(predictable: &'a PredictableState) -> Self {
        let mut idx = BTreeMap::new();
        let mut merged: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (sheet, cell, property) in predictable.iter() {
            let next = idx.len();
            let at = *idx.entry((sheet, cell, property)).or_insert(next);
            if property == MERGED_CELLS
                && let Some(address) = CellAddress::from_normalised(cell)
            {
                merged.entry(sheet).or_default().push((address, at));
            }
        }
        Self {
            accepted: vec![false; idx.len()],
            attempted: vec![false; idx.len()],
            idx,
            merged,
            predictable: predictable.predictable_count,
        }
    }

    /// Takes note of an event.
    pub fn see(&mut self, event: &Event) {
        if let Event::Prediction(prediction) = event {
            for key in &prediction.correct {
                self.produce(key, prediction.accepted);
            }
        }
    }

    /// The figures so far.
    pub fn counts(&self) -> CoverageCounts {
        let count = |produced: &[bool]| u64::try_from(produced.iter().filter(|yes| **yes).count()).unwrap_or(u64::MAX);
        CoverageCounts {
            predictable: self.predictable,
            accepted: count(&self.accepted),
            attempted: count(&self.attempted),
        }
    }

    /// Translates a property of the comparison into the terms of the predictable files.
    fn produce(&mut self, key: &PropertyKey, accepted: bool) {
        match (&key.place, key.compared) {
            (Place::Merge(bounds), _) => self.produce_merge(&key.sheet, *bounds, accepted),
            (Place::Cell(cell), Compared::Cell(Property::Fill)) => {
                self.produce_property(&key.sheet, cell, "Format.fill.fgColor", accepted);
                self.produce_property(&key.sheet, cell, "Format.fill.patternType", accepted);
            }
            (Place::Cell(cell), compared) => self.produce_property(&key.sheet, cell, compared.path(), accepted),
        }
    }

    fn produce_property(&mut self, sheet: &str, cell: &CellKey, path: &str, accepted: bool) {
        let cell = cell.to_string();
        // A shared reference lets the map be asked with texts that live shorter than its own.
        let idx: &BTreeMap<(&str, &str, &str), usize> = &self.idx;
        if let Some(at) = idx.get(&(sheet, &*cell, path)).copied() {
            self.mark(at, accepted);
        }
    }

    /// A merge produces the property for every cell it covers.
    fn produce_merge(&mut self, sheet: &str, bounds: Bounds, accepted: bool) {
        let cells = self.merged.get(sheet).map_or(&[][..], Vec::as_slice);
        let covered: Vec<usize> = cells
            .iter()
            .filter(|(cell, _)| bounds.contains_cell(*cell))
            .map(|(_, at)| *at)
            .collect();
        for at in covered {
            self.mark(at, accepted);
        }
    }

    fn mark(&mut self, at: usize, accepted: bool) {
        if let Some(produced) = self.attempted.get_mut(at) {
            *produced = true;
        }
        if accepted && let Some(produced) = self.accepted.get_mut(at) {
            *produced = true;
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

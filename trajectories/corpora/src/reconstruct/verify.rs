//! Whether the actions, as they are written, make the target again.

use std::sync::Arc;

use napsim_sim::state::{Cell, CellKey, Property, Sheet, Workbook};
use napsim_trajectories::{Action, Value, json};

use super::target::SHEET_NAME;

/// Differences told one by one; the rest is counted.
const TOLD_MAX: usize = 10;

/// How a replay differs from what was to be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayDifference {
    /// The first differences, as texts such as `B7 Format.font.bold: expected true, got nothing`.
    pub told: Vec<String>,
    /// How many there are.
    pub count: u64,
}

impl std::fmt::Display for ReplayDifference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} differences: {}", self.count, self.told.join("; "))?;
        if self.count > self.told.len() as u64 {
            f.write_str("; …")?;
        }
        Ok(())
    }
}

/// Writes actions down, reads them back, replays them on an empty workbook and compares every property.
///
/// Cells without any property count as absent, and merged ranges as a set.
///
/// # Errors
/// [`ReplayDifference`] where an action cannot be read back or carried out, or the result differs.
pub fn verify(actions: &[Action], expected: &Sheet) -> Result<(), ReplayDifference> {
    let mut difference = ReplayDifference {
        told: Vec::new(),
        count: 0,
    };
    let mut workbook = Workbook::default();
    for action in actions {
        let text = action.to_string();
        let done = match Action::parse(&text) {
            Ok(read) => workbook.apply(&read).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        if let Err(error) = done {
            difference.add(format!("{}: {error}", json::write(&Value::text(text))));
        }
    }
    let sheet: Arc<str> = SHEET_NAME.into();
    compare(expected, workbook.touch_sheet(&sheet), &mut difference);
    if difference.count == 0 { Ok(()) } else { Err(difference) }
}

impl ReplayDifference {
    fn add(&mut self, text: String) {
        self.count += 1;
        if self.told.len() < TOLD_MAX {
            self.told.push(text);
        }
    }
}

fn compare(expected: &Sheet, got: &Sheet, difference: &mut ReplayDifference) {
    let empty = Cell::default();
    let (Some(expected_cells), Some(got_cells)) = (&expected.cells, &got.cells) else {
        return difference.add("a sheet without cells".to_owned());
    };
    for (key, cell) in expected_cells.sorted() {
        compare_cell(key, cell, got_cells.get(key).unwrap_or(&empty), difference);
    }
    for (key, cell) in got_cells.sorted() {
        if expected_cells.get(key).is_none() {
            compare_cell(key, &empty, cell, difference);
        }
    }
    let sorted = |sheet: &Sheet| {
        let mut merges = sheet.merges().to_vec();
        merges.sort_unstable();
        merges
    };
    let (expected, got) = (sorted(expected), sorted(got));
    for merge in expected.iter().filter(|merge| got.binary_search(merge).is_err()) {
        difference.add(format!("{merge}: expected a merged range, got none"));
    }
    for merge in got.iter().filter(|merge| expected.binary_search(merge).is_err()) {
        difference.add(format!("{merge}: expected no merged range, got one"));
    }
}

fn compare_cell(key: &CellKey, expected: &Cell, got: &Cell, difference: &mut ReplayDifference) {
    let text = |value: Option<&Value>| value.map_or_else(|| "nothing".to_owned(), json::write);
    let mut differs = |property: Property| {
        let (a, b) = (expected.get(property), got.get(property));
        let same = match (a, b) {
            (Some(a), Some(b)) => a.strictly_equals(b),
            (a, b) => a.is_none() && b.is_none(),
        };
        if !same {
            difference.add(format!(
                "{key} {}: expected {}, got {}",
                property.path(),
                text(a),
                text(b)
            ));
        }
    };
    for (property, _) in expected.entries() {
        differs(*property);
    }
    for (property, _) in got.entries() {
        if !expected.has(*property) {
            differs(*property);
        }
    }
}

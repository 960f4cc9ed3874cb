//! Which properties of a trajectory's final state count as predictable (spec chapter 02, section 15).

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::read::{ReadError, read_text};

/// The predictable properties of a final state, as a file beside the trajectory lists them.
///
/// Property names are those of the published files: a fill counts twice (`Format.fill.fgColor` and
/// `Format.fill.patternType`), a border once a side, and a merge as `merged_cells` of every cell it covers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PredictableState {
    /// Property names by sheet and cell.
    #[serde(rename = "predictable_properties")]
    pub properties: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    /// How many properties are listed, over all cells.
    pub predictable_count: u64,
    /// How many properties the final state has, listed or not.
    pub final_state_size: u64,
}

impl PredictableState {
    /// Whether a property of a cell is listed.
    pub fn contains(&self, sheet: &str, cell: &str, property: &str) -> bool {
        let cells = self.properties.get(sheet);
        let names = cells.and_then(|cells| cells.get(cell));
        names.is_some_and(|names| names.iter().any(|name| name == property))
    }

    /// Every listed property with its sheet and cell, in order of their texts.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.properties.iter().flat_map(|(sheet, cells)| {
            let names = cells.iter();
            names.flat_map(move |(cell, names)| names.iter().map(move |name| (&**sheet, &**cell, &**name)))
        })
    }

    /// Reads a file of predictable properties.
    ///
    /// # Errors
    /// [`ReadError`] when the file cannot be read, is not of this shape, or miscounts what it lists.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        let text = read_text(path)?;
        let state: Self = serde_json::from_str(&text).map_err(|reason| ReadError::json(path, reason))?;
        let listed = u64::try_from(state.iter().count()).unwrap_or(u64::MAX);
        if listed != state.predictable_count || listed > state.final_state_size {
            return Err(ReadError::Miscounted {
                path: path.to_owned(),
                listed,
                predictable: state.predictable_count,
                total: state.final_state_size,
            });
        }
        Ok(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<PredictableState, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        PredictableState::read(file.path()).map_err(|error| error.to_string())
    }

    #[test]
    fn reads_the_published_shape() {
        let state = read(
            r#"{"coverage_pct": 66.67, "final_state_size": 3, "predictable_count": 2, "trajectory_name": "t",
                "predictable_properties": {"S": {"B1": ["value"], "A1": ["Format.font.bold"]}}}"#,
        )
        .unwrap();
        assert!(state.contains("S", "B1", "value"));
        assert!(!state.contains("S", "B1", "Format.font.bold"));
        let listed: Vec<_> = state.iter().collect();
        assert_eq!(listed, [("S", "A1", "Format.font.bold"), ("S", "B1", "value")]);
    }

    #[test]
    fn refuses_other_shapes_and_wrong_counts() {
        let error = read(r#"{"predictable_count": 1}"#).unwrap_err();
        assert!(error.contains("missing field `predictable_properties`"), "{error}");
        let error = read(
            r#"{"final_state_size": 3, "predictable_count": 2, "predictable_properties": {"S": {"B1": ["value"]}}}"#,
        )
        .unwrap_err();
        assert!(error.contains("lists 1 properties"), "{error}");
    }
}

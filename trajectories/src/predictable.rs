//! Which properties of a trajectory's final state count as predictable (spec chapter 02, section 15).

mod json;
mod listed;

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::read::{ReadError, read_text};
use listed::Listed;

/// The predictable properties of a final state, as a file beside the trajectory lists them.
///
/// Property names are those of the published files: a fill counts twice (`Format.fill.fgColor` and
/// `Format.fill.patternType`), a border once a side, and a merge as `merged_cells` of every cell it covers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PredictableState {
    /// Property names by sheet and cell.
    #[serde(rename = "predictable_properties")]
    listed: Listed,
    /// How many properties are listed, over all cells.
    pub predictable_count: u64,
    /// How many properties the final state has, listed or not.
    pub final_state_size: u64,
}

impl PredictableState {
    /// Whether a property of a cell is listed.
    pub fn contains(&self, sheet: &str, cell: &str, property: &str) -> bool {
        self.listed
            .properties_of(sheet, cell)
            .any(|listed| self.listed.name(listed) == property)
    }

    /// Every listed property with its sheet and cell, in order of the texts of sheets and cells.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.cells().flat_map(|(sheet, cell, properties)| {
            let names = properties.iter().map(|listed| self.listed.name(*listed));
            names.map(move |name| (sheet, cell, name))
        })
    }

    /// The names that properties are listed by, each once.
    pub fn property_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.listed.names()
    }

    /// Every cell with its sheet and its properties, in order of the texts of sheets and cells. Each property is an
    /// index into [`property_names`](Self::property_names).
    pub fn cells(&self) -> impl Iterator<Item = (&str, &str, &[u32])> {
        self.listed.cells()
    }

    /// Reads a file of predictable properties.
    ///
    /// # Errors
    /// [`ReadError`] when the file cannot be read, is not of this shape, or miscounts what it lists.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        let text = read_text(path)?;
        let state: Self = serde_json::from_str(&text).map_err(|reason| ReadError::json(path, reason))?;
        let listed = state.listed.len();
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
    fn order_and_repetitions_in_the_file_make_no_difference() {
        let one = r#"{"final_state_size": 3, "predictable_count": 3, "predictable_properties":
            {"T": {}, "S": {"B1": ["value"], "A10": ["x"], "A2": ["value", "x"], "B1": ["formula"]}}}"#;
        let other = r#"{"predictable_properties": {"S": {"A10": ["x"], "A2": ["value", "x"], "B1": ["formula"]}, "T": {}},
            "predictable_count":3,"final_state_size":3}"#;
        let [one, other] = [one, other].map(|text| serde_json::from_str::<PredictableState>(text).unwrap());
        assert_eq!(one, other);
        let json = serde_json::to_string(&one).unwrap();
        let listed = r#"{"S":{"A10":["x"],"A2":["value","x"],"B1":["formula"]},"T":{}}"#;
        assert!(
            json.starts_with(&format!("{{\"predictable_properties\":{listed}")),
            "{json}"
        );
        assert_eq!(json, serde_json::to_string(&other).unwrap());
        let less = r#"{"final_state_size": 3, "predictable_count": 3, "predictable_properties":
            {"S": {"A10": ["x"], "A2": ["value", "x"], "B1": ["formula"]}}}"#;
        assert_ne!(
            one,
            serde_json::from_str(less).unwrap(),
            "a sheet without cells is listed all the same"
        );
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

    #[test]
    fn order_and_repetition_in_the_file_make_no_difference() {
        let sorted = read(
            r#"{"final_state_size": 9, "predictable_count": 4,
                "predictable_properties": {"R": {"A1": ["y"]}, "S": {"A1": ["x", "y"], "A10": [], "A2": ["x"]}}}"#,
        )
        .unwrap();
        let mixed = read(
            r#"{"predictable_properties": {"S": {"B1": ["z"]},
                "S": {"A2": ["x"], "A1": ["z"], "A10": [], "A1": ["x", "y"]}, "R": {"A1": ["y"]}},
                "predictable_count": 4, "final_state_size": 9}"#,
        )
        .unwrap();
        assert_eq!(mixed, sorted);
        let text = serde_json::to_string(&mixed).unwrap();
        let cells = r#"{"R":{"A1":["y"]},"S":{"A1":["x","y"],"A10":[],"A2":["x"]}}"#;
        assert!(
            text.starts_with(&format!(r#"{{"predictable_properties":{cells},"#)),
            "{text}"
        );
        assert!(!mixed.contains("S", "A1", "z") && mixed.contains("S", "A2", "x") && !mixed.contains("T", "A2", "x"));
    }

    #[test]
    fn the_place_and_kind_of_a_wrong_value_are_named() {
        for (listed, expect) in [
            ("[]", "invalid type: sequence, expected a map at line 1"),
            (r#"{"S": []}"#, "invalid type: sequence, expected a map at line 1"),
            (
                r#"{"S": {"A1": {}}}"#,
                "invalid type: map, expected a sequence at line 1",
            ),
            (
                r#"{"S": {"A1": [5]}}"#,
                "invalid type: integer `5`, expected a string at line 1",
            ),
        ] {
            let text =
                format!(r#"{{"predictable_count": 1, "final_state_size": 1, "predictable_properties": {listed}}}"#);
            let error = read(&text).unwrap_err();
            assert!(error.contains(expect), "{error}");
        }
    }
}

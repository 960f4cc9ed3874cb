//! A workbook in a message.

use napsim_sim::state::Workbook;
use napsim_trajectories::Value;
use serde::ser::{SerializeMap as _, SerializeSeq as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// A workbook as JSON: cells and merged ranges by sheet, under `worksheets`.
///
/// Values that JSON does not know, which are NaN and the infinities, are `null`; integers may have any number of digits.
#[derive(Clone, Debug)]
pub struct WorkbookText(Box<RawValue>);

impl WorkbookText {
    /// The text of a workbook; none where it cannot be written, which would be a mistake of ours.
    pub fn of(workbook: &Workbook) -> Option<Self> {
        let text = serde_json::to_string(&Json(&workbook.to_json())).ok()?;
        RawValue::from_string(text).ok().map(Self)
    }

    /// The JSON.
    pub fn as_str(&self) -> &str {
        self.0.get()
    }
}

impl PartialEq for WorkbookText {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for WorkbookText {}

impl Serialize for WorkbookText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for WorkbookText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(Self)
    }
}

/// A value as strict JSON.
struct Json<'a>(&'a Value);

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(flag) => serializer.serialize_bool(*flag),
            Value::Int(integer) => serializer.serialize_i64(*integer),
            Value::BigInt(integer) => RawValue::from_string(integer.to_string())
                .map_err(serde::ser::Error::custom)?
                .serialize(serializer),
            // What is not finite is written as null.
            Value::Float(float) => serializer.serialize_f64(*float),
            Value::Text(text) => serializer.serialize_str(text),
            Value::List(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                for item in items.iter() {
                    list.serialize_element(&Json(item))?;
                }
                list.end()
            }
            Value::Object(entries) => {
                let mut object = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries.iter() {
                    object.serialize_entry(&**key, &Json(value))?;
                }
                object.end()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use napsim_trajectories::Action;

    use super::*;

    fn text_after(lines: &[&str]) -> String {
        let actions: Vec<Action> = lines.iter().map(|line| Action::parse(line).unwrap()).collect();
        let mut workbook = Workbook::default();
        workbook.apply_lenient(&actions);
        WorkbookText::of(&workbook).unwrap().as_str().to_owned()
    }

    #[test]
    fn workbooks_are_strict_json() {
        let digits = "9".repeat(400);
        let text = text_after(&[
            "INPUT | S!A1 | NaN",
            "INPUT | S!A2 | -Infinity",
            &format!("INPUT | S!A3 | {digits}"),
            "INPUT | S!A4 | \"a\\nb\"",
            "INPUT | S!A5 | 0.5",
            "MERGE | S!B1:C2",
        ]);
        assert!(
            text.starts_with(r#"{"worksheets":{"S":{"cells":{"A1":{"value":null}"#),
            "{text}"
        );
        for part in [&digits, r#"a\nb"#, "0.5", "merged_cells"] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(serde_json::from_str::<Box<RawValue>>(&text).is_ok());
    }
}

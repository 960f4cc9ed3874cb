//! From a line of JSON to a sequence of actions.

use napsim_trajectories::Action;
use serde::Deserialize;
use serde_json::Value;

use super::split::{Part, part_of};
use super::{ReadingOptions, Sequence};

/// Name and version of the schema that `napsim corpus` writes.
const SCHEMA: &str = "napsim-sequence/1";

/// A line of either form: `napsim-sequence/1` has `actions`, the published one `ops`.
#[derive(Debug, Deserialize)]
struct Line {
    schema: Option<String>,
    id: Option<Value>,
    workbook: Option<String>,
    split: Option<String>,
    actions: Option<Vec<String>>,
    ops: Option<Vec<String>>,
}

/// The sequence in a line, or what is wrong with it. `place` names a sequence that has no name.
pub(super) fn read(line: &[u8], place: &str, options: ReadingOptions) -> Result<Sequence, String> {
    let line: Line = serde_json::from_slice(line).map_err(|error| format!("not the JSON of a sequence: {error}"))?;
    if let Some(schema) = line.schema.filter(|schema| schema != SCHEMA) {
        return Err(format!("its schema is `{schema}`, expected `{SCHEMA}`"));
    }
    let texts = match (line.actions, line.ops) {
        (Some(texts), None) | (None, Some(texts)) => texts,
        (Some(_), Some(_)) => return Err("it has both `actions` and `ops`".to_owned()),
        (None, None) => return Err("it has neither `actions` nor `ops`".to_owned()),
    };
    let mut actions = Vec::with_capacity(texts.len());
    for (text, action_no) in texts.iter().zip(1..) {
        let action = Action::parse(text).map_err(|error| malformed(text, action_no, &error.to_string()))?;
        actions.push(action);
    }
    let id = match line.id {
        Some(Value::String(id)) => id,
        Some(id) => id.to_string(),
        None => place.to_owned(),
    };
    let group = line.workbook.unwrap_or_else(|| id.clone());
    let part = match line.split {
        Some(name) => Part::from_name(&name)
            .ok_or_else(|| format!("its split is `{name}`, expected `train`, `valid` or `test`"))?,
        None => part_of(&group, options.seed),
    };
    Ok(Sequence {
        id,
        group,
        part,
        actions,
    })
}

fn malformed(text: &str, action_no: usize, reason: &str) -> String {
    /// Longer texts are cut.
    const SHOWN_MAX: usize = 80;
    let mut shown: String = text.chars().take(SHOWN_MAX).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    format!("action {action_no}: {reason}, in `{shown}`")
}

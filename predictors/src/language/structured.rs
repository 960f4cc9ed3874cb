//! Answers as JSON objects, for servers that hold a model to a schema.

use serde_json::{Map, Value, json};

use napsim_trajectories::parse::SEPARATOR;
use napsim_trajectories::{Keyword, json as notation};

use super::offered::OFFERED;

/// What may not stand within a line.
const LINE_BREAKS: [char; 2] = ['\n', '\r'];

/// How many ends of objects are tried before an answer that was cut off is given up.
const ENDS_TRIED_MAX: usize = 64;

/// An answer that is not of the form that was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StructuredError {
    /// The answer is no JSON.
    #[error("read the answer as JSON, line {line}, column {column}: {reason}")]
    Json {
        /// The line of the answer, counted from 1.
        line: usize,
        /// The column in that line, counted from 1.
        column: usize,
        /// What is wrong.
        reason: String,
        /// Whether it ends too early, so that [`whole_actions`] may find something.
        cut_off: bool,
    },
    /// The answer is JSON of another shape.
    #[error("read the answer: expected {expected} at {place}, found {found}")]
    Shape {
        /// Where it is, such as `actions[2].range`; `the top` for the whole answer.
        place: String,
        /// What should be there.
        expected: &'static str,
        /// What is there.
        found: String,
    },
}

/// The JSON schema of an answer: an object of the intent, where it is asked for, and the list of actions.
///
/// Every key is required and no other one allowed, as strict modes want it. A bound on the actions becomes `maxItems`;
/// give none for servers whose strict mode does not know that word.
pub fn schema(actions_max: Option<u32>, intent: bool) -> Value {
    let mut actions = json!({
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "type": {"type": "string", "enum": OFFERED.map(Keyword::text)},
                "range": {"type": "string"},
                "value": {"type": "string"},
            },
            "required": ["type", "range", "value"],
            "additionalProperties": false,
        },
    });
    if let (Some(actions_max), Some(schema)) = (actions_max, actions.as_object_mut()) {
        schema.insert("maxItems".to_owned(), actions_max.into());
    }
    // Models write the keys in this order: the intent comes first, so that the actions can follow from it.
    let mut properties = Map::new();
    if intent {
        properties.insert("intent".to_owned(), json!({"type": "string"}));
    }
    properties.insert("actions".to_owned(), actions);
    let required: Vec<&String> = properties.keys().collect();
    json!({
        "type": "object",
        "required": required,
        "properties": properties,
        "additionalProperties": false,
    })
}

/// The answer as lines `TYPE | RANGE | VALUE`, behind a line `Intent: …` where it has one.
///
/// An empty value is left out, and so is that of an `UNMERGE`, which would make it a merge. Line breaks within a field
/// become blanks, those of a typed text that is not quoted become part of a quoted one. A code fence around the answer
/// is taken off; nothing else is put right.
///
/// # Errors
/// [`StructuredError`] with the place where the answer is not of the schema's form. Which types exist is not checked
/// here: a line of another type is no action when it is read.
pub fn lines(text: &str) -> Result<String, StructuredError> {
    let (body, n_lines_before) = without_fence(text);
    let answer: Value = serde_json::from_str(body).map_err(|error| StructuredError::Json {
        line: error.line() + n_lines_before,
        column: error.column(),
        reason: reason_of(&error),
        cut_off: error.is_eof(),
    })?;
    lines_of(&answer)
}

/// The lines of the actions that are whole in an answer that was cut off; nothing where none is.
///
/// So a length limit costs the last action of a JSON answer alone, as it does with lines.
pub fn whole_actions(text: &str) -> Option<String> {
    let body = text.get(text.find('{')?..)?;
    let ends = body.rmatch_indices('}').take(ENDS_TRIED_MAX);
    ends.filter_map(|(end, _)| body.get(..=end))
        .find_map(|whole| serde_json::from_str(&format!("{whole}]}}")).ok())
        .and_then(|answer| lines_of(&answer).ok())
}

fn lines_of(answer: &Value) -> Result<String, StructuredError> {
    let fields = object(answer, "the top", &["intent", "actions"])?;
    let mut lines = Vec::new();
    if let Some(intent) = fields.get("intent") {
        lines.push(format!("Intent: {}", one_line(string(intent, || "intent".to_owned())?)));
    }
    let actions = fields.get("actions");
    let Some(Value::Array(actions)) = actions else {
        return Err(mismatch("actions".to_owned(), "a list", actions));
    };
    for (idx, action) in actions.iter().enumerate() {
        lines.push(line(action, &format!("actions[{idx}]"))?);
    }
    Ok(lines.join("\n"))
}

/// One action as a line.
fn line(action: &Value, place: &str) -> Result<String, StructuredError> {
    let fields = object(action, place, &["type", "range", "value"])?;
    let field = |key: &str| -> Result<&str, StructuredError> {
        let place = || format!("{place}.{key}");
        match fields.get(key) {
            Some(value) => string(value, place),
            None => Err(mismatch(place(), "a text", None)),
        }
    };
    let (name, range, value) = (one_line(field("type")?), one_line(field("range")?), field("value")?);
    let keyword = Keyword::from_text(&name);
    let value = match keyword {
        Some(Keyword::Unmerge) => String::new(),
        Some(Keyword::Input) => typed(value),
        _ => one_line(value),
    };
    let mut line = [name, range].join(SEPARATOR);
    if !value.is_empty() {
        line.push_str(SEPARATOR);
        line.push_str(&value);
    }
    Ok(line)
}

/// A typed value on one line: bare texts of several lines are quoted, line breaks within quotes are escaped.
fn typed(value: &str) -> String {
    let value = value.trim();
    if !value.contains(LINE_BREAKS) {
        return value.to_owned();
    }
    if !value.starts_with(['[', '"', '{']) {
        return notation::write(&napsim_trajectories::Value::text(value));
    }
    let escaped = value.replace("\r\n", "\n").replace(LINE_BREAKS, "\\n");
    if notation::read(value).is_err() && notation::read(&escaped).is_ok() {
        escaped
    } else {
        one_line(value)
    }
}

/// The text with blanks for its line breaks and none at its ends.
fn one_line(text: &str) -> String {
    text.trim().replace(LINE_BREAKS, " ")
}

fn object<'a>(value: &'a Value, place: &str, known: &[&str]) -> Result<&'a Map<String, Value>, StructuredError> {
    let Value::Object(fields) = value else {
        return Err(mismatch(place.to_owned(), "an object", Some(value)));
    };
    match fields.keys().find(|key| !known.contains(&key.as_str())) {
        Some(key) => Err(StructuredError::Shape {
            place: place.to_owned(),
            expected: "no other key than those of the schema",
            found: format!("`{key}`"),
        }),
        None => Ok(fields),
    }
}

fn string(value: &Value, place: impl FnOnce() -> String) -> Result<&str, StructuredError> {
    value.as_str().ok_or_else(|| mismatch(place(), "a text", Some(value)))
}

fn mismatch(place: String, expected: &'static str, found: Option<&Value>) -> StructuredError {
    let found = match found {
        None => "nothing",
        Some(Value::Null) => "null",
        Some(Value::Bool(_)) => "true or false",
        Some(Value::Number(_)) => "a number",
        Some(Value::String(_)) => "a text",
        Some(Value::Array(_)) => "a list",
        Some(Value::Object(_)) => "an object",
    };
    StructuredError::Shape {
        place,
        expected,
        found: found.to_owned(),
    }
}

/// The message without the position that serde_json puts at its end.
fn reason_of(error: &serde_json::Error) -> String {
    let message = error.to_string();
    message
        .rsplit_once(" at line ")
        .map_or(message.as_str(), |(reason, _)| reason)
        .to_owned()
}

/// The text within a code fence around everything, and how many lines were before it.
fn without_fence(text: &str) -> (&str, usize) {
    let fenced = || {
        let body = text.trim().strip_prefix("```")?.strip_suffix("```")?;
        let (language, body) = body.split_once('\n')?;
        language.trim().chars().all(char::is_alphanumeric).then_some(body)
    };
    let body = fenced().unwrap_or(text);
    // The body is a part of the text, so what is before it is what is left of the text without it and its rest.
    let before = text.find(body).and_then(|start| text.get(..start)).unwrap_or_default();
    (body, before.matches('\n').count())
}

#[cfg(test)]
mod tests;

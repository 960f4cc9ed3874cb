//! The first place where two values differ, for messages.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

/// A place where two values differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Path of the field, such as `metrics.tp`; empty for the value as a whole.
    pub path: String,
    /// What stands on the left, as JSON; absent where the field is missing.
    pub left: Option<String>,
    /// What stands on the right.
    pub right: Option<String>,
}

impl Difference {
    /// The first difference of two values in their JSON form, if there is one.
    pub fn between(left: &impl Serialize, right: &impl Serialize) -> Option<Self> {
        let json = |value: Result<Value, serde_json::Error>| value.unwrap_or_default();
        find(
            String::new(),
            &json(serde_json::to_value(left)),
            &json(serde_json::to_value(right)),
        )
    }

    /// The difference in words, with names for the two sides.
    pub fn describe(&self, left: &str, right: &str) -> String {
        let path = if self.path.is_empty() {
            String::new()
        } else {
            format!("{}: ", self.path)
        };
        let side = |text: &Option<String>| text.as_deref().map_or_else(|| "nothing".to_owned(), abbreviate);
        format!("{path}{left} {}, {right} {}", side(&self.left), side(&self.right))
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe("expected", "got"))
    }
}

/// At most so many characters of a value stand in a message.
const SHOWN_CHARS_MAX: usize = 200;

fn abbreviate(text: &str) -> String {
    if text.chars().nth(SHOWN_CHARS_MAX).is_none() {
        return text.to_owned();
    }
    text.chars().take(SHOWN_CHARS_MAX).chain("…".chars()).collect()
}

fn find(path: String, left: &Value, right: &Value) -> Option<Difference> {
    if left == right {
        return None;
    }
    let inner = |key: &str| {
        if path.is_empty() {
            key.to_owned()
        } else {
            format!("{path}.{key}")
        }
    };
    match (left, right) {
        (Value::Object(a), Value::Object(b)) => {
            let keys = a.keys().chain(b.keys().filter(|key| !a.contains_key(*key)));
            keys.into_iter()
                .find_map(|key| member(inner(key), a.get(key), b.get(key)))
        }
        (Value::Array(a), Value::Array(b)) => {
            (0..a.len().max(b.len())).find_map(|idx| member(format!("{path}[{idx}]"), a.get(idx), b.get(idx)))
        }
        _ => Some(Difference {
            path,
            left: Some(left.to_string()),
            right: Some(right.to_string()),
        }),
    }
}

fn member(path: String, left: Option<&Value>, right: Option<&Value>) -> Option<Difference> {
    match (left, right) {
        (Some(left), Some(right)) => find(path, left, right),
        (None, None) => None,
        _ => Some(Difference {
            path,
            left: left.map(Value::to_string),
            right: right.map(Value::to_string),
        }),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_first_difference_is_named() {
        let check = |left: Value, right: Value, expected: Option<&str>| {
            let found = Difference::between(&left, &right).map(|difference| difference.to_string());
            assert_eq!(found.as_deref(), expected);
        };
        check(json!({"a": 1}), json!({"a": 1}), None);
        check(
            json!({"a": {"b": [1, 2]}}),
            json!({"a": {"b": [1, 3]}}),
            Some("a.b[1]: expected 2, got 3"),
        );
        check(
            json!({"a": 1}),
            json!({"a": 1, "b": 2}),
            Some("b: expected nothing, got 2"),
        );
        check(json!([1]), json!([]), Some("[0]: expected 1, got nothing"));
        check(json!(1), json!("x"), Some("expected 1, got \"x\""));
    }
}

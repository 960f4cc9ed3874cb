//! JSON files: an object with `operations`, a list of texts, and optionally `name` and `description`.

use std::borrow::Cow;
use std::fmt;
use std::path::Path;

use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::bounded::read_text;
use super::collector::Collector;
use super::{ReadError, ReadFile, ReadOptions, stem};

pub(super) fn read(path: &Path, options: ReadOptions) -> Result<ReadFile, ReadError> {
    read_object(&read_text(path)?, path, options)
}

/// Reads the text of a file that `path` names.
fn read_object(text: &str, path: &Path, options: ReadOptions) -> Result<ReadFile, ReadError> {
    let mut file = JsonFile {
        text,
        collector: Collector::new(path, options),
        stopped: None,
    };
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let read = TopLevel(&mut file).deserialize(&mut deserializer);
    let read = read.and_then(|head| deserializer.end().map(|()| head));
    match (read, file.stopped) {
        (_, Some(error)) => Err(error),
        (Err(reason), None) => Err(ReadError::json(path, reason)),
        (Ok(head), None) => {
            let name = head.name.filter(|name| !name.is_empty()).unwrap_or_else(|| stem(path));
            file.collector.finish(name, None, head.description)
        }
    }
}

/// The state of reading one file.
struct JsonFile<'t, 'p> {
    text: &'t str,
    collector: Collector<'p>,
    /// The failure that stopped the reading, where it is not one of JSON.
    stopped: Option<ReadError>,
}

/// What stands beside the operations.
struct Head {
    name: Option<String>,
    description: Option<String>,
}

struct TopLevel<'f, 't, 'p>(&'f mut JsonFile<'t, 'p>);

impl<'t> DeserializeSeed<'t> for TopLevel<'_, 't, '_> {
    type Value = Head;

    fn deserialize<D: serde::Deserializer<'t>>(self, deserializer: D) -> Result<Head, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'t> Visitor<'t> for TopLevel<'_, 't, '_> {
    type Value = Head;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `operations`")
    }

    fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<Head, A::Error> {
        let mut head = Head {
            name: None,
            description: None,
        };
        let mut has_operations = false;
        while let Some(key) = map.next_key::<Cow<'t, str>>()? {
            match &*key {
                "name" => head.name = map.next_value()?,
                "description" => head.description = map.next_value()?,
                "operations" if has_operations => return Err(A::Error::duplicate_field("operations")),
                "operations" => {
                    map.next_value_seed(Operations(self.0))?;
                    has_operations = true;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        if has_operations {
            Ok(head)
        } else {
            Err(A::Error::missing_field("operations"))
        }
    }
}

struct Operations<'f, 't, 'p>(&'f mut JsonFile<'t, 'p>);

impl<'t> DeserializeSeed<'t> for Operations<'_, 't, '_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'t>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'t> Visitor<'t> for Operations<'_, 't, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`operations` to be a list of texts")
    }

    fn visit_seq<A: SeqAccess<'t>>(self, mut operations: A) -> Result<(), A::Error> {
        let mut position = LinePosition { offset: 0, line_no: 1 };
        let mut operation_idx = 0;
        while let Some(raw) = operations.next_element::<&'t RawValue>()? {
            let line_no = position.advance_to(self.0.text, raw.get());
            let line: String = serde_json::from_str(raw.get())
                .map_err(|_| A::Error::custom(format_args!("operations[{operation_idx}] is not a text")))?;
            if let Err(error) = self.0.collector.push(&line, line_no, Some(operation_idx)) {
                self.0.stopped = Some(error);
                return Err(A::Error::custom("stopped"));
            }
            operation_idx += 1;
        }
        Ok(())
    }
}

/// A position in a text that only moves forward, with its line number from 1.
struct LinePosition {
    offset: usize,
    line_no: u64,
}

impl LinePosition {
    /// Moves on to where `part`, a slice of `text`, begins.
    fn advance_to(&mut self, text: &str, part: &str) -> u64 {
        let offset = part.as_ptr().addr().saturating_sub(text.as_ptr().addr());
        let passed = text.as_bytes().get(self.offset..offset).unwrap_or_default();
        self.line_no += passed.iter().filter(|byte| **byte == b'\n').count() as u64;
        self.offset = offset.max(self.offset);
        self.line_no
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, lenient: bool) -> Result<ReadFile, String> {
        let path = Path::new("folder/a1.json");
        read_object(text, path, ReadOptions { lenient }).map_err(|error| error.to_string())
    }

    #[track_caller]
    fn check_error(text: &str, expect: &str) {
        let error = read(text, false).unwrap_err();
        assert!(error.starts_with("read folder/a1.json"), "{error}");
        assert!(error.contains(expect), "{error}");
    }

    #[test]
    fn reads_name_description_and_lines() {
        let text = "{\"name\": \"n\", \"metadata\": {\"x\": [1]}, \"operations\": [\n\"INPUT | A1 | 1\",\n\n \"# c\",\
                    \"FONT_BOLD | A1 | true\"], \"description\": null}";
        let trajectory = read(text, false).unwrap().trajectory;
        assert_eq!((&*trajectory.name, trajectory.description.as_deref()), ("n", None));
        let lines: Vec<_> = trajectory
            .lines
            .iter()
            .map(|line| (line.line_no, &*line.text))
            .collect();
        assert_eq!(lines, [(2, "INPUT | A1 | 1"), (4, "FONT_BOLD | A1 | true")]);
        let unnamed = read(r#"{"name": "", "operations": ["INPUT | A1 | 1"]}"#, false).unwrap();
        assert_eq!(unnamed.trajectory.name, "a1");
    }

    #[test]
    fn other_shapes_are_refused_with_their_place() {
        check_error("[1]", "expected an object with `operations` at line 1");
        check_error("{\"name\": \"x\"}", "missing field `operations`");
        check_error("{\"operations\": 5}", "expected `operations` to be a list of texts");
        check_error(
            "{\"operations\": [\"INPUT | A1 | 1\",\n 5]}",
            "operations[1] is not a text at line 2",
        );
        check_error(
            "{\"operations\": [], \"operations\": []}",
            "duplicate field `operations`",
        );
        check_error("{\"name\": 5, \"operations\": []}", "expected a string");
        check_error("{\"operations\": []}", "it holds no action");
        check_error("{\"operations\": [", "EOF");
        check_error("{\"operations\": []} x", "trailing characters");
        check_error(&"[".repeat(100_000), "expected an object");
        check_error(&format!("{{\"x\": {}", "[".repeat(100_000)), "EOF while parsing a list");
    }

    #[test]
    fn malformed_operations_are_named_by_line_and_index() {
        let text = "{\"operations\": [\"INPUT | A1 | 1\",\n\"FOO | A1\"]}";
        check_error(
            text,
            ": 1 line is malformed\n  folder/a1.json:2: operations[1]: unknown action `FOO`, in `FOO | A1`",
        );
        let read = read(text, true).unwrap();
        assert_eq!((read.trajectory.actions.len(), read.n_skipped), (1, 1));
    }

    #[test]
    fn long_operation_is_refused() {
        let text = format!("{{\"operations\": [\n\"INPUT | A1 | {}\"]}}", "x".repeat(9 << 20));
        check_error(&text, ":2: longer than the limit");
    }
}

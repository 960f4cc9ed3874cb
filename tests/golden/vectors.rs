//! Finding, reading and running the golden vectors.

use std::fmt::Write as _;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs, io};

use napsim_trajectories::{Value, json};

/// One golden vector: an object with an `id`, its wrapped values decoded.
pub(crate) struct Vector {
    pub(crate) id: String,
    members: Value,
}

impl Vector {
    /// The member `key` of the vector or, failing that, of its `input`.
    pub(crate) fn find(&self, key: &str) -> Option<&Value> {
        self.members
            .get(key)
            .or_else(|| self.members.get("input").and_then(|input| input.get(key)))
    }

    /// The same, where it must be there.
    pub(crate) fn get(&self, key: &str) -> Result<&Value, String> {
        self.find(key).ok_or_else(|| format!("the vector has no `{key}`"))
    }

    /// The text under `key`.
    pub(crate) fn text(&self, key: &str) -> Result<&str, String> {
        let value = self.get(key)?;
        value.as_text().ok_or_else(|| mistyped(key, "a text", value))
    }

    /// The integer under `key`.
    pub(crate) fn integer(&self, key: &str) -> Result<i64, String> {
        match self.get(key)? {
            Value::Int(integer) => Ok(*integer),
            value => Err(mistyped(key, "an integer", value)),
        }
    }

    /// The list under `key`.
    pub(crate) fn list(&self, key: &str) -> Result<&[Value], String> {
        match self.get(key)? {
            Value::List(items) => Ok(items),
            value => Err(mistyped(key, "a list", value)),
        }
    }

    /// The list of texts under `key`.
    pub(crate) fn lines(&self, key: &str) -> Result<Vec<&str>, String> {
        let items = self.list(key)?.iter();
        items
            .map(|item| item.as_text().ok_or_else(|| mistyped(key, "texts alone", item)))
            .collect()
    }

    /// The code under `expected.error`, if the vector expects a failure.
    pub(crate) fn expected_error(&self) -> Option<&Value> {
        self.find("expected")?.get("error")
    }
}

fn mistyped(key: &str, wanted: &str, value: &Value) -> String {
    format!("`{key}` is not {wanted} but {}", json::write(value))
}

/// Compares by type and content; the order of object keys does not count.
pub(crate) fn check_same(got: impl Into<Value>, expected: &Value) -> Result<(), String> {
    let got = got.into();
    if got.strictly_equals(expected) {
        return Ok(());
    }
    Err(format!(
        "expected {}\n    got {}",
        json::write(expected),
        json::write(&got)
    ))
}

/// An object as a value, members in the order given.
pub(crate) fn object<'a>(members: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
    Value::Object(
        members
            .into_iter()
            .map(|(key, value)| (Arc::from(key), value))
            .collect(),
    )
}

/// A count as a value.
pub(crate) fn int(count: impl TryInto<i64>) -> Value {
    Value::Int(count.try_into().unwrap_or(i64::MAX))
}

/// A list of texts as a value, to compare with an expected one.
pub(crate) fn texts<S: AsRef<str>>(lines: &[S]) -> Value {
    Value::list(lines.iter().map(|line| Value::text(line.as_ref())).collect::<Vec<_>>())
}

/// Runs `check` on every vector of a kind and panics at the end with all that failed, by id.
///
/// The vectors of a file without kinds have the empty kind. A missing folder or file, or a file without vectors of
/// the kind, is said aloud and passes, so that other folders of vectors can be put under the tests.
pub(crate) fn for_each_vector(file: &str, kind: &str, check: impl Fn(&Vector) -> Result<(), String>) {
    let Some(vectors) = load(file, kind) else { return };
    if vectors.is_empty() {
        say(&format!("SKIPPED: {file} holds no vector of kind `{kind}`"));
    }
    check_vectors(&vectors, file, kind, check);
}

fn check_vectors(vectors: &[Vector], file: &str, kind: &str, check: impl Fn(&Vector) -> Result<(), String>) {
    let mut report = String::new();
    let mut n_failed = 0;
    for vector in vectors {
        let outcome = catch_unwind(AssertUnwindSafe(|| check(vector)));
        let outcome = outcome.unwrap_or_else(|_| Err("the check panicked; see above".to_owned()));
        if let Err(reason) = outcome {
            n_failed += 1;
            let _ = write!(report, "\n{}: {reason}", vector.id);
        }
    }
    let n_vectors = vectors.len();
    assert!(
        n_failed == 0,
        "{n_failed} of {n_vectors} vectors of kind `{kind}` in {file} failed:{report}"
    );
}

/// The vectors of one kind; nothing, said aloud, where there is no folder of vectors.
fn load(file: &str, kind: &str) -> Option<Vec<Vector>> {
    let folder = folder();
    if !folder.is_dir() {
        say(&format!("SKIPPED: golden vectors not found at {}", folder.display()));
        return None;
    }
    let path = folder.join(file);
    if !path.exists() {
        say(&format!("SKIPPED: no golden vectors at {}", path.display()));
        return None;
    }
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("failed to read {}: {error}", path.display()));
    let lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty());
    let vectors = lines.map(|(line_idx, line)| {
        read_vector(line).unwrap_or_else(|error| panic!("failed to {error} in line {} of {file}", line_idx + 1))
    });
    Some(vectors.filter(|vector| kind_of(vector) == kind).collect())
}

/// Says something past the test runner, which hides what `eprintln!` prints.
pub(crate) fn say(message: &str) {
    let _ = writeln!(io::stderr(), "{message}");
}

/// Where the golden vectors are looked for.
pub(crate) fn folder() -> PathBuf {
    shared().join("golden")
}

/// The folder of what lies outside the repository.
pub(crate) fn shared() -> PathBuf {
    let given = env::var_os("NAPSIM_SHARED").map(PathBuf::from);
    given.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"))
}

fn read_vector(line: &str) -> Result<Vector, String> {
    let members = json::read(line).map_err(|error| error.to_string())?;
    let members = decode(&members)?;
    let id = members
        .get("id")
        .and_then(Value::as_text)
        .ok_or("find an `id`")?
        .to_owned();
    Ok(Vector { id, members })
}

fn kind_of(vector: &Vector) -> &str {
    vector.members.get("kind").and_then(Value::as_text).unwrap_or_default()
}

/// Unwraps, at every level, what strict JSON cannot hold: `$float`, `$bigint` and `$json`.
pub(crate) fn decode(value: &Value) -> Result<Value, String> {
    match value {
        Value::List(items) => Ok(Value::list(items.iter().map(decode).collect::<Result<Vec<_>, _>>()?)),
        Value::Object(entries) => {
            if let [(key, Value::Text(text))] = &**entries
                && let Some(decoded) = decode_wrapper(key, text)
            {
                return decoded;
            }
            let decoded = entries.iter().map(|(key, member)| Ok((key.clone(), decode(member)?)));
            decoded.collect::<Result<_, String>>().map(Value::Object)
        }
        _ => Ok(value.clone()),
    }
}

fn decode_wrapper(key: &str, text: &str) -> Option<Result<Value, String>> {
    let json_text = match (key, text) {
        ("$float", "nan") => "NaN",
        ("$float", "inf") => "Infinity",
        ("$float", "-inf") => "-Infinity",
        ("$bigint" | "$json", _) => text,
        _ => return None,
    };
    Some(json::read(json_text).map_err(|error| error.to_string()))
}

#[test]
fn golden_wrappers_are_decoded() {
    let text =
        r#"[{"$float": "-inf"}, {"$bigint": "-123456789012345678901"}, {"$json": "\"\\ud83d\""}, {"$float": "x"}]"#;
    let decoded = decode(&json::read(text).unwrap()).unwrap();
    let expected = r#"[-Infinity, -123456789012345678901, "\ud83d", {"$float": "x"}]"#;
    assert_eq!(json::write(&decoded), expected);
}

#[test]
fn golden_failures_are_collected() {
    let members = |id: &str| Vector {
        id: id.to_owned(),
        members: Value::Null,
    };
    let vectors = [members("good-1"), members("bad-1"), members("bad-2")];
    let fail = |vector: &Vector| {
        if vector.id.starts_with("bad") {
            Err("oops".to_owned())
        } else {
            Ok(())
        }
    };
    let got = catch_unwind(AssertUnwindSafe(|| check_vectors(&vectors, "some.jsonl", "some", fail)));
    let message = got.unwrap_err().downcast::<String>().unwrap();
    assert!(message.starts_with("2 of 3 vectors of kind `some`"), "{message}");
    assert!(message.contains("\nbad-2: oops"), "{message}");
}

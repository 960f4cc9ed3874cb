//! Replies of editors and judges: their JSON form, read strictly and with every problem named.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::declared::{Correction, Declared, Ignore};

/// Tokens that calls used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens sent.
    pub input_tokens: u64,
    /// Tokens received.
    pub output_tokens: u64,
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input_tokens += other.input_tokens;
        self.output_tokens += other.output_tokens;
    }
}

/// A reply that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .problems.join("; "))]
pub struct ReplyError {
    /// Everything that is wrong with it, in words for whoever wrote it.
    pub problems: Vec<String>,
    /// The reply as it came.
    pub text: String,
    /// Tokens that it used all the same.
    pub usage: Usage,
}

/// An editor's reply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EditReply {
    /// The whole new sequence, one action of the notation each.
    pub operations: Vec<String>,
    /// What the sequence does otherwise on purpose.
    pub declared: Declared,
    /// Why, for people.
    pub rationale: String,
    /// Tokens used.
    pub usage: Usage,
}

impl EditReply {
    /// Reads a reply of the form
    ///
    /// ```json
    /// {"operations": ["INPUT | Sheet1!A1 | \"Name\""],
    ///  "ignore": [{"operation": "FILL_COLOR", "ranges": ["A9:F9"]}],
    ///  "corrections": [{"cell": "Sheet1!A1", "property": "value", "from": "Nmae", "to": "Name", "reason": "a slip"}],
    ///  "rationale": "…"}
    /// ```
    ///
    /// `operations` must be there and not empty; the other keys may be missing, and so may `property` and `reason`. Keys
    /// that are not in this form are refused. One fence of backticks around the object is taken off.
    ///
    /// # Errors
    /// [`ReplyError`] with every problem found.
    pub fn from_json(text: &str, usage: Usage) -> Result<Self, ReplyError> {
        let mut reader = Reader::open(text, &["operations", "ignore", "corrections", "rationale"]);
        let operations = reader.texts("operations");
        if operations.is_empty() && reader.problems.is_empty() {
            reader.problems.push("`operations` is missing or empty".to_owned());
        }
        let ignore: Vec<Ignore> = reader.items("ignore");
        let corrections: Vec<Correction> = reader.items("corrections");
        let rationale = reader.text("rationale");
        reader.finish(usage)?;
        Ok(Self {
            operations,
            declared: Declared { ignore, corrections },
            rationale,
            usage,
        })
    }

    /// The reply in the form that [`EditReply::from_json`] reads.
    pub fn to_json(&self) -> String {
        serde_json::json!({
            "operations": self.operations,
            "ignore": self.declared.ignore,
            "corrections": self.declared.corrections,
            "rationale": self.rationale,
        })
        .to_string()
    }
}

/// A judge's reply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Whether the sequence reads like a person's.
    pub accepted: bool,
    /// What is odd about it.
    pub reasons: Vec<String>,
    /// What should be done about it.
    pub edits: Vec<String>,
    /// How odd it is; of two sequences that are not accepted the one with less is kept. Unless a judge weighs its
    /// reasons, it is their number together with that of the edits.
    pub penalty: u32,
    /// Tokens used.
    pub usage: Usage,
}

impl Verdict {
    /// Reads a verdict of the form `{"verdict": "accept", "reasons": ["…"], "edits": ["…"]}`.
    ///
    /// `verdict` is `accept` or `reject`; the lists may be missing. Keys that are not in this form are refused. One
    /// fence of backticks around the object is taken off.
    ///
    /// # Errors
    /// [`ReplyError`] with every problem found.
    pub fn from_json(text: &str, usage: Usage) -> Result<Self, ReplyError> {
        let mut reader = Reader::open(text, &["verdict", "reasons", "edits"]);
        let verdict = reader.text("verdict");
        if !matches!(verdict.as_str(), "accept" | "reject") && reader.problems.is_empty() {
            reader
                .problems
                .push("`verdict` is neither \"accept\" nor \"reject\"".to_owned());
        }
        let (reasons, edits) = (reader.texts("reasons"), reader.texts("edits"));
        reader.finish(usage)?;
        Ok(Self {
            accepted: verdict == "accept",
            penalty: u32::try_from(reasons.len() + edits.len()).unwrap_or(u32::MAX),
            reasons,
            edits,
            usage,
        })
    }

    /// The verdict in the form that [`Verdict::from_json`] reads.
    pub fn to_json(&self) -> String {
        let verdict = if self.accepted { "accept" } else { "reject" };
        serde_json::json!({ "verdict": verdict, "reasons": self.reasons, "edits": self.edits }).to_string()
    }

    /// Reasons and edits as a note for the editor.
    pub(super) fn note(&self) -> String {
        let mut note = String::from("The judge does not accept the sequence.");
        for (heading, items) in [("Reasons", &self.reasons), ("Edits", &self.edits)] {
            if !items.is_empty() {
                note.push_str(&format!("\n{heading}:\n- {}", items.join("\n- ")));
            }
        }
        note
    }
}

/// The members of an object, taken out one by one while problems add up.
struct Reader<'a> {
    text: &'a str,
    members: Map<String, Value>,
    problems: Vec<String>,
}

impl<'a> Reader<'a> {
    fn open(text: &'a str, known: &[&str]) -> Self {
        let mut problems = Vec::new();
        let members = match serde_json::from_str(unfenced(text)) {
            Ok(Value::Object(members)) => members,
            Ok(_) => {
                problems.push("the reply is not a JSON object".to_owned());
                Map::new()
            }
            Err(error) => {
                problems.push(format!("the reply is not JSON: {error}"));
                Map::new()
            }
        };
        let unknown = members.keys().filter(|key| !known.contains(&key.as_str()));
        problems.extend(unknown.map(|key| format!("`{key}` is not a key of the reply; it has {}", known.join(", "))));
        Self {
            text,
            members,
            problems,
        }
    }

    fn text(&mut self, key: &str) -> String {
        match self.members.remove(key) {
            None => String::new(),
            Some(Value::String(text)) => text,
            Some(_) => {
                self.problems.push(format!("`{key}` is not a text"));
                String::new()
            }
        }
    }

    fn texts(&mut self, key: &str) -> Vec<String> {
        self.items(key)
    }

    fn items<T: serde::de::DeserializeOwned>(&mut self, key: &str) -> Vec<T> {
        let items = match self.members.remove(key) {
            None => return Vec::new(),
            Some(Value::Array(items)) => items,
            Some(_) => {
                self.problems.push(format!("`{key}` is not a list"));
                return Vec::new();
            }
        };
        let mut read = Vec::new();
        for (item_no, item) in (1..).zip(items) {
            match serde_json::from_value(item) {
                Ok(item) => read.push(item),
                Err(error) => self.problems.push(format!("item {item_no} of `{key}`: {error}")),
            }
        }
        read
    }

    fn finish(self, usage: Usage) -> Result<(), ReplyError> {
        if self.problems.is_empty() {
            return Ok(());
        }
        Err(ReplyError {
            problems: self.problems,
            text: self.text.to_owned(),
            usage,
        })
    }
}

/// The text within one fence of backticks, or the text itself.
fn unfenced(text: &str) -> &str {
    let text = text.trim();
    let inner = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    inner.map_or(text, |inner| inner.strip_prefix("json").unwrap_or(inner))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_edit(text: &str, expect: Result<usize, &[&str]>) {
        let got = EditReply::from_json(text, Usage::default());
        match (got, expect) {
            (Ok(reply), Ok(n_operations)) => {
                assert_eq!(reply.operations.len(), n_operations, "{text}");
                let again = EditReply::from_json(&reply.to_json(), Usage::default()).unwrap();
                assert_eq!(again, reply);
            }
            (Err(error), Err(problems)) => {
                assert_eq!(error.problems.len(), problems.len(), "{error}");
                for (got, expected) in error.problems.iter().zip(problems) {
                    assert!(got.contains(expected), "{got} lacks {expected}");
                }
            }
            (got, _) => panic!("{text}: {got:?}"),
        }
    }

    #[test]
    fn edit_replies_are_read_strictly() {
        check_edit(r#"{"operations": ["INPUT | A1 | 1", "x"], "rationale": "r"}"#, Ok(2));
        check_edit("```json\n{\"operations\": [\"a\"]}\n```", Ok(1));
        check_edit(
            r#"{"operations": ["a"], "ignore": [{"operation": "FILL_COLOR", "ranges": ["A1"]}],
                "corrections": [{"cell": "B2", "from": 1, "to": 2.5, "reason": "typo"}]}"#,
            Ok(1),
        );
        check_edit("INPUT | A1 | 1", Err(&["not JSON"]));
        check_edit("[]", Err(&["not a JSON object"]));
        check_edit("{}", Err(&["`operations` is missing"]));
        check_edit(
            r#"{"operations": ["a", 1], "ops": [], "ignore": {}, "corrections": [{"cell": "A1"}], "rationale": 1}"#,
            Err(&[
                "`ops` is not a key",
                "item 2 of `operations`",
                "`ignore` is not a list",
                "item 1 of `corrections`",
                "`rationale` is not a text",
            ]),
        );
    }

    #[test]
    fn verdicts_are_read_strictly() {
        let read = |text: &str| Verdict::from_json(text, Usage::default());
        let verdict = read(r#"{"verdict": "reject", "reasons": ["a", "b"], "edits": ["c"]}"#).unwrap();
        assert_eq!((verdict.accepted, verdict.penalty), (false, 3));
        assert_eq!(read(&verdict.to_json()).unwrap(), verdict);
        assert!(read(r#"{"verdict": "accept"}"#).unwrap().accepted);
        for text in [
            r#"{"verdict": "yes"}"#,
            r#"{"reasons": []}"#,
            r#"{"verdict": "accept", "score": 1}"#,
        ] {
            assert_eq!(read(text).unwrap_err().problems.len(), 1, "{text}");
        }
    }
}

//! Good manners that the predictor may lack.

use std::io;
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use crate::options::Options;

/// Something that a predictor should do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    IgnoresNotices,
    IgnoresFields,
    AnswersQuestions,
    ReadsLargeSeeds,
    BeginsAgain,
    KeepsToMaxActions,
    HeedsBye,
    EndsWell,
    HeedsEnd,
}

impl Manner {
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "ignores-notices" => Self::IgnoresNotices,
            "ignores-fields" => Self::IgnoresFields,
            "answers-questions" => Self::AnswersQuestions,
            "reads-large-seeds" => Self::ReadsLargeSeeds,
            "begins-again" => Self::BeginsAgain,
            "keeps-to-max-actions" => Self::KeepsToMaxActions,
            "heeds-bye" => Self::HeedsBye,
            "ends-well" => Self::EndsWell,
            "heeds-end" => Self::HeedsEnd,
            _ => return None,
        })
    }
}

impl Options {
    pub(crate) fn lacks(&self, manner: Manner) -> bool {
        self.lacks.contains(&manner)
    }
}

/// Why a message is more than the predictor can bear.
pub(crate) fn offence(options: &Options, message: &Value, n_begins: u64) -> Option<&'static str> {
    let type_name = message.get("type").and_then(Value::as_str).unwrap_or_default();
    let is_known = ["hello", "begin", "observe", "predict", "withdrawn", "refused", "bye"].contains(&type_name);
    let is_question = message.get("id").is_some();
    let seed = message.get("seed").and_then(Value::as_u64).unwrap_or_default();
    let has_later_word = message.get("a_later_word").is_some();
    if options.lacks(Manner::IgnoresNotices) && !is_known && !is_question {
        return Some("an unknown notice");
    }
    if options.lacks(Manner::IgnoresFields) && is_known && has_later_word {
        return Some("an unknown field");
    }
    if options.lacks(Manner::ReadsLargeSeeds) && seed > 1 << 53 {
        return Some("a number that is too large");
    }
    (options.lacks(Manner::BeginsAgain) && type_name == "begin" && n_begins > 0).then_some("a second beginning")
}

/// Proposes more than is wanted.
pub(crate) fn exaggerate(options: &Options, good: &mut Value) {
    if options.lacks(Manner::KeepsToMaxActions)
        && let Some(object) = good.as_object_mut()
        && let Some(action) = object.get("actions").and_then(|actions| actions.get(0)).cloned()
    {
        object.insert("actions".to_owned(), json!([action, action, action]));
    }
}

/// Ends, or does not, after `bye` or at the end of the input.
pub(crate) fn end(options: &Options, says_bye: bool) -> io::Result<()> {
    let heeded = if says_bye { Manner::HeedsBye } else { Manner::HeedsEnd };
    if options.lacks(heeded) {
        sleep(Duration::from_secs(10_000));
    }
    if options.lacks(Manner::EndsWell) {
        return Err(io::Error::other("ends badly"));
    }
    Ok(())
}

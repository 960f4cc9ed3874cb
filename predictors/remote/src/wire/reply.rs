//! What replies of all interfaces have in common.

use serde_json::Value;

use crate::answer::{Answer, AnswerToken, Ending, NoAnswer, NoAnswerKind};
use crate::ledger::TokenUse;

/// Characters of a reply that a message quotes.
const QUOTED_MAX: usize = 200;

/// The beginning of a text for a message, on one line.
pub(super) fn quoted(text: &str) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut quoted: String = line.chars().take(QUOTED_MAX).collect();
    if quoted.len() < line.len() {
        quoted.push('…');
    }
    quoted
}

/// A reply that is not what such a server replies.
pub(super) fn malformed(raw: &str, reason: &str) -> NoAnswer {
    let message = if raw.trim().is_empty() {
        "the reply is empty".to_owned()
    } else {
        format!(
            "the reply is not what such a server replies ({reason}): {}",
            quoted(raw)
        )
    };
    no_answer(NoAnswerKind::Malformed, message, raw, TokenUse::default())
}

pub(super) fn no_answer(kind: NoAnswerKind, message: String, raw: &str, usage: TokenUse) -> NoAnswer {
    NoAnswer {
        kind,
        message,
        raw: raw.to_owned(),
        usage,
    }
}

/// A whole number at a path such as `/usage/prompt_tokens`; 0 where there is none.
pub(super) fn count(reply: &Value, path: &str) -> u64 {
    reply.pointer(path).and_then(Value::as_u64).unwrap_or(0)
}

/// A text at a path.
pub(super) fn text_at<'a>(reply: &'a Value, path: &str) -> Option<&'a str> {
    reply.pointer(path).and_then(Value::as_str)
}

/// The model that a reply names.
pub(super) fn model(reply: &Value) -> String {
    text_at(reply, "/model").unwrap_or_default().to_owned()
}

/// Tokens with their log-probabilities out of a list of objects.
pub(super) fn tokens(list: Option<&Value>) -> Vec<AnswerToken> {
    let list = list.and_then(Value::as_array);
    let token = |value: &Value| {
        Some(AnswerToken {
            text: value.get("token")?.as_str()?.to_owned(),
            log_probability: value.get("logprob")?.as_f64()?,
        })
    };
    list.map(|list| list.iter().filter_map(token).collect())
        .unwrap_or_default()
}

/// The pieces of an answer, however it was asked for.
pub(super) struct Pieces<'a> {
    /// The text; none where its place holds nothing.
    pub(super) text: Option<String>,
    /// What the model refuses with.
    pub(super) refusal: Option<&'a str>,
    /// Whether a filter held it back.
    pub(super) is_filtered: bool,
    pub(super) ending: Ending,
    pub(super) tokens: Vec<AnswerToken>,
    pub(super) usage: TokenUse,
    pub(super) model: String,
}

impl Pieces<'_> {
    /// The answer, if the pieces make one.
    pub(super) fn into_answer(self, raw: &str) -> Result<Answer, NoAnswer> {
        let failed = |kind, message: &str| Err(no_answer(kind, message.to_owned(), raw, self.usage));
        if self.is_filtered {
            return failed(
                NoAnswerKind::ContentFilter,
                "a content filter of the provider held the answer back",
            );
        }
        if let Some(refusal) = self.refusal.filter(|refusal| !refusal.is_empty()) {
            let message = format!("the model refused: {}", quoted(refusal));
            return failed(NoAnswerKind::Refusal, &message);
        }
        let is_cut = self.ending == Ending::Length;
        let is_empty = self.text.as_deref().is_none_or(|text| text.trim().is_empty());
        if is_cut && is_empty && self.usage.reasoning > 0 {
            let message = format!(
                "all of the {} tokens that the answer could have went into reasoning; allow more with max_tokens",
                self.usage.output
            );
            return failed(NoAnswerKind::ReasoningExhausted, &message);
        }
        if is_cut && is_empty {
            return failed(
                NoAnswerKind::TruncatedEmpty,
                "the answer was cut off before any text; allow more with max_tokens",
            );
        }
        let Some(text) = self.text else {
            return failed(NoAnswerKind::NullContent, "the answer holds null in place of a text");
        };
        Ok(Answer {
            text,
            ending: self.ending,
            tokens: self.tokens,
            usage: self.usage,
            model: self.model,
        })
    }
}

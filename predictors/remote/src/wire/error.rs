//! What servers say when they do not answer.

use serde_json::Value;

use super::reply::{no_answer, quoted, text_at};
use crate::answer::{NoAnswer, NoAnswerKind};
use crate::ledger::TokenUse;

/// Words by which a content filter is known (spec chapter 03, 9.1).
const FILTER_WORDS: [&str; 5] = [
    "content_filter",
    "content management policy",
    "jailbreak",
    "responsibleaipolicyviolation",
    "content_policy_violation",
];

/// Words by which a prompt is known that is too long (spec chapter 03, 9.1, and what other servers say).
const LENGTH_WORDS: [&str; 8] = [
    "maximum context length",
    "context length",
    "context_length_exceeded",
    "context size",
    "context window",
    "token limit",
    "prompt is too long",
    "exceed_context_size",
];

/// Words by which an account is known that has nothing left.
const QUOTA_WORDS: [&str; 4] = [
    "insufficient_quota",
    "credit balance",
    "insufficient credits",
    "billing_hard_limit",
];

/// A reply whose status says that it is no answer.
pub(super) fn of_status(status: u16, raw: &str) -> NoAnswer {
    let reply: Value = serde_json::from_str(raw).unwrap_or(Value::Null);
    let error = reply.get("error").unwrap_or(&reply);
    classify(status, error, raw)
}

/// An error in the place of an answer, under a status that promises one.
pub(super) fn inside_a_reply(error: &Value, raw: &str) -> NoAnswer {
    let code = error.get("code").and_then(Value::as_u64);
    let status = code
        .and_then(|code| u16::try_from(code).ok())
        .filter(|code| (400..600).contains(code));
    classify(status.unwrap_or(500), error, raw)
}

fn classify(status: u16, error: &Value, raw: &str) -> NoAnswer {
    let said = message(error).unwrap_or(raw);
    let lower = raw.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    // Messages about a rate of tokens speak of limits and requested tokens too.
    let is_about_the_prompt = matches!(status, 400 | 413 | 422 | 500);
    let is_too_long = has(&LENGTH_WORDS) || (lower.contains("requested") && lower.contains("tokens"));
    let kind = match status {
        _ if is_about_the_prompt && has(&FILTER_WORDS) => NoAnswerKind::ContentFilter,
        413 => NoAnswerKind::ContextTooLong,
        _ if is_about_the_prompt && is_too_long => NoAnswerKind::ContextTooLong,
        402 => NoAnswerKind::QuotaExceeded,
        400 | 403 | 429 if has(&QUOTA_WORDS) => NoAnswerKind::QuotaExceeded,
        401 | 403 => NoAnswerKind::Unauthorized,
        404 => NoAnswerKind::NoSuchModel,
        408 | 425 | 429 => NoAnswerKind::Throttled,
        500..=599 => NoAnswerKind::ServerError,
        300..=399 => NoAnswerKind::Redirected,
        _ => NoAnswerKind::Rejected,
    };
    let what = match kind {
        NoAnswerKind::ContentFilter => "a content filter of the provider held the prompt back",
        NoAnswerKind::ContextTooLong => "the prompt is longer than the model takes",
        NoAnswerKind::QuotaExceeded => "the account has nothing left to pay with",
        NoAnswerKind::Unauthorized => "the server does not accept the key",
        NoAnswerKind::NoSuchModel => "the server knows no such model or address",
        NoAnswerKind::Throttled => "the server is too busy",
        NoAnswerKind::ServerError => "the server failed",
        _ => "the server does not take the request",
    };
    let message = format!("{what} (status {status}): {}", quoted(said));
    no_answer(kind, message, raw, TokenUse::default())
}

/// The words in an error, in whichever place servers put them.
fn message(error: &Value) -> Option<&str> {
    error
        .as_str()
        .or_else(|| text_at(error, "/message"))
        .or_else(|| text_at(error, "/detail"))
}

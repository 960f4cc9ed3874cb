//! What comes back from a model.

use serde::{Deserialize, Serialize};

use crate::ledger::TokenUse;

/// The answer of a model, whoever served it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The text.
    pub text: String,
    /// How it ended.
    pub ending: Ending,
    /// The tokens of the text with their probabilities, where they were asked for and given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tokens: Vec<AnswerToken>,
    /// What it cost.
    pub usage: TokenUse,
    /// The model that answered, as the server names it.
    #[serde(default)]
    pub model: String,
}

/// How an answer ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The model ended it.
    #[default]
    Stop,
    /// It was cut off because it had as many tokens as were allowed.
    Length,
}

/// A token of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerToken {
    /// Its text.
    pub text: String,
    /// Natural logarithm of its probability.
    pub log_probability: f64,
}

/// A reply of a server that is no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct NoAnswer {
    /// What came instead.
    pub kind: NoAnswerKind,
    /// What happened, in words.
    pub message: String,
    /// The text that came.
    pub raw: String,
    /// What it cost.
    pub usage: TokenUse,
}

/// What came in place of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum NoAnswerKind {
    /// The model refused.
    Refusal,
    /// A filter of the provider held the prompt or the answer back.
    ContentFilter,
    /// The prompt is longer than the model takes.
    ContextTooLong,
    /// All tokens that were allowed went into reasoning, so that no text came.
    ReasoningExhausted,
    /// The answer was cut off before any text came.
    TruncatedEmpty,
    /// The place of the text holds nothing.
    NullContent,
    /// A structured answer is no JSON of the asked form.
    InvalidJson,
    /// The reply is not what such a server replies.
    Malformed,
    /// The reply is longer than is read.
    TooLarge,
    /// The server sends elsewhere, where nothing is sent.
    Redirected,
    /// The server is too busy, also after several attempts.
    Throttled,
    /// The server failed, also after several attempts.
    ServerError,
    /// No reply came in time, also after several attempts.
    TimedOut,
    /// The connection broke, also after several attempts.
    ConnectionBroken,
    /// No connection could be made, also after several attempts.
    Unreachable,
    /// The server does not take the request.
    Rejected,
    /// The key is missing or opens nothing.
    Unauthorized,
    /// There is no such model at that server.
    NoSuchModel,
    /// The account has nothing left to pay with.
    QuotaExceeded,
    /// The budget of the run is used up.
    BudgetSpent,
    /// A run from a recording asked for what is not recorded.
    NotRecorded,
    /// Answers cannot be kept, for instance because the disk is full.
    CannotKeep,
    /// The run was interrupted.
    Stopped,
}

impl NoAnswerKind {
    /// The name used in records and counts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Refusal => "refusal",
            Self::ContentFilter => "content_filter",
            Self::ContextTooLong => "context_too_long",
            Self::ReasoningExhausted => "reasoning_exhausted",
            Self::TruncatedEmpty => "truncated_empty",
            Self::NullContent => "null_content",
            Self::InvalidJson => "invalid_json",
            Self::Malformed => "malformed",
            Self::TooLarge => "too_large",
            Self::Redirected => "redirected",
            Self::Throttled => "throttled",
            Self::ServerError => "server_error",
            Self::TimedOut => "timed_out",
            Self::ConnectionBroken => "connection_broken",
            Self::Unreachable => "unreachable",
            Self::Rejected => "rejected",
            Self::Unauthorized => "unauthorized",
            Self::NoSuchModel => "no_such_model",
            Self::QuotaExceeded => "quota_exceeded",
            Self::BudgetSpent => "budget_spent",
            Self::NotRecorded => "not_recorded",
            Self::CannotKeep => "cannot_keep",
            Self::Stopped => "stopped",
        }
    }

    /// All of them.
    pub const ALL: [Self; 23] = [
        Self::Refusal,
        Self::ContentFilter,
        Self::ContextTooLong,
        Self::ReasoningExhausted,
        Self::TruncatedEmpty,
        Self::NullContent,
        Self::InvalidJson,
        Self::Malformed,
        Self::TooLarge,
        Self::Redirected,
        Self::Throttled,
        Self::ServerError,
        Self::TimedOut,
        Self::ConnectionBroken,
        Self::Unreachable,
        Self::Rejected,
        Self::Unauthorized,
        Self::NoSuchModel,
        Self::QuotaExceeded,
        Self::BudgetSpent,
        Self::NotRecorded,
        Self::CannotKeep,
        Self::Stopped,
    ];

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether the model or its provider has spoken, so that asking the same again may well bring the same.
    pub fn is_verdict(self) -> bool {
        matches!(
            self,
            Self::Refusal
                | Self::ContentFilter
                | Self::ContextTooLong
                | Self::ReasoningExhausted
                | Self::TruncatedEmpty
                | Self::NullContent
                | Self::InvalidJson
        )
    }

    /// Whether no other call can fare better, so that the whole run has to stop.
    pub fn stops_all(self) -> bool {
        matches!(
            self,
            Self::Unreachable
                | Self::Unauthorized
                | Self::NoSuchModel
                | Self::QuotaExceeded
                | Self::BudgetSpent
                | Self::NotRecorded
                | Self::CannotKeep
                | Self::Stopped
        )
    }
}

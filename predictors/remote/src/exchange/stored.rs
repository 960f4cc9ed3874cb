//! Answers, and verdicts that count as such, as they are kept.

use serde::{Deserialize, Serialize};

use crate::answer::{Answer, Ending, NoAnswer, NoAnswerKind};
use crate::ledger::TokenUse;

/// What is kept of an exchange.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Stored {
    /// An answer.
    Answer(Answer),
    /// Something in place of an answer.
    Verdict {
        /// What.
        verdict: String,
        /// What happened, in words.
        message: String,
        /// The text that came.
        raw: String,
        /// What it cost.
        usage: TokenUse,
    },
}

impl Stored {
    /// What is to be kept of a failure, if anything: what the model or its provider has said.
    pub(super) fn verdict(failure: &NoAnswer) -> Option<Self> {
        failure.kind.is_verdict().then(|| Self::Verdict {
            verdict: failure.kind.name().to_owned(),
            message: failure.message.clone(),
            raw: failure.raw.clone(),
            usage: failure.usage,
        })
    }

    /// Reads what is kept; none where it is of another kind.
    pub(super) fn parse(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// Whether it may be taken for the answer in other runs too: a whole answer.
    pub(super) fn is_for_everybody(&self) -> bool {
        matches!(self, Self::Answer(answer) if answer.ending == Ending::Stop)
    }

    pub(super) fn usage(&self) -> TokenUse {
        match self {
            Self::Answer(answer) => answer.usage,
            Self::Verdict { usage, .. } => *usage,
        }
    }

    pub(super) fn into_answer(self) -> Result<Answer, NoAnswer> {
        match self {
            Self::Answer(answer) => Ok(answer),
            Self::Verdict {
                verdict,
                message,
                raw,
                usage,
            } => Err(NoAnswer {
                kind: NoAnswerKind::from_name(&verdict).unwrap_or(NoAnswerKind::Malformed),
                message,
                raw,
                usage,
            }),
        }
    }
}

//! What a predictor answers.

use serde::{Deserialize, Serialize};

use super::{PROTOCOL, is_false};

/// An answer of a predictor.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Answer {
    /// To `hello`: who the predictor is.
    Hello(Hello),
    /// To `begin`: it is ready.
    Ready(Ready),
    /// To `predict`: what comes next.
    Prediction(Prediction),
    /// To any question: there is no other answer.
    Error(ErrorAnswer),
}

impl Answer {
    /// The number of the question that it answers.
    pub fn id(&self) -> u64 {
        match self {
            Self::Hello(hello) => hello.id,
            Self::Ready(ready) => ready.id,
            Self::Prediction(prediction) => prediction.id,
            Self::Error(error) => error.id,
        }
    }

    /// Its `type`.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Hello(_) => "hello",
            Self::Ready(_) => "ready",
            Self::Prediction(_) => "prediction",
            Self::Error(_) => "error",
        }
    }
}

/// Who a predictor is, and what it wants to be told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hello {
    /// The number of the question.
    pub id: u64,
    /// [`PROTOCOL`].
    pub protocol: String,
    /// What people call the predictor.
    pub name: String,
    /// The same text promises the same answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// What it wants to be told.
    #[serde(skip_serializing_if = "Wants::is_default")]
    pub wants: Wants,
}

impl Hello {
    /// The answer of a predictor that wants nothing special.
    pub fn new(id: u64, name: impl Into<String>) -> Self {
        Self {
            id,
            protocol: PROTOCOL.to_owned(),
            name: name.into(),
            fingerprint: None,
            wants: Wants::default(),
        }
    }
}

/// What a predictor wants to be told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Wants {
    /// How it is told the history.
    pub history: WantsHistory,
    /// Whether it gets the sheets as they stand with each `predict`.
    #[serde(skip_serializing_if = "is_false")]
    pub workbook: bool,
    /// Whether it is told what became of answers.
    #[serde(skip_serializing_if = "is_false")]
    pub feedback: bool,
}

impl Wants {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// How a predictor wants to be told the history.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WantsHistory {
    /// Each action once, by `observe`.
    #[default]
    New,
    /// All of it with each `predict`.
    All,
}

/// A trajectory may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Ready {
    /// The number of the question.
    pub id: u64,
}

/// What comes next.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Prediction {
    /// The number of the question.
    pub id: u64,
    /// Lines in order of execution; none for "no suggestion".
    pub actions: Vec<ProposedLine>,
    /// What the answer took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Tokens>,
    /// The answer of a model as it came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw: Option<String>,
    /// What the user seems to be after.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intent: Option<String>,
    /// Whether the answer was cut off.
    #[serde(skip_serializing_if = "is_false")]
    pub truncated: bool,
}

/// One proposed line.
#[derive(Clone, Debug, PartialEq)]
pub struct ProposedLine {
    /// An action in the text notation, if it can be read as one.
    pub action: String,
    /// Its probability to be right, between 0 and 1.
    pub confidence: Option<f64>,
}

impl Serialize for ProposedLine {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct WithConfidence<'a> {
            action: &'a str,
            confidence: f64,
        }
        match self.confidence {
            None => serializer.serialize_str(&self.action),
            Some(confidence) => WithConfidence {
                action: &self.action,
                confidence,
            }
            .serialize(serializer),
        }
    }
}

/// Tokens that an answer took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tokens {
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
}

/// There is no other answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ErrorAnswer {
    /// The number of the question; 0 where a line could not be understood at all.
    pub id: u64,
    /// What happened.
    pub message: String,
    /// A word for counting; see [`is_kind`](super::is_kind).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Whether the trajectory cannot go on.
    #[serde(skip_serializing_if = "is_false")]
    pub fatal: bool,
    /// What came in place of an answer, such as the text of a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw: Option<String>,
}

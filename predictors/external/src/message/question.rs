//! What napsim sends: questions, which have a number and an answer, and notices, which have neither.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{PROTOCOL, WorkbookText};

/// A message to a predictor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToPredictor<'a> {
    /// Asks who the predictor is.
    Hello(HelloQuestion<'a>),
    /// A trajectory begins; asks for `ready`.
    Begin(Begin<'a>),
    /// Actions have become history.
    Observe(Observe<'a>),
    /// Asks for what comes next.
    Predict(Predict<'a>),
    /// The last answer was not shown.
    Withdrawn(Withdrawn<'a>),
    /// Actions were shown and refused.
    Refused(Refused<'a>),
    /// The conversation is over.
    Bye(Bye<'a>),
}

/// Asks who the predictor is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HelloQuestion<'a> {
    /// The number of the question.
    pub id: u64,
    /// [`PROTOCOL`].
    pub protocol: Cow<'a, str>,
    /// The version of napsim.
    pub napsim: Cow<'a, str>,
}

impl HelloQuestion<'static> {
    /// The question as this version asks it.
    pub fn new(id: u64) -> Self {
        Self {
            id,
            protocol: Cow::Borrowed(PROTOCOL),
            napsim: Cow::Borrowed(env!("CARGO_PKG_VERSION")),
        }
    }
}

/// A trajectory begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Begin<'a> {
    /// The number of the question.
    pub id: u64,
    /// The conversation; over HTTP only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<Cow<'a, str>>,
    /// Name of the trajectory.
    pub trajectory: Cow<'a, str>,
    /// Sheet of its first action.
    pub sheet: Cow<'a, str>,
    /// The seed of everything random.
    pub seed: u64,
}

/// Actions have become history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observe<'a> {
    /// The conversation; over HTTP only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<Cow<'a, str>>,
    /// How many actions were told before.
    pub from: u64,
    /// The actions in the text notation, oldest first.
    pub actions: Cow<'a, [String]>,
}

/// Asks for what comes next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Predict<'a> {
    /// The number of the question.
    pub id: u64,
    /// The conversation; over HTTP only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<Cow<'a, str>>,
    /// Length of the history.
    pub n_history: u64,
    /// Actions that the user has carried out herself.
    pub user_steps: u32,
    /// Which call of the trajectory this is, from 0.
    pub call_idx: u32,
    /// At most so many actions are wanted; none leaves it to the predictor.
    pub max_actions: Option<u32>,
    /// All actions so far, where the predictor wants them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<Cow<'a, [String]>>,
    /// The sheets as they stand, where the predictor wants them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workbook: Option<WorkbookText>,
}

/// The last answer was not shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Withdrawn<'a> {
    /// The conversation; over HTTP only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<Cow<'a, str>>,
}

/// Actions were shown and refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused<'a> {
    /// The conversation; over HTTP only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<Cow<'a, str>>,
    /// The actions in the text notation.
    pub actions: Cow<'a, [String]>,
}

/// The conversation is over.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bye<'a> {
    /// The conversation; over HTTP only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<Cow<'a, str>>,
}

/// Why a line is no message that this version understands.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum QuestionError {
    /// It is no JSON object with a `type`.
    #[error("understand a line: {reason}")]
    NoMessage {
        /// What is wrong with it.
        reason: String,
    },
    /// It is a question of an unknown type.
    #[error("answer `{type_name}`: no such question is known")]
    UnknownQuestion {
        /// Its number.
        id: u64,
        /// Its type.
        type_name: String,
    },
    /// It is a notice of an unknown type, which is to be ignored.
    #[error("heed `{type_name}`: no such notice is known")]
    UnknownNotice {
        /// Its type.
        type_name: String,
    },
    /// Its type is known and its fields are not as they should be.
    #[error("understand `{type_name}`: {reason}")]
    Fields {
        /// Its number, if it is a question.
        id: Option<u64>,
        /// The conversation.
        session: Option<String>,
        /// Its type.
        type_name: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// What all messages have in common.
#[derive(Deserialize)]
struct Common {
    r#type: String,
    id: Option<u64>,
    session: Option<String>,
}

impl ToPredictor<'_> {
    /// Reads a message from a line without its line feed.
    ///
    /// # Errors
    /// [`QuestionError`], which also tells what is to be ignored.
    pub fn read(line: &[u8]) -> Result<ToPredictor<'static>, QuestionError> {
        let common: Common = serde_json::from_slice(line).map_err(|error| QuestionError::NoMessage {
            reason: error.to_string(),
        })?;
        let message = match common.r#type.as_str() {
            "hello" => serde_json::from_slice(line).map(ToPredictor::Hello),
            "begin" => serde_json::from_slice(line).map(ToPredictor::Begin),
            "observe" => serde_json::from_slice(line).map(ToPredictor::Observe),
            "predict" => serde_json::from_slice(line).map(ToPredictor::Predict),
            "withdrawn" => serde_json::from_slice(line).map(ToPredictor::Withdrawn),
            "refused" => serde_json::from_slice(line).map(ToPredictor::Refused),
            "bye" => serde_json::from_slice(line).map(ToPredictor::Bye),
            _ => return Err(common.unknown()),
        };
        message.map_err(|error| QuestionError::Fields {
            id: common.id,
            session: common.session,
            type_name: common.r#type,
            reason: error.to_string(),
        })
    }
}

impl Common {
    fn unknown(self) -> QuestionError {
        let type_name = self.r#type;
        match self.id {
            Some(id) => QuestionError::UnknownQuestion { id, type_name },
            None => QuestionError::UnknownNotice { type_name },
        }
    }
}

//! The interfaces of providers: questions as they are sent, replies as they come.

mod chat;
mod completion;
mod error;
mod messages;
mod reply;
mod responses;

use std::fmt;

use serde_json::{Map, Value};

use crate::answer::{Answer, NoAnswer};
use crate::provider::{Endpoint, Provider};
use crate::question::{Generation, Question};

/// How a model is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Api {
    /// OpenAI's chat completions, which many servers have.
    Chat,
    /// OpenAI's responses.
    Responses,
    /// A text that is continued.
    Completion,
    /// Anthropic's messages.
    Messages,
}

impl Api {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Chat, Self::Responses, Self::Completion, Self::Messages];

    /// The name that a user types.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Responses => "responses",
            Self::Completion => "completion",
            Self::Messages => "messages",
        }
    }

    /// The path that is added to an address.
    pub(crate) fn path(self, provider: Provider) -> &'static str {
        match self {
            Self::Chat => "chat/completions",
            Self::Responses => "responses",
            Self::Completion => "completions",
            Self::Messages if provider == Provider::Anthropic => "v1/messages",
            Self::Messages => "messages",
        }
    }

    /// Whether the prompt is a text to continue rather than messages.
    pub fn continues_text(self) -> bool {
        self == Self::Completion
    }
}

impl fmt::Display for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The body of a request, equal byte for byte for equal questions.
pub fn body(endpoint: &Endpoint, question: &Question) -> Value {
    let mut body = Map::new();
    body.insert("model".to_owned(), endpoint.model.clone().into());
    match endpoint.api {
        Api::Chat => chat::ask(endpoint, question, &mut body),
        Api::Responses => responses::ask(question, &mut body),
        Api::Completion => completion::ask(question, &mut body),
        Api::Messages => messages::ask(question, &mut body),
    }
    if takes_sampling(endpoint) {
        let Generation { temperature, top_p, .. } = question.generation;
        for (name, value) in [("temperature", temperature), ("top_p", top_p)] {
            if let Some(value) = value {
                body.insert(name.to_owned(), number(value));
            }
        }
    }
    Value::Object(body)
}

/// Reads a reply that came whole.
///
/// # Errors
/// [`NoAnswer`] for whatever is no answer.
pub fn read(api: Api, status: u16, text: &str) -> Result<Answer, NoAnswer> {
    if !(200..300).contains(&status) {
        return Err(error::of_status(status, text));
    }
    let reply: Value = serde_json::from_str(text).map_err(|error| reply::malformed(text, &error.to_string()))?;
    if let Some(error) = reply.get("error").filter(|error| !error.is_null()) {
        return Err(error::inside_a_reply(error, text));
    }
    match api {
        Api::Chat => chat::read(&reply, text),
        Api::Responses => responses::read(&reply, text),
        Api::Completion => completion::read(&reply, text),
        Api::Messages => messages::read(&reply, text),
    }
}

/// Whether the model takes a temperature: OpenAI's reasoning models refuse requests with one.
fn takes_sampling(endpoint: &Endpoint) -> bool {
    let name = endpoint.model.rsplit('/').next().unwrap_or_default();
    let is_reasoning = ["o1", "o3", "o4", "gpt-5"]
        .iter()
        .any(|family| name.starts_with(family));
    let by_openai = matches!(endpoint.provider, Provider::OpenAi | Provider::Azure)
        || (endpoint.provider == Provider::OpenRouter && endpoint.model.starts_with("openai/"));
    !(by_openai && is_reasoning && !name.starts_with("gpt-5-chat"))
}

/// A number as it is usually written: whole ones without a point.
fn number(value: f64) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "checked to be whole and small")]
    if value.fract().abs() < f64::EPSILON && value.abs() < 1e9 {
        return Value::from(value as i64);
    }
    Value::from(value)
}

#[cfg(test)]
mod tests;

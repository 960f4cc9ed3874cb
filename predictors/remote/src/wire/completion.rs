//! Texts that a model continues, as OpenAI's first interface has it and servers of one's own do.

use serde_json::{Map, Value};

use super::chat;
use super::reply::{Pieces, malformed, model, text_at};
use crate::answer::{Answer, AnswerToken, Ending, NoAnswer};
use crate::question::{Prompt, Question};

pub(super) fn ask(question: &Question, body: &mut Map<String, Value>) {
    let generation = &question.generation;
    let mut set = |name: &str, value: Value| body.insert(name.to_owned(), value);
    set(
        "prompt",
        match &question.prompt {
            Prompt::Text(text) => text.clone(),
            Prompt::Chat { system, user } => format!("{system}\n\n{user}"),
        }
        .into(),
    );
    set("max_tokens", generation.tokens_max.into());
    if !generation.stop.is_empty() {
        set("stop", generation.stop.clone().into());
    }
    if generation.log_probabilities {
        // A number here, where the chat interface has a flag: so many alternatives are told besides the chosen token.
        set("logprobs", 1.into());
    }
    if let Some(seed) = generation.seed {
        set("seed", seed.into());
    }
}

pub(super) fn read(reply: &Value, raw: &str) -> Result<Answer, NoAnswer> {
    let choice = reply
        .pointer("/choices/0")
        .ok_or_else(|| malformed(raw, "`choices[0]` is missing"))?;
    let text = match choice.get("text") {
        Some(Value::String(text)) => Some(text.clone()),
        Some(Value::Null) => None,
        _ => return Err(malformed(raw, "`choices[0].text` is missing")),
    };
    let finish = text_at(choice, "/finish_reason");
    let pieces = Pieces {
        text,
        refusal: None,
        is_filtered: finish == Some("content_filter"),
        ending: if finish == Some("length") {
            Ending::Length
        } else {
            Ending::Stop
        },
        tokens: tokens(choice),
        usage: chat::usage(reply),
        model: model(reply),
    };
    pieces.into_answer(raw)
}

/// Tokens and log-probabilities out of two lists side by side, or out of one as the chat interface has it.
fn tokens(choice: &Value) -> Vec<AnswerToken> {
    if let Some(list) = choice.pointer("/logprobs/content") {
        return super::reply::tokens(Some(list));
    }
    let list = |path: &str| choice.pointer(path).and_then(Value::as_array);
    let (Some(texts), Some(logs)) = (list("/logprobs/tokens"), list("/logprobs/token_logprobs")) else {
        return Vec::new();
    };
    let token = |(text, log): (&Value, &Value)| {
        Some(AnswerToken {
            text: text.as_str()?.to_owned(),
            log_probability: log.as_f64()?,
        })
    };
    texts.iter().zip(logs).filter_map(token).collect()
}

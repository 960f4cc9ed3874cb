//! OpenAI's chat completions, as many servers have them.

use serde_json::{Map, Value, json};

use super::reply::{Pieces, count, malformed, model, text_at, tokens};
use crate::answer::{Answer, Ending, NoAnswer};
use crate::ledger::TokenUse;
use crate::provider::{Endpoint, Provider};
use crate::question::{Prompt, Question};

pub(super) fn ask(endpoint: &Endpoint, question: &Question, body: &mut Map<String, Value>) {
    let provider = endpoint.provider;
    let generation = &question.generation;
    let mut set = |name: &str, value: Value| body.insert(name.to_owned(), value);
    set("messages", messages(&question.prompt));
    // OpenAI's newer models refuse the older name, and other servers know only that one.
    let by_openai = matches!(provider, Provider::OpenAi | Provider::Azure);
    let tokens_max = if by_openai {
        "max_completion_tokens"
    } else {
        "max_tokens"
    };
    set(tokens_max, generation.tokens_max.into());
    if !generation.stop.is_empty() {
        set("stop", generation.stop.clone().into());
    }
    if let Some(effort) = &generation.effort {
        if provider == Provider::OpenRouter {
            set("reasoning", json!({ "effort": effort }));
        } else {
            set("reasoning_effort", effort.clone().into());
        }
    }
    if generation.log_probabilities {
        set("logprobs", true.into());
    }
    if let Some(seed) = generation.seed {
        set("seed", seed.into());
    }
    if let Some(schema) = &generation.schema {
        let schema = json!({ "name": "actions", "strict": true, "schema": schema });
        set(
            "response_format",
            json!({ "type": "json_schema", "json_schema": schema }),
        );
    }
}

/// A text to continue is all that the user says.
fn messages(prompt: &Prompt) -> Value {
    match prompt {
        Prompt::Chat { system, user } if system.is_empty() => json!([{ "role": "user", "content": user }]),
        Prompt::Chat { system, user } => json!([
            { "role": "system", "content": system },
            { "role": "user", "content": user },
        ]),
        Prompt::Text(text) => json!([{ "role": "user", "content": text }]),
    }
}

pub(super) fn read(reply: &Value, raw: &str) -> Result<Answer, NoAnswer> {
    let choice = reply
        .pointer("/choices/0")
        .filter(|choice| choice.get("message").is_some_and(Value::is_object));
    let choice = choice.ok_or_else(|| malformed(raw, "`choices[0].message` is missing"))?;
    let finish = text_at(choice, "/finish_reason");
    let content = choice.pointer("/message/content").unwrap_or(&Value::Null);
    let pieces = Pieces {
        text: content_text(content).ok_or_else(|| malformed(raw, "the content is no text"))?,
        refusal: text_at(choice, "/message/refusal"),
        is_filtered: finish == Some("content_filter"),
        ending: if finish == Some("length") {
            Ending::Length
        } else {
            Ending::Stop
        },
        tokens: tokens(choice.pointer("/logprobs/content")),
        usage: usage(reply),
        model: model(reply),
    };
    pieces.into_answer(raw)
}

/// The text of a content, which some servers give in parts; the inner none stands for null.
fn content_text(content: &Value) -> Option<Option<String>> {
    match content {
        Value::Null => Some(None),
        Value::String(text) => Some(Some(text.clone())),
        Value::Array(parts) => {
            let texts: Option<String> = parts.iter().map(|part| text_at(part, "/text")).collect();
            texts.map(Some)
        }
        _ => None,
    }
}

/// The figures of OpenAI's two older interfaces.
pub(super) fn usage(reply: &Value) -> TokenUse {
    TokenUse {
        input: count(reply, "/usage/prompt_tokens"),
        cached_input: count(reply, "/usage/prompt_tokens_details/cached_tokens"),
        output: count(reply, "/usage/completion_tokens"),
        reasoning: count(reply, "/usage/completion_tokens_details/reasoning_tokens"),
    }
}

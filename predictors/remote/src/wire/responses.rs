//! OpenAI's responses.

use serde_json::{Map, Value, json};

use super::reply::{Pieces, count, malformed, model, no_answer, text_at, tokens};
use crate::answer::{Answer, Ending, NoAnswer, NoAnswerKind};
use crate::ledger::TokenUse;
use crate::question::{Prompt, Question};

pub(super) fn ask(question: &Question, body: &mut Map<String, Value>) {
    let generation = &question.generation;
    let mut set = |name: &str, value: Value| body.insert(name.to_owned(), value);
    match &question.prompt {
        Prompt::Chat { system, user } => {
            set("instructions", system.clone().into());
            set("input", user.clone().into());
        }
        Prompt::Text(text) => {
            set("input", text.clone().into());
        }
    }
    set("max_output_tokens", generation.tokens_max.into());
    // Nothing of a measurement is to stay with the provider.
    set("store", false.into());
    if let Some(effort) = &generation.effort {
        set("reasoning", json!({ "effort": effort }));
    }
    if generation.log_probabilities {
        set("include", json!(["message.output_text.logprobs"]));
    }
    if let Some(schema) = &generation.schema {
        let format = json!({ "type": "json_schema", "name": "actions", "strict": true, "schema": schema });
        set("text", json!({ "format": format }));
    }
}

pub(super) fn read(reply: &Value, raw: &str) -> Result<Answer, NoAnswer> {
    let output = reply
        .get("output")
        .and_then(Value::as_array)
        .ok_or_else(|| malformed(raw, "`output` is missing"))?;
    let usage = usage(reply);
    let status = text_at(reply, "/status").unwrap_or("completed");
    let reason = text_at(reply, "/incomplete_details/reason");
    match (status, reason) {
        ("completed", _) | ("incomplete", Some("max_output_tokens" | "content_filter")) => {}
        (status, _) => {
            let message = format!("the server ended the answer as {status}");
            return Err(no_answer(NoAnswerKind::ServerError, message, raw, usage));
        }
    }
    let mut text = None;
    let mut refusal = None;
    let mut found = Vec::new();
    let messages = output.iter().filter(|item| text_at(item, "/type") == Some("message"));
    let contents = messages.filter_map(|item| item.get("content")?.as_array());
    for content in contents.flatten() {
        match text_at(content, "/type") {
            Some("output_text") => {
                text.get_or_insert_with(String::new)
                    .push_str(text_at(content, "/text").unwrap_or_default());
                found.extend(tokens(content.get("logprobs")));
            }
            Some("refusal") => refusal = text_at(content, "/refusal").or(refusal),
            _ => {}
        }
    }
    let pieces = Pieces {
        text,
        refusal,
        is_filtered: reason == Some("content_filter"),
        ending: if reason == Some("max_output_tokens") {
            Ending::Length
        } else {
            Ending::Stop
        },
        tokens: found,
        usage,
        model: model(reply),
    };
    pieces.into_answer(raw)
}

fn usage(reply: &Value) -> TokenUse {
    TokenUse {
        input: count(reply, "/usage/input_tokens"),
        cached_input: count(reply, "/usage/input_tokens_details/cached_tokens"),
        output: count(reply, "/usage/output_tokens"),
        reasoning: count(reply, "/usage/output_tokens_details/reasoning_tokens"),
    }
}

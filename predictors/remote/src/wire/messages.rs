//! Anthropic's messages.

use serde_json::{Map, Value, json};

use super::reply::{Pieces, count, malformed, model, text_at};
use crate::answer::{Answer, Ending, NoAnswer};
use crate::ledger::TokenUse;
use crate::question::{Prompt, Question};

/// Name of the tool by which a structured answer comes.
const TOOL: &str = "propose_actions";

pub(super) fn ask(question: &Question, body: &mut Map<String, Value>) {
    let generation = &question.generation;
    let mut set = |name: &str, value: Value| body.insert(name.to_owned(), value);
    set("max_tokens", generation.tokens_max.into());
    let user = match &question.prompt {
        Prompt::Chat { system, user } => {
            if !system.is_empty() {
                set("system", system.clone().into());
            }
            user
        }
        Prompt::Text(text) => text,
    };
    set("messages", json!([{ "role": "user", "content": user }]));
    if !generation.stop.is_empty() {
        set("stop_sequences", generation.stop.clone().into());
    }
    if let Some(schema) = &generation.schema {
        let about = "Proposes the next actions.";
        set(
            "tools",
            json!([{ "name": TOOL, "description": about, "input_schema": schema }]),
        );
        set("tool_choice", json!({ "type": "tool", "name": TOOL }));
    }
}

pub(super) fn read(reply: &Value, raw: &str) -> Result<Answer, NoAnswer> {
    let content = reply
        .get("content")
        .and_then(Value::as_array)
        .ok_or_else(|| malformed(raw, "`content` is missing"))?;
    let stop = text_at(reply, "/stop_reason");
    let mut text: Option<String> = None;
    for block in content {
        let piece = match text_at(block, "/type") {
            Some("text") => text_at(block, "/text").unwrap_or_default().to_owned(),
            Some("tool_use") => block.get("input").map(Value::to_string).unwrap_or_default(),
            _ => continue,
        };
        text.get_or_insert_with(String::new).push_str(&piece);
    }
    // A model that has nothing to say ends its turn without a block of text.
    if text.is_none() && stop == Some("end_turn") {
        text = Some(String::new());
    }
    let is_refusal = stop == Some("refusal");
    let words = text.clone().unwrap_or_default();
    let pieces = Pieces {
        refusal: is_refusal.then_some(if words.is_empty() { "without a word" } else { &words }),
        text,
        is_filtered: false,
        ending: if matches!(stop, Some("max_tokens" | "model_context_window_exceeded")) {
            Ending::Length
        } else {
            Ending::Stop
        },
        tokens: Vec::new(),
        usage: usage(reply),
        model: model(reply),
    };
    pieces.into_answer(raw)
}

/// Anthropic counts tokens that it kept from before apart from the others.
fn usage(reply: &Value) -> TokenUse {
    let cached_input = count(reply, "/usage/cache_read_input_tokens");
    let written = count(reply, "/usage/cache_creation_input_tokens");
    TokenUse {
        input: count(reply, "/usage/input_tokens") + cached_input + written,
        cached_input,
        output: count(reply, "/usage/output_tokens"),
        reasoning: 0,
    }
}

//! A model that answers in the manner of the known programming interfaces.

use std::fmt;

use serde_json::{Value, json};

use crate::{Answer, Request};

/// A model: what it writes is computed from the text of the prompt.
pub struct Model(Box<dyn Fn(&str) -> String + Send + Sync>);

impl Model {
    /// A model that writes what the function says.
    pub fn new(text: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        Self(Box::new(text))
    }

    /// Answers a request of any interface that it knows.
    pub fn answer(&self, request: &Request) -> Answer {
        openai_answer(request, &(self.0)(&prompt_text(request)))
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Model")
    }
}

/// The texts of a prompt, one after the other with line feeds between.
pub fn prompt_text(request: &Request) -> String {
    let body = request.json();
    let mut texts = Vec::new();
    for field in ["instructions", "system", "prompt", "input", "messages"] {
        if let Some(value) = body.get(field) {
            collect_texts(value, &mut texts);
        }
    }
    texts.join("\n")
}

/// The texts of a message, of a list of them or of a part of one.
fn collect_texts(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(parts) => parts.iter().for_each(|part| collect_texts(part, texts)),
        Value::Object(fields) => ["content", "text"]
            .iter()
            .filter_map(|name| fields.get(*name))
            .for_each(|field| collect_texts(field, texts)),
        _ => {}
    }
}

/// The tokens of a text: four characters each.
pub fn tokens(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(4).map(|chunk| chunk.iter().collect()).collect()
}

/// The log-probability that the model gives a token, by its number in the answer: -0.125, -0.25, -0.375 and again.
pub fn logprob(idx: usize) -> f64 {
    match idx % 3 {
        0 => -0.125,
        1 => -0.25,
        _ => -0.375,
    }
}

/// A request as far as an answer needs to know it.
struct Asked<'a> {
    body: &'a Value,
    model: &'a str,
    prompt_tokens: usize,
    tokens: Vec<String>,
    /// Whether the text was cut at the most tokens that the request allows.
    is_cut: bool,
}

/// The answer with this text, in the manner that the path of the request asks for: `…/chat/completions`, `…/completions`,
/// `…/responses` or Anthropic's `…/messages`. A text that is longer than the request allows is cut, and the answer says
/// so. Tokens are four characters each. Other paths are not found.
pub fn openai_answer(request: &Request, text: &str) -> Answer {
    let body = request.json();
    let tokens_max = ["max_completion_tokens", "max_tokens", "max_output_tokens"]
        .iter()
        .find_map(|name| body.get(*name)?.as_u64())
        .and_then(|tokens_max| usize::try_from(tokens_max).ok())
        .unwrap_or(usize::MAX);
    let mut tokens = tokens(text);
    let is_cut = tokens.len() > tokens_max;
    tokens.truncate(tokens_max);
    let asked = Asked {
        model: body.get("model").and_then(Value::as_str).unwrap_or("test-model"),
        prompt_tokens: crate::tokens(&prompt_text(request)).len(),
        body: &body,
        tokens,
        is_cut,
    };
    let path = request.path.split('?').next().unwrap_or_default();
    let answer = if path.ends_with("/chat/completions") {
        asked.chat()
    } else if path.ends_with("/completions") {
        asked.completion()
    } else if path.ends_with("/responses") {
        asked.response()
    } else if path.ends_with("/messages") {
        asked.message()
    } else {
        let message = format!("Unknown request URL: {} {path}", request.method);
        return Answer::json(
            404,
            &json!({"error": {"message": message, "type": "invalid_request_error"}}),
        );
    };
    Answer::json(200, &answer)
}

impl Asked<'_> {
    fn text(&self) -> String {
        self.tokens.concat()
    }

    fn chat(&self) -> Value {
        let logprobs = match self.body.get("logprobs") {
            Some(Value::Bool(true)) => json!({"content": self.token_list(), "refusal": null}),
            _ => Value::Null,
        };
        json!({
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": self.model,
            "choices": [{
                "index": 0,
                "message": {"role": "assistant", "content": self.text(), "refusal": null},
                "logprobs": logprobs,
                "finish_reason": self.finish_reason(),
            }],
            "usage": self.usage("prompt_tokens", "completion_tokens"),
        })
    }

    fn completion(&self) -> Value {
        let logprobs = match self.body.get("logprobs") {
            Some(Value::Number(_)) => json!({
                "tokens": self.tokens,
                "token_logprobs": (0..self.tokens.len()).map(logprob).collect::<Vec<f64>>(),
                "top_logprobs": null,
                "text_offset": (0..self.tokens.len()).map(|idx| idx * 4).collect::<Vec<usize>>(),
            }),
            _ => Value::Null,
        };
        json!({
            "id": "cmpl-1",
            "object": "text_completion",
            "created": 1_700_000_000,
            "model": self.model,
            "choices": [{
                "index": 0,
                "text": self.text(),
                "logprobs": logprobs,
                "finish_reason": self.finish_reason(),
            }],
            "usage": self.usage("prompt_tokens", "completion_tokens"),
        })
    }

    fn response(&self) -> Value {
        let included = self.body.get("include").and_then(Value::as_array);
        let wants_logprobs =
            included.is_some_and(|names| names.iter().any(|name| name == "message.output_text.logprobs"));
        let logprobs = if wants_logprobs { self.token_list() } else { json!([]) };
        let (status, details) = match self.is_cut {
            true => ("incomplete", json!({"reason": "max_output_tokens"})),
            false => ("completed", Value::Null),
        };
        let mut usage = self.usage("input_tokens", "output_tokens");
        if let Some(usage) = usage.as_object_mut() {
            usage.insert("output_tokens_details".to_owned(), json!({"reasoning_tokens": 0}));
        }
        json!({
            "id": "resp_1",
            "object": "response",
            "created_at": 1_700_000_000,
            "status": status,
            "error": null,
            "incomplete_details": details,
            "model": self.model,
            "output": [{
                "type": "message",
                "id": "msg_1",
                "status": status,
                "role": "assistant",
                "content": [{
                    "type": "output_text",
                    "text": self.text(),
                    "annotations": [],
                    "logprobs": logprobs,
                }],
            }],
            "usage": usage,
        })
    }

    fn message(&self) -> Value {
        json!({
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": self.model,
            "content": [{"type": "text", "text": self.text()}],
            "stop_reason": if self.is_cut { "max_tokens" } else { "end_turn" },
            "stop_sequence": null,
            "usage": {"input_tokens": self.prompt_tokens, "output_tokens": self.tokens.len()},
        })
    }

    fn token_list(&self) -> Value {
        let token = |(idx, token): (usize, &String)| json!({"token": token, "logprob": logprob(idx), "bytes": token.as_bytes(), "top_logprobs": []});
        self.tokens.iter().enumerate().map(token).collect()
    }

    fn finish_reason(&self) -> &'static str {
        if self.is_cut { "length" } else { "stop" }
    }

    fn usage(&self, prompt: &str, completion: &str) -> Value {
        let n_tokens = self.tokens.len();
        json!({prompt: self.prompt_tokens, completion: n_tokens, "total_tokens": self.prompt_tokens + n_tokens})
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn ask(path: &str, body: &Value) -> Value {
        let request = Request {
            method: "POST".to_owned(),
            path: path.to_owned(),
            headers: BTreeMap::new(),
            body: body.to_string(),
            idx: 0,
        };
        match Model::new(|prompt| format!("<{prompt}>")).answer(&request) {
            Answer::Whole { body, .. } => serde_json::from_slice(&body).unwrap(),
            answer => panic!("{answer:?}"),
        }
    }

    #[test]
    fn every_interface_is_answered_in_its_own_manner() {
        let messages = json!([{"role": "system", "content": "S"}, {"role": "user", "content": [{"text": "U"}]}]);
        let chat = ask(
            "/v1/chat/completions?x=1",
            &json!({"messages": messages, "logprobs": true}),
        );
        assert_eq!(chat["choices"][0]["message"]["content"], "<S\nU>");
        assert_eq!(chat["choices"][0]["finish_reason"], "stop");
        assert_eq!(chat["choices"][0]["logprobs"]["content"][1]["token"], ">");
        assert_eq!(chat["usage"]["total_tokens"], 3);

        let completion = ask("/v1/completions", &json!({"prompt": "P", "logprobs": 1}));
        assert_eq!(completion["choices"][0]["text"], "<P>");
        assert_eq!(completion["choices"][0]["logprobs"]["token_logprobs"], json!([-0.125]));

        let asked = json!({"instructions": "S", "input": [{"role": "user", "content": "U"}]});
        let response = ask("/v1/responses", &asked);
        assert_eq!(response["output"][0]["content"][0]["text"], "<S\nU>");
        assert_eq!(response["status"], "completed");

        let message = ask(
            "/v1/messages",
            &json!({"system": "S", "messages": [{"content": "U"}], "max_tokens": 9}),
        );
        assert_eq!(message["content"][0]["text"], "<S\nU>");
        assert_eq!(message["stop_reason"], "end_turn");

        assert!(
            ask("/v2", &json!({}))["error"]["message"]
                .as_str()
                .unwrap()
                .contains("/v2")
        );
    }

    #[test]
    fn long_texts_are_cut() {
        let body = json!({"prompt": "a long prompt", "input": "a long prompt", "messages": [], "max_tokens": 2});
        let completion = ask("/v1/completions", &body);
        assert_eq!(completion["choices"][0]["text"], "<a long ");
        assert_eq!(completion["choices"][0]["finish_reason"], "length");
        assert_eq!(
            ask("/v1/responses", &body)["incomplete_details"]["reason"],
            "max_output_tokens"
        );
        assert_eq!(ask("/v1/messages", &body)["stop_reason"], "max_tokens");
    }
}

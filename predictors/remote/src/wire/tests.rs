use serde_json::json;

use super::*;
use crate::answer::{Ending, NoAnswerKind};
use crate::question::Prompt;

fn endpoint(name: &str, api: Api) -> Endpoint {
    let (provider, model) = name.split_once('/').unwrap();
    let provider = Provider::from_name(provider).unwrap();
    Endpoint::new(provider, model, Some(api), Some("http://127.0.0.1:1/v1"), &|_| None).unwrap()
}

fn question() -> Question {
    Question {
        prompt: Prompt::Chat {
            system: "be brief".to_owned(),
            user: "go on".to_owned(),
        },
        generation: Generation {
            tokens_max: 64,
            ..Generation::default()
        },
    }
}

#[test]
fn chat_is_asked_as_each_provider_wants_it() {
    let mut question = question();
    question.generation.effort = Some("low".to_owned());
    let ask = |name: &str| body(&endpoint(name, Api::Chat), &question);
    let messages = json!([{ "role": "system", "content": "be brief" }, { "role": "user", "content": "go on" }]);
    assert_eq!(
        ask("openai/gpt-5-mini"),
        json!({ "model": "gpt-5-mini", "messages": messages, "max_completion_tokens": 64, "reasoning_effort": "low" })
    );
    assert_eq!(
        ask("openrouter/meta/llama"),
        json!({
            "model": "meta/llama", "messages": messages, "max_tokens": 64, "reasoning": { "effort": "low" },
            "temperature": 0
        })
    );
    assert_eq!(ask("local/m"), ask("local/m"));
}

#[test]
fn the_other_interfaces_have_their_own_words() {
    let mut question = question();
    question.generation.schema = Some(json!({ "type": "object" }));
    question.generation.stop = vec!["STOP".to_owned()];
    question.generation.temperature = Some(0.5);
    question.generation.log_probabilities = true;
    assert_eq!(
        body(&endpoint("openai/gpt-4o", Api::Responses), &question),
        json!({
            "model": "gpt-4o", "instructions": "be brief", "input": "go on", "max_output_tokens": 64, "store": false,
            "include": ["message.output_text.logprobs"],
            "text": { "format": { "type": "json_schema", "name": "actions", "strict": true, "schema": { "type": "object" } } },
            "temperature": 0.5
        })
    );
    let messages = body(&endpoint("anthropic/c", Api::Messages), &question);
    assert_eq!(messages["system"], "be brief");
    assert_eq!(messages["tool_choice"]["name"], "propose_actions");
    assert_eq!(messages["stop_sequences"], json!(["STOP"]));
    let mut text = question.clone();
    text.prompt = Prompt::Text("a\nb".to_owned());
    assert_eq!(
        body(&endpoint("local/m", Api::Completion), &text),
        json!({
            "model": "m", "prompt": "a\nb", "max_tokens": 64, "stop": ["STOP"], "logprobs": 1, "temperature": 0.5
        })
    );
}

fn kind(api: Api, status: u16, body: &str) -> NoAnswerKind {
    let failed = read(api, status, body).unwrap_err();
    assert_eq!(failed.raw, body);
    failed.kind
}

#[test]
fn answers_are_read_from_every_interface() {
    let chat = json!({
        "model": "m-1",
        "choices": [{ "message": { "content": "INPUT" }, "finish_reason": "length",
            "logprobs": { "content": [{ "token": "IN", "logprob": -0.5 }, { "token": "PUT", "logprob": -1.5 }] } }],
        "usage": { "prompt_tokens": 7, "completion_tokens": 2, "prompt_tokens_details": { "cached_tokens": 4 } }
    });
    let answer = read(Api::Chat, 200, &chat.to_string()).unwrap();
    assert_eq!(
        (answer.text.as_str(), answer.ending, answer.tokens.len()),
        ("INPUT", Ending::Length, 2)
    );
    assert_eq!(
        (answer.usage.input, answer.usage.cached_input, answer.usage.output),
        (7, 4, 2)
    );
    let parts = json!({ "choices": [{ "message": { "content": [{ "text": "a" }, { "text": "b" }] } }] });
    assert_eq!(read(Api::Chat, 200, &parts.to_string()).unwrap().text, "ab");
    let completion = json!({
        "choices": [{ "text": "\nx", "finish_reason": "stop", "logprobs": { "tokens": ["\n", "x"], "token_logprobs": [null, -1.0] } }]
    });
    let answer = read(Api::Completion, 200, &completion.to_string()).unwrap();
    assert_eq!((answer.text.as_str(), answer.tokens.len()), ("\nx", 1));
    let responses = json!({
        "status": "incomplete", "incomplete_details": { "reason": "max_output_tokens" },
        "output": [{ "type": "reasoning" }, { "type": "message", "content": [{ "type": "output_text", "text": "x" }] }],
        "usage": { "input_tokens": 5, "output_tokens": 9, "output_tokens_details": { "reasoning_tokens": 8 } }
    });
    let answer = read(Api::Responses, 200, &responses.to_string()).unwrap();
    assert_eq!(
        (answer.text.as_str(), answer.ending, answer.usage.reasoning),
        ("x", Ending::Length, 8)
    );
    let messages = json!({
        "content": [{ "type": "thinking", "thinking": "hm" }, { "type": "tool_use", "input": { "actions": [] } }],
        "stop_reason": "tool_use", "usage": { "input_tokens": 3, "cache_read_input_tokens": 10, "output_tokens": 2 }
    });
    let answer = read(Api::Messages, 200, &messages.to_string()).unwrap();
    assert_eq!(
        (answer.text.as_str(), answer.usage.input, answer.usage.cached_input),
        ("{\"actions\":[]}", 13, 10)
    );
}

#[test]
fn each_way_not_to_answer_has_its_name() {
    let chat = |message: Value, finish: &str, reasoning: u64| {
        json!({
            "choices": [{ "message": message, "finish_reason": finish }],
            "usage": { "completion_tokens": 9, "completion_tokens_details": { "reasoning_tokens": reasoning } }
        })
        .to_string()
    };
    use NoAnswerKind as Kind;
    for (body, expected) in [
        (
            chat(json!({ "content": null, "refusal": "no" }), "stop", 0),
            Kind::Refusal,
        ),
        (
            chat(json!({ "content": "half" }), "content_filter", 0),
            Kind::ContentFilter,
        ),
        (chat(json!({ "content": "" }), "length", 9), Kind::ReasoningExhausted),
        (chat(json!({ "content": "" }), "length", 0), Kind::TruncatedEmpty),
        (chat(json!({ "content": null }), "stop", 0), Kind::NullContent),
        (chat(json!({ "content": 5 }), "stop", 0), Kind::Malformed),
        (json!({ "choices": [] }).to_string(), Kind::Malformed),
        (
            json!({ "error": { "code": 502, "message": "upstream" } }).to_string(),
            Kind::ServerError,
        ),
        (json!([1]).to_string(), Kind::Malformed),
        ("<html>".to_owned(), Kind::Malformed),
        (String::new(), Kind::Malformed),
    ] {
        assert_eq!(kind(Api::Chat, 200, &body), expected, "{body}");
    }
    let silent = chat(json!({ "content": "" }), "stop", 0);
    assert_eq!(read(Api::Chat, 200, &silent).unwrap().text, "");
    let refused = json!({ "content": [], "stop_reason": "refusal" }).to_string();
    assert_eq!(kind(Api::Messages, 200, &refused), Kind::Refusal);
    let failed = json!({ "status": "failed", "output": [] }).to_string();
    assert_eq!(kind(Api::Responses, 200, &failed), Kind::ServerError);
}

#[test]
fn errors_are_told_apart_by_status_and_words() {
    use NoAnswerKind as Kind;
    let error = |message: &str| json!({ "error": { "message": message } }).to_string();
    for (status, body, expected) in [
        (
            400,
            error("This model's maximum context length is 8192 tokens"),
            Kind::ContextTooLong,
        ),
        (400, error("you requested 9000 tokens"), Kind::ContextTooLong),
        (
            429,
            error("Limit 30000, Requested 500 tokens: rate limit"),
            Kind::Throttled,
        ),
        (
            429,
            json!({ "error": { "code": "insufficient_quota" } }).to_string(),
            Kind::QuotaExceeded,
        ),
        (
            400,
            json!({ "error": { "code": "content_filter", "message": "no" } }).to_string(),
            Kind::ContentFilter,
        ),
        (400, error("Unsupported parameter: temperature"), Kind::Rejected),
        (401, error("bad key"), Kind::Unauthorized),
        (404, "not found".to_owned(), Kind::NoSuchModel),
        (503, "<html>busy</html>".to_owned(), Kind::ServerError),
        (
            529,
            json!({ "type": "error", "error": { "message": "overloaded" } }).to_string(),
            Kind::ServerError,
        ),
    ] {
        assert_eq!(kind(Api::Chat, status, &body), expected, "{status} {body}");
    }
    let message = read(Api::Chat, 400, &error("Unsupported parameter: temperature"))
        .unwrap_err()
        .message;
    assert_eq!(
        message,
        "the server does not take the request (status 400): Unsupported parameter: temperature"
    );
}

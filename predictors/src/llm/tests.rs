//! The predictor against a server that answers and fails as it is told to.

use std::sync::Mutex;

use napsim_remote::transport::{Stop, TransportSettings};
use napsim_remote::{Api, ExchangeSettings, Prompt, Provider};
use napsim_sim::predictor::CurrentWorkbook;
use napsim_test_server::{Answer, Fault, Request, TestServer, openai_answer, prompt_text};

use super::*;
use crate::registry::{Defaults, PredictorFactory};

/// What a predictor came up with: proposed lines, rejected ones, and what it told besides.
#[derive(Debug)]
struct Got {
    proposed: Vec<String>,
    rejected: Vec<String>,
    remarks: napsim_sim::predictor::Remarks,
    usage: Usage,
}

fn exchange(change: impl FnOnce(&mut ExchangeSettings)) -> Arc<Exchange> {
    let millisecond = std::time::Duration::from_millis(1);
    let mut settings = ExchangeSettings {
        transport: TransportSettings {
            backoff_min: millisecond,
            backoff_max: millisecond,
            retries_max: 2,
            ..TransportSettings::default()
        },
        ..ExchangeSettings::default()
    };
    change(&mut settings);
    let (exchange, notes) = Exchange::open(settings, Stop::never()).unwrap();
    assert_eq!(notes, Vec::<String>::new());
    Arc::new(exchange)
}

fn llm(server: &TestServer, spec: &str, exchange: &Arc<Exchange>) -> Box<dyn Predictor> {
    let defaults = Defaults {
        remote: vec![("base_url", format!("{}/v1", server.url()))],
        ..Defaults::default()
    };
    let mut factory = PredictorFactory::parse(spec, defaults).unwrap();
    factory.ask_through(exchange, false);
    let mut predictor = factory.build();
    let head = TrajectoryHead {
        name: "test",
        sheet: "Data",
    };
    predictor.begin(head, Seed(0));
    predictor
}

fn actions(lines: &[&str]) -> Vec<Action> {
    lines.iter().map(|line| Action::parse(line).unwrap()).collect()
}

fn ask(predictor: &mut dyn Predictor, actions_max: Option<u32>) -> Result<Got, PredictError> {
    let history = actions(&["INPUT | Data!A1 | \"Region\"", "INPUT | Data!A2 | \"North\""]);
    predictor.observe(&history);
    let current = CurrentWorkbook::default();
    let view = View {
        history: &history,
        current: &current,
        user_steps: 2,
        call_idx: 0,
    };
    let mut out = Proposals::default();
    let usage = predictor.predict(view, Budget { actions_max }, &mut out)?;
    Ok(Got {
        proposed: out
            .actions()
            .iter()
            .map(|proposal| proposal.action.to_string())
            .collect(),
        rejected: out.rejected().iter().map(|rejected| rejected.text.clone()).collect(),
        remarks: out.remarks().cloned().unwrap_or_default(),
        usage,
    })
}

/// A server whose model always writes the same.
fn writing(text: &'static str) -> TestServer {
    TestServer::start(move |request| openai_answer(request, text))
}

fn failure(error: &PredictError) -> (&str, bool) {
    let PredictError::Unanswered(call) = error else {
        panic!("{error:?}");
    };
    (&call.kind, call.fatal)
}

#[test]
fn every_interface_proposes_the_same() {
    let server = writing("INPUT | A3 | \"South\"\nFONT_BOLD | A1 | true\n");
    let exchange = exchange(|_| {});
    for spec in [
        "local/m",
        "local/m?api=completion",
        "openai/m?api=responses",
        "anthropic/m",
        "openrouter/vendor/m",
        "ollama/m:1b",
        "azure/m",
    ] {
        let mut predictor = llm(&server, spec, &exchange);
        let got = match spec {
            // Without a key Azure cannot be asked, wherever it is.
            "azure/m" if std::env::var("AZURE_OPENAI_API_KEY").is_err() => {
                assert_eq!(
                    failure(&ask(predictor.as_mut(), None).unwrap_err()),
                    ("unauthorized", true)
                );
                continue;
            }
            _ => ask(predictor.as_mut(), None).unwrap(),
        };
        assert_eq!(
            got.proposed,
            ["INPUT | Data!A3 | \"South\"", "FONT_BOLD | Data!A1 | true"],
            "{spec}"
        );
        assert!(got.usage.input_tokens > 0 && got.usage.output_tokens > 0, "{spec}");
    }
}

#[test]
fn the_history_is_in_the_prompt_and_what_is_no_proposal_in_the_remarks() {
    let server = writing("Here it comes:\nINPUT | A3 | \"South\"\nINPUT | A4 | [1,\nSTOP\nINPUT | A5 | 1");
    let exchange = exchange(|_| {});
    let got = ask(
        llm(&server, "local/m?intent=true&sheet_view=cells", &exchange).as_mut(),
        Some(3),
    )
    .unwrap();
    assert_eq!(got.proposed, ["INPUT | Data!A3 | \"South\""]);
    assert_eq!(got.rejected, ["INPUT | Data!A4 | [1,"]);
    let dropped: Vec<_> = got.remarks.dropped.iter().map(|dropped| dropped.why.as_str()).collect();
    assert_eq!(dropped, ["no action", "after the stop word", "after the stop word"]);
    assert!(got.remarks.source.is_some_and(|key| key.len() == 64));
    let request = server.requests()[0].clone();
    let prompt = prompt_text(&request);
    for text in [
        "INPUT | A2 | \"North\"",
        "Active sheet: Data",
        "A1 | \"Region\"",
        "Intent:",
    ] {
        assert!(prompt.contains(text), "{text} in {prompt}");
    }
    assert!(request.header("authorization").is_empty());
}

#[test]
fn what_was_cut_off_is_not_taken_for_a_line() {
    let server = writing("INPUT | A3 | 12\nINPUT | A4 | 1234");
    let exchange = exchange(|_| {});
    let got = ask(llm(&server, "local/m?max_tokens=8", &exchange).as_mut(), None).unwrap();
    assert_eq!(got.proposed, ["INPUT | Data!A3 | 12"]);
    assert!(got.remarks.truncated && got.remarks.raw.is_some());
    assert_eq!(got.remarks.dropped[0].why, "cut off");
    let published = ask(
        llm(&server, "local/m?max_tokens=8&reading=published", &exchange).as_mut(),
        None,
    )
    .unwrap();
    assert_eq!(published.proposed.len(), 2);
}

#[test]
fn structured_answers_are_held_to_their_form() {
    let json = r#"{"actions": [{"type": "INPUT", "range": "A3", "value": "\"South\""}]}"#;
    let server = writing(json);
    let exchange = exchange(|_| {});
    let got = ask(llm(&server, "local/m?structured=true", &exchange).as_mut(), None).unwrap();
    assert_eq!(got.proposed, ["INPUT | Data!A3 | \"South\""]);
    assert_eq!(got.remarks.raw.as_deref(), Some(json));
    assert_eq!(server.requests()[0].json()["response_format"]["type"], "json_schema");
    let server = writing("no JSON");
    let error = ask(llm(&server, "local/m?structured=true", &exchange).as_mut(), None).unwrap_err();
    assert_eq!(failure(&error), ("invalid_json", true));
    assert!(matches!(&error, PredictError::Unanswered(call) if call.raw.as_deref() == Some("no JSON")));
}

#[test]
fn unlikely_lines_are_not_proposed() {
    let server = writing("INPUT | A3 | 12\nINPUT | A4 | 1234");
    let exchange = exchange(|_| {});
    // The tokens of the server have a mean probability of about exp(-0.25).
    for (confidence, n_proposed) in [("0.5", 2), ("0.9", 0)] {
        for api in ["chat", "completion"] {
            let spec = format!("local/m?api={api}&confidence={confidence}");
            let got = ask(llm(&server, &spec, &exchange).as_mut(), None).unwrap();
            assert_eq!(got.proposed.len(), n_proposed, "{spec}");
        }
    }
    assert_eq!(server.requests()[0].json()["logprobs"], true);
}

#[test]
fn a_completion_in_one_line_ends_with_it() {
    let server = writing("INPUT | A3 | 12");
    let exchange = exchange(|_| {});
    ask(llm(&server, "local/m?api=completion", &exchange).as_mut(), Some(1)).unwrap();
    ask(
        llm(&server, "local/m?api=completion&reading=published", &exchange).as_mut(),
        Some(1),
    )
    .unwrap();
    let bodies: Vec<_> = server.requests().iter().map(|request| request.json()).collect();
    assert_eq!(bodies[0]["stop"], serde_json::json!(["STOP", "\n"]));
    assert!(bodies[0]["prompt"].as_str().unwrap().ends_with("\"North\"\n"));
    assert_eq!(bodies[1]["stop"], serde_json::json!(["STOP"]));
    assert!(bodies[1]["prompt"].as_str().unwrap().ends_with("\"North\""));
}

#[test]
fn thoughts_are_no_proposals() {
    let server = writing("<think>\nINPUT | Z9 | 0\n</think>\nINPUT | A3 | 12");
    let got = ask(llm(&server, "local/m", &exchange(|_| {})).as_mut(), None).unwrap();
    assert_eq!(got.proposed, ["INPUT | Data!A3 | 12"]);
}

#[test]
fn answers_that_are_kept_are_not_asked_for_again() {
    let folder = tempfile::tempdir().unwrap();
    let server = writing("INPUT | A3 | 12");
    let keeping = || exchange(|settings| settings.cache = Some(folder.path().to_owned()));
    let first = ask(llm(&server, "local/m", &keeping()).as_mut(), None).unwrap();
    let again = keeping();
    let second = ask(llm(&server, "local/m", &again).as_mut(), None).unwrap();
    assert_eq!((&first.proposed, first.usage), (&second.proposed, second.usage));
    assert_eq!((server.n_requests(), again.spent().cached_calls), (1, 1));
    // Reading it otherwise asks nothing; asking otherwise does.
    ask(llm(&server, "local/m?reading=published", &again).as_mut(), None).unwrap();
    assert_eq!(server.n_requests(), 1);
    ask(llm(&server, "local/m?context=1", &again).as_mut(), None).unwrap();
    ask(llm(&server, "local/other", &again).as_mut(), None).unwrap();
    assert_eq!(server.n_requests(), 3);
}

#[test]
fn lanes_that_ask_the_same_at_once_ask_once() {
    let folder = tempfile::tempdir().unwrap();
    let n = std::sync::atomic::AtomicUsize::new(0);
    let server = TestServer::start(move |request| {
        let n = n.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        openai_answer(request, &format!("INPUT | A{} | 1", n + 3)).late(std::time::Duration::from_millis(50))
    });
    let exchange = exchange(|settings| settings.cache = Some(folder.path().to_owned()));
    let proposed: Vec<_> = std::thread::scope(|scope| {
        let lanes: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| ask(llm(&server, "local/m", &exchange).as_mut(), None).unwrap().proposed))
            .collect();
        lanes.into_iter().map(|lane| lane.join().unwrap()).collect()
    });
    assert!(
        proposed.iter().all(|lines| *lines == ["INPUT | Data!A3 | 1"]),
        "{proposed:?}"
    );
    assert_eq!(server.n_requests(), 1);
}

/// Answers with a finish reason and a content of one's own.
fn chat_reply(message: &serde_json::Value, finish: &str, reasoning: u64) -> Answer {
    let details = serde_json::json!({ "reasoning_tokens": reasoning });
    let usage = serde_json::json!({ "prompt_tokens": 9, "completion_tokens": 5, "completion_tokens_details": details });
    let choice = serde_json::json!({ "message": message, "finish_reason": finish });
    Answer::json(200, &serde_json::json!({ "choices": [choice], "usage": usage }))
}

#[test]
fn verdicts_are_kept_only_where_they_count_as_answers() {
    let folder = tempfile::tempdir().unwrap();
    let refusal = serde_json::json!({ "content": null, "refusal": "I cannot help with that." });
    let server = TestServer::start(move |_: &Request| chat_reply(&refusal, "stop", 0));
    let journal = folder.path().join("answers.jsonl");
    let asked = |goes_on: bool| {
        let exchange = exchange(|settings| settings.journal = Some(journal.clone()));
        let defaults = Defaults {
            remote: vec![("base_url", server.url())],
            ..Defaults::default()
        };
        let mut factory = PredictorFactory::parse("local/m", defaults).unwrap();
        factory.ask_through(&exchange, goes_on);
        let mut predictor = factory.build();
        let head = TrajectoryHead {
            name: "t",
            sheet: "Data",
        };
        predictor.begin(head, Seed(0));
        let error = ask(predictor.as_mut(), None).unwrap_err();
        let (kind, fatal) = failure(&error);
        assert_eq!((kind, fatal), ("refusal", !goes_on));
        server.n_requests()
    };
    assert_eq!((asked(false), asked(false)), (1, 2), "asked again");
    assert_eq!((asked(true), asked(true)), (3, 3), "kept");
    assert_eq!(asked(false), 4, "asked again");
}

#[test]
fn each_failure_has_its_kind_and_its_text() {
    let null = serde_json::json!({ "content": null });
    let empty = serde_json::json!({ "content": "" });
    type Case = (&'static str, usize, Box<dyn Fn(&Request) -> Answer + Send + Sync>);
    let error = |status: u16, message: &'static str| -> Box<dyn Fn(&Request) -> Answer + Send + Sync> {
        Box::new(move |_| Answer::json(status, &serde_json::json!({ "error": { "message": message } })))
    };
    let reply = |message: &serde_json::Value,
                 finish: &'static str,
                 reasoning|
     -> Box<dyn Fn(&Request) -> Answer + Send + Sync> {
        let message = message.clone();
        Box::new(move |_| chat_reply(&message, finish, reasoning))
    };
    let cases: Vec<Case> = vec![
        ("null_content", 3, reply(&null, "stop", 0)),
        ("content_filter", 1, reply(&empty, "content_filter", 0)),
        ("reasoning_exhausted", 1, reply(&empty, "length", 5)),
        ("truncated_empty", 1, reply(&empty, "length", 0)),
        (
            "context_too_long",
            1,
            error(400, "maximum context length is 8192 tokens"),
        ),
        (
            "content_filter",
            1,
            error(400, "blocked by our content management policy"),
        ),
        ("rejected", 1, error(422, "no such field")),
        ("unauthorized", 1, error(401, "bad key")),
        ("no_such_model", 1, error(404, "no such model")),
        ("quota_exceeded", 1, error(429, "insufficient_quota")),
        ("throttled", 3, error(429, "slow down")),
        ("server_error", 3, error(500, "oh")),
        ("malformed", 3, Box::new(|_| Answer::text(200, "<html>hello</html>"))),
    ];
    for (kind, n_requests, answer) in cases {
        let server = TestServer::start(answer);
        let error = ask(llm(&server, "local/m", &exchange(|_| {})).as_mut(), None).unwrap_err();
        assert_eq!(failure(&error), (kind, true));
        assert_eq!(server.n_requests(), n_requests, "{kind}");
    }
    let silent = TestServer::start(move |_: &Request| chat_reply(&empty, "stop", 0));
    assert!(
        ask(llm(&silent, "local/m", &exchange(|_| {})).as_mut(), None)
            .unwrap()
            .proposed
            .is_empty()
    );
}

#[test]
fn keys_that_a_server_repeats_are_masked_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let server = {
        let seen = Arc::clone(&seen);
        TestServer::start(move |request: &Request| {
            let authorization = request.header("authorization").to_owned();
            seen.lock().unwrap().push(authorization.clone());
            if request.idx == 0 {
                return openai_answer(request, &format!("INPUT | A3 | \"{authorization}\""));
            }
            Fault::EchoedKey.spoil(request, &openai_answer(request, ""))
        })
    };
    let variable = |name: &str| (name == "NAPSIM_API_KEY").then(|| "sk-canary-1234".to_owned());
    let url = server.url();
    let endpoint = Endpoint::new(Provider::Local, "m", Some(Api::Chat), Some(&url), &variable).unwrap();
    let exchange = exchange(|settings| {
        settings.cache = Some(folder.path().join("cache"));
        settings.journal = Some(folder.path().join("answers.jsonl"));
    });
    let ask = |text: &str| {
        let question = Question {
            prompt: Prompt::Text(text.to_owned()),
            generation: Generation::default(),
        };
        exchange.ask(Ask {
            endpoint: &endpoint,
            question: &question,
            repeat: 0,
            takes_verdicts: true,
            check: &|_| Ok(()),
        })
    };
    let answer = ask("first").unwrap();
    assert_eq!(answer.answer.text, "INPUT | A3 | \"Bearer ***\"");
    let error = ask("second").unwrap_err();
    exchange.finish(true).unwrap();
    let mut shown = format!("{error:?} {error} {endpoint:?} {exchange:?}");
    let mut folders = vec![folder.path().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                shown.push_str(&String::from_utf8_lossy(&std::fs::read(&path).unwrap()));
            }
        }
    }
    assert!(shown.contains("INPUT | A3"), "answers are kept");
    assert!(!shown.contains("canary"), "{shown}");
    assert!(
        seen.lock()
            .unwrap()
            .iter()
            .all(|header| header == "Bearer sk-canary-1234")
    );
}

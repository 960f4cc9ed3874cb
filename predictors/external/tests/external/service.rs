//! Predictors behind a service.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use napsim_external::{External, ExternalSettings, ExternalSetup};
use napsim_remote::Secret;
use napsim_sim::predictor::Predictor as _;
use napsim_test_server::{Answer, Request, TestServer};
use serde_json::{Value, json};

use crate::asking::{ask, ask_well, begin, history, settings, unanswered};
use crate::schema::{assert_is_from_predictor, assert_is_to_predictor};

/// A service that proposes the last action of each session again.
#[derive(Default)]
pub(crate) struct Echo {
    sessions: Mutex<BTreeMap<String, Vec<String>>>,
    wants: Value,
}

impl Echo {
    pub(crate) fn with_wants(wants: Value) -> Self {
        let sessions = Mutex::default();
        Self { sessions, wants }
    }

    /// Answers all questions of a request.
    pub(crate) fn answers(&self, request: &Request) -> Value {
        let messages = request.json();
        messages
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|message| self.answer(message))
            .collect()
    }

    fn answer(&self, message: &Value) -> Option<Value> {
        assert_is_to_predictor(message);
        let mut sessions = self.sessions.lock().unwrap();
        let name = message["session"].as_str().unwrap_or_default().to_owned();
        let id = &message["id"];
        let lines = |value: &Value| -> Vec<String> {
            value
                .as_array()
                .unwrap()
                .iter()
                .map(|line| line.as_str().unwrap().to_owned())
                .collect()
        };
        let answer = match message["type"].as_str().unwrap() {
            "hello" if self.wants.is_null() => {
                json!({"type": "hello", "id": id, "protocol": "napsim-predictor/1", "name": "echo"})
            }
            "hello" => {
                json!({"type": "hello", "id": id, "protocol": "napsim-predictor/1", "name": "echo", "wants": self.wants})
            }
            "begin" => {
                sessions.insert(name, Vec::new());
                json!({"type": "ready", "id": id})
            }
            "observe" => {
                let from = usize::try_from(message["from"].as_u64().unwrap()).unwrap();
                if let Some(known) = sessions.get_mut(&name) {
                    assert!(from <= known.len(), "{message}");
                    known.truncate(from);
                    known.extend(lines(&message["actions"]));
                }
                return None;
            }
            "predict" => {
                let Some(known) = sessions.get_mut(&name) else {
                    return Some(
                        json!({"type": "error", "id": id, "message": "who are you?", "kind": "unknown_session"}),
                    );
                };
                if message["history"].is_array() {
                    *known = lines(&message["history"]);
                }
                assert_eq!(message["n_history"], known.len(), "{message}");
                json!({"type": "prediction", "id": id, "actions": known.last().into_iter().collect::<Vec<_>>()})
            }
            "bye" => {
                sessions.remove(&name);
                return None;
            }
            _ => return None,
        };
        assert_is_from_predictor(&answer);
        Some(answer)
    }

    pub(crate) fn n_sessions(&self) -> usize {
        self.sessions.lock().unwrap().len()
    }

    pub(crate) fn forget(&self) {
        self.sessions.lock().unwrap().clear();
    }
}

pub(crate) fn setup(server: &TestServer, settings: ExternalSettings) -> ExternalSetup {
    ExternalSetup::service(&format!("{}/predict?key=canary-key", server.url()), None, settings).unwrap()
}

#[test]
fn two_sessions_at_once_are_kept_apart() {
    let echo = std::sync::Arc::new(Echo::default());
    let server = {
        let echo = std::sync::Arc::clone(&echo);
        TestServer::start(move |request| Answer::json(200, &echo.answers(request)))
    };
    let setup = setup(&server, settings());
    assert!(setup.is_service());
    assert_eq!(setup.name(), "echo");
    assert_eq!(setup.id(), format!("{}/predict?key=***", server.url()));
    assert_eq!(setup.fingerprint().0, format!("external/1 echo {}", setup.id()));
    let history = history(6);
    let mut lanes = [External::new(setup.clone()), External::new(setup.clone())];
    for trajectory in ["a", "b"] {
        for lane in &mut lanes {
            begin(lane, trajectory);
        }
        for n_actions in [1, 2, 6] {
            ask_well(&mut lanes[0], &history[..n_actions]);
            ask_well(&mut lanes[1], &history[..n_actions.div_ceil(2)]);
        }
    }
    assert_eq!(echo.n_sessions(), 2);
    drop(lanes);
    assert_eq!(echo.n_sessions(), 0);
    let activity = setup.activity();
    assert_eq!((activity.calls, activity.failures.len(), activity.retries), (12, 0, 0));
    // One request for hello, one for each call, one for each session that was left.
    assert_eq!(server.n_requests(), 1 + 12 + 4);
    let requests = server.requests();
    assert!(
        requests
            .iter()
            .all(|request| request.method == "POST" && request.path == "/predict?key=canary-key")
    );
}

#[test]
fn a_predictor_that_wants_everything_keeps_no_session() {
    let echo = Echo::with_wants(json!({"history": "all", "workbook": true, "feedback": true}));
    let server = TestServer::start(move |request| {
        echo.forget();
        Answer::json(200, &echo.answers(request))
    });
    let setup = setup(&server, settings());
    let mut external = External::new(setup);
    let history = history(3);
    begin(&mut external, "a");
    for n_actions in 0..=3 {
        if n_actions == 0 {
            assert!(ask(&mut external, &[]).unwrap().is_empty());
        } else {
            ask_well(&mut external, &history[..n_actions]);
        }
        external.withdrawn();
    }
    drop(external);
    assert_eq!(server.n_requests(), 1 + 4);
    let last = server.requests().pop().unwrap().json();
    let types: Vec<&str> = last
        .as_array()
        .unwrap()
        .iter()
        .map(|message| message["type"].as_str().unwrap())
        .collect();
    assert_eq!(types, ["begin", "withdrawn", "predict"]);
    assert_eq!(last[2]["history"].as_array().unwrap().len(), 3);
    assert_eq!(
        last[2]["workbook"]["worksheets"]["Sheet1"]["cells"]["A3"]["value"],
        "é 2"
    );
}

#[test]
fn tokens_are_sent_and_never_shown() {
    let token = Secret::new("canary-token").unwrap();
    let echo = Echo::default();
    let n_questions = AtomicUsize::new(0);
    let server = TestServer::start(move |request| {
        let shown = format!("you said {} to {}", request.header("authorization"), request.path);
        if request.body.contains("\"bye\"") {
            return Answer::text(200, "[]");
        }
        match n_questions.fetch_add(1, Ordering::SeqCst) {
            0 | 1 => Answer::json(200, &echo.answers(request)),
            2 => Answer::text(200, &shown),
            3 => Answer::text(401, &shown),
            4 => Answer::json(
                200,
                &json!([{"type": "error", "id": 1, "message": shown, "raw": shown}, {"type": "ready", "id": 2}]),
            ),
            _ => Answer::text(500, &shown),
        }
    });
    let url = format!("{}/predict?key=canary-key", server.url());
    let setup = ExternalSetup::service(&url, Some(token), settings()).unwrap();
    let mut external = External::new(setup.clone());
    let history = history(1);
    begin(&mut external, "a");
    ask_well(&mut external, &history);
    for kind in ["malformed", "unreachable", "reported", "unreachable"] {
        begin(&mut external, "b");
        let failure = unanswered(ask(&mut external, &history));
        assert_eq!(failure.kind, kind);
        assert!(!format!("{failure:?}").contains("canary"), "{failure:?}");
        assert!(
            failure.message.starts_with(&format!("ask {}: ", setup.id())),
            "{failure:?}"
        );
    }
    assert!(!format!("{setup:?} {external:?}").contains("canary"));
    let requests = server.requests();
    assert!(
        requests
            .iter()
            .all(|request| request.header("authorization") == "Bearer canary-token")
    );
    let refused = ExternalSetup::service(
        "http://example.org/x?key=canary-key",
        Secret::new("canary-token"),
        settings(),
    );
    let message = refused.unwrap_err().to_string();
    assert!(
        message.contains("http://example.org/x?key=***") && message.contains("https:"),
        "{message}"
    );
}

#[test]
fn services_that_are_not_there_are_refused() {
    let url = {
        let server = TestServer::start(|_| Answer::text(200, "[]"));
        server.url()
    };
    let message = ExternalSetup::service(&url, None, settings()).unwrap_err().to_string();
    assert!(message.contains("connect to"), "{message}");
    let cases = [
        (Answer::text(404, "not here"), "status 404: `not here`"),
        (Answer::text(200, "[]"), "expected 1 answers, got 0"),
        (
            Answer::text(200, "<html>"),
            "expected a JSON array of answers, got `<html>`",
        ),
        (
            Answer::json(200, &json!([{"type": "ready", "id": 1}])),
            "expected `hello`, got",
        ),
        (
            Answer::json(200, &json!([{"type": "ready", "id": 2}])),
            "expected an answer with id 1",
        ),
        (
            Answer::json(200, &json!([{"type": "error", "id": 1, "message": "busy"}])),
            "it reports: busy",
        ),
        (
            Answer::text(302, "").with_header("Location", "http://192.0.2.1/"),
            "sends us to http://192.0.2.1",
        ),
        (
            Answer::text(200, "").late(Duration::from_secs(100)),
            "no answer came within 0.2 s",
        ),
    ];
    for (answer, says) in cases {
        let server = TestServer::start(move |_| answer.clone());
        let short = ExternalSettings {
            start_timeout: if says.contains("0.2 s") {
                Duration::from_millis(200)
            } else {
                settings().start_timeout
            },
            ..settings()
        };
        let message = ExternalSetup::service(&server.url(), None, short)
            .unwrap_err()
            .to_string();
        assert!(message.contains(says), "expected {says:?} in {message}");
    }
}

//! Services that go wrong.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use napsim_external::{External, ExternalSettings, OnCrash};
use napsim_remote::transport::Stop;
use napsim_sim::predictor::PredictError;
use napsim_test_server::{Answer, Fault, TestServer};
use serde_json::{Value, json};

use crate::asking::{SOON, ask, ask_well, begin, history, settings, unanswered};
use crate::service::{Echo, setup};

#[test]
fn answers_that_are_lost_are_asked_for_again() {
    for fault in [Fault::Closed, Fault::ResetInBody, Fault::ResetBefore, Fault::Status503] {
        let echo = Echo::default();
        let server = TestServer::start(move |request| {
            // It has done its work, and the answer gets lost.
            let good = Answer::json(200, &echo.answers(request));
            if request.idx % 3 == 2 {
                fault.spoil(request, &good)
            } else {
                good
            }
        });
        let setup = setup(&server, settings());
        let mut external = External::new(setup.clone());
        let history = history(6);
        begin(&mut external, "a");
        for n_actions in 1..=6 {
            ask_well(&mut external, &history[..n_actions]);
        }
        let activity = setup.activity();
        assert!(activity.retries >= 2, "{fault:?}: {activity:?}");
        assert!(activity.failures.is_empty(), "{fault:?}: {activity:?}");
    }
}

/// A service that answers as told from the second request on, which is the first one of a trajectory.
fn spoilt(spoil: impl Fn(&Value) -> Answer + Send + Sync + 'static) -> TestServer {
    let echo = Echo::default();
    TestServer::start(move |request| {
        let good = echo.answers(request);
        if request.idx == 1 {
            spoil(&good)
        } else {
            Answer::json(200, &good)
        }
    })
}

fn changed(good: &Value, change: impl FnOnce(&mut Vec<Value>)) -> Answer {
    let mut answers = good.as_array().unwrap().clone();
    change(&mut answers);
    Answer::json(200, &Value::Array(answers))
}

#[test]
fn nonsense_costs_the_trajectory_and_no_other() {
    type Spoil = fn(&Value) -> Answer;
    let cases: [(&str, &str, Spoil); 9] = [
        ("malformed", "got `Loading…", |_| {
            Answer::text(200, &"Loading… ".repeat(100))
        }),
        ("malformed", "expected a JSON array", |good| Answer::json(200, &good[0])),
        ("malformed", "expected 2 answers, got 1", |good| {
            changed(good, |answers| {
                answers.pop();
            })
        }),
        ("malformed", "expected 2 answers, got 3", |good| {
            changed(good, |answers| answers.push(answers[1].clone()))
        }),
        (
            "out_of_turn",
            "expected an answer with id 1, got `prediction` with id 2",
            |good| changed(good, |answers| answers.reverse()),
        ),
        ("malformed", "expected `prediction`, got", |good| {
            changed(good, |answers| answers[1] = json!({"type": "ready", "id": 2}))
        }),
        ("malformed", "unknown field `x`", |good| {
            changed(good, |answers| answers[1]["x"] = json!(1))
        }),
        ("too_many_actions", "it holds 10001 actions", |good| {
            changed(good, |answers| answers[1]["actions"] = json!(vec!["x"; 10_001]))
        }),
        ("unreachable", "status 400: `what?`", |_| Answer::text(400, "what?")),
    ];
    let history = history(3);
    for (kind, says, spoil) in cases {
        let server = spoilt(spoil);
        let plain = setup(&server, settings());
        let mut external = External::new(plain.clone());
        begin(&mut external, "a");
        let failure = unanswered(ask(&mut external, &history));
        assert_eq!((failure.kind.as_str(), failure.fatal), (kind, true), "{failure:?}");
        assert!(failure.message.contains(says), "expected {says:?} in {failure:?}");
        begin(&mut external, "b");
        ask_well(&mut external, &history);
        assert_eq!(plain.activity().failures.values().sum::<u64>(), 1);

        let server = spoilt(spoil);
        let resuming = ExternalSettings {
            on_crash: OnCrash::Resume,
            ..settings()
        };
        let mut external = External::new(setup(&server, resuming));
        begin(&mut external, "a");
        let proposals = ask_well(&mut external, &history);
        assert!(proposals.remarks().unwrap().restarts[0].contains(says));
    }
}

#[test]
fn a_forgotten_session_is_begun_anew_where_that_is_wanted() {
    let echo = Arc::new(Echo::default());
    let server = {
        let echo = Arc::clone(&echo);
        TestServer::start(move |request| Answer::json(200, &echo.answers(request)))
    };
    let history = history(4);
    let mut failing = External::new(setup(&server, settings()));
    begin(&mut failing, "a");
    ask_well(&mut failing, &history[..2]);
    echo.forget();
    let failure = unanswered(ask(&mut failing, &history));
    assert_eq!((failure.kind.as_str(), failure.fatal), ("unknown_session", true));
    begin(&mut failing, "b");
    ask_well(&mut failing, &history);

    let settings = ExternalSettings {
        on_crash: OnCrash::Resume,
        ..settings()
    };
    let setup = setup(&server, settings);
    let mut resuming = External::new(setup.clone());
    begin(&mut resuming, "a");
    ask_well(&mut resuming, &history[..2]);
    echo.forget();
    let proposals = ask_well(&mut resuming, &history);
    assert!(proposals.remarks().unwrap().restarts[0].contains("who are you?"));
    assert_eq!(setup.activity().restarts, 1);
}

#[test]
fn errors_at_the_beginning_are_reported_and_asked_again() {
    let error = json!({"type": "error", "id": 1, "message": "no room", "kind": "full"});
    let server = spoilt(move |good| {
        changed(good, |answers| {
            answers[0] = error.clone();
            answers[1] = json!({"type": "error", "id": 2, "message": "no such session", "kind": "unknown_session"});
        })
    });
    let mut external = External::new(setup(&server, settings()));
    let history = history(3);
    begin(&mut external, "a");
    let failure = unanswered(ask(&mut external, &history));
    assert_eq!((failure.kind.as_str(), failure.fatal), ("reported/full", false));
    ask_well(&mut external, &history);
}

#[test]
fn every_fault_of_a_server_ends_and_is_named() {
    let kinds = ["timeout", "malformed", "too_long", "unreachable", "out_of_turn"];
    let history = history(3);
    std::thread::scope(|scope| {
        for faults in Fault::ALL.chunks(6) {
            let history = &history;
            scope.spawn(move || {
                for fault in faults {
                    let echo = Echo::default();
                    let is_well = Arc::new(AtomicBool::new(true));
                    let well = Arc::clone(&is_well);
                    let server = TestServer::start(move |request| {
                        let good = Answer::json(200, &echo.answers(request));
                        if well.load(Ordering::SeqCst) {
                            good
                        } else {
                            fault.spoil(request, &good)
                        }
                    });
                    let settings = ExternalSettings {
                        call_timeout: Duration::from_secs(3),
                        ..settings()
                    };
                    let setup = setup(&server, settings);
                    let mut external = External::new(setup.clone());
                    is_well.store(false, Ordering::SeqCst);
                    begin(&mut external, "a");
                    let began = Instant::now();
                    // What this server makes of an answer of a model may leave ours as it was.
                    if let Err(error) = ask(&mut external, history) {
                        let failure = unanswered(Err(error));
                        assert!(
                            kinds.contains(&failure.kind.as_str()) && failure.fatal,
                            "{fault:?}: {failure:?}"
                        );
                    } else {
                        assert_eq!(*fault, Fault::NullContent);
                    }
                    assert!(began.elapsed() < SOON, "{fault:?}: {:?}", began.elapsed());
                    is_well.store(true, Ordering::SeqCst);
                    begin(&mut external, "b");
                    ask_well(&mut external, history);
                }
            });
        }
    });
}

#[test]
fn a_stop_is_heeded_at_once() {
    let is_stopped = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&is_stopped);
    let echo = Echo::default();
    let server = TestServer::start(move |request| {
        let good = Answer::json(200, &echo.answers(request));
        if request.idx == 0 {
            good
        } else {
            good.late(Duration::from_secs(1_000))
        }
    });
    let settings = ExternalSettings {
        stop: Stop::new(move || asked.load(Ordering::SeqCst)),
        ..settings()
    };
    let mut external = External::new(setup(&server, settings));
    begin(&mut external, "a");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            is_stopped.store(true, Ordering::SeqCst);
        });
        match ask(&mut external, &history(1)) {
            Err(PredictError::Fatal(message)) => assert_eq!(message, "interrupted"),
            other => panic!("{other:?}"),
        }
    });
}

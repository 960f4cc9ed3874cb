//! Whole rollouts against a server that fails as told: no prediction is lost, doubled or taken for an empty one.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use napsim_predictors::PredictorFactory;
use napsim_predictors::registry::Defaults;
use napsim_remote::transport::{Stop, TransportSettings};
use napsim_remote::{Exchange, ExchangeSettings, NoAnswerKind};
use napsim_sim::event::{Event, Outcome};
use napsim_sim::policy::{AcceptancePolicy, Evidence, Verdict};
use napsim_sim::protocol::Protocol;
use napsim_sim::rollout::{Task, rollout};
use napsim_sim::settings::Settings;
use napsim_test_server::{Answer, FaultPlan, Request, TestServer, openai_answer, prompt_text};
use napsim_trajectories::{Action, Corpus};

/// Takes what saves something.
struct Greedy;

impl AcceptancePolicy for Greedy {
    fn id(&self) -> &str {
        "greedy"
    }

    fn decide(&self, evidence: &Evidence) -> Verdict {
        Verdict {
            accepted: evidence.saved > 0,
            checks: Vec::new(),
        }
    }
}

/// A model that answers with one of the lines that it sees, or with nothing.
fn good_answer(request: &Request) -> Answer {
    let prompt = prompt_text(request);
    let mut lines: Vec<&str> = prompt.lines().filter(|line| line.contains(" | ")).collect();
    let last = lines.pop().unwrap_or_default();
    let text = match prompt.len() % 5 {
        0 => "",
        1 | 2 => last,
        _ => lines.pop().unwrap_or_default(),
    };
    openai_answer(request, text)
}

/// What a server has done.
#[derive(Default)]
struct Log {
    /// Good answers by request body.
    answered: Mutex<BTreeMap<String, usize>>,
    n_faults: AtomicU64,
    n_requests: AtomicU64,
}

fn server(plan: Option<FaultPlan>, log: &Arc<Log>) -> TestServer {
    let log = Arc::clone(log);
    TestServer::start(move |request| {
        let n = log.n_requests.fetch_add(1, Ordering::SeqCst);
        let good = good_answer(request);
        match plan.as_ref().and_then(|plan| plan.fault(n)) {
            Some(fault) => {
                log.n_faults.fetch_add(1, Ordering::SeqCst);
                fault.spoil(request, &good)
            }
            None => {
                if let Ok(mut answered) = log.answered.lock() {
                    *answered.entry(request.body.clone()).or_default() += 1;
                }
                good
            }
        }
    })
}

/// One sitting: the rollout as far as it gets, with the answers that earlier sittings have kept.
#[expect(clippy::unwrap_used, reason = "a test that cannot begin has failed")]
fn sitting(name: &str, actions: &[Action], server: &TestServer, journal: &Path) -> (Vec<Event>, Outcome) {
    let millisecond = Duration::from_millis(1);
    let settings = ExchangeSettings {
        transport: TransportSettings {
            timeout: 200 * millisecond,
            chunk_timeout: 100 * millisecond,
            backoff_min: millisecond,
            backoff_max: millisecond,
            retry_after_max: 10 * millisecond,
            retries_max: 1,
            malformed_retries_max: 1,
            body_bytes_max: 1 << 20,
            ..TransportSettings::default()
        },
        journal: Some(journal.to_owned()),
        ..ExchangeSettings::default()
    };
    let (exchange, _) = Exchange::open(settings, Stop::never()).unwrap();
    let exchange = Arc::new(exchange);
    let defaults = Defaults {
        remote: vec![("base_url", server.url())],
        ..Defaults::default()
    };
    let mut factory = PredictorFactory::parse("local/m", defaults).unwrap();
    factory.ask_through(&exchange, false);
    let task = Task {
        name,
        actions,
        policy: &Greedy,
        protocol: &Protocol::NAPE_1,
        settings: &Settings::single(),
    };
    let mut events = Vec::new();
    let summary = rollout(task, factory.build().as_mut(), &mut events);
    exchange.finish(true).unwrap();
    (events, summary.outcome)
}

/// The events without the keys of answers, which the port of the server is part of.
fn without_sources(mut events: Vec<Event>) -> Vec<Event> {
    for event in &mut events {
        let remarks = match event {
            Event::Empty(call) => &mut call.remarks,
            Event::Prediction(prediction) => &mut prediction.remarks,
            _ => continue,
        };
        *remarks = remarks.take().and_then(|mut remarks| {
            remarks.source = None;
            Some(remarks).filter(|remarks| **remarks != Default::default())
        });
    }
    events
}

/// Goes on until the rollout is complete, and checks that every sitting went the way of the clean one as far as it got.
#[expect(clippy::unwrap_used, reason = "a test that cannot begin has failed")]
fn until_complete(name: &str, actions: &[Action], clean: &[Event], server: &TestServer) -> BTreeMap<String, u64> {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("answers.jsonl");
    let mut kinds = BTreeMap::new();
    for _ in 0..2_000 {
        let (events, outcome) = sitting(name, actions, server, &journal);
        let events = without_sources(events);
        if outcome != Outcome::Failed {
            assert_eq!(events, clean, "{name}");
            return kinds;
        }
        let [before @ .., Event::Error(call), Event::End(_)] = events.as_slice() else {
            panic!("{name}: {:?}", events.last());
        };
        assert!(
            clean.starts_with(before),
            "{name}: it went another way before its failure"
        );
        assert!(call.fatal, "{name}: {call:?}");
        let kind = call.kind.clone().unwrap();
        assert!(NoAnswerKind::from_name(&kind).is_some(), "{kind}");
        *kinds.entry(kind).or_default() += 1;
    }
    panic!("{name} never comes to its end");
}

#[test]
fn rollouts_under_faults_are_those_without() {
    let n_wanted: u64 = std::env::var("NAPSIM_FAULTS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(1_000);
    let corpus = Corpus::embedded().unwrap();
    let trajectories: Vec<(String, Vec<Action>)> = corpus
        .trajectories
        .into_iter()
        .take(8)
        .map(|trajectory| (trajectory.name, trajectory.actions.into_iter().take(30).collect()))
        .collect();
    let clean_server = server(None, &Arc::default());
    let clean: Vec<Vec<Event>> = trajectories
        .iter()
        .map(|(name, actions)| {
            let folder = tempfile::tempdir().unwrap();
            let (events, outcome) = sitting(name, actions, &clean_server, &folder.path().join("answers.jsonl"));
            assert_ne!(outcome, Outcome::Failed);
            without_sources(events)
        })
        .collect();
    let n_predictions = clean
        .iter()
        .flatten()
        .filter(|event| matches!(event, Event::Prediction(_)))
        .count();
    let n_empty = clean
        .iter()
        .flatten()
        .filter(|event| matches!(event, Event::Empty(_)))
        .count();
    assert!(
        n_predictions > 50 && n_empty > 20,
        "{n_predictions} predictions, {n_empty} without a suggestion"
    );
    let (mut n_faults, mut kinds) = (0, BTreeMap::<String, u64>::new());
    for seed in 0.. {
        let log = Arc::<Log>::default();
        let server = server(Some(FaultPlan::new(seed, 0.6)), &log);
        std::thread::scope(|scope| {
            let lanes: Vec<_> = trajectories
                .iter()
                .zip(&clean)
                .map(|((name, actions), clean)| scope.spawn(|| until_complete(name, actions, clean, &server)))
                .collect();
            for lane in lanes {
                for (kind, n) in lane.join().unwrap() {
                    *kinds.entry(kind).or_default() += n;
                }
            }
        });
        let answered = log.answered.lock().unwrap();
        let twice: Vec<_> = answered.iter().filter(|(_, n)| **n > 1).collect();
        // A question may belong to two trajectories that begin alike; each has its own journal here.
        assert!(
            twice.len() <= trajectories.len(),
            "{} questions were answered twice",
            twice.len()
        );
        n_faults += log.n_faults.load(Ordering::SeqCst);
        if n_faults >= n_wanted {
            break;
        }
    }
    assert!(kinds.len() >= 8, "{kinds:?}");
    let told: Vec<String> = kinds.iter().map(|(kind, n)| format!("{n} {kind}")).collect();
    eprintln!("{n_faults} faults, unresolved: {}", told.join(", "));
}

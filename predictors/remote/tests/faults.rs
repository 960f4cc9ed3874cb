//! Thousands of faults, chosen by seed: each ends as it should, after as many requests as it should take, and no call is
//! lost, doubled, or answered without an answer.
//!
//! `NAPSIM_FAULTS=10000 cargo test --release -p napsim-remote --test faults -- --nocapture` prints the table of outcomes.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot be set up has failed"
)]

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use napsim_remote::transport::{Judgement, Post, Reply, Stop, Transport, TransportError, TransportSettings};
use napsim_test_server::{Fault, FaultPlan, Request, TestServer, openai_answer};
use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};

const SEED: u64 = 20_260_101;
const KEY: &str = "sk-canary-0123456789";
const RETRIES_MAX: u32 = 2;
const MALFORMED_RETRIES_MAX: u32 = 1;
const BODY_BYTES_MAX: u64 = 1 << 20;

/// A transport has few lanes, so that throttling in one call holds up few others.
const TRANSPORTS: u64 = 16;
const LANES_PER_TRANSPORT: u64 = 4;

/// What a fault is to lead to, if it happens in every attempt.
#[derive(Clone, Copy, Debug)]
enum Fate {
    /// This outcome, after the first attempt.
    Final(&'static str),
    /// This error, after all retries.
    Retried(&'static str),
    /// This error, after the fewer retries of answers that make no sense.
    Malformed(&'static str),
}

fn fate(fault: Fault) -> Fate {
    match fault {
        Fault::Throttled | Fault::ThrottledSeconds | Fault::ThrottledDate | Fault::Status529 => {
            Fate::Retried("throttled")
        }
        Fault::ThrottledAbsurd => Fate::Final("throttled"),
        Fault::Status500
        | Fault::Status501
        | Fault::Status502
        | Fault::Status503
        | Fault::Status504
        | Fault::EchoedKeyByFailure => Fate::Retried("server"),
        Fault::ResetBefore
        | Fault::ResetInHead
        | Fault::ResetInBody
        | Fault::Closed
        | Fault::NotHttp
        | Fault::ShortBody
        | Fault::BrokenChunk
        | Fault::LostChunk
        | Fault::GzipCut => Fate::Retried("interrupted"),
        Fault::SlowHead | Fault::SlowBody | Fault::Stalled | Fault::Silent | Fault::EndlessEvents => {
            Fate::Retried("timed out")
        }
        Fault::JsonCut | Fault::JsonArray | Fault::JsonFields | Fault::HtmlPage | Fault::Empty | Fault::NullContent => {
            Fate::Malformed("malformed")
        }
        Fault::NotUtf8 => Fate::Malformed("not text"),
        Fault::HugeBody | Fault::HugeChunks | Fault::GzipBomb | Fault::EndlessChunks => Fate::Final("too large"),
        Fault::UnknownEncoding => Fate::Final("encoding"),
        Fault::Redirect301 | Fault::Redirect302 | Fault::Redirect307 | Fault::Redirect308 | Fault::RedirectToFile => {
            Fate::Final("redirected")
        }
        Fault::EchoedKey => Fate::Final("status 401"),
    }
}

/// One call: its number, what goes wrong with it, and in how many of its attempts.
#[derive(Clone, Copy, Debug)]
struct Planned {
    idx: u64,
    fault: Option<Fault>,
    n_spoilt: u32,
}

impl Planned {
    fn new(plan: &FaultPlan, idx: u64) -> Self {
        let fault = plan.fault(idx);
        let n_spoilt = if fault.is_some() {
            1 + u32::try_from(idx % 3).unwrap()
        } else {
            0
        };
        Self { idx, fault, n_spoilt }
    }

    /// The outcome that it must have, and the number of requests for it.
    fn expected(&self) -> (&'static str, u32) {
        let after = |retries_max: u32, error| match self.n_spoilt <= retries_max {
            true => ("answered", self.n_spoilt + 1),
            false => (error, retries_max + 1),
        };
        match self.fault.map(fate) {
            None => ("answered", 1),
            Some(Fate::Final(outcome)) => (outcome, 1),
            Some(Fate::Retried(error)) => after(RETRIES_MAX, error),
            Some(Fate::Malformed(error)) => after(MALFORMED_RETRIES_MAX, error),
        }
    }

    /// How many faults it gets to see.
    fn n_faults(&self) -> u32 {
        self.n_spoilt.min(self.expected().1)
    }
}

fn outcome(result: &Result<Reply, TransportError>, idx: u64) -> &'static str {
    match result {
        Ok(reply) if reply.status == 401 => "status 401",
        Ok(reply) if content(&reply.body) == Some(answer_text(idx)) => "answered",
        Ok(_) => "answered without an answer",
        Err(TransportError::Unreachable { .. }) => "unreachable",
        Err(TransportError::Interrupted { .. }) => "interrupted",
        Err(TransportError::TimedOut { .. }) => "timed out",
        Err(TransportError::TooLarge { .. }) => "too large",
        Err(TransportError::NotText { .. }) => "not text",
        Err(TransportError::Encoding { .. }) => "encoding",
        Err(TransportError::Redirected { .. }) => "redirected",
        Err(TransportError::Throttled { .. }) => "throttled",
        Err(TransportError::Server { .. }) => "server",
        Err(TransportError::Malformed { .. }) => "malformed",
        Err(_) => "another error",
    }
}

fn answer_text(idx: u64) -> String {
    format!("the answer to call {idx}")
}

fn content(body: &str) -> Option<String> {
    let value: serde_json::Value = serde_json::from_str(body).ok()?;
    Some(value.pointer("/choices/0/message/content")?.as_str()?.to_owned())
}

fn judge(reply: &Reply) -> Judgement {
    match reply.is_success() && content(&reply.body).is_none() {
        true => Judgement::malformed("it holds no text"),
        false => Judgement::of_status(reply.status),
    }
}

fn call_idx(request: &Request) -> u64 {
    request.header("x-call").parse().expect("every request names its call")
}

fn start_server(plan: FaultPlan, n_requests: Arc<Mutex<BTreeMap<u64, u32>>>) -> TestServer {
    TestServer::start(move |request| {
        let planned = Planned::new(&plan, call_idx(request));
        let attempt = {
            let mut n_requests = n_requests.lock().unwrap();
            let n_requests = n_requests.entry(planned.idx).or_default();
            *n_requests += 1;
            *n_requests
        };
        let good = openai_answer(request, &answer_text(planned.idx));
        match planned.fault.filter(|_| attempt <= planned.n_spoilt) {
            Some(fault) => fault.spoil(request, &good),
            None => good,
        }
    })
}

fn post(url: &Url, idx: u64) -> Post {
    let mut key = HeaderValue::from_str(&format!("Bearer {KEY}")).unwrap();
    key.set_sensitive(true);
    let call = HeaderName::from_static("x-call");
    Post {
        url: url.clone(),
        headers: HeaderMap::from_iter([(AUTHORIZATION, key), (call, HeaderValue::from(idx))]),
        body: serde_json::json!({"messages": [{"role": "user", "content": format!("call {idx}")}]}).to_string(),
        tokens: 10,
    }
}

fn transport() -> Transport {
    let settings = TransportSettings {
        // Long enough for a good answer on a machine that has much else to do.
        timeout: Duration::from_millis(1_500),
        chunk_timeout: Duration::from_millis(700),
        body_bytes_max: BODY_BYTES_MAX,
        retries_max: RETRIES_MAX,
        malformed_retries_max: MALFORMED_RETRIES_MAX,
        backoff_min: Duration::from_millis(1),
        backoff_max: Duration::from_millis(4),
        ..TransportSettings::default()
    };
    Transport::new(settings, Stop::never()).unwrap()
}

/// The calls that see at least so many faults together.
fn planned(plan: &FaultPlan, n_faults_min: u64) -> Vec<Planned> {
    let mut n_faults = 0;
    let mut calls = Vec::new();
    while n_faults < n_faults_min {
        let call = Planned::new(plan, calls.len() as u64);
        n_faults += u64::from(call.n_faults());
        calls.push(call);
    }
    calls
}

/// Makes all calls, in many lanes.
fn call_all(server: &TestServer, calls: &[Planned]) -> Vec<(Planned, Result<Reply, TransportError>)> {
    let url: Url = format!("{}/v1/chat/completions", server.url()).parse().unwrap();
    let next = AtomicU64::new(0);
    let results = Mutex::new(Vec::new());
    let transports: Vec<Transport> = (0..TRANSPORTS).map(|_| transport()).collect();
    thread::scope(|scope| {
        let lanes = transports
            .iter()
            .flat_map(|transport| (0..LANES_PER_TRANSPORT).map(move |_| transport));
        for transport in lanes {
            scope.spawn(|| {
                while let Some(call) = calls.get(usize::try_from(next.fetch_add(1, Ordering::SeqCst)).unwrap()) {
                    let result = transport.post(&post(&url, call.idx), &judge);
                    results.lock().unwrap().push((*call, result));
                }
            });
        }
    });
    for transport in &transports {
        let activity = transport.activity();
        assert_eq!(
            (
                activity.in_flight,
                activity.waiting_for_limits,
                activity.waiting_for_retries
            ),
            (0, 0, 0)
        );
        assert!(activity.concurrency_limit >= 1);
    }
    let n_sent: u64 = transports.iter().map(|transport| transport.activity().requests).sum();
    assert_eq!(n_sent, server.n_requests() as u64);
    results.into_inner().unwrap()
}

#[test]
fn every_fault_ends_as_it_should() {
    let n_faults_min = std::env::var("NAPSIM_FAULTS").map_or(1_000, |text| text.parse().expect("a number of faults"));
    let plan = FaultPlan::new(SEED, 0.95);
    let calls = planned(&plan, n_faults_min);
    let n_requests = Arc::new(Mutex::new(BTreeMap::new()));
    let server = start_server(plan, Arc::clone(&n_requests));
    let mut results = call_all(&server, &calls);
    results.sort_by_key(|(call, _)| call.idx);

    let made: Vec<u64> = results.iter().map(|(call, _)| call.idx).collect();
    assert_eq!(made, (0..calls.len() as u64).collect::<Vec<_>>(), "each call ends once");
    let n_requests = n_requests.lock().unwrap();
    let mut table: BTreeMap<String, BTreeMap<&str, u32>> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (call, result) in &results {
        let ended = (
            outcome(result, call.idx),
            n_requests.get(&call.idx).copied().unwrap_or(0),
        );
        let fault = call
            .fault
            .map_or_else(|| "none".to_owned(), |fault| format!("{fault:?}"));
        *table.entry(fault).or_default().entry(ended.0).or_default() += 1;
        if ended != call.expected() {
            wrong.push(format!(
                "{call:?}: {ended:?}, expected {:?} ({result:?})",
                call.expected()
            ));
        }
        if let Err(error) = result {
            let texts = format!("{error} {error:?}");
            assert!(!texts.contains("canary-0123"), "{texts}");
        }
    }
    let n_faults: u64 = calls.iter().map(|call| u64::from(call.n_faults())).sum();
    println!(
        "{} calls, {n_faults} faults, {} requests",
        calls.len(),
        server.n_requests()
    );
    for (fault, outcomes) in &table {
        println!("{fault:20} {outcomes:?}");
    }
    assert_eq!(wrong, Vec::<String>::new());
    if n_faults >= 1_000 {
        assert_eq!(table.len(), Fault::ALL.len() + 1, "every fault happened");
    }
}

//! The transport against servers on this machine.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex};
use std::thread;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use napsim_remote::transport::{Judgement, Post, Reply, Stop, Transport, TransportError, TransportSettings};
use napsim_test_server::{Answer, TestServer};
use reqwest::header::{ACCEPT_ENCODING, AUTHORIZATION, HeaderMap, HeaderValue};

/// Waits as short as tests like them.
fn settings() -> TransportSettings {
    TransportSettings {
        timeout: Duration::from_secs(60),
        backoff_min: Duration::from_millis(1),
        backoff_max: Duration::from_millis(4),
        ..TransportSettings::default()
    }
}

fn transport(settings: TransportSettings) -> Transport {
    Transport::new(settings, Stop::never()).unwrap()
}

fn post(url: &str, body: &str) -> Post {
    Post {
        url: url.parse().unwrap(),
        headers: HeaderMap::new(),
        body: body.to_owned(),
        tokens: 1,
    }
}

fn by_status(reply: &Reply) -> Judgement {
    Judgement::of_status(reply.status)
}

#[test]
fn requests_arrive_as_they_were_meant() {
    let server = TestServer::start(|_| Answer::text(200, "good"));
    let transport = transport(settings());
    let body = format!("{{\"prompt\": \"{}\"}}", "grün ".repeat(100_000));
    let mut request = post(&format!("{}/v1/x?api-version=1", server.url()), &body);
    request
        .headers
        .insert(AUTHORIZATION, HeaderValue::from_static("Bearer key"));
    request.headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("br"));
    assert_eq!(transport.post(&request, &by_status).unwrap().body, "good");
    let seen = server.requests();
    let seen = seen.first().unwrap();
    assert_eq!(
        (seen.method.as_str(), seen.path.as_str()),
        ("POST", "/v1/x?api-version=1")
    );
    assert_eq!(seen.body, body);
    assert_eq!(seen.header("authorization"), "Bearer key");
    assert_eq!(seen.header("accept-encoding"), "identity");
    assert_eq!(seen.header("content-type"), "application/json");
    assert!(seen.header("user-agent").starts_with("napsim/"), "{seen:?}");
}

#[test]
fn connections_are_used_again() {
    let server = TestServer::start(|request| Answer::text(200 + 200 * (request.idx % 2) as u16, "good"));
    let transport = transport(settings());
    for idx in 0..100 {
        let status = transport.post(&post(&server.url(), "{}"), &by_status).unwrap().status;
        assert_eq!(status, 200 + 200 * (idx % 2));
    }
    // A connection is free for the next request a moment after its answer was read; who is faster opens another one.
    println!("{} connections", server.n_connections());
    assert!(server.n_connections() < 20, "{}", server.n_connections());
}

#[test]
fn every_lane_gets_its_own_answers() {
    let server = TestServer::start(|request| match request.idx % 10 {
        3 => Answer::text(429, "slow down").with_header("Retry-After", "0.001"),
        5 => Answer::text(500, "sorry"),
        7 => Answer::Script(Vec::new()),
        _ => Answer::text(200, &request.body),
    });
    let settings = TransportSettings {
        retries_max: 100,
        ..settings()
    };
    let transport = transport(settings);
    thread::scope(|scope| {
        for lane in 0..52 {
            let (transport, server) = (&transport, &server);
            scope.spawn(move || {
                for idx in 0..20 {
                    let body = format!("{lane} {idx}");
                    let reply = transport.post(&post(&server.url(), &body), &by_status).unwrap();
                    assert_eq!(reply, Reply { status: 200, body });
                }
            });
        }
    });
    let activity = transport.activity();
    assert_eq!(activity.requests, 52 * 20 + activity.retries());
    assert_eq!(activity.requests, server.n_requests() as u64);
    let n_answers =
        activity.requests - activity.retries_throttled - activity.retries_server - activity.retries_connection;
    assert_eq!(n_answers, 52 * 20);
    println!("{} connections", server.n_connections());
    assert!(
        server.n_connections() <= 64 + activity.retries_connection,
        "{}",
        server.n_connections()
    );
}

#[test]
fn packed_answers_are_unpacked() {
    let text = "an answer ".repeat(1_000);
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    let body = encoder.finish().unwrap();
    let server = TestServer::start(move |_| Answer::Whole {
        status: 200,
        headers: vec![("Content-Encoding".to_owned(), "gzip".to_owned())],
        body: body.clone(),
    });
    let transport = transport(settings());
    assert_eq!(
        transport.post(&post(&server.url(), "{}"), &by_status).unwrap().body,
        text
    );
}

#[test]
fn nothing_is_sent_where_an_answer_sends_us() {
    let elsewhere = TestServer::start(|_| Answer::text(200, "from elsewhere"));
    let to = format!("{}/canary?canary", elsewhere.url());
    let server = TestServer::start(move |request| {
        let status = request.path.trim_start_matches('/').parse().unwrap_or(302);
        Answer::text(status, "elsewhere").with_header("Location", to.clone())
    });
    let transport = transport(settings());
    for status in [300, 301, 302, 303, 307, 308] {
        let error = transport
            .post(&post(&format!("{}/{status}", server.url()), "{}"), &by_status)
            .unwrap_err();
        let expected = TransportError::Redirected {
            host: server.url(),
            to_host: elsewhere.url(),
        };
        assert_eq!(error, expected);
    }
    assert_eq!((server.n_requests(), elsewhere.n_requests()), (6, 0));
    assert_eq!(elsewhere.n_connections(), 0);
}

#[test]
fn late_answers_are_nobodys() {
    let server = TestServer::start(|request| {
        let answer = Answer::text(200, &format!("{} by request {}", request.body, request.idx));
        match request.idx % 2 {
            0 => answer.late(Duration::from_millis(900)),
            _ => answer,
        }
    });
    let settings = TransportSettings {
        timeout: Duration::from_millis(600),
        ..settings()
    };
    let transport = transport(settings);
    for idx in 0..4 {
        let body = format!("call {idx}");
        let reply = transport.post(&post(&server.url(), &body), &by_status).unwrap();
        assert_eq!(reply.body, format!("call {idx} by request {}", 2 * idx + 1));
    }
    assert_eq!(server.n_requests(), 8);
    assert_eq!(transport.activity().retries_timed_out, 4);
}

#[test]
fn throttling_is_outlasted_and_forgotten() {
    // Throttles whatever exceeds three at once, and everything for a while.
    let n_in_flight = AtomicUsize::new(0);
    let server = TestServer::start(move |request| {
        let n_before = n_in_flight.fetch_add(1, Ordering::SeqCst);
        if (100..200).contains(&request.idx) || n_before >= 3 {
            n_in_flight.fetch_sub(1, Ordering::SeqCst);
            return Answer::text(429, "slow down");
        }
        thread::sleep(Duration::from_millis(2));
        n_in_flight.fetch_sub(1, Ordering::SeqCst);
        Answer::text(200, &request.body)
    });
    let settings = TransportSettings {
        retries_max: 10_000,
        ..settings()
    };
    let transport = transport(settings);
    let done = Mutex::new(BTreeSet::new());
    thread::scope(|scope| {
        for lane in 0..16 {
            let (transport, server, done) = (&transport, &server, &done);
            scope.spawn(move || {
                for idx in 0..50 {
                    let body = format!("{lane} {idx}");
                    let reply = transport.post(&post(&server.url(), &body), &by_status).unwrap();
                    assert_eq!((reply.status, &reply.body), (200, &body));
                    assert!(done.lock().unwrap().insert(body));
                    assert!(transport.activity().concurrency_limit >= 1);
                }
            });
        }
    });
    assert_eq!(done.lock().unwrap().len(), 16 * 50);
    let activity = transport.activity();
    assert!(activity.retries_throttled >= 100, "{activity:?}");
    assert!(activity.concurrency_limit < 16, "{activity:?}");
}

#[test]
fn servers_that_are_not_there_are_named_without_secrets() {
    let port = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().port()
    };
    let transport = transport(settings());
    let url = format!("http://user:canary@127.0.0.1:{port}/canary?key=canary");
    let error = transport.post(&post(&url, "{}"), &by_status).unwrap_err();
    let text = format!("{error} {error:?}");
    assert!(!text.contains("canary"), "{text}");
    assert!(
        text.starts_with(&format!("connect to http://127.0.0.1:{port}: ")),
        "{text}"
    );
    // A server that was never reached is given up sooner than one that was.
    assert_eq!(transport.activity().retries_connection, 2);
}

#[test]
fn a_judge_that_panics_leaves_nothing_behind() {
    let server = TestServer::start(|_| Answer::text(200, "good"));
    let transport = transport(TransportSettings {
        connections_max: 1,
        ..settings()
    });
    let request = post(&server.url(), "{}");
    let result = catch_unwind(AssertUnwindSafe(|| transport.post(&request, &|_| panic!("a judge"))));
    assert!(result.is_err());
    assert_eq!(transport.post(&request, &by_status).unwrap().body, "good");
    assert_eq!(transport.activity().in_flight, 0);
}

#[test]
fn as_many_lanes_as_there_are_work_side_by_side() {
    // The server answers when all sixteen are there, and never before.
    let all = Arc::new(Barrier::new(16));
    let server = TestServer::start(move |_| {
        all.wait();
        Answer::text(200, "good")
    });
    let transport = transport(settings());
    thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| transport.post(&post(&server.url(), "{}"), &by_status).unwrap());
        }
    });
    assert_eq!(transport.activity().requests, 16);
}

#[test]
fn encrypted_addresses_are_spoken_to_in_tls() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}/", listener.local_addr().unwrap());
    let first_byte = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        byte[0]
    });
    let transport = transport(TransportSettings {
        retries_max: 0,
        ..settings()
    });
    match transport.post(&post(&url, "{}"), &by_status) {
        // The first byte of a TLS handshake.
        Err(TransportError::Unreachable { .. }) => assert_eq!(first_byte.join().unwrap(), 0x16),
        // A system without certificates.
        Err(TransportError::Client { .. }) => {}
        result => panic!("{result:?}"),
    }
}

//! Calls end soon after a stop, whatever they wait for.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use napsim_remote::transport::{Judgement, Post, Reply, Stop, Transport, TransportError, TransportSettings};
use napsim_test_server::{Answer, TestServer};
use reqwest::header::HeaderMap;

fn post(url: &str) -> Post {
    Post {
        url: url.parse().unwrap(),
        headers: HeaderMap::new(),
        body: "{}".to_owned(),
        tokens: 1,
    }
}

fn by_status(reply: &Reply) -> Judgement {
    Judgement::of_status(reply.status)
}

/// Stops a call once the server has seen its request, or once `is_waiting` says that it waits.
fn stopped(settings: TransportSettings, answer: fn() -> Answer, is_waiting: fn(&Transport, &TestServer) -> bool) {
    let server = TestServer::start(move |_| answer());
    let asked = Arc::new(AtomicBool::new(false));
    let stop = {
        let asked = Arc::clone(&asked);
        Stop::new(move || asked.load(Ordering::SeqCst))
    };
    let transport = Transport::new(settings, stop).unwrap();
    thread::scope(|scope| {
        let lanes: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| transport.post(&post(&server.url()), &by_status)))
            .collect();
        let deadline = Instant::now() + Duration::from_secs(60);
        while !is_waiting(&transport, &server) {
            assert!(Instant::now() < deadline, "{transport:?}");
            thread::yield_now();
        }
        let since = Instant::now();
        asked.store(true, Ordering::SeqCst);
        for lane in lanes {
            assert_eq!(lane.join().unwrap(), Err(TransportError::Stopped));
        }
        // It takes less than a second; this one is for machines that have much else to do.
        assert!(since.elapsed() < Duration::from_secs(20));
    });
    let n_requests = server.n_requests();
    assert_eq!(
        transport.post(&post(&server.url()), &by_status),
        Err(TransportError::Stopped)
    );
    assert_eq!(server.n_requests(), n_requests);
}

#[test]
fn calls_stop_whatever_they_wait_for() {
    let patient = TransportSettings {
        backoff_min: Duration::from_secs(300),
        backoff_max: Duration::from_secs(300),
        ..TransportSettings::default()
    };
    let silent = || Answer::text(200, "late").late(Duration::from_secs(300));
    // An answer, and a slot.
    let one_by_one = TransportSettings {
        connections_max: 1,
        ..TransportSettings::default()
    };
    stopped(one_by_one, silent, |transport, server| {
        server.n_requests() == 1 && transport.activity().waiting_for_limits == 3
    });
    // A retry.
    stopped(
        patient.clone(),
        || Answer::text(500, "sorry"),
        |transport, _| transport.activity().waiting_for_retries == 4,
    );
    // A pause that the server asked for.
    let asks = || Answer::text(429, "slow down").with_header("Retry-After", "200");
    stopped(patient, asks, |transport, _| {
        transport.activity().waiting_for_retries > 0
    });
    // The rate.
    let rare = TransportSettings {
        requests_per_minute: Some(1),
        ..TransportSettings::default()
    };
    stopped(rare, silent, |transport, server| {
        server.n_requests() == 1 && transport.activity().waiting_for_limits == 3
    });
}

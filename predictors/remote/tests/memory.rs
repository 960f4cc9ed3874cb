//! Answers without measure take no memory. Alone in its process, because it looks at the memory of all of it.

use std::time::Duration;

use napsim_remote::transport::{Judgement, Post, Reply, Stop, Transport, TransportError, TransportSettings};
use napsim_test_server::{Fault, TestServer, openai_answer};
use reqwest::header::HeaderMap;

const BODY_BYTES_MAX: u64 = 4 << 20;

/// Most memory that this process has had so far, in bytes, where the system tells.
fn memory_max() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes << 10)
}

#[test]
fn answers_without_measure_take_no_memory() {
    const FAULTS: [Fault; 4] = [
        Fault::HugeBody,
        Fault::HugeChunks,
        Fault::EndlessChunks,
        Fault::GzipBomb,
    ];
    let server = TestServer::start(|request| {
        let good = openai_answer(request, "good");
        let fault = FAULTS
            .iter()
            .find(|fault| request.path.ends_with(&format!("{fault:?}")));
        fault.map_or_else(|| good.clone(), |fault| fault.spoil(request, &good))
    });
    let settings = TransportSettings {
        body_bytes_max: BODY_BYTES_MAX,
        timeout: Duration::from_secs(120),
        chunk_timeout: Duration::from_secs(120),
        ..TransportSettings::default()
    };
    let transport = Transport::new(settings, Stop::never()).unwrap();
    let judge = |reply: &Reply| Judgement::of_status(reply.status);
    let ask = |fault: Fault| {
        let post = Post {
            url: format!("{}/{fault:?}", server.url()).parse().unwrap(),
            headers: HeaderMap::new(),
            body: "{}".to_owned(),
            tokens: 1,
        };
        let n_bytes_before = server.bytes_sent();
        let result = transport.post(&post, &judge);
        assert!(
            matches!(result, Err(TransportError::TooLarge { .. })),
            "{fault:?}: {result:?}"
        );
        server.bytes_sent() - n_bytes_before
    };
    // The server packs its bomb when it is first asked for it.
    for fault in FAULTS {
        ask(fault);
    }
    let before = memory_max();
    for _ in 0..20 {
        for fault in FAULTS {
            let n_bytes = ask(fault);
            // What is not read waits in the buffers of the system, a few MB of it.
            assert!(n_bytes < 32 << 20, "{fault:?}: {n_bytes} bytes were taken");
        }
    }
    if let (Some(before), Some(after)) = (before, memory_max()) {
        let grown = after - before;
        println!("grown by {} kB from {} kB", grown >> 10, before >> 10);
        assert!(grown < 4 * BODY_BYTES_MAX, "grown by {grown} bytes");
    }
}

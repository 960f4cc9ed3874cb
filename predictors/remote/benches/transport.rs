//! What a call costs beyond the server's time: against a server on this machine that answers at once, next to the same
//! request over a bare socket.
//!
//! `cargo bench -p napsim-remote --bench transport`

use std::cell::RefCell;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::LazyLock;

use divan::{Bencher, black_box};
use napsim_remote::transport::{Judgement, Post, Reply, Stop, Transport, TransportSettings};
use napsim_test_server::{Answer, TestServer};
use reqwest::header::HeaderMap;

/// Bytes of a request, about as many as a prompt has.
const PROMPT_BYTES: usize = 8_000;

static SERVER: LazyLock<TestServer> = LazyLock::new(|| {
    let text = format!("{{\"choices\": [{{\"text\": \"{}\"}}]}}", "INPUT | A1 | 5 ".repeat(20));
    TestServer::start(move |_| Answer::text(200, &text))
});

static TRANSPORT: LazyLock<Option<Transport>> =
    LazyLock::new(|| Transport::new(TransportSettings::default(), Stop::new(|| false)).ok());

fn main() {
    divan::main();
}

fn prompt() -> String {
    "x".repeat(PROMPT_BYTES)
}

/// A call by the transport, on one thread and on several at once.
#[divan::bench(threads = [1, 8], sample_count = 100, sample_size = 20)]
fn post(bencher: Bencher) {
    let Some(transport) = TRANSPORT.as_ref() else {
        return;
    };
    let Ok(url) = SERVER.url().parse() else {
        return;
    };
    let post = Post {
        url,
        headers: HeaderMap::new(),
        body: prompt(),
        tokens: 2_000,
    };
    let judge = |reply: &Reply| Judgement::of_status(reply.status);
    bencher.bench(|| transport.post(black_box(&post), &judge).is_ok());
}

thread_local! {
    static SOCKET: RefCell<Option<TcpStream>> = const { RefCell::new(None) };
}

/// The same over a socket that each thread keeps: what the server and the system take.
#[divan::bench(threads = [1, 8], sample_count = 100, sample_size = 20)]
fn bare_socket(bencher: Bencher) {
    let head = format!("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {PROMPT_BYTES}\r\n\r\n");
    let request = [head, prompt()].concat();
    bencher.bench(|| {
        SOCKET.with_borrow_mut(|socket| {
            if socket.is_none() {
                *socket = TcpStream::connect(SERVER.url().trim_start_matches("http://")).ok();
            }
            let socket = socket.as_mut()?;
            socket.write_all(request.as_bytes()).ok()?;
            // The answer is one small piece.
            let mut answer = [0; 4096];
            socket.read(&mut answer).ok()
        })
    });
}

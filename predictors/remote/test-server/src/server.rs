//! The server: a thread that takes connections, and one for each of them.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use crate::connection::serve;
use crate::{Answer, Request};

/// A server on a free port of this machine. It stops when it is dropped.
pub struct TestServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    accepting: Option<JoinHandle<()>>,
}

/// What the threads of a server share.
pub(crate) struct Shared {
    answer: Box<dyn Fn(&Request) -> Answer + Send + Sync>,
    requests: Mutex<Vec<Arc<Request>>>,
    bytes_sent: AtomicU64,
    is_stopped: AtomicBool,
    /// Open connections, to be shut when the server stops.
    open: Mutex<BTreeMap<u64, TcpStream>>,
    n_connections: AtomicU64,
}

impl TestServer {
    /// Starts a server that answers each request as the function says; it is called on many threads at once.
    ///
    /// # Panics
    /// Where the machine gives no port or no thread.
    #[expect(clippy::expect_used, reason = "a test cannot go on without its server")]
    pub fn start(answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
        let address = listener.local_addr().expect("the port is known");
        let shared = Arc::new(Shared {
            answer: Box::new(answer),
            requests: Mutex::default(),
            bytes_sent: AtomicU64::new(0),
            is_stopped: AtomicBool::new(false),
            open: Mutex::default(),
            n_connections: AtomicU64::new(0),
        });
        let accepting = {
            let shared = Arc::clone(&shared);
            thread::Builder::new()
                .name("test-server".to_owned())
                .spawn(move || accept(&listener, &shared))
                .expect("a thread is free")
        };
        Self {
            address,
            shared,
            accepting: Some(accepting),
        }
    }

    /// Its address, such as `http://127.0.0.1:4711`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// All requests that came in whole, in order.
    pub fn requests(&self) -> Vec<Arc<Request>> {
        lock(&self.shared.requests).clone()
    }

    /// How many requests came in whole.
    pub fn n_requests(&self) -> usize {
        lock(&self.shared.requests).len()
    }

    /// How many connections were opened.
    pub fn n_connections(&self) -> u64 {
        self.shared.n_connections.load(Ordering::SeqCst)
    }

    /// How many connections are open.
    pub fn n_open(&self) -> usize {
        lock(&self.shared.open).len()
    }

    /// How many bytes the system took for answers.
    pub fn bytes_sent(&self) -> u64 {
        self.shared.bytes_sent.load(Ordering::SeqCst)
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.shared.is_stopped.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for connections.
        drop(TcpStream::connect(self.address));
        if let Some(accepting) = self.accepting.take() {
            let _ = accepting.join();
        }
        for stream in lock(&self.shared.open).values() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

impl fmt::Debug for TestServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TestServer")
            .field("address", &self.address)
            .field("n_requests", &self.n_requests())
            .finish_non_exhaustive()
    }
}

impl Shared {
    /// Records a request and says what to answer.
    pub(crate) fn answer(&self, mut request: Request) -> Answer {
        let request = {
            let mut requests = lock(&self.requests);
            request.idx = requests.len();
            let request = Arc::new(request);
            requests.push(Arc::clone(&request));
            request
        };
        (self.answer)(&request)
    }

    pub(crate) fn sent(&self, n_bytes: usize) {
        self.bytes_sent.fetch_add(n_bytes as u64, Ordering::SeqCst);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::SeqCst)
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        if shared.is_stopped() {
            return;
        }
        // A client that is gone again, or no thread for it: to the client that is a broken connection.
        let _ = stream.and_then(|stream| open(stream, shared));
    }
}

fn open(stream: TcpStream, shared: &Arc<Shared>) -> io::Result<()> {
    let idx = shared.n_connections.fetch_add(1, Ordering::SeqCst);
    lock(&shared.open).insert(idx, stream.try_clone()?);
    let on_thread = Arc::clone(shared);
    let thread = thread::Builder::new().stack_size(256 << 10).spawn(move || {
        // However it ends, by the client, by a fault or by the end of the server, the connection is over.
        let _ = serve(stream, &on_thread);
        lock(&on_thread.open).remove(&idx);
    });
    if thread.is_err() {
        lock(&shared.open).remove(&idx);
    }
    thread.map(drop)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::io::{ErrorKind, Read, Write};
    use std::time::Duration;

    use super::*;
    use crate::{Fault, Step};

    fn connect(server: &TestServer) -> TcpStream {
        let stream = TcpStream::connect(server.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Sends a request in two pieces, and reads what comes in one.
    fn ask(stream: &mut TcpStream, body: &str) -> std::io::Result<String> {
        let head = format!(
            "POST /x HTTP/1.1\r\nA-Header: value \r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        let request = [head.as_str(), body].concat();
        let (first, second) = request.split_at(head.len() / 2);
        stream.write_all(first.as_bytes())?;
        stream.write_all(second.as_bytes())?;
        let mut answer = [0; 4096];
        let n_bytes = stream.read(&mut answer)?;
        Ok(String::from_utf8_lossy(&answer[..n_bytes]).into_owned())
    }

    #[test]
    fn requests_on_one_connection_are_answered_in_order() {
        let server = TestServer::start(|request| Answer::text(200, &request.body));
        let mut stream = connect(&server);
        for body in ["first", "", "third"] {
            let answer = ask(&mut stream, body).unwrap();
            assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
            assert!(
                answer.ends_with(&format!("Content-Length: {}\r\n\r\n{body}", body.len())),
                "{answer}"
            );
        }
        let requests = server.requests();
        let seen: Vec<_> = requests
            .iter()
            .map(|request| (request.idx, request.body.as_str()))
            .collect();
        assert_eq!(seen, [(0, "first"), (1, ""), (2, "third")]);
        assert_eq!(requests[0].header("a-header"), "value");
        assert_eq!((server.n_connections(), server.n_requests()), (1, 3));
    }

    #[test]
    fn resets_are_resets_and_closes_are_closes() {
        let server = TestServer::start(|request| match request.body.as_str() {
            "reset" => Fault::ResetBefore.spoil(request, &Answer::text(200, "good")),
            _ => Answer::Script(vec![Step::Write(b"bye".to_vec())]),
        });
        let error = ask(&mut connect(&server), "reset").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ConnectionReset);
        let mut stream = connect(&server);
        assert_eq!(ask(&mut stream, "close").unwrap(), "bye");
        assert_eq!(stream.read(&mut [0]).unwrap(), 0);
    }

    #[test]
    fn a_server_that_is_dropped_lets_go_of_its_clients() {
        let server = TestServer::start(|_| Answer::text(200, "late").late(Duration::from_secs(10_000)));
        let mut stream = connect(&server);
        stream.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
        drop(server);
        assert!(matches!(stream.read(&mut [0]), Ok(0) | Err(_)));
    }
}

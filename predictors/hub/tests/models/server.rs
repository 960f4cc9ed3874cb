//! A hub on this machine, with one made-up repository, that misbehaves as it is told.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};

use sha2::{Digest, Sha256};

/// The commit that the repository's only revision is.
pub(crate) const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

/// The repository.
pub(crate) const REPOSITORY: &str = "owner/repo";

/// How the hub behaves.
#[derive(Default)]
pub(crate) struct Behaviour {
    pub(crate) files: BTreeMap<String, Vec<u8>>,
    /// What the list says of a file instead of its size and SHA-256.
    pub(crate) listed: BTreeMap<String, String>,
    /// What comes instead of a file.
    pub(crate) wrong: BTreeMap<String, Vec<u8>>,
    pub(crate) ignores_ranges: bool,
    /// The next answers with a file end after so many bytes.
    pub(crate) cuts: VecDeque<usize>,
    /// An answer that is longer than this stops there, and the connection stays open.
    pub(crate) stalls_at: Option<usize>,
    /// The next answers, of whatever request, have these states and nothing in them.
    pub(crate) statuses: VecDeque<u16>,
    /// Where files are; the hub itself if none.
    pub(crate) elsewhere: Option<String>,
    /// Whoever lacks this token is sent away.
    pub(crate) token: Option<String>,
}

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) path: String,
    pub(crate) headers: BTreeMap<String, String>,
}

/// A running hub. It ends with the value.
pub(crate) struct Server {
    port: u16,
    behaviour: Arc<Mutex<Behaviour>>,
    requests: Arc<Mutex<Vec<Request>>>,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

#[expect(clippy::unwrap_used, reason = "a test without its server has failed")]
impl Server {
    pub(crate) fn new(behaviour: Behaviour) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let behaviour = Arc::new(Mutex::new(behaviour));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let is_over = Arc::new(AtomicBool::new(false));
        let thread = {
            let (behaviour, requests, is_over) = (behaviour.clone(), requests.clone(), is_over.clone());
            thread::spawn(move || {
                for stream in listener.incoming() {
                    if is_over.load(Ordering::SeqCst) {
                        return;
                    }
                    // A client that goes away is what some tests are about.
                    let _ = serve(&stream.unwrap(), &behaviour, &requests);
                }
            })
        };
        Self {
            port,
            behaviour,
            requests,
            is_over,
            thread: Some(thread),
        }
    }

    /// A hub whose repository has these files.
    pub(crate) fn with_files(files: &[(&str, &[u8])]) -> Self {
        let files = files.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec()));
        Self::new(Behaviour {
            files: files.collect(),
            ..Behaviour::default()
        })
    }

    pub(crate) fn endpoint(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub(crate) fn behaviour(&self) -> MutexGuard<'_, Behaviour> {
        self.behaviour.lock().unwrap()
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    /// The ranges that were asked for, of requests for that file.
    pub(crate) fn ranges(&self, file: &str) -> Vec<Option<String>> {
        let is_for = |request: &Request| request.path.ends_with(&format!("/{file}"));
        let requests = self.requests();
        let ranges = requests.iter().filter(|request| is_for(request));
        ranges.map(|request| request.headers.get("range").cloned()).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        // Wakes the thread up.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn serve(
    stream: &TcpStream,
    behaviour: &Mutex<Behaviour>,
    requests: &Mutex<Vec<Request>>,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut headers = BTreeMap::new();
    loop {
        line.clear();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(": ") else {
            break;
        };
        headers.insert(name.to_lowercase(), value.to_owned());
    }
    let request = Request { path, headers };
    let (head, body, stall) = {
        let mut behaviour = behaviour.lock().map_err(|_| "poisoned")?;
        requests.lock().map_err(|_| "poisoned")?.push(request.clone());
        behaviour.answer(&request)
    };
    let mut writer = stream;
    writer.write_all(format!("{head}Connection: close\r\n\r\n").as_bytes())?;
    writer.write_all(&body)?;
    if stall {
        // Until the client goes.
        let _ = reader.read(&mut [0]);
    }
    Ok(())
}

impl Behaviour {
    /// The head of an answer, what comes of its body, and whether the connection stays open after it.
    fn answer(&mut self, request: &Request) -> (String, Vec<u8>, bool) {
        if let Some(status) = self.statuses.pop_front() {
            return status_only(status);
        }
        let has_token = |token: &String| request.headers.get("authorization") == Some(&format!("Bearer {token}"));
        if !self.token.as_ref().is_none_or(has_token) {
            return status_only(401);
        }
        let api = format!("/api/models/{REPOSITORY}");
        if request.path == format!("{api}/revision/main") {
            return whole(format!("{{\"id\":\"{REPOSITORY}\",\"sha\":\"{COMMIT}\"}}").into_bytes());
        }
        if request.path == format!("{api}/tree/{COMMIT}") {
            return whole(self.list().into_bytes());
        }
        let name = request.path.strip_prefix(&format!("/{REPOSITORY}/resolve/{COMMIT}/"));
        let name = name.or_else(|| request.path.strip_prefix("/blob/"));
        let Some((name, right)) = name.and_then(|name| Some((name.to_owned(), self.files.get(name)?.clone()))) else {
            return status_only(404);
        };
        if let Some(elsewhere) = &self.elsewhere {
            let head = format!(
                "HTTP/1.1 302 Found\r\nLocation: {elsewhere}/blob/{name}\r\nX-Linked-Etag: \"{}\"\r\nContent-Length: 0\r\n",
                sha256(&right)
            );
            return (head, Vec::new(), false);
        }
        let bytes = self.wrong.get(&name).unwrap_or(&right).clone();
        self.file(request, &bytes)
    }

    fn list(&self) -> String {
        let entry = |(name, bytes): (&String, &Vec<u8>)| {
            let told = self.listed.get(name).cloned().unwrap_or_else(|| {
                let size = bytes.len();
                let oid = sha256(bytes);
                format!("\"size\":{size},\"oid\":\"{COMMIT}\",\"lfs\":{{\"oid\":\"{oid}\",\"size\":{size}}}")
            });
            format!("{{\"type\":\"file\",\"path\":\"{name}\",{told}}}")
        };
        let entries: Vec<String> = self.files.iter().map(entry).collect();
        format!("[{}]", entries.join(","))
    }

    fn file(&mut self, request: &Request, bytes: &[u8]) -> (String, Vec<u8>, bool) {
        let size = bytes.len();
        let range = request.headers.get("range").filter(|_| !self.ignores_ranges);
        let start = range.and_then(|range| range.strip_prefix("bytes=")?.strip_suffix('-')?.parse::<usize>().ok());
        let mut body = bytes.get(start.unwrap_or(0)..).unwrap_or_default().to_vec();
        let mut head = match start {
            Some(start) => format!(
                "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes {start}-{}/{size}\r\n",
                size.saturating_sub(1)
            ),
            None => "HTTP/1.1 200 OK\r\n".to_owned(),
        };
        head.push_str(&format!("Content-Length: {}\r\n", body.len()));
        if let Some(cut) = self.cuts.pop_front() {
            body.truncate(cut);
        }
        let stalls = self.stalls_at.is_some_and(|at| at < body.len());
        if let Some(at) = self.stalls_at {
            body.truncate(at);
        }
        (head, body, stalls)
    }
}

fn whole(body: Vec<u8>) -> (String, Vec<u8>, bool) {
    (
        format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n", body.len()),
        body,
        false,
    )
}

fn status_only(status: u16) -> (String, Vec<u8>, bool) {
    (
        format!("HTTP/1.1 {status} Status\r\nContent-Length: 0\r\n"),
        Vec::new(),
        false,
    )
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

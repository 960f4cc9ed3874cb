//! Requests as they came in.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::net::TcpStream;

/// A request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Its method, such as `POST`.
    pub method: String,
    /// Its path, with the query.
    pub path: String,
    /// Its headers by their names in lower case.
    pub headers: BTreeMap<String, String>,
    /// Its body; what is no UTF-8 is replaced.
    pub body: String,
    /// Its number, from 0 in the order in which requests came in whole.
    pub idx: usize,
}

impl Request {
    /// The body as JSON, null if it is none.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    /// A header, empty if it is not there.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }
}

/// Longest head that is read, in bytes.
const HEAD_BYTES_MAX: usize = 1 << 20;

/// Reads a request up to its last byte, which is looked at and left in the socket: whoever closes a socket with bytes
/// left in it resets the connection. None at the end of the connection.
pub(crate) fn read_request(stream: &mut TcpStream) -> io::Result<Option<Request>> {
    let Some(head) = read_head(stream)? else {
        return Ok(None);
    };
    let head = String::from_utf8_lossy(&head).into_owned();
    let mut lines = head.split("\r\n");
    let mut words = lines.next().unwrap_or_default().split(' ');
    let mut word = || words.next().unwrap_or_default().to_owned();
    let (method, path) = (word(), word());
    let headers: BTreeMap<String, String> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let length = headers.get("content-length").and_then(|length| length.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    if let Some((last, others)) = body.split_last_mut() {
        stream.read_exact(others)?;
        if stream.peek(std::slice::from_mut(last))? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    Ok(Some(Request {
        method,
        path,
        headers,
        body: String::from_utf8_lossy(&body).into_owned(),
        idx: 0,
    }))
}

/// Takes the byte that [`read_request`] left.
pub(crate) fn read_last_byte(stream: &mut TcpStream, request_has_body: bool) -> io::Result<()> {
    if request_has_body {
        stream.read_exact(&mut [0])?;
    }
    Ok(())
}

/// Reads up to the empty line that ends a head, and nothing after it.
fn read_head(stream: &mut TcpStream) -> io::Result<Option<Vec<u8>>> {
    const END: &[u8] = b"\r\n\r\n";
    let mut head: Vec<u8> = Vec::new();
    let mut seen = [0; 4096];
    loop {
        let n_seen = stream.peek(&mut seen)?;
        if n_seen == 0 {
            return if head.is_empty() {
                Ok(None)
            } else {
                Err(io::ErrorKind::UnexpectedEof.into())
            };
        }
        let n_before = head.len();
        head.extend(seen.iter().take(n_seen));
        let end = head.windows(END.len()).position(|window| window == END);
        let n_taken = end.map_or(n_seen, |end| end + END.len() - n_before);
        let (taken, _) = seen.split_at_mut(n_taken);
        stream.read_exact(taken)?;
        if let Some(end) = end {
            head.truncate(end);
            return Ok(Some(head));
        }
        if head.len() > HEAD_BYTES_MAX {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
    }
}

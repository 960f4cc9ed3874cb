//! Answers, good ones and scripts of bad ones.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

/// What a server sends back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A proper answer; the connection is kept.
    Whole {
        /// Its status.
        status: u16,
        /// Its headers besides `Content-Length`.
        headers: Vec<(String, String)>,
        /// Its body.
        body: Vec<u8>,
    },
    /// Step by step; the connection is closed after the last one.
    Script(Vec<Step>),
    /// The answer after a while; nothing is sent before.
    Late(Duration, Box<Answer>),
}

/// A step of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Sends bytes.
    Write(Vec<u8>),
    /// Sends the same bytes again and again: so many times, or for ever, with a pause after each time.
    Repeat {
        /// The bytes, shared so that long bodies take no memory.
        bytes: Arc<[u8]>,
        /// How many times; none is for ever.
        times: Option<u64>,
        /// The pause after each time.
        pause: Duration,
    },
    /// Sends bytes one by one, with a pause after each.
    Drip(Vec<u8>, Duration),
    /// Sends nothing for a while.
    Wait(Duration),
    /// Resets the connection.
    Reset,
}

impl Answer {
    /// A JSON body.
    pub fn json(status: u16, value: &Value) -> Self {
        Self::Whole {
            status,
            headers: vec![("Content-Type".to_owned(), "application/json".to_owned())],
            body: value.to_string().into_bytes(),
        }
    }

    /// A body of plain text.
    pub fn text(status: u16, text: &str) -> Self {
        Self::Whole {
            status,
            headers: vec![("Content-Type".to_owned(), "text/plain; charset=utf-8".to_owned())],
            body: text.as_bytes().to_vec(),
        }
    }

    /// The answer with one more header, where it is a proper one.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: impl Into<String>) -> Self {
        if let Self::Whole { headers, .. } = &mut self {
            headers.push((name.to_owned(), value.into()));
        }
        self
    }

    /// The answer after a while.
    #[must_use]
    pub fn late(self, by: Duration) -> Self {
        Self::Late(by, Box::new(self))
    }
}

/// The head of an answer, up to and with the empty line.
pub(crate) fn head<'a>(status: u16, headers: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {status} {}\r\n", reason(status));
    for (name, value) in headers {
        head.push_str(name);
        head.push_str(": ");
        head.push_str(value);
        head.push_str("\r\n");
    }
    head.push_str("\r\n");
    head.into_bytes()
}

/// A proper answer as bytes.
pub(crate) fn whole(status: u16, headers: &[(String, String)], body: &[u8]) -> Vec<u8> {
    let length = body.len().to_string();
    let headers = headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let mut bytes = head(status, headers.chain([("Content-Length", length.as_str())]));
    bytes.extend_from_slice(body);
    bytes
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        301 => "Moved Permanently",
        302 => "Found",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        404 => "Not Found",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        501 => "Not Implemented",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => "Other",
    }
}

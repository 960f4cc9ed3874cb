//! What is sent in place of a good answer.

use std::io::Write as _;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;

use super::Fault;
use crate::answer::{head, whole};
use crate::{Answer, Request, Step};

impl Fault {
    /// Pause between bytes that come one by one.
    const PAUSE: Duration = Duration::from_millis(20);

    /// Longer than any test.
    const HOURS: Duration = Duration::from_secs(10_000);

    /// What the server sends where it would have answered well.
    pub fn spoil(self, request: &Request, good: &Answer) -> Answer {
        match self {
            Self::Throttled
            | Self::ThrottledSeconds
            | Self::ThrottledDate
            | Self::ThrottledAbsurd
            | Self::Status500
            | Self::Status501
            | Self::Status502
            | Self::Status503
            | Self::Status504
            | Self::Status529
            | Self::EchoedKey
            | Self::EchoedKeyByFailure => self.refuse(request),
            Self::Redirect301 => redirect(301, Self::ELSEWHERE),
            Self::Redirect302 => redirect(302, Self::ELSEWHERE),
            Self::Redirect307 => redirect(307, Self::ELSEWHERE),
            Self::Redirect308 => redirect(308, Self::ELSEWHERE),
            Self::RedirectToFile => redirect(302, "file:///etc/passwd"),
            Self::JsonCut
            | Self::JsonArray
            | Self::JsonFields
            | Self::HtmlPage
            | Self::Empty
            | Self::NullContent
            | Self::NotUtf8
            | Self::UnknownEncoding
            | Self::GzipCut
            | Self::GzipBomb => self.garble(good),
            _ => Answer::Script(self.script(good)),
        }
    }

    /// A refusal, with proper manners.
    fn refuse(self, request: &Request) -> Answer {
        let error = |status, message: &str| Answer::json(status, &json!({"error": {"message": message}}));
        let throttled = || error(429, "Rate limit reached");
        let echo = format!("Incorrect API key: {}", request.header("authorization"));
        match self {
            Self::ThrottledSeconds => throttled().with_header("Retry-After", "0.02"),
            Self::ThrottledDate => throttled().with_header("Retry-After", "Sun, 06 Nov 1994 08:49:37 GMT"),
            Self::ThrottledAbsurd => throttled().with_header("Retry-After", "1000000000"),
            Self::Status500 => error(500, "The server had an error"),
            Self::Status501 => error(501, "Not implemented"),
            Self::Status502 => Answer::Whole {
                status: 502,
                headers: vec![("Content-Type".to_owned(), "text/html".to_owned())],
                body: b"<html>Passerelle d\xe9faillante</html>".to_vec(),
            },
            Self::Status503 => error(503, "Overloaded").with_header("Retry-After", "0.01"),
            Self::Status504 => error(504, "Gateway time-out"),
            Self::Status529 => error(529, "Overloaded"),
            Self::EchoedKey => error(401, &echo),
            Self::EchoedKeyByFailure => error(500, &echo),
            _ => throttled(),
        }
    }

    /// An answer that comes in whole and makes no sense.
    fn garble(self, good: &Answer) -> Answer {
        let ok = |body: &[u8]| Answer::Whole {
            status: 200,
            headers: vec![("Content-Type".to_owned(), "application/json".to_owned())],
            body: body.to_vec(),
        };
        let body = body_of(good);
        match self {
            Self::JsonCut => ok(body.get(..body.len() / 2).unwrap_or_default()),
            Self::JsonArray => ok(b"[1, 2, 3]"),
            Self::JsonFields => ok(br#"{"status": "ok", "data": {"answer": 42}}"#),
            Self::HtmlPage => ok(b"<!DOCTYPE html><html><body>Please log in</body></html>"),
            Self::NullContent => ok(null_content(&body).as_bytes()),
            Self::NotUtf8 => ok(&[body.as_slice(), b"\xff\xfe"].concat()),
            Self::UnknownEncoding => ok(&body).with_header("Content-Encoding", "zstd-canary"),
            Self::GzipBomb => ok(bomb()).with_header("Content-Encoding", "gzip"),
            Self::GzipCut => {
                let packed = gzip(&body);
                let cut = packed.get(..packed.len().saturating_sub(9)).unwrap_or_default();
                ok(cut).with_header("Content-Encoding", "gzip")
            }
            _ => ok(b""),
        }
    }

    /// An answer that breaks the rules, or takes its time.
    fn script(self, good: &Answer) -> Vec<Step> {
        let body = body_of(good);
        let bytes = whole(200, &[], &body);
        let half = |bytes: &[u8]| bytes.get(..bytes.len() / 2).unwrap_or_default().to_vec();
        let chunked = |kind: &'static str| {
            let headers = [("Content-Type", kind), ("Transfer-Encoding", "chunked")];
            Step::Write(head(200, headers))
        };
        let repeat = |bytes: &[u8], times, pause| Step::Repeat {
            bytes: Arc::from(bytes),
            times,
            pause,
        };
        let chunk = [b"10000\r\n".as_slice(), &[b'x'; 0x10000], b"\r\n"].concat();
        let json = "application/json";
        match self {
            Self::ResetInHead => vec![Step::Write(b"HTTP/1.1 200 OK\r\nContent-Ty".to_vec()), Step::Reset],
            Self::ResetInBody => vec![Step::Write(half(&bytes)), Step::Reset],
            Self::Closed => Vec::new(),
            Self::NotHttp => vec![Step::Write(b"SSH-2.0-OpenSSH_9.2\r\n\r\n".to_vec())],
            Self::SlowHead => vec![
                Step::Drip(b"HTTP/1.1 200 OK\r\nX: ".to_vec(), Self::PAUSE),
                drip_for_ever(),
            ],
            Self::SlowBody => vec![Step::Write(head(200, [("Content-Length", "1000000")])), drip_for_ever()],
            Self::Stalled => vec![Step::Write(half(&bytes)), Step::Wait(Self::HOURS)],
            Self::Silent => vec![Step::Wait(Self::HOURS)],
            Self::ShortBody => {
                let longer = (body.len() + 10).to_string();
                vec![
                    Step::Write(head(200, [("Content-Length", longer.as_str())])),
                    Step::Write(body),
                ]
            }
            Self::BrokenChunk => vec![chunked(json), Step::Write(b"5\r\nhello\r\nnext\r\n{}\r\n".to_vec())],
            Self::LostChunk => {
                let length = format!("{:x}\r\n", body.len()).into_bytes();
                vec![chunked(json), Step::Write([&length, body.as_slice(), b"\r\n"].concat())]
            }
            Self::HugeBody => {
                let length = 200_000_000.to_string();
                let long = head(200, [("Content-Length", length.as_str())]);
                vec![Step::Write(long), repeat(&[b' '; 50_000], Some(4_000), Duration::ZERO)]
            }
            Self::HugeChunks => vec![
                chunked(json),
                repeat(&chunk, Some(200_000_000 >> 16), Duration::ZERO),
                Step::Write(b"0\r\n\r\n".to_vec()),
            ],
            Self::EndlessChunks => vec![chunked(json), repeat(&chunk, None, Duration::ZERO)],
            Self::EndlessEvents => vec![
                chunked("text/event-stream"),
                repeat(b"f\r\ndata: {\"a\":1}\n\n\r\n", None, Self::PAUSE),
            ],
            _ => vec![Step::Reset],
        }
    }
}

fn drip_for_ever() -> Step {
    Step::Repeat {
        bytes: Arc::from(b"a".as_slice()),
        times: None,
        pause: Fault::PAUSE,
    }
}

fn redirect(status: u16, to: &str) -> Answer {
    Answer::text(status, "elsewhere").with_header("Location", to)
}

fn body_of(answer: &Answer) -> Vec<u8> {
    match answer {
        Answer::Whole { body, .. } => body.clone(),
        Answer::Late(_, answer) => body_of(answer),
        Answer::Script(_) => br#"{"choices": []}"#.to_vec(),
    }
}

/// The answer of a model with null in place of its text.
fn null_content(body: &[u8]) -> String {
    let mut value: serde_json::Value = serde_json::from_slice(body).unwrap_or_default();
    for path in [
        "/choices/0/message/content",
        "/choices/0/text",
        "/output/0/content/0/text",
        "/content/0/text",
    ] {
        if let Some(text) = value.pointer_mut(path) {
            *text = serde_json::Value::Null;
        }
    }
    value.to_string()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // Writing to memory cannot fail.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

/// A hundred times 10 MB of zeros, one packed member after the other.
fn bomb() -> &'static [u8] {
    static BOMB: OnceLock<Vec<u8>> = OnceLock::new();
    BOMB.get_or_init(|| gzip(&vec![0; 10_000_000]).repeat(100))
}

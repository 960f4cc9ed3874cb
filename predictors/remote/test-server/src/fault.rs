//! Everything that goes wrong with servers.

use std::io::Write as _;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::json;

use crate::answer::{head, whole};
use crate::{Answer, Request, Step};

/// One way to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// 429 without `Retry-After`.
    Throttled,
    /// 429 with `Retry-After: 0.02`.
    ThrottledSeconds,
    /// 429 with a date in `Retry-After`, which has passed.
    ThrottledDate,
    /// 429 with a `Retry-After` of thirty years.
    ThrottledAbsurd,
    /// A status of failure: 500.
    Status500,
    /// A status of failure: 501.
    Status501,
    /// A status of failure: 502, with a page of a proxy that is no UTF-8.
    Status502,
    /// A status of failure: 503, with `Retry-After: 0.01`.
    Status503,
    /// A status of failure: 504.
    Status504,
    /// A status of overload: 529.
    Status529,
    /// The connection is reset before the answer.
    ResetBefore,
    /// The connection is reset within the head.
    ResetInHead,
    /// The connection is reset within the body.
    ResetInBody,
    /// The connection is closed instead of an answer.
    Closed,
    /// What comes is not HTTP.
    NotHttp,
    /// The head comes byte by byte, for hours.
    SlowHead,
    /// The body comes byte by byte, for hours.
    SlowBody,
    /// The body stops in the middle, and the connection stays open.
    Stalled,
    /// Nothing comes at all, and the connection stays open.
    Silent,
    /// The body is shorter than `Content-Length`.
    ShortBody,
    /// A chunk has no proper length.
    BrokenChunk,
    /// The chunks end without the last one.
    LostChunk,
    /// JSON that is cut off, with the right length.
    JsonCut,
    /// JSON of another kind: an array.
    JsonArray,
    /// JSON with other fields.
    JsonFields,
    /// A page of HTML with status 200.
    HtmlPage,
    /// No body with status 200.
    Empty,
    /// `content: null`.
    NullContent,
    /// 200 MB, with their length told before.
    HugeBody,
    /// 200 MB in chunks.
    HugeChunks,
    /// A few kB of gzip that are a GB.
    GzipBomb,
    /// Gzip that is cut off.
    GzipCut,
    /// An encoding that nobody knows.
    UnknownEncoding,
    /// A body that is no UTF-8.
    NotUtf8,
    /// Chunks without end, as fast as they are read.
    EndlessChunks,
    /// `text/event-stream` without end, an event from time to time.
    EndlessEvents,
    /// 301 to another host.
    Redirect301,
    /// 302 to another host.
    Redirect302,
    /// 307 to another host.
    Redirect307,
    /// 308 to another host.
    Redirect308,
    /// 302 to a file.
    RedirectToFile,
    /// 401 that repeats the header `Authorization`.
    EchoedKey,
    /// 500 that repeats the header `Authorization`.
    EchoedKeyByFailure,
}

impl Fault {
    /// All of them.
    pub const ALL: &[Self] = &[
        Self::Throttled,
        Self::ThrottledSeconds,
        Self::ThrottledDate,
        Self::ThrottledAbsurd,
        Self::Status500,
        Self::Status501,
        Self::Status502,
        Self::Status503,
        Self::Status504,
        Self::Status529,
        Self::ResetBefore,
        Self::ResetInHead,
        Self::ResetInBody,
        Self::Closed,
        Self::NotHttp,
        Self::SlowHead,
        Self::SlowBody,
        Self::Stalled,
        Self::Silent,
        Self::ShortBody,
        Self::BrokenChunk,
        Self::LostChunk,
        Self::JsonCut,
        Self::JsonArray,
        Self::JsonFields,
        Self::HtmlPage,
        Self::Empty,
        Self::NullContent,
        Self::HugeBody,
        Self::HugeChunks,
        Self::GzipBomb,
        Self::GzipCut,
        Self::UnknownEncoding,
        Self::NotUtf8,
        Self::EndlessChunks,
        Self::EndlessEvents,
        Self::Redirect301,
        Self::Redirect302,
        Self::Redirect307,
        Self::Redirect308,
        Self::RedirectToFile,
        Self::EchoedKey,
        Self::EchoedKeyByFailure,
    ];

    /// Where redirections lead: an address that is reserved for documentation.
    pub const ELSEWHERE: &str = "http://192.0.2.1/v1/chat/completions?token=elsewhere";

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

/// Chooses faults by seed: the fault of a number depends on nothing but the two.
#[derive(Clone, Copy, Debug)]
pub struct FaultPlan {
    seed: u64,
    share: f64,
}

impl FaultPlan {
    /// A share of all answers, 0 to 1, is a fault; all faults are equally likely.
    pub fn new(seed: u64, share: f64) -> Self {
        Self { seed, share }
    }

    /// The fault of the n-th answer, if it is one.
    pub fn fault(&self, n: u64) -> Option<Fault> {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(n);
        let is_fault = random.random::<f64>() < self.share;
        let fault = Fault::ALL.get(random.random_range(0..Fault::ALL.len())).copied();
        fault.filter(|_| is_fault)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn plans_depend_on_seed_and_number_alone() {
        let faults = |seed: u64, numbers: &[u64]| -> Vec<Option<Fault>> {
            let plan = FaultPlan::new(seed, 0.5);
            numbers.iter().map(|n| plan.fault(*n)).collect()
        };
        let forwards: Vec<u64> = (0..1_000).collect();
        let backwards: Vec<u64> = (0..1_000).rev().collect();
        let mut other_way = faults(1, &backwards);
        other_way.reverse();
        assert_eq!(faults(1, &forwards), other_way);
        assert_ne!(faults(1, &forwards), faults(2, &forwards));
        let n_faults = faults(1, &forwards).iter().flatten().count();
        assert!((400..600).contains(&n_faults), "{n_faults}");
        assert!(FaultPlan::new(1, 0.0).fault(3).is_none());
    }

    #[test]
    fn every_fault_is_listed_and_chosen() {
        let plan = FaultPlan::new(7, 1.0);
        let chosen: BTreeSet<Fault> = (0..2_000).filter_map(|n| plan.fault(n)).collect();
        let listed: BTreeSet<Fault> = Fault::ALL.iter().copied().collect();
        assert_eq!(chosen, listed);
        assert_eq!(listed.len(), Fault::ALL.len());
        assert_eq!(listed.last().map(|last| *last as usize), Some(Fault::ALL.len() - 1));
    }
}

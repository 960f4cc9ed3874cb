//! Everything that goes wrong with servers.

mod plan;
mod spoil;

pub use plan::FaultPlan;

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
}

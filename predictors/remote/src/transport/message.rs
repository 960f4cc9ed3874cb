//! What is sent, what comes back, and what is thought of it.

use std::fmt;

use reqwest::Url;
use reqwest::header::HeaderMap;

/// A request. Its `Debug` shows neither headers nor body nor what the address holds besides the host.
#[derive(Clone)]
pub struct Post {
    /// Where it goes.
    pub url: Url,
    /// Headers besides `Accept-Encoding` and `User-Agent`; `Content-Type` is JSON unless it is among them. Values that
    /// are marked as sensitive, or whose names speak of keys, are taken out of errors even where a server repeats them.
    pub headers: HeaderMap,
    /// The body.
    pub body: String,
    /// How many tokens the request and its answer come to, as far as can be told before; counted against the tokens a
    /// minute.
    pub tokens: u64,
}

impl fmt::Debug for Post {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Post")
            .field("host", &self.url.origin().ascii_serialization())
            .field("body_bytes", &self.body.len())
            .field("tokens", &self.tokens)
            .finish_non_exhaustive()
    }
}

/// An answer that came in whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// Its status.
    pub status: u16,
    /// Its body. Where the status is no success, bytes that are no UTF-8 are replaced by U+FFFD.
    pub body: String,
}

impl Reply {
    /// Whether the status is one of success, 200 to 299.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

/// Says what a reply that came in whole is worth. [`Judgement::of_status`] is the rule where it has no opinion of its own.
pub type Judge<'a> = &'a dyn Fn(&Reply) -> Judgement;

/// What a reply that came in whole is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// It is final, good or bad.
    Done,
    /// Asking again may help.
    Again {
        /// What went wrong.
        cause: AgainCause,
        /// The same in words, for people.
        reason: String,
    },
}

/// Why asking again may help.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AgainCause {
    /// The server has too much to do: fewer requests are sent at once, too.
    Throttled,
    /// The server failed.
    Server,
    /// The answer makes no sense. It may have cost money, so there are fewer retries.
    Malformed,
}

impl Judgement {
    /// The judgement that the status alone gives: 429 and 529 are throttling, 408, 425 and from 500 on failures of the
    /// server, all others final.
    pub fn of_status(status: u16) -> Self {
        let reason = format!("status {status}");
        match status {
            429 | 529 => Self::throttled(reason),
            408 | 425 | 500.. => Self::server(reason),
            _ => Self::Done,
        }
    }

    /// Again, because the server has too much to do.
    pub fn throttled(reason: impl Into<String>) -> Self {
        Self::again(AgainCause::Throttled, reason)
    }

    /// Again, because the server failed.
    pub fn server(reason: impl Into<String>) -> Self {
        Self::again(AgainCause::Server, reason)
    }

    /// Again, because the answer makes no sense.
    pub fn malformed(reason: impl Into<String>) -> Self {
        Self::again(AgainCause::Malformed, reason)
    }

    fn again(cause: AgainCause, reason: impl Into<String>) -> Self {
        let reason = reason.into();
        Self::Again { cause, reason }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_are_judged() {
        let cause = |status| match Judgement::of_status(status) {
            Judgement::Done => None,
            Judgement::Again { cause, .. } => Some(cause),
        };
        for status in [200, 201, 204, 400, 401, 403, 404, 409, 413, 422] {
            assert_eq!(cause(status), None, "{status}");
        }
        for status in [429, 529] {
            assert_eq!(cause(status), Some(AgainCause::Throttled), "{status}");
        }
        for status in [408, 425, 500, 501, 502, 503, 504, 520, 599] {
            assert_eq!(cause(status), Some(AgainCause::Server), "{status}");
        }
    }

    #[test]
    fn requests_are_printed_without_their_secrets() {
        let url = "https://user:canary@host/canary?key=canary".parse().unwrap();
        let headers = HeaderMap::from_iter([(
            reqwest::header::AUTHORIZATION,
            reqwest::header::HeaderValue::from_static("canary"),
        )]);
        let body = "canary".to_owned();
        let printed = format!(
            "{:?}",
            Post {
                url,
                headers,
                body,
                tokens: 3
            }
        );
        assert!(!printed.contains("canary"), "{printed}");
        assert!(printed.contains("https://host"), "{printed}");
    }
}

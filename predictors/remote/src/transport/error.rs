//! How requests fail.

use std::time::Duration;

use reqwest::Url;
use reqwest::header::HeaderMap;
use thiserror::Error;

use super::retry::RetryCause;
use crate::{Redactor, Secret};

/// Why a request has no reply. Hosts are named with scheme and port alone; no message holds another part of an address or
/// a header, and what looks like a key in either is taken out of what servers say.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TransportError {
    /// No connection.
    #[error("connect to {host}: {reason}")]
    Unreachable {
        /// The server.
        host: String,
        /// What the system says.
        reason: String,
    },
    /// The connection was reset or closed before the answer was whole, or the answer broke the rules of HTTP.
    #[error("read the answer of {host}: it broke off ({reason})")]
    Interrupted {
        /// The server.
        host: String,
        /// How it broke off.
        reason: String,
    },
    /// The answer, or the next piece of it, did not come in time.
    #[error("get an answer from {host}: {what} came within {} s", .after.as_secs_f64())]
    TimedOut {
        /// The server.
        host: String,
        /// What did not come.
        what: &'static str,
        /// How long it was waited for.
        after: Duration,
    },
    /// The body is longer than the settings allow.
    #[error("read the answer of {host}: it is longer than {bytes_max} bytes")]
    TooLarge {
        /// The server.
        host: String,
        /// Longest body, in bytes.
        bytes_max: u64,
    },
    /// The body of a reply of success is no UTF-8.
    #[error("read the answer of {host}: it is not UTF-8 text")]
    NotText {
        /// The server.
        host: String,
    },
    /// The body is compressed in a way that nobody asked for.
    #[error("read the answer of {host}: it is encoded as `{encoding}`; expected plain text or gzip")]
    Encoding {
        /// The server.
        host: String,
        /// What `Content-Encoding` says.
        encoding: String,
    },
    /// The answer sends us elsewhere, and nothing was sent there.
    #[error("get an answer from {host}: it sends us to {to_host}, where no request is taken; name the right address")]
    Redirected {
        /// The server.
        host: String,
        /// Where it sends us.
        to_host: String,
    },
    /// The server has too much to do.
    #[error("get an answer from {host}: it throttles ({reason}{}){}", Asked(.asked_to_wait), Said(.body_start))]
    Throttled {
        /// The server.
        host: String,
        /// The status of the last answer.
        status: u16,
        /// What the judge says.
        reason: String,
        /// How long the server asked us to wait.
        asked_to_wait: Option<Duration>,
        /// How the body begins.
        body_start: String,
    },
    /// The server failed.
    #[error("get an answer from {host}: it failed ({reason}{}){}", Asked(.asked_to_wait), Said(.body_start))]
    Server {
        /// The server.
        host: String,
        /// The status of the last answer.
        status: u16,
        /// What the judge says.
        reason: String,
        /// How long the server asked us to wait.
        asked_to_wait: Option<Duration>,
        /// How the body begins.
        body_start: String,
    },
    /// The answer came in whole and makes no sense.
    #[error("understand the answer of {host}: {reason}")]
    Malformed {
        /// The server.
        host: String,
        /// What the judge says.
        reason: String,
        /// The whole body.
        body: String,
    },
    /// The run is to stop.
    #[error("get an answer before the run was stopped")]
    Stopped,
    /// There is no way to send the request.
    #[error("prepare a request: {reason}")]
    Client {
        /// What is in the way.
        reason: String,
    },
}

impl TransportError {
    /// Whether the server may have worked, and be paid, although nothing came that could be used.
    pub(crate) fn may_have_cost(&self) -> bool {
        matches!(
            self,
            Self::Interrupted { .. } | Self::TimedOut { .. } | Self::Malformed { .. } | Self::NotText { .. }
        )
    }

    /// Why asking again may help, if it may.
    pub(crate) fn retry_cause(&self) -> Option<RetryCause> {
        match self {
            Self::Unreachable { reason, .. } if is_certificate(reason) => None,
            Self::Unreachable { .. } | Self::Interrupted { .. } => Some(RetryCause::Connection),
            Self::TimedOut { .. } => Some(RetryCause::TimedOut),
            Self::Throttled { .. } => Some(RetryCause::Throttled),
            Self::Server { .. } => Some(RetryCause::Server),
            Self::Malformed { .. } | Self::NotText { .. } => Some(RetryCause::Malformed),
            Self::TooLarge { .. }
            | Self::Encoding { .. }
            | Self::Redirected { .. }
            | Self::Stopped
            | Self::Client { .. } => None,
        }
    }
}

/// A certificate that nobody vouches for is not better a minute later.
fn is_certificate(reason: &str) -> bool {
    reason.contains("invalid peer certificate")
}

/// How long a server asked to wait, in a message.
struct Asked<'a>(&'a Option<Duration>);

impl std::fmt::Display for Asked<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(asked) => write!(f, ", asks to wait {} s", asked.as_secs_f64()),
            None => Ok(()),
        }
    }
}

/// What a server said, in a message.
struct Said<'a>(&'a str);

impl std::fmt::Display for Said<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0.is_empty() {
            return Ok(());
        }
        write!(f, ": {}", self.0)
    }
}

/// Whether a header or a part of a query holds a secret, to judge by its name.
fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["key", "token", "secret", "auth", "password", "cookie", "sig"]
        .iter()
        .any(|word| name.contains(word))
}

/// A server as errors speak of it, and what they must not repeat.
pub(crate) struct Server {
    pub(crate) host: String,
    redactor: Redactor,
}

impl Server {
    /// Most characters of a body in an error.
    const START_CHARS: usize = 300;

    /// The server that a request goes to.
    pub(crate) fn of(url: &Url, headers: &HeaderMap) -> Self {
        let mut redactor = Redactor::default();
        let mut hide = |text: &str| {
            if let Some(secret) = Secret::new(text) {
                redactor.add(&secret);
            }
        };
        hide(url.username());
        url.password().into_iter().for_each(&mut hide);
        for (name, value) in url.query_pairs() {
            if is_secret(&name) {
                hide(&value);
            }
        }
        for (name, value) in headers {
            if !value.is_sensitive() && !is_secret(name.as_str()) {
                continue;
            }
            let text = String::from_utf8_lossy(value.as_bytes());
            hide(&text);
            if let Some((_, key)) = text.split_once(' ') {
                hide(key);
            }
        }
        Self {
            host: url.origin().ascii_serialization(),
            redactor,
        }
    }

    /// Words of a server as they may be shown: without what it must not repeat, in one line, not too long.
    pub(crate) fn words(&self, text: &str) -> String {
        let mut words = String::new();
        // Before the text is cut, so that no part of a secret is left.
        let text = self.redactor.redact(text);
        let blank_to_space = |c: char| if c.is_control() { ' ' } else { c };
        let plain: String = text.chars().take(Self::START_CHARS * 4).map(blank_to_space).collect();
        for word in plain.split_whitespace() {
            if !words.is_empty() {
                words.push(' ');
            }
            words.push_str(word);
        }
        match words.char_indices().nth(Self::START_CHARS) {
            Some((at, _)) => format!("{}…", words.get(..at).unwrap_or_default()),
            None => words,
        }
    }

    /// The text without what must not be repeated.
    pub(crate) fn redact(&self, text: &str) -> String {
        self.redactor.redact(text)
    }
}

#[cfg(test)]
mod tests {
    use reqwest::header::{AUTHORIZATION, HeaderName, HeaderValue};

    use super::*;

    #[test]
    fn words_of_servers_are_shown_in_one_line_and_without_keys() {
        let url: Url = "https://user:pass-canary@host:8443/v1?api_key=key-canary&version=version"
            .parse()
            .unwrap();
        let mut key = HeaderValue::from_static("Bearer sk-canary");
        key.set_sensitive(true);
        let other = (
            HeaderName::from_static("x-api-key"),
            HeaderValue::from_static("sk-other-canary"),
        );
        let server = Server::of(&url, &HeaderMap::from_iter([(AUTHORIZATION, key), other]));
        assert_eq!(server.host, "https://host:8443");
        let said = "<b>\r\n bad\u{1b}[31m key sk-canary,\u{0} pass-canary of Bearer sk-canary</b>";
        assert_eq!(server.words(said), "<b> bad [31m key ***, *** of ***</b>");
        let said = "sk-other-canary, key-canary, version";
        assert_eq!(server.words(said), "***, ***, version");
        let long = server.words(&"x ".repeat(1_000));
        assert_eq!(long.chars().count(), Server::START_CHARS + 1);
    }

    #[test]
    fn messages_say_what_happened() {
        let error = TransportError::Throttled {
            host: "https://host".to_owned(),
            status: 429,
            reason: "status 429".to_owned(),
            asked_to_wait: Some(Duration::from_secs(1_000)),
            body_start: "slow down".to_owned(),
        };
        assert_eq!(
            error.to_string(),
            "get an answer from https://host: it throttles (status 429, asks to wait 1000 s): slow down"
        );
        let error = TransportError::TimedOut {
            host: "http://h".to_owned(),
            what: "no whole answer",
            after: Duration::from_millis(1_500),
        };
        assert_eq!(
            error.to_string(),
            "get an answer from http://h: no whole answer came within 1.5 s"
        );
    }
}

//! One attempt at a request: it is sent, and its answer is read.

use std::cell::Cell;
use std::time::{Duration, SystemTime};

use reqwest::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION};
use reqwest::{Client, Response, Url};
use tokio::time::timeout;

use super::body::{Body, BodyError};
use super::client::cause;
use super::error::Server;
use super::retry_after::asked_to_wait;
use super::{Post, Reply, TransportError, TransportSettings};

/// How an attempt ended.
pub(super) struct Outcome {
    pub(super) result: Result<Reply, TransportError>,
    /// How long the server asks us to wait, if it does.
    pub(super) asked_to_wait: Option<Duration>,
}

/// A request that can be tried.
pub(super) struct Attempt<'a> {
    client: &'a Client,
    post: &'a Post,
    settings: &'a TransportSettings,
}

impl<'a> Attempt<'a> {
    pub(super) fn new(client: &'a Client, post: &'a Post, settings: &'a TransportSettings) -> Self {
        Self { client, post, settings }
    }

    /// Tries once. Dropping it closes the connection, so that a late answer goes nowhere.
    pub(super) async fn run(&self) -> Outcome {
        let asked = Cell::new(None);
        let whole = self.send_and_read(&asked);
        let result = within(self.settings.timeout, whole)
            .await
            .unwrap_or_else(|after| Err(self.timed_out("no whole answer", after)));
        Outcome {
            result,
            asked_to_wait: asked.get(),
        }
    }

    async fn send_and_read(&self, asked: &Cell<Option<Duration>>) -> Result<Reply, TransportError> {
        let request = self
            .client
            .post(self.post.url.clone())
            .headers(self.headers())
            .body(self.post.body.clone());
        let mut response = request.send().await.map_err(|error| self.send_error(&error))?;
        asked.set(asked_to_wait(response.headers(), SystemTime::now()));
        if response.status().is_redirection() {
            return Err(self.redirected(response.headers()));
        }
        let body = self.read(&mut response).await?;
        self.reply(response.status().as_u16(), body)
    }

    fn headers(&self) -> HeaderMap {
        let mut headers = self.post.headers.clone();
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        headers
            .entry(CONTENT_TYPE)
            .or_insert(HeaderValue::from_static("application/json"));
        headers
    }

    async fn read(&self, response: &mut Response) -> Result<Vec<u8>, TransportError> {
        let encoding = response.headers().get(CONTENT_ENCODING);
        let encoding = encoding.map(|value| String::from_utf8_lossy(value.as_bytes()));
        let body = Body::new(
            encoding.as_deref(),
            response.content_length(),
            self.settings.body_bytes_max,
        );
        let mut body = body.map_err(|error| self.body_error(error))?;
        // Servers may think between head and body; only then does a gap tell of trouble.
        let mut patience = self.settings.timeout;
        loop {
            let piece = within(patience, response.chunk())
                .await
                .map_err(|after| self.timed_out("no further piece of it", after))?;
            match piece.map_err(|error| self.interrupted(cause(&error)))? {
                Some(piece) => body.push(&piece).map_err(|error| self.body_error(error))?,
                None => return body.finish().map_err(|error| self.body_error(error)),
            }
            patience = self.settings.chunk_timeout;
        }
    }

    fn reply(&self, status: u16, body: Vec<u8>) -> Result<Reply, TransportError> {
        let body = String::from_utf8(body).or_else(|error| match status {
            200..300 => Err(TransportError::NotText {
                host: self.server().host,
            }),
            // What matters is the status; pages of proxies come in all encodings.
            _ => Ok(String::from_utf8_lossy(error.as_bytes()).into_owned()),
        })?;
        Ok(Reply { status, body })
    }

    /// The server, as errors speak of it.
    pub(super) fn server(&self) -> Server {
        Server::of(&self.post.url, &self.post.headers)
    }

    fn send_error(&self, error: &reqwest::Error) -> TransportError {
        let host = self.server().host;
        if error.is_builder() {
            return TransportError::Client { reason: cause(error) };
        }
        if error.is_connect() {
            let reason = match error.is_timeout() {
                true => format!("no connection within {} s", self.settings.connect_timeout.as_secs_f64()),
                false => cause(error),
            };
            return TransportError::Unreachable { host, reason };
        }
        self.interrupted(cause(error))
    }

    fn interrupted(&self, reason: String) -> TransportError {
        let host = self.server().host;
        TransportError::Interrupted { host, reason }
    }

    fn timed_out(&self, what: &'static str, after: Duration) -> TransportError {
        let host = self.server().host;
        TransportError::TimedOut { host, what, after }
    }

    fn redirected(&self, headers: &HeaderMap) -> TransportError {
        let server = self.server();
        let location = headers.get(LOCATION).and_then(|location| location.to_str().ok());
        let to_host = location.map_or_else(|| "nowhere".to_owned(), |to| destination(&self.post.url, to));
        TransportError::Redirected {
            to_host: server.words(&to_host),
            host: server.host,
        }
    }

    fn body_error(&self, error: BodyError) -> TransportError {
        let server = self.server();
        match error {
            BodyError::TooLarge => TransportError::TooLarge {
                host: server.host,
                bytes_max: self.settings.body_bytes_max,
            },
            BodyError::Encoding(encoding) => TransportError::Encoding {
                encoding: server.words(&encoding),
                host: server.host,
            },
            BodyError::Broken(reason) => TransportError::Interrupted {
                host: server.host,
                reason,
            },
        }
    }
}

/// What comes within a time, or that time.
async fn within<T>(time: Duration, future: impl Future<Output = T>) -> Result<T, Duration> {
    timeout(time, future).await.map_err(|_| time)
}

/// Where an answer sends us: host and port alone, since the rest of an address may hold what is nobody's business.
fn destination(from: &Url, location: &str) -> String {
    match from.join(location) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => url.origin().ascii_serialization(),
        Ok(url) => format!("an address that begins with `{}:`", url.scheme()),
        Err(_) => "an address that is none".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn destinations_are_told_without_what_they_hold() {
        let from: Url = "https://user:canary@host/v1".parse().unwrap();
        let to = |location: &str| destination(&from, location);
        assert_eq!(to("/login?token=canary"), "https://host");
        assert_eq!(to("http://u:canary@other:81/x#canary"), "http://other:81");
        assert_eq!(to("file:///etc/canary"), "an address that begins with `file:`");
        assert_eq!(to("http://["), "an address that is none");
    }
}

//! Requests to an MLflow server and their answers.

use std::time::Duration;

use napsim_remote::transport::{Judgement, Post, Stop, Transport, TransportError, TransportSettings};
use serde_json::Value;

use crate::credentials::Credentials;
use crate::error::TrackerError;
use crate::mlflow::address::Address;

/// Longest time for one request. Servers answer at once or not at all.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Most characters of a server's words in an error.
const SAID_CHARS_MAX: usize = 300;

/// What speaks to a server.
pub(super) struct Client {
    address: Address,
    transport: Transport,
}

impl Client {
    /// Prepares for speaking; nothing is sent yet.
    pub(super) fn new(address: &str, credentials: Option<&Credentials>, stop: Stop) -> Result<Self, TrackerError> {
        let address = Address::read(address, credentials)?;
        let settings = TransportSettings {
            timeout: TIMEOUT,
            chunk_timeout: TIMEOUT,
            backoff_min: Duration::from_millis(200),
            backoff_max: Duration::from_secs(10),
            ..TransportSettings::default()
        };
        match Transport::new(settings, stop) {
            Ok(transport) => Ok(Self { address, transport }),
            Err(reason) => Err(unanswered(&address, reason)),
        }
    }

    /// Asks for something and gives the answer.
    pub(super) fn ask(&self, request: &'static str, body: &Value) -> Result<Value, TrackerError> {
        let post = Post {
            url: self.address.of(request),
            headers: self.address.headers.clone(),
            body: body.to_string(),
            tokens: 0,
        };
        let reply = self
            .transport
            .post(&post, &|reply| Judgement::of_status(reply.status))
            .map_err(|reason| unanswered(&self.address, reason))?;
        if !reply.is_success() {
            return Err(TrackerError::Refused {
                address: self.address.shown.clone(),
                request,
                status: reply.status,
                said: self.said(&reply.body),
            });
        }
        serde_json::from_str(&reply.body).map_err(|_| self.without(request, "{"))
    }

    /// The error for an answer that lacks something.
    pub(super) fn without(&self, request: &'static str, expected: &'static str) -> TrackerError {
        TrackerError::Answer {
            address: self.address.shown.clone(),
            request,
            expected,
        }
    }

    /// What a server says of a request that it refused, in one line, not too long, and without secrets.
    fn said(&self, body: &str) -> String {
        let json: Option<Value> = serde_json::from_str(body).ok();
        let message = json.as_ref().and_then(|json| json.get("message")?.as_str());
        // Before it is cut, so that no part of a secret is left.
        let said = self.address.redactor.redact(message.unwrap_or(body));
        let blank = |c: char| if c.is_control() { ' ' } else { c };
        said.chars().take(SAID_CHARS_MAX).map(blank).collect()
    }
}

fn unanswered(address: &Address, reason: TransportError) -> TrackerError {
    TrackerError::Unanswered {
        address: address.shown.clone(),
        reason,
    }
}

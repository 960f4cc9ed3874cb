//! A predictor behind a service.

mod address;
mod session;

use std::sync::OnceLock;
use std::time::Duration;

use napsim_remote::transport::{Judgement, Post, Reply, Stop, Transport, TransportError, TransportSettings};
use napsim_remote::{Redactor, Secret, shown_address};
use reqwest::Url;
use reqwest::header::HeaderMap;
use serde_json::value::RawValue;

use crate::failure::{Failure, kind, quoted, seconds};
use crate::message::{ANSWER_BYTES_MAX, Answer, AnswerError, Hello, HelloQuestion, ToPredictor};
use crate::{ExternalError, ExternalSettings};

pub(crate) use session::Session;

/// Most retries of a request that got no answer, or one that says that the server has too much to do.
const RETRIES_MAX: u32 = 5;

/// How long a farewell may take; nobody depends on it.
const BYE_TIMEOUT: Duration = Duration::from_secs(2);

/// A service that has said hello.
pub(crate) struct Service {
    /// Its address as it may be shown.
    id: String,
    url: Url,
    headers: HeaderMap,
    redactor: Redactor,
    transport: Transport,
    /// For farewells, made when the first is sent.
    farewells: OnceLock<Option<Transport>>,
    settings: ExternalSettings,
}

impl Service {
    /// Lets a service say hello.
    pub(crate) fn reach(
        url: &str,
        token: Option<&Secret>,
        settings: &ExternalSettings,
    ) -> Result<(Self, Hello), ExternalError> {
        let id = shown_address(url);
        let (url, secrets) = address::read(url, token)?;
        let headers = address::headers(&id, token)?;
        let stop = settings.stop.clone();
        let unprepared = |error: TransportError| ExternalError::Address {
            address: id.clone(),
            reason: error.to_string(),
        };
        // A service that loads its model first may take as long as a program that does.
        let greeting = transport(settings.start_timeout, RETRIES_MAX, stop.clone()).map_err(unprepared)?;
        let service = Self {
            transport: transport(settings.call_timeout, RETRIES_MAX, stop).map_err(unprepared)?,
            redactor: Redactor::new(token.into_iter().chain(&secrets)),
            farewells: OnceLock::new(),
            settings: settings.clone(),
            id,
            url,
            headers,
        };
        let question = ToPredictor::Hello(HelloQuestion::new(1));
        let answers = service.ask_by(&greeting, settings.start_timeout, &[question], &[1])?;
        match answers.into_iter().next() {
            Some(Answer::Hello(hello)) => Ok((service, hello)),
            Some(Answer::Error(error)) => Err(service.reported(error).into()),
            answer => Err(service.wrong_type("hello", answer.as_ref()).into()),
        }
    }

    /// Its address as it may be shown.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// How many requests were sent again.
    pub(crate) fn retries(&self) -> u64 {
        self.transport.activity().retries()
    }

    /// Sends messages and gives the answers to the questions among them, whose numbers are these.
    fn ask(&self, messages: &[ToPredictor<'_>], ids: &[u64]) -> Result<Vec<Answer>, Failure> {
        self.ask_by(&self.transport, self.settings.call_timeout, messages, ids)
    }

    fn ask_by(
        &self,
        transport: &Transport,
        within: Duration,
        messages: &[ToPredictor<'_>],
        ids: &[u64],
    ) -> Result<Vec<Answer>, Failure> {
        let reply = transport
            .post(&self.post(messages), &|reply| Judgement::of_status(reply.status))
            .map_err(|error| self.unsent(&error, within))?;
        self.answers(&reply, ids)
    }

    fn post(&self, messages: &[ToPredictor<'_>]) -> Post {
        Post {
            url: self.url.clone(),
            headers: self.headers.clone(),
            // Texts and numbers can always be written.
            body: serde_json::to_string(messages).unwrap_or_default(),
            tokens: 0,
        }
    }

    /// Tells the service that a session is over, if it is there to hear it.
    fn say_bye(&self, bye: ToPredictor<'_>) {
        if self.settings.stop.is_asked() {
            return;
        }
        let prepare = || transport(BYE_TIMEOUT, 0, self.settings.stop.clone()).ok();
        if let Some(transport) = self.farewells.get_or_init(prepare) {
            // A session that is not told so is forgotten some day all the same.
            let _ = transport.post(&self.post(&[bye]), &|_| Judgement::Done);
        }
    }

    fn answers(&self, reply: &Reply, ids: &[u64]) -> Result<Vec<Answer>, Failure> {
        if reply.status != 200 {
            let what = format!(
                "it answered with status {}: {}",
                reply.status,
                quoted(reply.body.as_bytes())
            );
            return Err(self.fail(kind::UNREACHABLE, &what, &reply.body));
        }
        let lines: Vec<&RawValue> = serde_json::from_str(&reply.body).map_err(|error| {
            let what = format!(
                "expected a JSON array of answers, got {} ({error})",
                quoted(reply.body.as_bytes())
            );
            self.fail(kind::MALFORMED, &what, &reply.body)
        })?;
        if lines.len() != ids.len() {
            let (expected, got) = (ids.len(), lines.len());
            let what = format!(
                "expected {expected} answers, got {got}: {}",
                quoted(reply.body.as_bytes())
            );
            return Err(self.fail(kind::MALFORMED, &what, &reply.body));
        }
        let both = lines.into_iter().zip(ids);
        both.map(|(line, id)| self.answer(line.get(), *id)).collect()
    }

    fn answer(&self, line: &str, id: u64) -> Result<Answer, Failure> {
        let shown = quoted(line.as_bytes());
        match Answer::read(line.as_bytes()) {
            Ok(answer) if answer.id() == id => Ok(answer),
            Ok(answer) => {
                let (name, other) = (answer.type_name(), answer.id());
                let what = format!("expected an answer with id {id}, got `{name}` with id {other}: {shown}");
                Err(self.fail(kind::OUT_OF_TURN, &what, line))
            }
            Err(error) => {
                let kind = match error {
                    AnswerError::TooManyActions { .. } => kind::TOO_MANY_ACTIONS,
                    _ => kind::MALFORMED,
                };
                let what = format!("expected an answer, got what is none: {error}: {shown}");
                Err(self.fail(kind, &what, line))
            }
        }
    }

    fn unsent(&self, error: &TransportError, within: Duration) -> Failure {
        let (kind, what) = match error {
            TransportError::Stopped => return Failure::interrupted(),
            TransportError::TimedOut { .. } => (kind::TIMEOUT, format!("no answer came within {}", seconds(within))),
            TransportError::TooLarge { .. } => {
                let longest = ANSWER_BYTES_MAX >> 20;
                (kind::TOO_LONG, format!("its answer is longer than {longest} MiB"))
            }
            TransportError::NotText { .. } => (kind::MALFORMED, "its answer is no UTF-8 text".to_owned()),
            error => (kind::UNREACHABLE, error.to_string()),
        };
        self.fail(kind, &what, "")
    }

    fn wrong_type(&self, expected: &str, answer: Option<&Answer>) -> Failure {
        let line = serde_json::to_string(&answer).unwrap_or_default();
        let what = format!("expected `{expected}`, got {}", quoted(line.as_bytes()));
        self.fail(kind::MALFORMED, &what, &line)
    }

    fn reported(&self, error: crate::message::ErrorAnswer) -> Failure {
        let is_forgotten = error.kind.as_deref() == Some(kind::UNKNOWN_SESSION);
        let failure = self.redacted(Failure::reported(&format!("ask {}", self.id), error));
        if is_forgotten {
            // Nothing more is to be expected of this session.
            let raw = failure.raw.unwrap_or_default();
            return Failure::broken(kind::UNKNOWN_SESSION, failure.message).with_raw(raw.as_bytes());
        }
        failure
    }

    fn fail(&self, kind: &str, what: &str, raw: &str) -> Failure {
        let message = format!("ask {}: {what}", self.id);
        self.redacted(Failure::broken(kind, message).with_raw(raw.as_bytes()))
    }

    /// Servers may repeat what they were sent.
    fn redacted(&self, failure: Failure) -> Failure {
        Failure {
            message: self.redactor.redact(&failure.message),
            raw: failure.raw.map(|raw| self.redactor.redact(&raw)),
            ..failure
        }
    }
}

fn transport(timeout: Duration, retries_max: u32, stop: Stop) -> Result<Transport, TransportError> {
    let settings = TransportSettings {
        timeout,
        chunk_timeout: timeout,
        connect_timeout: timeout.min(TransportSettings::default().connect_timeout),
        body_bytes_max: ANSWER_BYTES_MAX as u64,
        retries_max,
        // What makes no sense is not better the second time.
        malformed_retries_max: 0,
        backoff_min: Duration::from_millis(200),
        ..TransportSettings::default()
    };
    Transport::new(settings, stop)
}

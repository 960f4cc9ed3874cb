//! Asking models so that nothing is lost: answers are kept before they are used, and no question is asked twice.
//!
//! ```text
//! ask -> recording to replay? -> journal of the run -> cache -> budget -> transport -> answer
//!                                                                            |
//!                            journal, cache, recording <- kept before used <-'
//! ```

mod keep;
mod outcome;
mod settings;
mod stored;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

use crate::answer::{Answer, NoAnswer, NoAnswerKind};
use crate::entry::Key;
use crate::ledger::{BudgetError, Ledger, Reservation, Spent, TokenUse};
use crate::provider::Endpoint;
use crate::question::Question;
use crate::transport::{Post, Stop, Transport, TransportActivity};
use crate::wire;

pub use settings::{ExchangeError, ExchangeSettings};

use keep::Keep;
use outcome::{judge, read, settle};

/// How often somebody who waits for the answer to the same question asks whether to stop.
const ASK_AFTER: Duration = Duration::from_millis(50);

/// Tokens of an answer that count against the tokens a minute before it is there.
const TOKENS_EXPECTED: u64 = 512;

/// Asks models, for all lanes of a run, which share it behind an `Arc`.
pub struct Exchange {
    keep: Keep,
    ledger: Ledger,
    stop: Stop,
    /// One a server, since each has limits of its own.
    transports: Mutex<BTreeMap<String, Arc<Transport>>>,
    settings: ExchangeSettings,
    before: Spent,
    /// Questions that are being asked just now, and who waits for them to be answered.
    asked: Mutex<BTreeSet<Key>>,
    answered: Condvar,
    /// Why nobody can be asked any more.
    halt: OnceLock<NoAnswer>,
}

/// A question with all that decides about its answer.
#[derive(Clone, Copy)]
pub struct Ask<'a> {
    /// Who is asked.
    pub endpoint: &'a Endpoint,
    /// What.
    pub question: &'a Question,
    /// Answers of other repeats are other answers; 0 is the first.
    pub repeat: u64,
    /// Whether a verdict such as a refusal is as good as an answer, so that it is kept and not asked for again.
    pub takes_verdicts: bool,
    /// What an answer must fulfil besides being one. What does not is not kept.
    pub check: &'a dyn Fn(&Answer) -> Result<(), NoAnswer>,
}

/// An answer and what it is kept under.
#[derive(Clone, Debug, PartialEq)]
pub struct Exchanged {
    /// The answer.
    pub answer: Answer,
    /// The request's key.
    pub key: Key,
}

impl Exchange {
    /// Opens the places where answers are kept. Nothing is sent before the first question that none of them answers.
    /// The notes say what was found amiss in files.
    ///
    /// # Errors
    /// [`ExchangeError`].
    pub fn open(settings: ExchangeSettings, stop: Stop) -> Result<(Self, Vec<String>), ExchangeError> {
        let mut notes = Vec::new();
        let keep = Keep::open(&settings, &mut notes)?;
        let before = keep.spent_before(&settings.prices)?;
        Ok((
            Self {
                keep,
                ledger: Ledger::new(settings.prices.clone(), settings.budget, before),
                stop,
                transports: Mutex::default(),
                settings,
                before,
                asked: Mutex::default(),
                answered: Condvar::new(),
                halt: OnceLock::new(),
            },
            notes,
        ))
    }

    /// Asks a question, unless its answer is kept already.
    ///
    /// # Errors
    /// [`NoAnswer`]; where its kind [stops all](NoAnswerKind::stops_all) every later question fares the same.
    pub fn ask(&self, ask: Ask<'_>) -> Result<Exchanged, NoAnswer> {
        if let Some(halt) = self.halt.get() {
            return Err(halt.clone());
        }
        let request = request(&ask);
        let key = Key::of(&request);
        let answer = self.answer(&ask, &request, key);
        if let Err(failure) = &answer
            && failure.kind.stops_all()
            && failure.kind != NoAnswerKind::Stopped
        {
            let _ = self.halt.set(failure.clone());
        }
        answer.map(|answer| Exchanged { answer, key })
    }

    /// Whether the answer to a question is kept, so that nobody need be asked.
    pub fn knows(&self, ask: Ask<'_>) -> bool {
        let request = request(&ask);
        let found = self.keep.find(&Key::of(&request), &request, &ask);
        found.is_ok_and(|found| found.is_some())
    }

    /// Why nobody can be asked any more, if that is so.
    pub fn halted(&self) -> Option<&NoAnswer> {
        self.halt.get()
    }

    /// The files and folders where the answers of this run are kept.
    pub fn places(&self) -> Vec<PathBuf> {
        self.keep.places()
    }

    /// The file of the recording, while it is not finished.
    pub fn unfinished_recording(&self) -> Option<PathBuf> {
        self.keep.unfinished_recording()
    }

    /// What the run had used in earlier sittings.
    pub fn spent_before(&self) -> Spent {
        self.before
    }

    /// What was used by now.
    pub fn spent(&self) -> Spent {
        self.ledger.snapshot()
    }

    /// The prices and the budget.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// What was sent by now.
    pub fn activity(&self) -> TransportActivity {
        lock(&self.transports)
            .values()
            .map(|transport| transport.activity())
            .sum()
    }

    /// Makes all answers durable and, where the run is `complete`, finishes the recording. Returns how many answers were
    /// recorded.
    ///
    /// # Errors
    /// [`ExchangeError`].
    pub fn finish(&self, complete: bool) -> Result<Option<u64>, ExchangeError> {
        self.keep.finish(complete)
    }

    fn answer(&self, ask: &Ask<'_>, request: &str, key: Key) -> Result<Answer, NoAnswer> {
        let mut turn = None;
        loop {
            if let Some(stored) = self.keep.find(&key, request, ask)? {
                self.ledger.count_cached(&ask.endpoint.name(), stored.usage());
                return stored.into_answer();
            }
            if self.keep.only_replays() {
                return Err(self.keep.not_recorded());
            }
            if !self.keep.keeps() || turn.is_some() {
                return self.ask_server(ask, request);
            }
            // Somebody may be asking the same just now; if so the answer is waited for, and else it is our turn.
            turn = self.turn(key)?;
        }
    }

    /// Waits until nobody else asks the same; none where somebody did, so that the answer may be kept by now.
    fn turn(&self, key: Key) -> Result<Option<Turn<'_>>, NoAnswer> {
        let mut asked = lock(&self.asked);
        if asked.insert(key) {
            return Ok(Some(Turn { exchange: self, key }));
        }
        while asked.contains(&key) {
            if self.stop.is_asked() {
                return Err(stopped());
            }
            let waited = self.answered.wait_timeout(asked, ASK_AFTER);
            asked = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        Ok(None)
    }

    fn ask_server(&self, ask: &Ask<'_>, request: &str) -> Result<Answer, NoAnswer> {
        let Ask { endpoint, question, .. } = *ask;
        if let Some(variable) = endpoint.missing_key() {
            let message = format!("ask {}: its key is missing; set {variable}", endpoint.name());
            return Err(failure(NoAnswerKind::Unauthorized, message));
        }
        self.keep.try_out()?;
        let transport = self.transport(endpoint)?;
        let reservation = self.reserve(endpoint, question)?;
        let body = wire::body(endpoint, question).to_string();
        let post = Post {
            url: endpoint.url().clone(),
            headers: endpoint.headers().clone(),
            body,
            tokens: question.prompt.tokens_estimated() + TOKENS_EXPECTED.min(question.generation.tokens_max.into()),
        };
        let (replied, n_lost) = transport.post_counting(&post, &|reply| judge(endpoint, reply));
        let read = read(endpoint, question, replied);
        for _ in 0..n_lost {
            // Attempts that brought nothing before the last one may have been paid for, too.
            self.ledger.count_unconfirmed(&endpoint.name(), worst_case(question));
        }
        settle(reservation, &read);
        let answer = read
            .result
            .and_then(|answer| (ask.check)(&answer).map(|()| answer))
            .map_err(|failure| redacted(endpoint, failure));
        self.keep.keep(ask, request, answer)
    }

    /// The transport to a server, which is made when somebody has to be asked.
    fn transport(&self, endpoint: &Endpoint) -> Result<Arc<Transport>, NoAnswer> {
        let mut transports = lock(&self.transports);
        let server = endpoint.url().origin().ascii_serialization();
        if let Some(transport) = transports.get(&server) {
            return Ok(Arc::clone(transport));
        }
        let made = Transport::new(self.settings.transport.clone(), self.stop.clone());
        let made = made.map_err(|error| failure(NoAnswerKind::Unreachable, format!("failed to {error}")))?;
        let transport = transports.entry(server).or_insert_with(|| Arc::new(made));
        Ok(Arc::clone(transport))
    }

    fn reserve(&self, endpoint: &Endpoint, question: &Question) -> Result<Reservation, NoAnswer> {
        let reserved = self
            .ledger
            .reserve(&endpoint.name(), worst_case(question), &|| self.stop.is_asked());
        reserved.map_err(|error| match error {
            BudgetError::Stopped => stopped(),
            error => failure(NoAnswerKind::BudgetSpent, format!("failed to {error}")),
        })
    }
}

impl fmt::Debug for Exchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Exchange({:?})", self.ledger)
    }
}

/// The right to ask a question that nobody else asks at the same time.
struct Turn<'a> {
    exchange: &'a Exchange,
    key: Key,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        lock(&self.exchange.asked).remove(&self.key);
        self.exchange.answered.notify_all();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The exact request in its canonical spelling: who is asked, where, how, what, and for which repeat.
fn request(ask: &Ask<'_>) -> String {
    let endpoint = ask.endpoint;
    let mut request = json!({
        "provider": endpoint.provider.name(),
        "model": endpoint.model,
        "api": endpoint.api.name(),
        "address": endpoint.address(),
        "body": wire::body(endpoint, ask.question),
    });
    if let Some(object) = request.as_object_mut().filter(|_| ask.repeat > 0) {
        object.insert("repeat".to_owned(), Value::from(ask.repeat));
    }
    request.to_string()
}

/// The most that a question can well use.
fn worst_case(question: &Question) -> TokenUse {
    TokenUse {
        input: question.prompt.tokens_at_most(),
        output: question.generation.tokens_max.into(),
        ..TokenUse::default()
    }
}

fn redacted(endpoint: &Endpoint, mut failure: NoAnswer) -> NoAnswer {
    if failure.kind == NoAnswerKind::NoSuchModel {
        failure.message.push_str(&format!(" (asked at {})", endpoint.address()));
    }
    failure.message = endpoint.redact(&failure.message);
    failure.raw = endpoint.redact(&failure.raw);
    failure
}

fn failure(kind: NoAnswerKind, message: String) -> NoAnswer {
    NoAnswer {
        kind,
        message,
        raw: String::new(),
        usage: TokenUse::default(),
    }
}

fn stopped() -> NoAnswer {
    failure(NoAnswerKind::Stopped, "the run was stopped".to_owned())
}

//! A running program that speaks the protocol.

mod partner;
mod pipes;
mod process;

pub(crate) use partner::Spoken;
pub(crate) use process::Ended;

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::failure::{Failure, kind, quoted, seconds};
use crate::message::{ANSWER_BYTES_MAX, Answer, AnswerError, ErrorAnswer, ToPredictor};
use crate::stderr::Tap;
use crate::{ExternalSettings, StderrMode};
use pipes::Output;
use process::Process;

/// How often it is asked whether anybody still waits.
const POLL: Duration = Duration::from_millis(50);

/// The last message.
pub(crate) const BYE: &[u8] = b"{\"type\":\"bye\"}\n";

/// How long a program may take to end after `bye`, and when nobody waits any more.
pub(crate) const BYE_TIMEOUT: Duration = Duration::from_secs(2);
const BYE_TIMEOUT_STOPPED: Duration = Duration::from_millis(200);

/// How long the status and the last words of a program that closed its output are waited for.
const LAST_WORDS_TIMEOUT: Duration = Duration::from_secs(1);

/// The longest time that means anything; clocks cannot count to the end of a longer one.
const WITHIN_MAX: Duration = Duration::from_secs(1 << 32);

/// How much of standard error goes into a failure, in bytes.
const STDERR_BYTES_MAX: usize = 4 << 10;

/// A running program.
///
/// Whoever gets a failure of it that is broken or interrupted finds it dead.
#[derive(Debug)]
pub(crate) struct Program {
    id: Arc<str>,
    process: Process,
    outbox: Option<SyncSender<Vec<u8>>>,
    outputs: Receiver<Output>,
    tap: Arc<Tap>,
    next_id: u64,
    /// What is being done with it, in messages: `start` up to its hello, then `ask`.
    doing: &'static str,
    settings: ExternalSettings,
}

impl Program {
    /// Starts a program; nothing is said yet.
    pub(crate) fn start(id: &Arc<str>, words: &[String], settings: &ExternalSettings) -> Result<Self, Failure> {
        Self::spawn(id, words, settings).map_err(|error| {
            let message = format!("start {id}: {error}");
            Failure::broken(kind::CANNOT_START, message)
        })
    }

    fn spawn(id: &Arc<str>, words: &[String], settings: &ExternalSettings) -> io::Result<Self> {
        let mut process = Process::start(words)?;
        let missing = || io::Error::other("a pipe is missing");
        let child = process.child();
        let stdin = child.stdin.take().ok_or_else(missing)?;
        let stdout = child.stdout.take().ok_or_else(missing)?;
        let stderr = child.stderr.take().ok_or_else(missing)?;
        let tap = Arc::new(Tap::default());
        {
            let tap = Arc::clone(&tap);
            let mode: StderrMode = settings.stderr.clone();
            pipes::on_thread("napsim-stderr", move || tap.drain(stderr, &mode))?;
        }
        Ok(Self {
            id: Arc::clone(id),
            outbox: Some(pipes::writer(stdin)?),
            outputs: pipes::reader(stdout)?,
            process,
            tap,
            next_id: 1,
            doing: "start",
            settings: settings.clone(),
        })
    }

    /// Its standard error.
    pub(crate) fn tap(&self) -> &Arc<Tap> {
        &self.tap
    }

    /// The number of the next question.
    pub(crate) fn next_id(&mut self) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    /// Sends messages, the last of which is a question, and gives its answer. Nothing else may have been said before.
    pub(crate) fn ask(&mut self, messages: &[ToPredictor<'_>], id: u64, within: Duration) -> Result<Answer, Failure> {
        self.ask_in_json(messages, id, within)
    }

    /// The same with messages of any kind.
    pub(crate) fn ask_in_json<T: Serialize>(
        &mut self,
        messages: &[T],
        id: u64,
        within: Duration,
    ) -> Result<Answer, Failure> {
        let mut bytes = Vec::with_capacity(512);
        for message in messages {
            // Texts and numbers can always be written.
            let _ = serde_json::to_writer(&mut bytes, message);
            bytes.push(b'\n');
        }
        let deadline = Instant::now() + within.min(WITHIN_MAX);
        self.send(bytes, deadline, within)?;
        let line = self.line(deadline, within)?;
        match Answer::read(&line) {
            Ok(answer) if answer.id() == id => Ok(answer),
            Ok(answer) => Err(self.answer_to_another(&answer, id, &line)),
            Err(error) => Err(self.no_answer(&error, &line)),
        }
    }

    /// Makes sure that the program has said nothing although nobody asked.
    pub(crate) fn check_silence(&mut self) -> Result<(), Failure> {
        let line = match self.outputs.try_recv() {
            Err(TryRecvError::Empty) => return Ok(()),
            Err(TryRecvError::Disconnected) => return Err(self.closed(&[])),
            Ok(output) => self.line_of(output)?,
        };
        Err(match Answer::read(&line) {
            Ok(answer) => {
                let (name, id) = (answer.type_name(), answer.id());
                let what = format!(
                    "expected silence before the next question, got `{name}` with id {id}: {}",
                    quoted(&line)
                );
                self.fail(kind::OUT_OF_TURN, &what, &line)
            }
            Err(error) => self.no_answer(&error, &line),
        })
    }

    fn send(&mut self, mut bytes: Vec<u8>, deadline: Instant, within: Duration) -> Result<(), Failure> {
        loop {
            let Some(outbox) = &self.outbox else {
                return Err(self.closed(&[]));
            };
            match outbox.try_send(bytes) {
                // One that does not read any more is found out by what it says, or does not say.
                Ok(()) | Err(TrySendError::Disconnected(_)) => return Ok(()),
                Err(TrySendError::Full(back)) => bytes = back,
            }
            if self.settings.stop.is_asked() {
                return Err(self.interrupt());
            }
            if Instant::now() >= deadline {
                let what = format!("it has not read its input for {}", seconds(within));
                return Err(self.fail(kind::TIMEOUT, &what, &[]));
            }
            sleep(Duration::from_millis(1));
        }
    }

    fn line(&mut self, deadline: Instant, within: Duration) -> Result<Vec<u8>, Failure> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.outputs.recv_timeout(left.min(POLL)) {
                Ok(output) => return self.line_of(output),
                Err(RecvTimeoutError::Disconnected) => return Err(self.closed(&[])),
                Err(RecvTimeoutError::Timeout) if self.settings.stop.is_asked() => return Err(self.interrupt()),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    let what = format!(
                        "no answer came within {}; perhaps its output is not flushed after each line",
                        seconds(within)
                    );
                    return Err(self.fail(kind::TIMEOUT, &what, &[]));
                }
                // Somebody else may hold its output open for ever.
                Err(RecvTimeoutError::Timeout) if self.process.ends_within(Duration::ZERO) => {
                    return match self.outputs.recv_timeout(POLL) {
                        Ok(output) => self.line_of(output),
                        Err(_) => Err(self.closed(&[])),
                    };
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn line_of(&mut self, output: Output) -> Result<Vec<u8>, Failure> {
        match output {
            Output::Line(line) => Ok(line),
            Output::TooLong(start) => {
                let longest = ANSWER_BYTES_MAX >> 20;
                let what = format!(
                    "its answer is longer than {longest} MiB and begins with {}",
                    quoted(&start)
                );
                Err(self.fail(kind::TOO_LONG, &what, &start))
            }
            Output::Closed(piece) => Err(self.closed(&piece)),
            Output::Broken(reason) => {
                Err(self.fail(kind::CRASHED, &format!("its output cannot be read: {reason}"), &[]))
            }
        }
    }

    fn answer_to_another(&mut self, answer: &Answer, id: u64, line: &[u8]) -> Failure {
        let (name, other) = (answer.type_name(), answer.id());
        let what = format!(
            "expected an answer with id {id}, got `{name}` with id {other}: {}",
            quoted(line)
        );
        self.fail(kind::OUT_OF_TURN, &what, line)
    }

    fn no_answer(&mut self, error: &AnswerError, line: &[u8]) -> Failure {
        let kind = match error {
            AnswerError::TooManyActions { .. } => kind::TOO_MANY_ACTIONS,
            _ => kind::MALFORMED,
        };
        let mut what = format!("expected an answer, got a line that is none: {error}: {}", quoted(line));
        if matches!(error, AnswerError::NoMessage { .. }) {
            what += "; its standard output is for answers alone, all else belongs on standard error";
        }
        self.fail(kind, &what, line)
    }

    /// The program has answered another type than asked for.
    fn wrong_type(&mut self, expected: &str, answer: &Answer) -> Failure {
        let line = serde_json::to_vec(answer).unwrap_or_default();
        let what = format!("expected `{expected}`, got `{}`: {}", answer.type_name(), quoted(&line));
        self.fail(kind::MALFORMED, &what, &line)
    }

    /// The program has answered that it has no answer.
    fn reported(&self, error: ErrorAnswer) -> Failure {
        let stderr = self.tap.tail(STDERR_BYTES_MAX);
        let failure = Failure::reported(&format!("{} {}", self.doing, self.id), error);
        Failure { stderr, ..failure }
    }

    /// The program has closed its output, after a piece of a line.
    fn closed(&mut self, piece: &[u8]) -> Failure {
        let has_ended = self.process.ends_within(LAST_WORDS_TIMEOUT);
        let ended = self.end();
        let mut what = if has_ended {
            format!("it {ended}")
        } else {
            "it closed its output".to_owned()
        };
        if !piece.is_empty() {
            what += &format!(" within a line, {}", quoted(piece));
        }
        if let Some(last_words) = self.last_words() {
            what += &format!("; it last wrote to its standard error {last_words}");
        }
        self.fail(kind::CRASHED, &what, piece)
    }

    /// The last line of its standard error that says something.
    fn last_words(&self) -> Option<String> {
        let tail = self.tap.tail(STDERR_BYTES_MAX)?;
        // Marks under a line of source say nothing by themselves.
        let last = tail.lines().rfind(|line| line.contains(char::is_alphanumeric))?;
        Some(quoted(last.trim_end().as_bytes()))
    }

    fn interrupt(&mut self) -> Failure {
        self.end();
        Failure::interrupted()
    }

    /// Kills the program, waits for its last words, and says how it ended.
    fn end(&mut self) -> Ended {
        let is_first = self.outbox.take().is_some();
        let ended = self.process.kill();
        if is_first {
            self.tap.settle(LAST_WORDS_TIMEOUT);
        }
        ended
    }

    /// Ends the program, of which nothing more is to be expected.
    pub(crate) fn fail(&mut self, kind: &str, what: &str, raw: &[u8]) -> Failure {
        self.end();
        Failure {
            stderr: self.tap.tail(STDERR_BYTES_MAX),
            ..Failure::broken(kind, format!("{} {}: {what}", self.doing, self.id)).with_raw(raw)
        }
    }
}

impl Program {
    /// Says last words, which may be none at all, closes the input, and gives the program a time to end. It is killed then.
    pub(crate) fn leave(&mut self, last_words: &[u8], within: Duration) -> Ended {
        if let Some(outbox) = self.outbox.take() {
            // One that does not read is killed all the same.
            let _ = outbox.try_send(last_words.to_vec());
            drop(outbox);
            self.process.ends_within(within);
        }
        self.process.kill()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let timeout = if self.settings.stop.is_asked() {
            BYE_TIMEOUT_STOPPED
        } else {
            BYE_TIMEOUT
        };
        self.leave(BYE, timeout);
    }
}

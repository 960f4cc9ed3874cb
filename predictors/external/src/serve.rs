//! The other side: any predictor answers on a pair of pipes.

mod lines;
mod session;

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};

use napsim_sim::predictor::Predictor;
use thiserror::Error;

use crate::fingerprint;
use crate::message::{
    Answer, Begin, ErrorAnswer, Hello, NAME_CHARS_MAX, Observe, PROTOCOL, QuestionError, Ready, ToPredictor, Wants,
};
use lines::Line;
use session::Session;

/// Most conversations at a time. Whoever begins another one ends that which was silent longest.
const SESSIONS_MAX: usize = 64;

/// Kinds of errors, as answers name them.
mod kind {
    pub(super) const UNREADABLE: &str = "unreadable";
    pub(super) const UNKNOWN_QUESTION: &str = "unknown_question";
    pub(super) const UNKNOWN_SESSION: &str = "unknown_session";
    pub(super) const OTHER_PROTOCOL: &str = "other_protocol";
    pub(super) const BAD_HISTORY: &str = "bad_history";
    pub(super) const BAD_ACTION: &str = "bad_action";
    pub(super) const BAD_CONFIDENCE: &str = "bad_confidence";
}

/// What a served predictor says of itself.
#[derive(Clone, Copy, Debug)]
pub struct Served<'a> {
    /// What people call the predictor; of a longer name the first 200 characters are told.
    pub name: &'a str,
    /// The same text promises the same answers; in place of one of more than 1,000 characters its hash is told.
    pub fingerprint: Option<&'a str>,
    /// Whether the predictor makes use of [`withdrawn`](Predictor::withdrawn) and [`refused`](Predictor::refused).
    pub wants_feedback: bool,
}

/// Why a predictor is no longer served.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The input cannot be read.
    #[error("read a question: {0}")]
    Input(#[source] io::Error),
    /// The output cannot be written.
    #[error("write an answer: {0}")]
    Output(#[source] io::Error),
}

/// Answers questions until `bye` or the end of the input.
///
/// `make` gives a predictor for each conversation: one where messages name no `session`, one for each name otherwise.
/// What cannot be understood, has no place in the conversation, or names actions that are none is answered by `error` at
/// the next `predict`, and a line that is no message at all at once, by an `error` with the id 0. Nothing of this ends the
/// conversation.
///
/// ```
/// use napsim_external::{Served, serve};
/// # use napsim_sim::predictor::*;
/// # struct Silent;
/// # impl Predictor for Silent {
/// #     fn fingerprint(&self) -> Fingerprint { Fingerprint("silent".to_owned()) }
/// #     fn begin(&mut self, _: TrajectoryHead<'_>, _: Seed) {}
/// #     fn observe(&mut self, _: &[napsim_trajectories::Action]) {}
/// #     fn predict(&mut self, _: View<'_>, _: Budget, _: &mut Proposals) -> Result<Usage, PredictError> {
/// #         Ok(Usage::default())
/// #     }
/// # }
/// let input = br#"{"type":"begin","id":1,"trajectory":"t","sheet":"Sheet1","seed":0}"#;
/// let mut output = Vec::new();
/// let served = Served { name: "silent", fingerprint: None, wants_feedback: false };
/// serve(served, &mut || Box::new(Silent), &mut input.as_slice(), &mut output)?;
/// assert_eq!(output, b"{\"type\":\"ready\",\"id\":1}\n");
/// # Ok::<(), napsim_external::ServeError>(())
/// ```
///
/// # Errors
/// [`ServeError`] where a pipe fails.
pub fn serve(
    served: Served<'_>,
    make: &mut dyn FnMut() -> Box<dyn Predictor>,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<(), ServeError> {
    let mut server = Server {
        served,
        make,
        sessions: VecDeque::new(),
    };
    loop {
        let answer = match lines::next(input).map_err(ServeError::Input)? {
            Line::End => return Ok(()),
            Line::TooLong => Some(error(0, kind::UNREADABLE, lines::TOO_LONG.to_owned())),
            Line::Whole(line) => match ToPredictor::read(&line) {
                Ok(ToPredictor::Bye(bye)) if bye.session.is_none() => return Ok(()),
                Ok(message) => server.answer(message),
                Err(trouble) => server.misunderstood(trouble),
            },
        };
        if let Some(answer) = answer {
            write(output, &answer).map_err(ServeError::Output)?;
        }
    }
}

fn write(output: &mut dyn Write, answer: &Answer) -> io::Result<()> {
    let mut line = serde_json::to_vec(answer)?;
    line.push(b'\n');
    output.write_all(&line)?;
    output.flush()
}

fn error(id: u64, kind: &str, message: String) -> Answer {
    Answer::Error(ErrorAnswer {
        id,
        message,
        kind: Some(kind.to_owned()),
        ..ErrorAnswer::default()
    })
}

/// A predictor that is served.
struct Server<'a> {
    served: Served<'a>,
    make: &'a mut dyn FnMut() -> Box<dyn Predictor>,
    /// Conversations by name, the one that was silent longest first. Without a name, the name is empty.
    sessions: VecDeque<(String, Session)>,
}

impl Server<'_> {
    /// Does what a message asks for, and answers it if it is a question.
    fn answer(&mut self, message: ToPredictor<'static>) -> Option<Answer> {
        match message {
            ToPredictor::Hello(question) if question.protocol != PROTOCOL => {
                let message = format!(
                    "understand the protocol `{}`; `{PROTOCOL}` is spoken here",
                    question.protocol
                );
                Some(error(question.id, kind::OTHER_PROTOCOL, message))
            }
            ToPredictor::Hello(question) => Some(Answer::Hello(self.hello(question.id))),
            ToPredictor::Begin(begin) => Some(self.begin(&begin)),
            ToPredictor::Observe(observe) => {
                let Observe { session, from, actions } = observe;
                self.with(session.as_deref(), |session| session.observe(from, &actions));
                None
            }
            ToPredictor::Predict(question) => {
                let name = question.session.as_deref();
                let answer = self.with(name, |session| session.predict(&question));
                Some(answer.unwrap_or_else(|| {
                    let message = "go on with a trajectory that has not begun here".to_owned();
                    error(question.id, kind::UNKNOWN_SESSION, message)
                }))
            }
            ToPredictor::Withdrawn(notice) => {
                self.with(notice.session.as_deref(), Session::withdrawn);
                None
            }
            ToPredictor::Refused(notice) => {
                self.with(notice.session.as_deref(), |session| session.refused(&notice.actions));
                None
            }
            ToPredictor::Bye(bye) => {
                let name = bye.session.as_deref().unwrap_or_default();
                self.sessions.retain(|(other, _)| other != name);
                None
            }
        }
    }

    fn hello(&self, id: u64) -> Hello {
        let name: String = self.served.name.chars().take(NAME_CHARS_MAX).collect();
        Hello {
            fingerprint: self.served.fingerprint.map(fingerprint::within_bounds),
            wants: Wants {
                feedback: self.served.wants_feedback,
                ..Wants::default()
            },
            ..Hello::new(id, &name)
        }
    }

    fn begin(&mut self, begin: &Begin<'_>) -> Answer {
        let name = begin.session.as_deref().unwrap_or_default();
        let known = self.sessions.iter().position(|(other, _)| other == name);
        let known = known.and_then(|idx| self.sessions.remove(idx));
        let predictor = known.map_or_else(&mut self.make, |(_, session)| session.into_predictor());
        if self.sessions.len() >= SESSIONS_MAX {
            self.sessions.pop_front();
        }
        self.sessions
            .push_back((name.to_owned(), Session::begin(predictor, begin)));
        Answer::Ready(Ready { id: begin.id })
    }

    /// Does something in a conversation, if it is there.
    fn with<T>(&mut self, name: Option<&str>, work: impl FnOnce(&mut Session) -> T) -> Option<T> {
        let name = name.unwrap_or_default();
        let idx = self.sessions.iter().position(|(other, _)| other == name)?;
        let (name, mut session) = self.sessions.remove(idx)?;
        let result = work(&mut session);
        self.sessions.push_back((name, session));
        Some(result)
    }

    fn misunderstood(&mut self, trouble: QuestionError) -> Option<Answer> {
        let message = trouble.to_string();
        match trouble {
            QuestionError::UnknownNotice { .. } => None,
            QuestionError::NoMessage { .. } => Some(error(0, kind::UNREADABLE, message)),
            QuestionError::UnknownQuestion { id, .. } => Some(error(id, kind::UNKNOWN_QUESTION, message)),
            QuestionError::Fields { id: Some(id), .. } => Some(error(id, kind::UNREADABLE, message)),
            QuestionError::Fields { session, .. } => {
                self.with(session.as_deref(), |session| session.spoil(kind::UNREADABLE, message));
                None
            }
        }
    }
}

//! A program that is checked, message by message.

use std::sync::Arc;
use std::time::{Duration, Instant};

use napsim_sim::predictor::{Budget, CurrentWorkbook, View};
use napsim_trajectories::{Action, Corpus};
use serde_json::Value;

use super::Seen;
use crate::failure::Failure;
use crate::message::{Answer, Hello, Prediction};
use crate::partner::{Call, Start};
use crate::program::{Ended, Program};
use crate::setup::{id_of, words};
use crate::{ExternalError, ExternalSettings};

/// How many actions are told at most.
const N_ACTIONS: usize = 40;

/// How long a pause is at most before somebody asks whether to go on.
const POLL: Duration = Duration::from_millis(50);

/// A program that is started when it is needed, and anew where it is gone.
pub(super) struct Wire {
    id: Arc<str>,
    words: Vec<String>,
    settings: ExternalSettings,
    running: Option<Running>,
    trajectory: String,
    actions: Vec<Action>,
    lines: Vec<String>,
}

struct Running {
    program: Program,
    hello: Hello,
    n_told: usize,
}

/// The prediction, where the answer is one.
pub(super) fn predicts(answer: Answer) -> Result<Prediction, Seen> {
    match answer {
        Answer::Prediction(prediction) => Ok(prediction),
        Answer::Error(error) => Err(Seen::Failed(format!(
            "expected `prediction`, got the error: {}",
            error.message
        ))),
        answer => Err(Seen::Failed(format!(
            "expected `prediction`, got `{}`",
            answer.type_name()
        ))),
    }
}

impl Wire {
    pub(super) fn new(command: &str, settings: ExternalSettings) -> Result<Self, ExternalError> {
        // The embedded corpus can always be read.
        let first = Corpus::embedded()
            .ok()
            .and_then(|corpus| corpus.trajectories.into_iter().next());
        let (trajectory, mut actions) = first.map(|first| (first.name, first.actions)).unwrap_or_default();
        actions.truncate(N_ACTIONS);
        Ok(Self {
            id: id_of(command),
            words: words(command)?,
            settings,
            running: None,
            trajectory,
            lines: actions.iter().map(ToString::to_string).collect(),
            actions,
        })
    }

    /// How many actions there are to be told.
    pub(super) fn n_actions(&self) -> usize {
        self.actions.len()
    }

    /// What the program says of itself.
    pub(super) fn hello(&mut self) -> Result<Hello, Failure> {
        Ok(self.running()?.hello.clone())
    }

    fn running(&mut self) -> Result<&mut Running, Failure> {
        let running = match self.running.take() {
            Some(running) => running,
            None => {
                let mut program = Program::start(&self.id, &self.words, &self.settings)?;
                let hello = program.hello()?;
                Running {
                    program,
                    hello,
                    n_told: 0,
                }
            }
        };
        Ok(self.running.insert(running))
    }

    pub(super) fn next_id(&mut self) -> Result<u64, Failure> {
        Ok(self.running()?.program.next_id())
    }

    /// Sends messages and gives the answer to the last one, which is a question with this number.
    pub(super) fn ask(&mut self, messages: &[Value], id: u64) -> Result<Answer, Failure> {
        self.ask_within(messages, id, self.settings.call_timeout)
    }

    fn ask_within(&mut self, messages: &[Value], id: u64, within: Duration) -> Result<Answer, Failure> {
        let program = &mut self.running()?.program;
        let result = program
            .check_silence()
            .and_then(|()| program.ask_in_json(messages, id, within));
        if result.is_err() {
            self.running = None;
        }
        result
    }

    pub(super) fn begin(&mut self, seed: u64) -> Result<(), Seen> {
        self.begin_with(seed, |_| {})
    }

    /// Begins a trajectory by a message that is changed before.
    pub(super) fn begin_with(&mut self, seed: u64, change: impl Fn(&mut Value)) -> Result<(), Seen> {
        let id = self.next_id()?;
        let sheet = self.actions.first().map_or("Sheet1", |action| action.range().sheet());
        let start = Start {
            trajectory: self.trajectory.clone(),
            sheet: sheet.to_owned(),
            seed,
        };
        let mut message = serde_json::to_value(start.question(id, None)).unwrap_or_default();
        change(&mut message);
        let answer = self.ask_within(&[message], id, self.settings.start_timeout)?;
        self.running()?.n_told = 0;
        match answer {
            Answer::Ready(_) => Ok(()),
            Answer::Error(error) => Err(Seen::Failed(format!(
                "expected `ready`, got the error: {}",
                error.message
            ))),
            answer => Err(Seen::Failed(format!("expected `ready`, got `{}`", answer.type_name()))),
        }
    }

    /// The messages of a call after so many actions, and the number of the question, which is the last one.
    pub(super) fn call(&mut self, n_history: usize, actions_max: Option<u32>) -> Result<(Vec<Value>, u64), Failure> {
        let id = self.next_id()?;
        let wants = self.running()?.hello.wants;
        let n_told = std::mem::replace(&mut self.running()?.n_told, n_history);
        let current = CurrentWorkbook::default();
        let history = self.actions.get(..n_history).unwrap_or_default();
        let call = Call {
            lines: self.lines.get(..n_history).unwrap_or_default(),
            feedback: &[],
            view: View {
                history,
                current: &current,
                user_steps: u32::try_from(n_history).unwrap_or(u32::MAX),
                call_idx: 0,
            },
            budget: Budget { actions_max },
        };
        let messages = call.messages(wants, n_told, id, None);
        let values = messages
            .iter()
            .map(|message| serde_json::to_value(message).unwrap_or_default());
        Ok((values.collect(), id))
    }

    /// Asks after so many actions, of which the new ones are told.
    pub(super) fn predict(&mut self, n_history: usize, actions_max: Option<u32>) -> Result<Answer, Failure> {
        let (messages, id) = self.call(n_history, actions_max)?;
        self.ask(&messages, id)
    }

    /// Makes sure that nothing is said for a while.
    pub(super) fn listen(&mut self, at_least: Duration) -> Result<(), Failure> {
        let end = Instant::now() + at_least;
        while Instant::now() < end {
            std::thread::sleep(POLL);
            if self.settings.stop.is_asked() {
                return Err(Failure::interrupted());
            }
            if let Err(failure) = self.running()?.program.check_silence() {
                self.running = None;
                return Err(failure);
            }
        }
        Ok(())
    }

    /// Takes leave of the program, and says how it ended.
    pub(super) fn leave(&mut self, last_words: &[u8], within: Duration) -> Result<Ended, Failure> {
        let ended = self.running()?.program.leave(last_words, within);
        self.running = None;
        Ok(ended)
    }
}

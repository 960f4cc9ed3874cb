//! A program as a partner.

use std::sync::Arc;

use super::Program;
use crate::failure::Failure;
use crate::message::{Answer, Hello, HelloQuestion, Prediction, ToPredictor};
use crate::partner::{Call, Partner, Start};
use crate::setup::Shared;

/// A program that has said hello.
pub(crate) struct Spoken {
    program: Program,
    n_told: usize,
    shared: Arc<Shared>,
}

impl Program {
    /// Asks who the predictor is.
    pub(crate) fn hello(&mut self) -> Result<Hello, Failure> {
        let id = self.next_id();
        let question = ToPredictor::Hello(HelloQuestion::new(id));
        match self.ask(&[question], id, self.settings.start_timeout)? {
            Answer::Hello(hello) => {
                self.doing = "ask";
                Ok(hello)
            }
            Answer::Error(error) => Err(self.reported(error)),
            answer => Err(self.wrong_type("hello", &answer)),
        }
    }
}

impl Spoken {
    pub(crate) fn new(program: Program, shared: Arc<Shared>) -> Self {
        Self {
            program,
            n_told: 0,
            shared,
        }
    }
}

impl Partner for Spoken {
    fn begin(&mut self, start: &Start) -> Result<(), Failure> {
        self.n_told = 0;
        let id = self.program.next_id();
        let within = self.program.settings.start_timeout;
        let answer = self
            .program
            .check_silence()
            .and_then(|()| self.program.ask(&[start.question(id, None)], id, within));
        self.shared.stderr.assign(self.program.tap(), &start.trajectory);
        match answer? {
            Answer::Ready(_) => Ok(()),
            Answer::Error(error) => Err(self.program.reported(error)),
            answer => Err(self.program.wrong_type("ready", &answer)),
        }
    }

    fn predict(&mut self, call: &Call<'_>) -> Result<Prediction, Failure> {
        self.program.check_silence()?;
        let id = self.program.next_id();
        let messages = call.messages(self.shared.hello.wants, self.n_told, id, None);
        let within = self.program.settings.call_timeout;
        let answer = self.program.ask(&messages, id, within)?;
        self.n_told = call.lines.len();
        match answer {
            Answer::Prediction(prediction) => Ok(prediction),
            Answer::Error(error) => Err(self.program.reported(error)),
            answer => Err(self.program.wrong_type("prediction", &answer)),
        }
    }
}

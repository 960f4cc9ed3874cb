//! A predictor outside of the program, as the simulator sees it.

use std::fmt;

use napsim_sim::predictor::{
    Budget, Fingerprint, PredictError, Predictor, Proposals, Remarks, Seed, TrajectoryHead, Usage, View,
};
use napsim_trajectories::Action;

use crate::failure::{Failure, What, kind};
use crate::message::Prediction;
use crate::partner::{Call, Feedback, Partner, Start};
use crate::{ExternalSetup, OnCrash};

/// Asks a program of its own, or a service in a session of its own.
///
/// The program is started with the first call and lives as long as the value. Nothing that it does takes longer than the
/// settings allow or touches another value; see docs/PREDICTOR-PROTOCOL.md, "When something goes wrong".
pub struct External {
    setup: ExternalSetup,
    partner: Option<Box<dyn Partner>>,
    start: Start,
    /// Whether the partner knows which trajectory this is.
    has_begun: bool,
    /// The history as lines, as far as anybody asked.
    lines: Vec<String>,
    feedback: Vec<Feedback>,
    /// Fresh starts within this trajectory.
    n_restarts: u32,
}

impl External {
    /// A predictor that is asked when it is needed.
    pub fn new(setup: ExternalSetup) -> Self {
        Self {
            setup,
            partner: None,
            start: Start::default(),
            has_begun: false,
            lines: Vec::new(),
            feedback: Vec::new(),
            n_restarts: 0,
        }
    }

    /// A partner that knows which trajectory this is.
    fn begun(&mut self) -> Result<&mut Box<dyn Partner>, Failure> {
        if self.partner.is_none() {
            // The program that said hello has waited since; what it did meanwhile costs nothing.
            self.partner = self.setup.waiting();
        }
        if let Some(partner) = &mut self.partner
            && !self.has_begun
        {
            match partner.begin(&self.start) {
                Ok(()) => self.has_begun = true,
                Err(failure) if failure.is_broken() => {
                    self.setup.counts().failed(&failure);
                    self.setup.counts().replaced();
                    self.partner = None;
                }
                Err(failure) => return Err(failure),
            }
        }
        let partner = match self.partner.take() {
            Some(partner) => partner,
            None => {
                let mut partner = self.setup.connect()?;
                partner.begin(&self.start)?;
                self.has_begun = true;
                partner
            }
        };
        Ok(self.partner.insert(partner))
    }

    /// Asks once.
    fn attempt(&mut self, view: View<'_>, budget: Budget) -> Result<Prediction, Failure> {
        let lines = std::mem::take(&mut self.lines);
        let feedback = std::mem::take(&mut self.feedback);
        let call = Call {
            lines: &lines,
            feedback: &feedback,
            view,
            budget,
        };
        let result = self.begun().and_then(|partner| partner.predict(&call));
        self.lines = lines;
        result
    }

    /// What comes of a failure: another attempt, or an error.
    fn after(&mut self, failure: Failure, restarts: &mut Vec<String>) -> Result<(), PredictError> {
        if failure.what != What::Interrupted {
            self.setup.counts().failed(&failure);
        }
        if matches!(failure.what, What::Reported { .. }) {
            return Err(failure.into_error());
        }
        self.partner = None;
        self.has_begun = false;
        let settings = self.setup.settings();
        let resumes = failure.is_broken() && settings.on_crash == OnCrash::Resume && failure.kind != kind::CHANGED;
        if !resumes {
            return Err(failure.into_error());
        }
        if self.n_restarts >= settings.restarts_max {
            let before = match self.n_restarts {
                0 => String::new(),
                n => format!(" (restarted {n} times before)"),
            };
            let message = failure.message + &before;
            return Err(Failure { message, ..failure }.into_error());
        }
        self.n_restarts += 1;
        restarts.push(failure.message);
        Ok(())
    }

    /// Hands on what was proposed. What is beyond the budget is for the rollout to cut, as of any other predictor.
    fn take(&self, prediction: Prediction, restarts: Vec<String>, budget: Budget, out: &mut Proposals) -> Usage {
        let counts = self.setup.counts();
        if budget
            .actions_max
            .is_some_and(|max| prediction.actions.len() > max as usize)
        {
            counts.over_budget();
        }
        for line in prediction.actions {
            // A line that is no action is noted by this very call.
            if let Err(error) = out.push_text(&line.action, line.confidence) {
                counts.unreadable(&line.action, &error.to_string());
            }
        }
        out.remark(Remarks {
            raw: prediction.raw,
            intent: prediction.intent,
            truncated: prediction.truncated,
            restarts,
            ..Remarks::default()
        });
        let tokens = prediction.usage.unwrap_or_default();
        Usage {
            input_tokens: tokens.input_tokens,
            output_tokens: tokens.output_tokens,
        }
    }

    /// The lines of a history of which the first ones are known.
    fn remember(&mut self, history: &[Action]) {
        if history.len() < self.lines.len() {
            // Nobody may take back what was told; a new conversation can.
            self.lines.clear();
            self.has_begun = false;
        }
        let news = history.get(self.lines.len()..).unwrap_or_default();
        self.lines.extend(news.iter().map(ToString::to_string));
    }
}

impl Predictor for External {
    fn fingerprint(&self) -> Fingerprint {
        self.setup.fingerprint()
    }

    fn begin(&mut self, head: TrajectoryHead<'_>, seed: Seed) {
        self.start = Start {
            trajectory: head.name.to_owned(),
            sheet: head.sheet.to_owned(),
            seed: seed.0,
        };
        self.has_begun = false;
        self.lines.clear();
        self.feedback.clear();
        self.n_restarts = 0;
    }

    // The history comes with the question.
    fn observe(&mut self, _actions: &[Action]) {}

    fn predict(&mut self, view: View<'_>, budget: Budget, out: &mut Proposals) -> Result<Usage, PredictError> {
        self.setup.counts().called();
        self.remember(view.history);
        let mut restarts = Vec::new();
        loop {
            match self.attempt(view, budget) {
                Ok(prediction) => {
                    self.setup.counts().restarted(restarts.len());
                    return Ok(self.take(prediction, restarts, budget, out));
                }
                Err(failure) => self.after(failure, &mut restarts)?,
            }
        }
    }

    fn withdrawn(&mut self) {
        if self.setup.wants().feedback {
            self.feedback.push(Feedback::Withdrawn);
        }
    }

    fn refused(&mut self, actions: &[Action]) {
        if self.setup.wants().feedback {
            let lines = actions.iter().map(ToString::to_string).collect();
            self.feedback.push(Feedback::Refused(lines));
        }
    }
}

impl fmt::Debug for External {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("External")
            .field("setup", &self.setup)
            .field("start", &self.start)
            .finish_non_exhaustive()
    }
}

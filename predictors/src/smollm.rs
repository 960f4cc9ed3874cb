//! Llama models as predictors: the history as a list of lines, which the model continues (spec chapter 03, sections 8 and
//! 9.3).

mod activity;
mod answer;
mod model;
mod window;

use std::sync::Arc;
use std::time::Instant;

use napsim_llama::{Choice, Chooser, LlamaError, Session, generate};
use napsim_sim::predictor::{
    Budget, Fingerprint, PredictError, Predictor, Proposals, Seed, TrajectoryHead, Usage, View,
};
use napsim_trajectories::Action;

use crate::language::{Answer, CompletionTemplate, ContextSettings, ResponseRules, ScoredToken, WrittenHistory};
use crate::notice::notice_once;

pub use activity::{Activity, ActivityReport};
pub use model::{LanguageModel, ModelError, TINY};
pub use window::Window;

use answer::AnswerListener;

/// Parameters of [`Smollm`].
#[derive(Clone, Debug, PartialEq)]
pub struct SmollmConfig {
    /// Which actions the model sees.
    pub window: Window,
    /// How they are written.
    pub context: ContextSettings,
    /// The words around them.
    pub template: CompletionTemplate,
    /// How tokens are chosen.
    pub choice: Choice,
    /// Tokens of one answer at most.
    pub tokens_max: usize,
    /// Actions of one answer at most.
    pub actions_max: usize,
    /// Whether only tokens are chosen that make a line an action.
    pub grammar: bool,
    /// How answers are read.
    pub rules: ResponseRules,
}

impl Default for SmollmConfig {
    fn default() -> Self {
        Self {
            window: Window::default(),
            context: ContextSettings::default(),
            template: CompletionTemplate::default(),
            choice: Choice::GREEDY,
            tokens_max: 256,
            actions_max: 5,
            grammar: false,
            rules: ResponseRules::corrected(),
        }
    }
}

/// Proposes the lines with which a Llama model continues the history.
///
/// Where one action is asked for, an answer ends with its first line; otherwise at an empty line, when lines repeat
/// themselves, or with so many lines or tokens. What the model has read is kept: only the tokens that are new, or that
/// differ after a rewrite, are read for the next answer.
#[derive(Debug)]
pub struct Smollm {
    model: Arc<LanguageModel>,
    config: SmollmConfig,
    session: Session,
    chooser: Chooser,
    /// The history as the model sees it.
    written: WrittenHistory,
}

impl Smollm {
    /// A predictor that has seen nothing.
    pub fn new(model: Arc<LanguageModel>, config: SmollmConfig) -> Self {
        Self {
            session: model.session(),
            chooser: Chooser::new(config.choice, 0),
            model,
            config,
            written: WrittenHistory::default(),
        }
    }

    /// Reads the prompt and returns how many tokens it has, and how many of them were new.
    ///
    /// Where it is longer than what the model can look at, the oldest lines are left out, never the newest.
    fn read_prompt(&mut self) -> Result<(usize, usize), PredictError> {
        let n_max = self.model.config().max_position_embeddings;
        // Half of what the model can look at is for the history, however long an answer may be.
        let n_max = n_max - self.config.tokens_max.min(n_max / 2);
        let written = self.written.lines();
        let written = written.map_err(|error| PredictError::Fatal(format!("failed to {error}")))?;
        let mut start = self.config.window.start(written.len());
        loop {
            let lines = written.get(start..).unwrap_or_default();
            let mut prompt = self.config.template.prompt(lines);
            if self.config.grammar {
                // What is allowed begins with the line, so the break before it must be there.
                prompt.push('\n');
            }
            let tokens = self.model.tokenizer().encode(&prompt).map_err(failed)?;
            if tokens.len() <= n_max {
                let n_new = self.session.read(&tokens).map_err(failed)?;
                return Ok((tokens.len(), n_new));
            }
            if lines.len() <= 1 {
                let n_tokens = tokens.len();
                return Err(PredictError::Call(format!(
                    "write a prompt for the model: the last action alone makes it {n_tokens} tokens, {n_max} fit"
                )));
            }
            notice_once(&format!(
                "{}: the prompt is longer than the {n_max} tokens that fit, so that the oldest actions are left out",
                self.model.name()
            ));
            start = self.config.window.later_start(start, written.len());
        }
    }

    /// Lets the model continue, and proposes what it wrote. Returns how many tokens that were.
    fn answer(&mut self, budget: Budget, out: &mut Proposals) -> Result<usize, PredictError> {
        let of_budget = budget
            .actions_max
            .map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(usize::MAX));
        let lines_max = self.config.actions_max.min(of_budget);
        let mut listener = AnswerListener::new(lines_max, self.config.rules.repetition, self.config.grammar);
        generate(
            &mut self.session,
            self.model.tokenizer(),
            &mut self.chooser,
            self.config.tokens_max,
            &mut listener,
        )
        .map_err(failed)?;
        let (tokens, bytes) = listener.into_answer();
        let scored = tokens.iter().map(|token| ScoredToken {
            bytes: self.model.tokenizer().bytes(token.token),
            log_probability: f64::from(token.log_probability),
        });
        let answer = Answer {
            text: &String::from_utf8_lossy(&bytes),
            tokens: &scored.collect::<Vec<_>>(),
        };
        let budget = Budget {
            actions_max: u32::try_from(lines_max).ok(),
        };
        self.config.rules.read(answer, Some(self.written.sheet()), budget, out);
        Ok(tokens.len())
    }
}

fn failed(error: LlamaError) -> PredictError {
    match error {
        LlamaError::Tokenizer(_) => PredictError::Call(format!("failed to {error}")),
        error => PredictError::Fatal(format!("failed to {error}")),
    }
}

impl Predictor for Smollm {
    fn fingerprint(&self) -> Fingerprint {
        let Self { model, config, .. } = self;
        Fingerprint(format!("smollm/1 {} {config:?}", model.sha256()))
    }

    fn begin(&mut self, head: TrajectoryHead<'_>, seed: Seed) {
        self.written.begin(head);
        self.chooser = Chooser::new(self.config.choice, seed.0);
    }

    fn observe(&mut self, actions: &[Action]) {
        self.written.observe(actions, &self.config.context);
    }

    fn predict(&mut self, _view: View<'_>, budget: Budget, out: &mut Proposals) -> Result<Usage, PredictError> {
        let start = Instant::now();
        let (n_prompt, n_new) = self.read_prompt()?;
        let read = Instant::now();
        let n_written = self.answer(budget, out)?;
        let activity = self.model.activity();
        activity.count_prompt(n_prompt, n_new, read - start);
        activity.count_answer(n_written, read.elapsed());
        let tokens = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
        Ok(Usage {
            input_tokens: tokens(n_prompt),
            output_tokens: tokens(n_written),
        })
    }
}

#[cfg(test)]
mod tests;

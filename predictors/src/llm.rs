//! Language models that others serve, as predictors: `openai/gpt-5-mini`, `local/MODEL` (spec chapter 03, section 8).
//!
//! What is asked is made in `question.rs`, what is made of an answer in `reading.rs`; `napsim-remote` does the asking.

mod question;
mod reading;
mod rehearsal;

use std::sync::Arc;

use napsim_remote::{Ask, Endpoint, Exchange, Generation, NoAnswer, NoAnswerKind, Question};
use napsim_sim::predictor::{
    Budget, Fingerprint, PredictError, Predictor, Proposals, Seed, TrajectoryHead, Unanswered, Usage, View,
};
use napsim_trajectories::Action;

use crate::language::written::WrittenHistory;
use crate::language::{ContextSettings, PromptTemplates, ResponseRules, SheetView};
use crate::model::hex_sha256;
use crate::smollm::Window;

pub use rehearsal::{Estimate, Rehearsal};

/// Parameters of [`Llm`].
#[derive(Clone, Debug)]
pub struct LlmConfig {
    /// Which actions the model sees.
    pub window: Window,
    /// How they are written.
    pub context: ContextSettings,
    /// The words around them.
    pub templates: PromptTemplates,
    /// Whether the model sees the sheet, and how.
    pub sheet_view: SheetView,
    /// Whether the model is asked to begin with what the user is after.
    pub intent: bool,
    /// Whether the model is told to write `STOP` when it is done or unsure.
    pub stop_sentence: bool,
    /// Whether the model must answer with a JSON object.
    pub structured: bool,
    /// Actions of one answer at most, where a call has no bound of its own.
    pub actions_max: Option<u32>,
    /// How the model is to answer.
    pub generation: Generation,
    /// How answers are read.
    pub rules: ResponseRules,
}

/// A model, who asks it, and how: all that predictors of one run share.
#[derive(Clone, Debug)]
pub struct LlmSetup {
    /// The model.
    pub endpoint: Arc<Endpoint>,
    /// Who asks it.
    pub exchange: Arc<Exchange>,
    /// How it is asked.
    pub config: Arc<LlmConfig>,
    /// Whether a rollout goes on after a verdict such as a refusal, which then counts as a failed call. Otherwise it ends
    /// there, so that the next run goes on with the same question.
    pub goes_on: bool,
}

/// Proposes what a language model answers.
#[derive(Debug)]
pub struct Llm {
    setup: LlmSetup,
    written: WrittenHistory,
    seed: Seed,
}

impl Llm {
    /// A predictor that has seen nothing.
    pub fn new(setup: LlmSetup) -> Self {
        Self {
            setup,
            written: WrittenHistory::default(),
            seed: Seed(0),
        }
    }

    /// What the model is asked after the history so far.
    ///
    /// # Errors
    /// [`PredictError::Fatal`] where the prompt cannot be written.
    pub fn question(&self, view: View<'_>, budget: Budget) -> Result<Question, PredictError> {
        question::question(&self.setup, &self.written, self.seed, view, self.capped(budget))
    }

    /// Whether the answer to a question is there without asking anybody.
    fn knows(&self, question: &Question) -> bool {
        self.setup.exchange.knows(self.ask(question, &|_| Ok(())))
    }

    fn ask<'a>(
        &'a self,
        question: &'a Question,
        check: &'a dyn Fn(&napsim_remote::Answer) -> Result<(), NoAnswer>,
    ) -> Ask<'a> {
        Ask {
            endpoint: &self.setup.endpoint,
            question,
            repeat: self.seed.0,
            takes_verdicts: self.setup.goes_on,
            check,
        }
    }

    /// The bound of a call, or else the predictor's own.
    fn capped(&self, budget: Budget) -> Budget {
        let both = [budget.actions_max, self.setup.config.actions_max];
        Budget {
            actions_max: both.into_iter().flatten().min(),
        }
    }

    fn failed(&self, failure: NoAnswer) -> PredictError {
        let kind = failure.kind;
        PredictError::Unanswered(Box::new(Unanswered {
            kind: kind.name().to_owned(),
            message: format!("{}: {}", self.setup.endpoint.name(), failure.message),
            raw: Some(failure.raw).filter(|raw| !raw.is_empty()),
            stderr: None,
            usage: Usage {
                input_tokens: failure.usage.input,
                output_tokens: failure.usage.output,
            },
            fatal: !(self.setup.goes_on && kind.is_verdict()),
        }))
    }
}

impl Predictor for Llm {
    fn fingerprint(&self) -> Fingerprint {
        let LlmSetup { endpoint, config, .. } = &self.setup;
        // What the templates say counts, and not the files that they are from.
        let templates = config.templates.sha256();
        let config = LlmConfig {
            templates: PromptTemplates::built_in(),
            ..config.as_ref().clone()
        };
        let short = |sha256: &str| sha256.chars().take(16).collect::<String>();
        Fingerprint(format!(
            "llm/1 prompts={} settings={} {} {} {}",
            short(&templates),
            short(&hex_sha256(format!("{config:?}").as_bytes())),
            endpoint.name(),
            endpoint.api,
            endpoint.address(),
        ))
    }

    fn begin(&mut self, head: TrajectoryHead<'_>, seed: Seed) {
        self.written.begin(head);
        self.seed = seed;
    }

    fn observe(&mut self, actions: &[Action]) {
        self.written.observe(actions, &self.setup.config.context);
    }

    fn predict(&mut self, view: View<'_>, budget: Budget, out: &mut Proposals) -> Result<Usage, PredictError> {
        let question = self.question(view, budget)?;
        let config = &self.setup.config;
        let check = |answer: &napsim_remote::Answer| match reading::check(config, answer) {
            Ok(()) => Ok(()),
            Err(error) => Err(NoAnswer {
                kind: NoAnswerKind::InvalidJson,
                message: format!("failed to {error}"),
                raw: answer.text.clone(),
                usage: answer.usage,
            }),
        };
        let exchanged = self.setup.exchange.ask(self.ask(&question, &check));
        let exchanged = exchanged.map_err(|failure| self.failed(failure))?;
        let sheet = self.written.sheet();
        reading::read(config, &exchanged, sheet, self.capped(budget), out);
        Ok(Usage {
            input_tokens: exchanged.answer.usage.input,
            output_tokens: exchanged.answer.usage.output,
        })
    }
}

#[cfg(test)]
mod tests;

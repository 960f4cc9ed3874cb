//! What a run would ask, found out without asking.

use std::sync::{Arc, Mutex, PoisonError};

use napsim_remote::TokenUse;
use napsim_sim::predictor::{
    Budget, Fingerprint, PredictError, Predictor, Proposals, Seed, TrajectoryHead, Usage, View,
};
use napsim_trajectories::Action;

use super::{Llm, LlmSetup};

/// Tokens of an answer with one action, and with as many as the model likes, where nothing better is known: answers of
/// chat models to the built-in prompts, rounded up.
const OUTPUT_TOKENS: (u64, u64) = (40, 200);

/// How many questions a run would ask, and how much there is to read and write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Estimate {
    /// Questions.
    pub calls: u64,
    /// Those of them whose answers are kept already.
    pub known_calls: u64,
    /// Tokens of the others, estimated from their characters.
    pub tokens: TokenUse,
    /// Tokens of the others if every answer were as long as it may be, and every prompt as many as it can well be.
    pub tokens_max: TokenUse,
}

/// A predictor that makes up its questions, proposes nothing and adds up what asking would take.
///
/// A user who takes nothing does every step with her own hands, so that there is a question after each. One who takes
/// proposals is asked about as often, since a step that she saves leads to a question as well.
#[derive(Debug)]
pub struct Rehearsal {
    llms: Vec<Llm>,
    /// One for each of the models, in order.
    estimates: Arc<Mutex<Vec<Estimate>>>,
}

impl Rehearsal {
    /// Rehearses the questions to these models.
    pub fn new(setups: &[LlmSetup], estimates: &Arc<Mutex<Vec<Estimate>>>) -> Self {
        Self {
            llms: setups.iter().map(|setup| Llm::new(setup.clone())).collect(),
            estimates: Arc::clone(estimates),
        }
    }
}

impl Estimate {
    /// What one call takes.
    fn of(llm: &Llm, view: View<'_>, budget: Budget) -> Result<Self, PredictError> {
        let question = llm.question(view, budget)?;
        let call = Self {
            calls: 1,
            ..Self::default()
        };
        if llm.knows(&question) {
            return Ok(Self { known_calls: 1, ..call });
        }
        let (one, many) = OUTPUT_TOKENS;
        let output_max = u64::from(question.generation.tokens_max);
        let output = if budget.actions_max == Some(1) { one } else { many };
        let tokens = |input, output| TokenUse {
            input,
            output,
            ..TokenUse::default()
        };
        Ok(Self {
            tokens: tokens(question.prompt.tokens_estimated(), output.min(output_max)),
            tokens_max: tokens(question.prompt.tokens_at_most(), output_max),
            ..call
        })
    }

    fn add(&mut self, other: Self) {
        self.calls += other.calls;
        self.known_calls += other.known_calls;
        self.tokens += other.tokens;
        self.tokens_max += other.tokens_max;
    }
}

impl Predictor for Rehearsal {
    fn fingerprint(&self) -> Fingerprint {
        Fingerprint("rehearsal".to_owned())
    }

    fn begin(&mut self, head: TrajectoryHead<'_>, seed: Seed) {
        self.llms.iter_mut().for_each(|llm| llm.begin(head, seed));
    }

    fn observe(&mut self, actions: &[Action]) {
        self.llms.iter_mut().for_each(|llm| llm.observe(actions));
    }

    fn predict(&mut self, view: View<'_>, budget: Budget, _out: &mut Proposals) -> Result<Usage, PredictError> {
        let of_call = self.llms.iter().map(|llm| Estimate::of(llm, view, budget));
        // Prompts are made before, so that no thread waits for another one's.
        let of_call = of_call.collect::<Result<Vec<Estimate>, PredictError>>()?;
        let mut estimates = self.estimates.lock().unwrap_or_else(PoisonError::into_inner);
        estimates.resize(of_call.len(), Estimate::default());
        for (sum, estimate) in estimates.iter_mut().zip(of_call) {
            sum.add(estimate);
        }
        Ok(Usage::default())
    }
}

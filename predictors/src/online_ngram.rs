//! The online n-gram: learns from the running trajectory alone (spec chapter 03, section 5).

mod context_tree;
mod imagination;
mod memory;
mod model;
mod names;
mod seen;
mod strategy;
mod symbol;

use std::fmt::Write as _;

use napsim_sim::predictor::{
    Budget, Fingerprint, PredictError, Predictor, Proposals, Seed, TrajectoryHead, Usage, View,
};
use napsim_trajectories::Action;

use crate::context::Context;
use crate::feature::RangeMode;

use model::Model;
pub use strategy::{Answer, Strategy};

/// Parameters of the [`OnlineNgram`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnlineNgramConfig {
    /// How ranges enter the symbols.
    pub range_mode: RangeMode,
    /// Longest sequence of symbols looked up (`max_ngram_n` in the published settings).
    pub max_n: usize,
    /// Shortest earlier occurrence worth replaying (`min_match_length`).
    pub min_match: usize,
    /// Most actions of one answer (`max_predictions`).
    pub max_actions: usize,
    /// Whether an answer from the frequency table ends where the keyword changes.
    pub stop_on_type_change: bool,
    /// How much of the history the predictor knows.
    pub context: Context,
}

impl Default for OnlineNgramConfig {
    fn default() -> Self {
        Self {
            range_mode: RangeMode::Relative,
            max_n: 5,
            min_match: 2,
            max_actions: 5,
            stop_on_type_change: true,
            context: Context::All,
        }
    }
}

impl OnlineNgramConfig {
    fn fingerprint(&self) -> Fingerprint {
        let Self {
            range_mode,
            max_n,
            min_match,
            max_actions,
            stop_on_type_change,
            context,
        } = self;
        let mut text = format!("online-ngram/{}", env!("CARGO_PKG_VERSION"));
        let _ = write!(
            text,
            "?range_mode={}&max_n={max_n}&min_match={min_match}",
            range_mode.name()
        );
        let _ = write!(
            text,
            "&max_actions={max_actions}&stop_on_type_change={stop_on_type_change}&context={context}"
        );
        Fingerprint(text)
    }
}

/// Predicts by analogy with what the trajectory has shown so far.
///
/// Three strategies are tried in turn: replay what followed an earlier occurrence of the latest actions; go on with a
/// regular progression; look up the most frequent successor. It learns from every action it observes, so unlike the
/// published predictor it never freezes when a context window is full (Q1). With a limited context it knows the last
/// actions alone, as if the trajectory began there.
///
/// Each answer is complete, whatever the budget: as in the published system a text that is no action makes room for
/// its successor, and the limit on actions applies to what is left (Q9).
///
/// The published predictor reads texts and writes texts. Here actions stay typed wherever it is known what their texts
/// would give, and neither learning nor answering takes longer as the history grows.
#[derive(Clone, Debug)]
pub struct OnlineNgram {
    config: OnlineNgramConfig,
    model: Model,
}

impl OnlineNgram {
    /// A predictor that has seen nothing.
    pub fn new(config: OnlineNgramConfig) -> Self {
        let model = Model::new(&config);
        Self { config, model }
    }

    /// Learns the text of one action, canonical or not, as [`Predictor::observe`] learns an action.
    pub fn learn(&mut self, text: &str) {
        self.model.learn_text(text);
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        self.model.forget();
    }

    /// What the predictor would do next, with the strategy that it follows.
    pub fn answer(&mut self) -> Answer {
        let (strategy, imagination) = self.model.answer(&self.config);
        let texts = imagination.into_texts();
        Answer { strategy, texts }
    }
}

impl Predictor for OnlineNgram {
    fn fingerprint(&self) -> Fingerprint {
        self.config.fingerprint()
    }

    fn begin(&mut self, _head: TrajectoryHead<'_>, _seed: Seed) {
        self.forget();
    }

    fn observe(&mut self, actions: &[Action]) {
        for action in actions {
            self.model.learn(action);
        }
    }

    fn predict(&mut self, _view: View<'_>, budget: Budget, out: &mut Proposals) -> Result<Usage, PredictError> {
        let actions_max = budget.actions_max.and_then(|n| usize::try_from(n).ok());
        let (_, imagination) = self.model.answer(&self.config);
        imagination.propose(actions_max.unwrap_or(usize::MAX), out);
        Ok(Usage::default())
    }
}

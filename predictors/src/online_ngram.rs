//! The online n-gram: learns from the running trajectory alone (spec chapter 03, section 5).

mod context_tree;
mod model;
mod strategy;
mod symbol;

use std::collections::VecDeque;
use std::fmt::Write as _;

use napsim_sim::predictor::{
    Budget, Fingerprint, PredictError, Predictor, Proposals, Seed, TrajectoryHead, Usage, View,
};
use napsim_trajectories::Action;

use crate::context::Context;
use crate::decode::Limits;
use crate::feature::{Feature, RangeMode};

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
    fn limits(&self) -> Limits {
        Limits {
            actions_max: self.max_actions,
            stop_on_type_change: self.stop_on_type_change,
        }
    }

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
/// published predictor it never freezes when a context window is full (Q1). With a limited context it learns afresh
/// from the last actions at each call.
///
/// Each answer is complete, whatever the budget: as in the published system a text that is no action makes room for
/// its successor, and the limit on actions applies to what is left (Q9).
#[derive(Clone, Debug)]
pub struct OnlineNgram {
    config: OnlineNgramConfig,
    model: Model,
    /// The last actions, where the context is limited; learnt at the next answer.
    window: VecDeque<Feature>,
}

impl OnlineNgram {
    /// A predictor that has seen nothing.
    pub fn new(config: OnlineNgramConfig) -> Self {
        let model = Model::new(&config);
        Self {
            config,
            model,
            window: VecDeque::new(),
        }
    }

    /// Learns the text of one action; [`Predictor::observe`] passes canonical texts on to here.
    pub fn learn(&mut self, text: &str) {
        let feature = Feature::of_first(text);
        match self.config.context {
            Context::All => self.model.learn(feature),
            Context::Last(_) => {
                self.window.push_back(feature);
                self.config.context.trim(&mut self.window);
            }
        }
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        self.model.forget();
        self.window.clear();
    }

    /// What the predictor would do next, with the strategy that it follows.
    pub fn answer(&mut self) -> Answer {
        if self.config.context != Context::All {
            self.model.forget();
            self.window.iter().for_each(|feature| self.model.learn(feature.clone()));
        }
        self.model.answer(&self.config)
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
            self.learn(&action.to_string());
        }
    }

    fn predict(&mut self, _view: View<'_>, _budget: Budget, out: &mut Proposals) -> Result<Usage, PredictError> {
        for text in self.answer().texts {
            // A text that is no action is kept among the rejected ones.
            let _ = out.push_text(&text, None);
        }
        Ok(Usage::default())
    }
}

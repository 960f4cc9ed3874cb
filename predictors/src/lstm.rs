//! The recurrent network as a predictor (spec chapter 03, section 6).

mod payload;
mod ranker;
mod reader;
mod token;

use std::sync::Arc;

use napsim_recurrent::{Network, Scores};
use napsim_sim::predictor::{
    Budget, Fingerprint, PredictError, Predictor, Proposals, Seed, TrajectoryHead, Usage, View,
};
use napsim_trajectories::{Action, CellAddress};

use crate::context::Context;
use crate::decode::{Limits, decode};
use crate::feature::{Feature, KEYWORDS, RangeMode, ValueType, absolute_of_bucket, delta_of_bucket};
use crate::history::{Continuation, History};
use crate::model::{Model, ModelError};
use crate::ranked::Stored;
use crate::ranking::likelihood;
use crate::reconstruct::{Area, action_text};

pub use payload::{KIND_VERSION, sections};
pub use ranker::LstmRanker;
pub use token::{token, tokens};

use reader::Reader;

/// A trained network with what is needed to use it; shared between any number of predictors.
#[derive(Clone, Debug, PartialEq)]
pub struct LstmModel {
    network: Network,
    range_mode: RangeMode,
    fingerprint: String,
    ranking: Option<Stored>,
}

impl LstmModel {
    /// The network in a model file.
    ///
    /// # Errors
    /// [`ModelError`] where it holds no network, or one of another version.
    pub fn from_model(model: &Model) -> Result<Self, ModelError> {
        let (network, range_mode) = payload::read(model)?;
        Ok(Self {
            network,
            range_mode,
            fingerprint: model.card().fingerprint.clone(),
            ranking: Stored::read(model, Some(likelihood::N_COLUMNS))?,
        })
    }

    /// A network that comes from no file; the fingerprint must tell it from all others.
    pub fn new(network: Network, range_mode: RangeMode, fingerprint: String) -> Self {
        Self {
            network,
            range_mode,
            fingerprint,
            ranking: None,
        }
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// How ranges enter the tokens.
    pub fn range_mode(&self) -> RangeMode {
        self.range_mode
    }

    /// The hash of the weights.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// What ranks candidates by this model, if it was trained for that.
    pub fn ranking(&self) -> Option<&Stored> {
        self.ranking.as_ref()
    }
}

/// Parameters of the [`Lstm`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LstmConfig {
    /// Most actions of one answer (`max_predictions` in the published settings).
    pub max_actions: usize,
    /// Whether an answer ends where the keyword changes.
    pub stop_on_type_change: bool,
    /// How much of the history the predictor knows.
    pub context: Context,
}

impl Default for LstmConfig {
    fn default() -> Self {
        Self {
            max_actions: 5,
            stop_on_type_change: true,
            context: Context::All,
        }
    }
}

/// Predicts the most probable op type, place and value type, as published: each head for itself.
///
/// A network that was trained on every step reads each action once and keeps its state; one that was trained on the last
/// step of windows reads the last window anew for every prediction. With a limited context it knows the last actions
/// alone, as if the trajectory began there. Each answer is complete, whatever the budget (Q9).
#[derive(Clone, Debug)]
pub struct Lstm {
    model: Arc<LstmModel>,
    config: LstmConfig,
    history: History,
    /// After the whole history; not moved on where the oldest actions are forgotten.
    reader: Reader,
}

impl Lstm {
    /// A predictor that has seen nothing.
    pub fn new(model: Arc<LstmModel>, config: LstmConfig) -> Self {
        let reader = Reader::new(&model.network);
        Self {
            model,
            config,
            history: History::default(),
            reader,
        }
    }

    /// Learns the text of one action, canonical or not, as [`Predictor::observe`] learns an action.
    pub fn learn(&mut self, text: &str) {
        self.history.push(Feature::of_first(text));
        if self.config.context.n_dropped(self.history.features().len()) > 0 {
            self.history.drop_first();
        }
        if let (Context::All, Some(feature)) = (self.config.context, self.history.last()) {
            self.reader
                .read(&self.model.network, token(feature, self.model.range_mode));
        }
    }

    /// Forgets everything but the model.
    pub fn forget(&mut self) {
        self.history.clear();
        self.reader = Reader::new(&self.model.network);
    }

    /// The texts of the predicted actions, in order of execution; not all of them need be actions.
    pub fn answer(&self) -> Vec<String> {
        let limits = Limits {
            actions_max: self.config.max_actions,
            stop_on_type_change: self.config.stop_on_type_change,
        };
        let LstmModel {
            network, range_mode, ..
        } = &*self.model;
        let mut reader = self.reader_of_history();
        let mut n_asked = 0;
        decode(&self.history, limits, |history| {
            // Every question but the first comes with one more imagined action.
            if let Some(imagined) = history.last().filter(|_| n_asked > 0) {
                reader.read(network, token(imagined, *range_mode));
            }
            n_asked += 1;
            next(&reader.scores(network), *range_mode, history)
        })
    }

    /// What has been read of the history that the predictor knows.
    fn reader_of_history(&self) -> Reader {
        if self.config.context == Context::All {
            return self.reader.clone();
        }
        let mut reader = Reader::new(&self.model.network);
        for feature in self.history.features() {
            reader.read(&self.model.network, token(feature, self.model.range_mode));
        }
        reader
    }
}

/// The text of the most probable action after a history; none for an unknown op type.
fn next(scores: &Scores, range_mode: RangeMode, history: &Continuation<'_>) -> Option<String> {
    let last = history.last()?;
    let keyword = KEYWORDS.get(usize::from(scores.best_op_type()))?;
    let details = &scores.details;
    let [row, col, height, width] = details.ranges.each_ref().map(|range| arg_max(range));
    let value_type = *ValueType::ALL.get(usize::from(arg_max(&details.value_type)))?;
    let area = match range_mode {
        RangeMode::Relative => Area::of(last)
            .moved(delta_of_bucket(row), delta_of_bucket(col))
            .grown(delta_of_bucket(height), delta_of_bucket(width)),
        RangeMode::Absolute => Area {
            start: CellAddress::new(absolute_of_bucket(row), absolute_of_bucket(col)),
            height: absolute_of_bucket(height),
            width: absolute_of_bucket(width),
        },
    };
    Some(action_text(keyword, value_type, &last.sheet, area, history))
}

/// Position of the highest number, the first of equals.
fn arg_max(numbers: &[f32]) -> u8 {
    let mut best: Option<(usize, f32)> = None;
    for (position, number) in numbers.iter().enumerate() {
        if best.is_none_or(|(_, highest)| *number > highest) {
            best = Some((position, *number));
        }
    }
    best.and_then(|(position, _)| u8::try_from(position).ok())
        .unwrap_or_default()
}

impl Predictor for Lstm {
    fn fingerprint(&self) -> Fingerprint {
        let LstmConfig {
            max_actions,
            stop_on_type_change,
            context,
        } = self.config;
        Fingerprint(format!(
            "lstm/{}?model={}&max_actions={max_actions}&stop_on_type_change={stop_on_type_change}&context={context}",
            env!("CARGO_PKG_VERSION"),
            self.model.fingerprint
        ))
    }

    fn begin(&mut self, _head: TrajectoryHead<'_>, _seed: Seed) {
        self.forget();
    }

    fn observe(&mut self, actions: &[Action]) {
        for action in actions {
            self.learn(&action.to_string());
        }
    }

    fn predict(&mut self, _view: View<'_>, budget: Budget, out: &mut Proposals) -> Result<Usage, PredictError> {
        for text in self.answer() {
            // A text that is no action is kept among the rejected ones.
            let _ = out.push_text(&text, None);
        }
        let actions_max = budget.actions_max.and_then(|n| usize::try_from(n).ok());
        out.truncate(actions_max.unwrap_or(usize::MAX));
        Ok(Usage::default())
    }
}

#[cfg(test)]
mod tests;

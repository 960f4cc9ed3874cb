//! Gradient-boosted trees: as published, five models of the next action (spec chapter 03, section 7); or a ranking of
//! candidates by what stands around them.

mod five;
mod payload;
mod ranking;

use std::sync::Arc;

use napsim_sim::predictor::{
    Budget, Fingerprint, PredictError, Predictor, Proposals, Seed, TrajectoryHead, Usage, View,
};
use napsim_trajectories::Action;

use crate::context::Context;
use crate::decode::{Limits, decode};
use crate::feature::{Feature, ValueType};
use crate::history::{Continuation, History};
use crate::model::{Model, ModelError, ModelKind};
use crate::reconstruct::action_text;

pub use five::{FiveEnsembles, FiveError, N_RANGE_NUMBERS, RANGE_NAMES};
pub use payload::{FEATURES_SETTING, FEATURES_V1, sections};
pub use ranking::{FEATURES_V2, RankingModel, ranking_sections};

/// The version of the sections in a model file.
pub const KIND_VERSION: u32 = 1;

/// Every version of features that the program knows, as an error names them.
const KNOWN_FEATURES: &str = "v1 and v2";

/// What a model file of the kind `xgboost` holds. Clones share the trees.
#[derive(Clone, Debug)]
pub enum XgboostModel {
    /// Features v1: the published five models of kind and range.
    Five(Arc<FiveEnsembles>),
    /// Features v2: candidates are ranked.
    Ranking(RankingModel),
}

impl XgboostModel {
    /// The trees in a model file.
    ///
    /// # Errors
    /// [`ModelError`] where it holds none, or is made for other features than the program knows.
    pub fn from_model(model: &Model) -> Result<Self, ModelError> {
        model.expect(ModelKind::Xgboost, KIND_VERSION)?;
        let found = model.card().settings.get(FEATURES_SETTING);
        match found.and_then(serde_json::Value::as_str) {
            Some(FEATURES_V1) => Ok(Self::Five(Arc::new(payload::five(model)?))),
            Some(FEATURES_V2) => Ok(Self::Ranking(RankingModel::from_model(model)?)),
            other => Err(ModelError::OtherFeatures {
                found: other.unwrap_or("without a name").to_owned(),
                known: KNOWN_FEATURES,
            }),
        }
    }
}

/// Parameters of [`Xgboost`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct XgboostConfig {
    /// Most actions of one answer (`max_predictions` in the published settings).
    pub max_actions: usize,
    /// Whether an answer ends where the keyword changes.
    pub stop_on_type_change: bool,
    /// How much of the history the predictor knows.
    pub context: Context,
}

impl Default for XgboostConfig {
    fn default() -> Self {
        Self {
            max_actions: 5,
            stop_on_type_change: true,
            context: Context::All,
        }
    }
}

/// Predicts the likeliest keyword after the last actions, and by four regressions where the action goes.
///
/// The value is that of the latest action with the keyword. As with the trained n-gram, a limited context is known as
/// if the trajectory began there (no freeze, Q1), and each answer is complete, whatever the budget (Q9).
#[derive(Clone, Debug)]
pub struct Xgboost {
    model: Arc<FiveEnsembles>,
    config: XgboostConfig,
    history: History,
}

impl Xgboost {
    /// A predictor that has seen nothing.
    pub fn new(model: Arc<FiveEnsembles>, config: XgboostConfig) -> Self {
        Self {
            model,
            config,
            history: History::default(),
        }
    }

    /// Learns the text of one action, canonical or not, as [`Predictor::observe`] learns an action.
    pub fn learn(&mut self, text: &str) {
        self.history.push(Feature::of_first(text));
        if self.config.context.n_dropped(self.history.features().len()) > 0 {
            self.history.drop_first();
        }
    }

    /// The texts of the predicted actions, in order of execution; not all of them need be actions.
    pub fn answer(&self) -> Vec<String> {
        let limits = Limits {
            actions_max: self.config.max_actions,
            stop_on_type_change: self.config.stop_on_type_change,
        };
        decode(&self.history, limits, |history| self.next(history))
    }

    /// The text of the action after a history; none where the likeliest class is that of unknown keywords.
    fn next(&self, history: &Continuation<'_>) -> Option<String> {
        let last = history.last()?;
        let vector = self.model.vector_after(history);
        let keyword = self.model.keyword(&vector)?;
        let area = self.model.area(&vector, last)?;
        // Whatever kind of value was used last decides whether references move.
        let latest = history.latest_of(keyword).next();
        let value_type = latest.map_or(ValueType::Other, |latest| latest.value_type);
        Some(action_text(keyword, value_type, &last.sheet, area, history))
    }
}

impl Predictor for Xgboost {
    fn fingerprint(&self) -> Fingerprint {
        let XgboostConfig {
            max_actions,
            stop_on_type_change,
            context,
        } = self.config;
        Fingerprint(format!(
            "xgboost/{}?model={}&max_actions={max_actions}&stop_on_type_change={stop_on_type_change}&context={context}",
            env!("CARGO_PKG_VERSION"),
            self.model.fingerprint()
        ))
    }

    fn begin(&mut self, _head: TrajectoryHead<'_>, _seed: Seed) {
        self.history.clear();
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

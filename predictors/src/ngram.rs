//! The trained n-gram: tables of what followed what in other trajectories (spec chapter 03, section 4).

mod bytes;
mod contexts;
mod payload;
mod place;
mod ranker;
mod symbol;
mod trainer;
mod typical;

use std::sync::Arc;

use napsim_sim::predictor::{
    Budget, Fingerprint, PredictError, Predictor, Proposals, Seed, TrajectoryHead, Usage, View,
};
use napsim_trajectories::Action;

use crate::context::Context;
use crate::decode::{Limits, decode};
use crate::feature::{Feature, Place, RangeMode, ValueType};
use crate::history::{Continuation, History};
use crate::model::{Model, ModelError};
use crate::reconstruct::action_text;

pub use contexts::{Contexts, Successors};
pub use payload::{KIND_VERSION, sections};
pub use ranker::NgramRanker;
pub use symbol::{Symbol, SymbolId, Symbols};
pub use trainer::{MAX_N_MAX, Trainer, TrainerOptions};
pub use typical::Typical;

/// What the trained n-gram knows: symbols, what followed them, and where actions of a keyword usually go.
#[derive(Clone, Debug, PartialEq)]
pub struct Tables {
    /// The symbols that occurred.
    pub symbols: Symbols,
    /// Sequences of symbols and their successors.
    pub contexts: Contexts,
    /// Usual steps and shapes by keyword.
    pub typical: Typical,
}

impl Tables {
    /// How ranges enter the symbols.
    pub fn range_mode(&self) -> RangeMode {
        self.symbols.range_mode()
    }

    /// What is known to follow a history: the successors after its last symbol, its last two and so on, as long as the
    /// training data hold that sequence; first those after nothing in particular.
    ///
    /// This is what smoothing starts from. The published lookup takes the last of them alone.
    pub fn orders<'a>(&'a self, history: &'a Continuation<'_>) -> impl Iterator<Item = Successors<'a>> {
        let symbols = history.latest().map_while(|feature| self.symbols.of(feature));
        self.contexts.orders(symbols)
    }

    /// The longest known context at the end of a history, of at least one action, with what followed it.
    pub fn back_off<'a>(&'a self, history: &'a Continuation<'_>) -> Option<Successors<'a>> {
        self.orders(history).skip(1).last()
    }
}

/// The tables of a model file, shared between any number of predictors.
#[derive(Clone, Debug, PartialEq)]
pub struct NgramModel {
    tables: Tables,
    fingerprint: String,
}

impl NgramModel {
    /// The tables in a model file.
    ///
    /// # Errors
    /// [`ModelError`] where it holds no n-gram, or one of another version.
    pub fn from_model(model: &Model) -> Result<Self, ModelError> {
        Ok(Self {
            tables: payload::tables(model)?,
            fingerprint: model.card().fingerprint.clone(),
        })
    }

    /// Tables that come from no file; the fingerprint must tell them from all others.
    pub fn new(tables: Tables, fingerprint: String) -> Self {
        Self { tables, fingerprint }
    }

    /// The tables.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }
}

/// Parameters of the [`Ngram`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NgramConfig {
    /// Most actions of one answer (`max_predictions` in the published settings).
    pub max_actions: usize,
    /// Whether an answer ends where the keyword changes.
    pub stop_on_type_change: bool,
    /// How much of the history the predictor knows.
    pub context: Context,
}

impl Default for NgramConfig {
    fn default() -> Self {
        Self {
            max_actions: 5,
            stop_on_type_change: true,
            context: Context::All,
        }
    }
}

/// Predicts what most often followed the longest known sequence at the end of the history.
///
/// With a limited context it knows the last actions alone, as if the trajectory began there; unlike the published
/// predictor it never freezes when a window is full (Q1). Each answer is complete, whatever the budget: a text that is no
/// action makes room for its successor, and the limit on actions applies to what is left (Q9).
#[derive(Clone, Debug)]
pub struct Ngram {
    model: Arc<NgramModel>,
    config: NgramConfig,
    history: History,
}

/// Why an action is predicted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Explanation<'a> {
    /// How many of the last symbols were found in the training data.
    pub order: usize,
    /// Keyword of what most often followed them.
    pub keyword: &'a str,
    /// Where it went.
    pub place: Place,
    /// What kind of value it had.
    pub value_type: ValueType,
}

impl Ngram {
    /// A predictor that has seen nothing.
    pub fn new(model: Arc<NgramModel>, config: NgramConfig) -> Self {
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

    /// Forgets everything but the tables.
    pub fn forget(&mut self) {
        self.history.clear();
    }

    /// The texts of the predicted actions, in order of execution; not all of them need be actions.
    pub fn answer(&self) -> Vec<String> {
        let limits = Limits {
            actions_max: self.config.max_actions,
            stop_on_type_change: self.config.stop_on_type_change,
        };
        decode(&self.history, limits, |history| self.next(history))
    }

    /// Why the first action of the answer is predicted; nothing where there is none.
    pub fn explain(&self) -> Option<Explanation<'_>> {
        let tables = &self.model.tables;
        let history = Continuation::of(&self.history);
        let successors = tables.back_off(&history)?;
        let order = successors.order();
        let symbol = tables.symbols.get(successors.best()?)?;
        Some(Explanation {
            order,
            keyword: tables.symbols.keyword(symbol)?,
            place: symbol.place,
            value_type: symbol.value_type,
        })
    }

    /// The text of the action after a history.
    fn next(&self, history: &Continuation<'_>) -> Option<String> {
        let tables = &self.model.tables;
        let best = tables.back_off(history)?.best()?;
        let symbol = tables.symbols.get(best)?;
        let keyword = tables.symbols.keyword(symbol)?;
        let sheet = &history.last()?.sheet;
        let area = place::area(tables, symbol, history)?;
        Some(action_text(keyword, symbol.value_type, sheet, area, history))
    }
}

impl Predictor for Ngram {
    fn fingerprint(&self) -> Fingerprint {
        let NgramConfig {
            max_actions,
            stop_on_type_change,
            context,
        } = self.config;
        Fingerprint(format!(
            "ngram/{}?model={}&max_actions={max_actions}&stop_on_type_change={stop_on_type_change}&context={context}",
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

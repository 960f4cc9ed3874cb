//! From what a user types to a predictor: `online-ngram`, `online-ngram?max_n=4&min_match=3`,
//! `best-of(online-ngram,repeat-last)`.

mod catalogue;
mod defaults;
mod error;
mod external;
mod in_use;
mod language_model;
mod options;
mod remote_model;
mod several;
mod trained;

use std::sync::Arc;

use napsim_external::{External, ExternalSetup};
use napsim_remote::Exchange;
use napsim_sim::predictor::{Fingerprint, Predictor};

use crate::best_of::BestOf;
use crate::llm::{Llm, LlmSetup};
use crate::lstm::{Lstm, LstmConfig, LstmModel, LstmRanker};
use crate::ngram::{Ngram, NgramConfig, NgramModel, NgramRanker};
use crate::none::NoPredictions;
use crate::online_ngram::{OnlineNgram, OnlineNgramConfig};
use crate::ranked::{Ranked, RankedConfig, Stored};
use crate::repeat_last::RepeatLast;
use crate::revalued::Revalued;
use crate::smollm::{ActivityReport, LanguageModel, Smollm, SmollmConfig};
use crate::xgboost::{FEATURES_V1, FEATURES_V2, FiveEnsembles, RankingModel, Xgboost, XgboostConfig, XgboostModel};

pub use catalogue::{OptionInfo, PREDICTORS, PredictorInfo};
pub use defaults::Defaults;
use defaults::Place;
pub use error::SpecError;
use options::{Options, Values};
use several::Spelling;

/// A predictor's parameters, read once, from which any number of predictors can be made.
#[derive(Clone, Debug)]
pub struct PredictorFactory {
    id: String,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    None,
    RepeatLast { count: usize },
    OnlineNgram(OnlineNgramConfig, Values),
    Ngram(Arc<NgramModel>, NgramConfig, Option<RankedConfig>),
    XgboostFive(Arc<FiveEnsembles>, XgboostConfig),
    XgboostRanking(RankingModel, RankedConfig),
    Lstm(Arc<LstmModel>, LstmConfig, Option<RankedConfig>),
    Smollm(Arc<LanguageModel>, Box<SmollmConfig>),
    Llm(LlmSetup),
    External(ExternalSetup),
    BestOf(Vec<PredictorFactory>, f64),
}

impl PredictorFactory {
    /// Reads what a user typed: a name, then `?option=value&option=value`; of several predictors
    /// `best-of(PREDICTOR,PREDICTOR,…)`, then the options of that. Behind `exec:` stands a command and behind `http:` an
    /// address, whose program or service is asked for its name.
    ///
    /// Names may be written with `-` or `_`. An option in the text outweighs the same one of `defaults` (a
    /// [`Defaults`], or a context alone); where neither is given, the predictor's own default holds, which for those that
    /// learn is the whole history.
    ///
    /// # Errors
    /// [`SpecError`] for an unknown predictor or option, for a value that the option does not take and for a model that
    /// cannot be read.
    pub fn parse(spec: &str, defaults: impl Into<Defaults>) -> Result<Self, SpecError> {
        Self::read(spec, &defaults.into(), Place::Alone)
    }

    /// Reads a predictor that stands alone or is a part of several.
    fn read(spec: &str, defaults: &Defaults, place: Place) -> Result<Self, SpecError> {
        if let Some(place_of) = external::name(spec) {
            // They have no options; what a user gives for all is refused where it means nothing.
            let mut options = Options::parse(catalogue::find(place_of)?.0, place_of, "")?;
            defaults.apply(&mut options, place)?;
            let setup = external::read(spec, &defaults.external)?;
            let id = setup.id().to_owned();
            let kind = Kind::External(setup);
            return Ok(Self { id, kind });
        }
        let Spelling { name, parts, query } = Spelling::of(spec)?;
        let (info, name) = catalogue::find(name)?;
        let mut options = Options::parse(info, name, query)?;
        defaults.apply(&mut options, if parts.is_some() { Place::Around } else { place })?;
        let Some(parts) = parts else {
            let kind = (info.read)(&options)?;
            let id = options.id(name);
            return Ok(Self { id, kind });
        };
        let factories = several::read(spec, info.name, &parts, defaults)?;
        let ids: Vec<&str> = factories.iter().map(Self::id).collect();
        let id = options.id(&format!("{}({})", info.name, ids.join(",")));
        let confidence = options.probability("confidence")?;
        let kind = Kind::BestOf(factories, confidence);
        Ok(Self { id, kind })
    }

    /// The canonical form of what was typed: the name, then every option that differs from its default, in order.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Identity of the predictors made here.
    pub fn fingerprint(&self) -> Fingerprint {
        match &self.kind {
            Kind::External(setup) => setup.fingerprint(),
            _ => self.build().fingerprint(),
        }
    }

    /// The programs and services among the predictors made here.
    pub fn externals(&self) -> Vec<ExternalSetup> {
        match &self.kind {
            Kind::External(setup) => vec![setup.clone()],
            Kind::BestOf(factories, _) => factories.iter().flat_map(Self::externals).collect(),
            _ => Vec::new(),
        }
    }

    /// What the language models have done that the predictors made here share, by their names.
    pub fn activity(&self) -> Vec<(&str, ActivityReport)> {
        match &self.kind {
            Kind::Smollm(model, _) => vec![(model.name(), model.activity().report())],
            Kind::BestOf(factories, _) => factories.iter().flat_map(Self::activity).collect(),
            _ => Vec::new(),
        }
    }

    /// The language models that others serve among the predictors made here.
    pub fn remote_models(&self) -> Vec<LlmSetup> {
        match &self.kind {
            Kind::Llm(setup) => vec![setup.clone()],
            Kind::BestOf(factories, _) => factories.iter().flat_map(Self::remote_models).collect(),
            _ => Vec::new(),
        }
    }

    /// Says who asks the language models that others serve; without it they are asked and nothing is kept. Where it
    /// `goes_on`, a refusal and the like are failed calls, after which a rollout goes on.
    pub fn ask_through(&mut self, exchange: &Arc<Exchange>, goes_on: bool) {
        match &mut self.kind {
            Kind::Llm(setup) => {
                setup.exchange = Arc::clone(exchange);
                setup.goes_on = goes_on;
            }
            Kind::BestOf(factories, _) => {
                for factory in factories {
                    factory.ask_through(exchange, goes_on);
                }
            }
            _ => {}
        }
    }

    /// A new predictor, which has seen nothing.
    pub fn build(&self) -> Box<dyn Predictor> {
        match &self.kind {
            Kind::None => Box::new(NoPredictions),
            Kind::BestOf(factories, confidence) => {
                let members = factories.iter().map(|factory| (factory.id.clone(), factory.build()));
                Box::new(BestOf::new(members.collect(), *confidence))
            }
            Kind::Smollm(model, config) => Box::new(Smollm::new(Arc::clone(model), config.as_ref().clone())),
            Kind::Llm(setup) => Box::new(Llm::new(setup.clone())),
            Kind::External(setup) => Box::new(External::new(setup.clone())),
            Kind::RepeatLast { count } => Box::new(RepeatLast::new(*count)),
            Kind::OnlineNgram(config, Values::V1) => Box::new(OnlineNgram::new(config.clone())),
            Kind::OnlineNgram(config, Values::V2) => {
                Box::new(Revalued::new(Box::new(OnlineNgram::new(config.clone()))))
            }
            Kind::XgboostFive(five, config) => Box::new(Xgboost::new(Arc::clone(five), *config)),
            Kind::XgboostRanking(ranking, config) => Box::new(ranking.predictor(config.clone())),
            Kind::Ngram(model, config, None) => Box::new(Ngram::new(Arc::clone(model), *config)),
            Kind::Ngram(model, _, Some(config)) => {
                let stored = model.ranking().cloned().unwrap_or_default();
                let ranker = NgramRanker::new(Arc::clone(model), stored.gate.unwrap_or_default());
                let identity = format!("ngram/{}", model.fingerprint());
                Box::new(Ranked::new(
                    &identity,
                    config.clone(),
                    stored.calibration,
                    Box::new(ranker),
                ))
            }
            Kind::Lstm(model, config, None) => Box::new(Lstm::new(Arc::clone(model), *config)),
            Kind::Lstm(model, _, Some(config)) => {
                let stored = model.ranking().cloned().unwrap_or_default();
                let ranker = LstmRanker::new(Arc::clone(model), stored.gate.unwrap_or_default());
                let identity = format!("lstm/{}", model.fingerprint());
                Box::new(Ranked::new(
                    &identity,
                    config.clone(),
                    stored.calibration,
                    Box::new(ranker),
                ))
            }
        }
    }
}

/// The predictor that a user means; see [`PredictorFactory::parse`].
///
/// # Errors
/// As those of [`PredictorFactory::parse`].
pub fn build(spec: &str, defaults: impl Into<Defaults>) -> Result<Box<dyn Predictor>, SpecError> {
    Ok(PredictorFactory::parse(spec, defaults)?.build())
}

fn read_online_ngram(options: &Options) -> Result<Kind, SpecError> {
    let config = OnlineNgramConfig {
        range_mode: options.range_mode("range_mode")?,
        max_n: options.number("max_n")?,
        min_match: options.number("min_match")?,
        max_actions: options.number("max_actions")?,
        stop_on_type_change: options.flag("stop_on_type_change")?,
        context: options.context("context")?,
    };
    Ok(Kind::OnlineNgram(config, options.values("values")?))
}

fn read_ngram(options: &Options) -> Result<Kind, SpecError> {
    let config = NgramConfig {
        max_actions: options.number("max_actions")?,
        stop_on_type_change: options.flag("stop_on_type_change")?,
        context: options.context("context")?,
    };
    let range_mode = options.range_mode_or_as_trained("range_mode")?;
    let model = trained::ngram(options.text("model")?, range_mode)?;
    let ranked = ranked(options, model.ranking())?;
    Ok(Kind::Ngram(model, config, ranked))
}

fn read_xgboost(options: &Options) -> Result<Kind, SpecError> {
    let range_mode = options.range_mode_or_as_trained("range_mode")?;
    let (max_actions, context) = (options.number("max_actions")?, options.context("context")?);
    let stop_on_type_change = options.flag("stop_on_type_change")?;
    let confidence = options.confidence("confidence")?;
    let foreign = |option, features| {
        Err(SpecError::ForeignOption {
            predictor: options.predictor(),
            option,
            features,
        })
    };
    match trained::xgboost(options.text("model")?)? {
        XgboostModel::Five(_) if confidence.is_some() => foreign("confidence", FEATURES_V1),
        XgboostModel::Five(five) => {
            trained::check_five(range_mode, &five)?;
            let config = XgboostConfig {
                max_actions,
                stop_on_type_change,
                context,
            };
            Ok(Kind::XgboostFive(five, config))
        }
        XgboostModel::Ranking(_) if range_mode.is_some() => foreign("range_mode", FEATURES_V2),
        XgboostModel::Ranking(_) if !stop_on_type_change => foreign("stop_on_type_change", FEATURES_V2),
        XgboostModel::Ranking(ranking) => {
            let config = RankedConfig {
                confidence: confidence.unwrap_or(ranking.stored().confidence),
                actions_max: max_actions,
                context,
            };
            Ok(Kind::XgboostRanking(ranking, config))
        }
    }
}

fn read_lstm(options: &Options) -> Result<Kind, SpecError> {
    let config = LstmConfig {
        max_actions: options.number("max_actions")?,
        stop_on_type_change: options.flag("stop_on_type_change")?,
        context: options.context("context")?,
    };
    let model = trained::lstm(options.text("model")?)?;
    let ranked = ranked(options, model.ranking())?;
    Ok(Kind::Lstm(model, config, ranked))
}

/// How candidates are ranked, or none where the published decoding is asked for. `stored` is what the model holds for it.
fn ranked(options: &Options, stored: Option<&Stored>) -> Result<Option<RankedConfig>, SpecError> {
    let confidence = options.confidence("confidence")?;
    if options.values("values")? == Values::V1 {
        return match confidence {
            None => Ok(None),
            Some(_) => Err(options.needs("confidence", "values=v2")),
        };
    }
    let stored = stored.ok_or_else(|| SpecError::NoRanking {
        predictor: options.predictor(),
    })?;
    Ok(Some(RankedConfig {
        confidence: confidence.unwrap_or(stored.confidence),
        actions_max: options.number("max_actions")?,
        context: options.context("context")?,
    }))
}

fn read_repeat_last(options: &Options) -> Result<Kind, SpecError> {
    Ok(Kind::RepeatLast {
        count: options.number("count")?,
    })
}

fn read_best_of(options: &Options) -> Result<Kind, SpecError> {
    Err(SpecError::Parts {
        text: options.predictor().to_owned(),
        reason: "the predictors are missing",
    })
}

fn read_none(_options: &Options) -> Result<Kind, SpecError> {
    Ok(Kind::None)
}

#[cfg(test)]
mod tests;

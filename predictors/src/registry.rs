//! From what a user types to a predictor: `online-ngram`, `online-ngram?max_n=4&min_match=3`,
//! `best-of(online-ngram,repeat-last)`.

mod catalogue;
mod defaults;
mod external;
mod in_use;
mod language_model;
mod options;
mod remote_model;
mod several;
mod trained;

use std::sync::Arc;

use napsim_external::{External, ExternalError, ExternalSetup};
use napsim_remote::{Exchange, ExchangeError, ProviderError};
use napsim_sim::predictor::{Fingerprint, Predictor};

use crate::best_of::BestOf;
use crate::language::TemplateError;
use crate::llm::{Llm, LlmSetup};
use crate::lstm::{Lstm, LstmConfig, LstmModel, LstmRanker};
use crate::model::LoadError;
use crate::ngram::{Ngram, NgramConfig, NgramModel, NgramRanker};
use crate::none::NoPredictions;
use crate::online_ngram::{OnlineNgram, OnlineNgramConfig};
use crate::ranked::{Ranked, RankedConfig, Stored};
use crate::repeat_last::RepeatLast;
use crate::revalued::Revalued;
use crate::smollm::{self, ActivityReport, LanguageModel, Smollm, SmollmConfig};
use crate::xgboost::{FEATURES_V1, FEATURES_V2, FiveEnsembles, RankingModel, Xgboost, XgboostConfig, XgboostModel};

pub use catalogue::{OptionInfo, PREDICTORS, PredictorInfo};
pub use defaults::Defaults;
use defaults::Place;
use options::{Options, Values};
use several::Spelling;

/// Why a text names no predictor.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// No predictor has that name.
    #[error("find a predictor `{name}`{}; there are {}", hint(nearest.as_deref()), names())]
    UnknownPredictor {
        /// The name typed.
        name: String,
        /// The predictor whose name comes nearest.
        nearest: Option<String>,
    },
    /// The predictor has no such option.
    #[error("find an option `{name}` of `{predictor}`{}; {}", hint(nearest.as_deref()), listed(known))]
    UnknownOption {
        /// The predictor.
        predictor: &'static str,
        /// The option typed.
        name: String,
        /// The option whose name comes nearest.
        nearest: Option<String>,
        /// All options of the predictor.
        known: Vec<&'static str>,
    },
    /// An option without a value.
    #[error("read the option `{text}` of `{predictor}`: write `option=value`, several joined by `&`")]
    MalformedOption {
        /// The predictor.
        predictor: &'static str,
        /// What stands in place of an option.
        text: String,
    },
    /// An option given twice.
    #[error("read the options of `{predictor}`: `{option}` is given twice")]
    RepeatedOption {
        /// The predictor.
        predictor: &'static str,
        /// The option.
        option: &'static str,
    },
    /// A value that the option does not take.
    #[error("read `{option}={value}` of `{predictor}`: give {expected}")]
    BadValue {
        /// The predictor.
        predictor: &'static str,
        /// The option.
        option: &'static str,
        /// The value typed.
        value: String,
        /// What the option takes.
        expected: &'static str,
    },
    /// Several predictors that are not written as they should be.
    #[error("read `{text}`: {reason}; write `best-of(PREDICTOR,PREDICTOR,…)`")]
    Parts {
        /// What was typed.
        text: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A predictor among several that cannot be used.
    #[error("{reason} (part `{part}` of `best-of`)")]
    Part {
        /// What was typed for it.
        part: String,
        /// Why.
        reason: Box<SpecError>,
    },
    /// A model that cannot be used.
    #[error(transparent)]
    Model(#[from] LoadError),
    /// A language model that cannot be used.
    #[error(transparent)]
    LanguageModel(Arc<smollm::ModelError>),
    /// A provider without a model.
    #[error("find the model of `{provider}`: write {provider}/MODEL")]
    NoModel {
        /// The provider.
        provider: &'static str,
    },
    /// A model that nobody can be asked for.
    #[error(transparent)]
    Provider(#[from] ProviderError),
    /// A program or service without its command or address.
    #[error("find what `{}` stands for: write {spelling}", spelling.split(':').next().unwrap_or(spelling))]
    NoPlace {
        /// How it is written.
        spelling: &'static str,
    },
    /// A program or service that cannot be used.
    #[error(transparent)]
    External(Arc<ExternalError>),
    /// A place where answers are kept that cannot be used.
    #[error(transparent)]
    Exchange(Arc<ExchangeError>),
    /// A file with a prompt that cannot be read.
    #[error("read the prompt template {path}: {reason}")]
    PromptFile {
        /// The file.
        path: String,
        /// What the system says.
        reason: String,
    },
    /// A prompt that is no template.
    #[error(transparent)]
    Prompt(#[from] TemplateError),
    /// An option that does not fit what it is given to.
    #[error("use `{option}` of `{predictor}`: {why}")]
    Unfit {
        /// The predictor.
        predictor: &'static str,
        /// The option.
        option: &'static str,
        /// Why it does not fit.
        why: &'static str,
    },
    /// An option that means nothing without another one.
    #[error("use `{option}` of `{predictor}` without `{needed}`")]
    NeedsOption {
        /// The predictor.
        predictor: &'static str,
        /// The option.
        option: &'static str,
        /// What it needs.
        needed: &'static str,
    },
    /// A model that was trained without what ranks candidates.
    #[error(
        "use `values=v2` of `{predictor}`: its model was trained without ranking; give `values=v1`, or train it anew"
    )]
    NoRanking {
        /// The predictor.
        predictor: &'static str,
    },
    /// An option that means nothing to the model.
    #[error("use `{option}` of `{predictor}`: it means nothing to a model of features {features}")]
    ForeignOption {
        /// The predictor.
        predictor: &'static str,
        /// The option.
        option: &'static str,
        /// The features of the model.
        features: &'static str,
    },
    /// An option that contradicts the model.
    #[error("use `{option}={value}` of `{predictor}`: its model was trained with `{option}={trained}`")]
    ContradictsModel {
        /// The predictor.
        predictor: &'static str,
        /// The option.
        option: &'static str,
        /// The value typed.
        value: String,
        /// The value that the model was trained with.
        trained: String,
    },
}

fn names() -> String {
    let names: Vec<_> = PREDICTORS.iter().map(PredictorInfo::typed).collect();
    names.join(", ")
}

fn hint(nearest: Option<&str>) -> String {
    nearest
        .map(|nearest| format!(", did you mean `{nearest}`?"))
        .unwrap_or_default()
}

fn listed(known: &[&str]) -> String {
    if known.is_empty() {
        "it has none".to_owned()
    } else {
        format!("it has {}", known.join(", "))
    }
}

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

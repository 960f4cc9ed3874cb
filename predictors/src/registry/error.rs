//! Why a text names no predictor.

use std::sync::Arc;

use napsim_external::{ExternalError, StartFailure};
use napsim_remote::{ExchangeError, ProviderError};

use super::{PREDICTORS, PredictorInfo};
use crate::language::TemplateError;
use crate::model::LoadError;
use crate::smollm;

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

impl SpecError {
    /// The program or service that cannot be started or reached, if that is what is wrong; anything else does not depend on
    /// what goes on outside.
    pub fn start_failure(&self) -> Option<&StartFailure> {
        match self {
            Self::External(error) => error.start_failure(),
            Self::Part { reason, .. } => reason.start_failure(),
            _ => None,
        }
    }
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

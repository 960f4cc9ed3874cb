//! What predictors there are, with their options: the source of parsing, `--help` and listings.

mod remote;

use super::external::{self, EXEC, HTTP, SPELLINGS};
use super::language_model::{self, SMOLLM};
use super::options::Options;
use super::remote_model;
use super::{
    Kind, SpecError, read_best_of, read_lstm, read_ngram, read_none, read_online_ngram, read_repeat_last, read_xgboost,
};
use remote::provider;

/// A predictor that a user can name.
#[derive(Clone, Copy, Debug)]
pub struct PredictorInfo {
    /// The name that a user types.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Its options in canonical order.
    pub options: &'static [OptionInfo],
    /// Makes its parameters from its options.
    pub(super) read: fn(&Options) -> Result<Kind, SpecError>,
}

/// An option of a predictor.
#[derive(Clone, Copy, Debug)]
pub struct OptionInfo {
    /// The name that a user types.
    pub name: &'static str,
    /// The value that holds unless another is given.
    pub default: &'static str,
    /// What values it takes.
    pub expected: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
}

/// What an option with a number of items takes.
const COUNT: &str = "a whole number from 1 to 1000";

/// What an option that is on or off takes.
const FLAG: &str = "`true` or `false`";

/// The value of an option that stands for the one that the model was trained with.
pub(super) const AS_TRAINED: &str = "as-trained";

const MODEL: OptionInfo = OptionInfo {
    name: "model",
    default: "",
    expected: "the path of a model file",
    summary: "file of the trained model; see `napsim train`",
};

const RANGE_MODE_AS_TRAINED: OptionInfo = OptionInfo {
    name: "range_mode",
    default: AS_TRAINED,
    expected: "`as-trained`, `relative` or `absolute`",
    summary: "whether actions are told apart by movement or by size; must be that of the model",
};

const MAX_ACTIONS: OptionInfo = OptionInfo {
    name: "max_actions",
    default: "5",
    expected: COUNT,
    summary: "most actions proposed at once",
};

const CONTEXT: OptionInfo = OptionInfo {
    name: "context",
    default: "all",
    expected: "`all` or a whole number from 1",
    summary: "how many of the last actions it knows",
};

const VALUES: OptionInfo = OptionInfo {
    name: "values",
    default: "v2",
    expected: "`v1` or `v2`",
    summary: "v1: the published decoding, which takes the last value; v2: candidates with value models, ranked",
};

const CONFIDENCE: OptionInfo = OptionInfo {
    name: "confidence",
    default: AS_TRAINED,
    expected: "a number from 0 to 1",
    summary: "least probability of being taken with which an action is proposed (values=v2)",
};

const CONFIDENCE_V2: OptionInfo = OptionInfo {
    summary: "least probability of being taken with which an action is proposed (models of features v2)",
    ..CONFIDENCE
};

/// Every predictor that a user can name.
pub static PREDICTORS: &[PredictorInfo] = &[
    PredictorInfo {
        name: "online-ngram",
        summary: "learns from the running trajectory: earlier matches, progressions, frequent successors",
        options: &[
            OptionInfo {
                name: "range_mode",
                default: "relative",
                expected: "`relative` or `absolute`",
                summary: "whether actions are told apart by movement or by size",
            },
            OptionInfo {
                name: "max_n",
                default: "5",
                expected: COUNT,
                summary: "longest sequence of actions looked up",
            },
            OptionInfo {
                name: "min_match",
                default: "2",
                expected: COUNT,
                summary: "shortest earlier match worth replaying",
            },
            MAX_ACTIONS,
            OptionInfo {
                name: "stop_on_type_change",
                default: "true",
                expected: FLAG,
                summary: "whether frequent successors end where the kind of action changes",
            },
            CONTEXT,
            OptionInfo {
                name: "values",
                default: "v1",
                expected: "`v1` or `v2`",
                summary: "v1: the last value of the keyword, as published; v2: value models for the same places",
            },
        ],
        read: read_online_ngram,
    },
    PredictorInfo {
        name: "ngram",
        summary: "learnt from other trajectories: what most often followed the last actions there",
        options: &[
            MODEL,
            RANGE_MODE_AS_TRAINED,
            MAX_ACTIONS,
            OptionInfo {
                name: "stop_on_type_change",
                default: "true",
                expected: FLAG,
                summary: "whether an answer ends where the kind of action changes",
            },
            CONTEXT,
            VALUES,
            CONFIDENCE,
        ],
        read: read_ngram,
    },
    PredictorInfo {
        name: "xgboost",
        summary: "learnt from other trajectories: gradient-boosted trees that rank candidates, or the published five models",
        options: &[
            MODEL,
            RANGE_MODE_AS_TRAINED,
            MAX_ACTIONS,
            OptionInfo {
                name: "stop_on_type_change",
                default: "true",
                expected: FLAG,
                summary: "whether an answer ends where the kind of action changes",
            },
            CONTEXT,
            CONFIDENCE_V2,
        ],
        read: read_xgboost,
    },
    PredictorInfo {
        name: "lstm",
        summary: "learnt from other trajectories: a recurrent network that reads the whole history",
        options: &[
            MODEL,
            MAX_ACTIONS,
            OptionInfo {
                name: "stop_on_type_change",
                default: "true",
                expected: FLAG,
                summary: "whether an answer ends where the kind of action changes",
            },
            CONTEXT,
            VALUES,
            CONFIDENCE,
        ],
        read: read_lstm,
    },
    PredictorInfo {
        name: SMOLLM,
        summary: "a Llama model that continues the history: smollm/tiny, smollm/135m, smollm:PATH (see napsim model pull)",
        options: &[
            OptionInfo {
                name: "context",
                default: "47",
                expected: "`all` or a whole number from 1",
                summary: "how many of the last actions it knows at most",
            },
            OptionInfo {
                name: "context_block",
                default: "16",
                expected: COUNT,
                summary: "how many of the oldest actions it forgets at once; context=32&context_block=1 as published",
            },
            MAX_ACTIONS,
            OptionInfo {
                name: "max_tokens",
                default: "256",
                expected: COUNT,
                summary: "most tokens of one answer",
            },
            OptionInfo {
                name: "grammar",
                default: "false",
                expected: FLAG,
                summary: "whether only tokens are chosen that make a line an action",
            },
            OptionInfo {
                name: "shorten",
                default: "true",
                expected: FLAG,
                summary: "whether long values of the history are shortened, as published",
            },
            OptionInfo {
                name: "stop_sentence",
                default: "false",
                expected: FLAG,
                summary: "whether the model is told to write STOP when it is unsure",
            },
            OptionInfo {
                name: "temperature",
                default: "0",
                expected: "a number from 0 to 10",
                summary: "0 takes the likeliest token, more draws it by the seed",
            },
            OptionInfo {
                name: "top_p",
                default: "0.9",
                expected: "a number from 0 to 1",
                summary: "tokens are drawn from the likeliest ones that have this probability together",
            },
            OptionInfo {
                name: "reading",
                default: "corrected",
                expected: "`corrected` or `published`",
                summary: "how answers are read; published: with the quirks of the published system",
            },
            OptionInfo {
                name: "confidence",
                default: "0",
                expected: "a number from 0 to 1",
                summary: "least mean probability of the tokens of an action with which it is proposed",
            },
        ],
        read: language_model::read,
    },
    provider(
        "openai",
        "OpenAI's models: openai/gpt-5-mini (OPENAI_API_KEY, OPENAI_BASE_URL)",
    ),
    provider(
        "azure",
        "OpenAI's models on Azure: azure/DEPLOYMENT (AZURE_OPENAI_ENDPOINT, AZURE_OPENAI_API_KEY)",
    ),
    provider("anthropic", "Anthropic's models: anthropic/MODEL (ANTHROPIC_API_KEY)"),
    provider(
        "openrouter",
        "models through OpenRouter: openrouter/VENDOR/MODEL (OPENROUTER_API_KEY)",
    ),
    provider("ollama", "models that Ollama serves: ollama/llama3.2:3b (OLLAMA_HOST)"),
    provider(
        "local",
        "any server that speaks as OpenAI does: local/MODEL with --base-url URL (NAPSIM_API_KEY)",
    ),
    PredictorInfo {
        name: EXEC,
        summary: "a program of your own in any language: exec:COMMAND (docs/PREDICTOR-PROTOCOL.md)",
        options: &[],
        read: external::read_bare,
    },
    PredictorInfo {
        name: HTTP,
        summary: "the same behind a service: http:URL or https://… (NAPSIM_PREDICTOR_TOKEN)",
        options: &[],
        read: external::read_bare,
    },
    PredictorInfo {
        name: super::several::BEST_OF,
        summary: "asks several and proposes the likeliest answer: best-of(online-ngram,ngram?model=MODEL)",
        options: &[OptionInfo {
            name: "confidence",
            default: "0",
            expected: "a number from 0 to 1",
            summary: "least probability of being right with which an answer is proposed",
        }],
        read: read_best_of,
    },
    PredictorInfo {
        name: "repeat-last",
        summary: "proposes the last action again: the floor to clear",
        options: &[OptionInfo {
            name: "count",
            default: "1",
            expected: COUNT,
            summary: "how many times the action is proposed at once",
        }],
        read: read_repeat_last,
    },
    PredictorInfo {
        name: "none",
        summary: "never proposes anything: the user does all the work",
        options: &[],
        read: read_none,
    },
];

/// The predictor of that name, written with `-` or `_`, and its canonical name: for a language model that of the model.
pub(super) fn find(name: &str) -> Result<(&'static PredictorInfo, &str), SpecError> {
    let remote = remote_model::name(name).map(|(provider, _)| provider.name());
    let model = language_model::name(name).or(remote.map(|_| name));
    let wanted = match (remote, model) {
        (Some(provider), _) => provider.to_owned(),
        (None, Some(_)) => SMOLLM.to_owned(),
        (None, None) => name.replace('_', "-"),
    };
    let info = PREDICTORS.iter().find(|info| info.name == wanted);
    let info = info.ok_or_else(|| SpecError::UnknownPredictor {
        name: name.to_owned(),
        nearest: nearest(&wanted, PREDICTORS.iter().map(|info| info.name)),
    })?;
    Ok((info, model.unwrap_or(info.name)))
}

impl PredictorInfo {
    /// Whether it is a provider of models, of which one has to be named.
    pub fn is_provider(&self) -> bool {
        napsim_remote::Provider::from_name(self.name).is_some()
    }

    /// What a user types: the name, and of a provider also what stands for the model.
    pub fn typed(&self) -> String {
        if self.is_provider() {
            return format!("{}/MODEL", self.name);
        }
        let spelled = SPELLINGS
            .iter()
            .find(|spelling| spelling.split(':').next() == Some(self.name));
        (*spelled.unwrap_or(&self.name)).to_owned()
    }

    /// The option of that name, written with `_` or `-`.
    pub(super) fn option(&self, name: &str) -> Result<&'static OptionInfo, SpecError> {
        let wanted = name.replace('-', "_");
        self.options
            .iter()
            .find(|option| option.name == wanted)
            .ok_or_else(|| SpecError::UnknownOption {
                predictor: self.name,
                name: name.to_owned(),
                nearest: nearest(&wanted, self.options.iter().map(|option| option.name)),
                known: self.options.iter().map(|option| option.name).collect(),
            })
    }
}

/// The most similar name, if any is similar at all.
fn nearest(wanted: &str, names: impl Iterator<Item = &'static str>) -> Option<String> {
    /// Below this Jaro-Winkler similarity a hint would only confuse.
    const SIMILARITY_MIN: f64 = 0.7;
    names
        .map(|name| (strsim::jaro_winkler(wanted, name), name))
        .filter(|(similarity, _)| *similarity >= SIMILARITY_MIN)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, name)| name.to_owned())
}

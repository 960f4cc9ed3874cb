//! Next-action predictors.
//!
//! [`registry`] turns what a user types into a predictor. The classical predictors share [`feature`] (what they see
//! of an action), [`history`] (what they remember), [`reconstruct`] (how a prediction becomes text again) and
//! [`decode`] (how several actions follow one another). [`model`] is the file that trained ones are read from.
//! [`language`] is the text side of language models.

pub mod best_of;
pub mod candidates;
pub mod context;
pub mod decode;
pub mod feature;
pub mod gbm_vector;
pub mod history;
pub mod language;
pub mod llm;
pub mod lstm;
pub mod model;
pub mod ngram;
pub mod none;
pub mod notice;
pub mod online_ngram;
pub mod playback;
pub mod ranked;
pub mod ranking;
mod reading;
pub mod reconstruct;
pub mod registry;
pub mod repeat_last;
pub mod revalued;
pub mod smollm;
pub mod values;
pub mod xgboost;

pub use best_of::BestOf;
pub use context::Context;
pub use llm::{Llm, LlmConfig, LlmSetup};
pub use lstm::{Lstm, LstmConfig, LstmModel};
pub use model::{Card, Model, ModelKind};
pub use ngram::{Ngram, NgramConfig, NgramModel};
pub use none::NoPredictions;
pub use online_ngram::{OnlineNgram, OnlineNgramConfig};
pub use playback::{Playback, RecordedCall};
pub use registry::{PredictorFactory, SpecError, build};
pub use repeat_last::RepeatLast;
pub use smollm::{LanguageModel, Smollm, SmollmConfig};
pub use xgboost::{Xgboost, XgboostConfig, XgboostModel};

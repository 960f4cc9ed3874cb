//! Training of next-action predictors.
//!
//! [`sequences`] reads training data; [`ngram`], [`xgboost`], [`xgboost_ranking`], [`lstm`] and [`smollm`] make models of them, and
//! [`evaluation`] measures any predictor on sequences that were held out. What comes out is a [`Model`](napsim_predictors::Model) with its card. Nothing here
//! depends on threads, clock or path: the same data, settings and seed give the same bytes.

pub mod evaluation;
mod job;
pub mod lstm;
pub mod ngram;
mod progress;
pub mod ranking;
pub mod sequences;
pub mod smollm;
pub mod xgboost;
pub mod xgboost_ranking;

pub use job::{Job, Trained, TrainingError};
pub use progress::Progress;

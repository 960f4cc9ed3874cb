//! Predictors outside of the program: child processes and services that speak `napsim-predictor/1`.
//!
//! An [`ExternalSetup`] starts a program or reaches a service and lets it say hello; each lane then has an [`External`] of
//! its own, which is a [`Predictor`](napsim_sim::predictor::Predictor) like any other. [`serve`] is the other side: any
//! predictor answers on a pair of pipes. docs/PREDICTOR-PROTOCOL.md describes what is said.

mod activity;
mod check;
mod error;
mod external;
mod failure;
mod fingerprint;
pub mod message;
mod partner;
mod program;
mod serve;
mod service;
mod settings;
mod setup;
mod stderr;

pub use activity::ExternalActivity;
pub use check::check_program;
pub use error::ExternalError;
pub use external::External;
pub use serve::{ServeError, Served, serve};
pub use settings::{ExternalSettings, OnCrash, StderrMode};
pub use setup::ExternalSetup;
pub use stderr::StderrText;

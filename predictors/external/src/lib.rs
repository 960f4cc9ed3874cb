//! Predictors outside of the program: child processes and services that speak `napsim-predictor/1`.
//!
//! An [`ExternalSetup`] starts a program or reaches a service and lets it say hello; each lane then has an [`External`] of
//! its own, which is a [`Predictor`](napsim_sim::predictor::Predictor) like any other. [`serve`] is the other side: any
//! predictor answers on a pair of pipes. [`check_program`] says whether a program speaks as it should.
//! docs/PREDICTOR-PROTOCOL.md describes what is said.
//!
//! ```no_run
//! use napsim_external::{External, ExternalError, ExternalSettings, ExternalSetup};
//!
//! # fn main() -> Result<(), ExternalError> {
//! let setup = ExternalSetup::program("python3 my_predictor.py", ExternalSettings::default())?;
//! let predictor_of_a_lane = External::new(setup.clone());
//! println!("{} is {}", setup.id(), setup.name());
//! # Ok(())
//! # }
//! ```

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
pub use check::{check_program, program_checks};
pub use error::{ExternalError, StartFailure};
pub use external::External;
pub use serve::{ServeError, Served, serve};
pub use settings::{ExternalSettings, OnCrash, StderrMode};
pub use setup::ExternalSetup;
pub use stderr::StderrText;

//! What lies behind the figures of a run: from records to streaks, kinds of action, triggers, errors, calibration and
//! time saved, as numbers for other programs and as text for terminals.
//!
//! A record is gone through once ([`UnitAnalysis::of`]) and leaves a handful of counts, so that memory does not grow with
//! the number of predictions. [`RunAnalysis`] puts the units of a run together and answers questions about them. Nothing
//! here depends on the order of the units, on a clock or on the machine.

mod bars;
pub mod breakdown;
mod by;
pub mod calibration;
mod confidence;
pub mod csv_rows;
pub mod errors;
pub mod false_positives;
mod interval;
mod kind;
mod left_to_do;
mod lines;
mod number;
pub mod progress;
pub mod published;
mod run;
pub mod shares;
pub mod streaks;
mod tally;
pub mod time_saved;
pub mod trace;
pub mod undo;
mod unit;
mod user_model;
mod work;

pub use bars::{bar, sparkline};
pub use breakdown::{Breakdown, BreakdownRow};
pub use by::By;
pub use calibration::Calibration;
pub use csv_rows::CsvRows;
pub use errors::{ErrorKind, ErrorTaxonomy};
pub use false_positives::FalsePositives;
pub use interval::{IntervalMethod, RateInterval};
pub use kind::Kind;
pub use progress::Progress;
pub use run::{Basis, RunAnalysis};
pub use shares::{KindShare, KindShares};
pub use streaks::Streaks;
pub use time_saved::TimeSaved;
pub use undo::UndoCounts;
pub use unit::{Builder, UnitAnalysis};
pub use user_model::{UserModel, UserModelError};

#[cfg(test)]
mod laws;

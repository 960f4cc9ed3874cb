//! Experiments: from a file to units, and the units that a store has of them.

mod args;
mod estimate;
mod known;
mod measuring;
mod planned;
mod selection;

pub(super) use args::{ExperimentArgs, SelectionArgs, StoreArgs, refuse_exchange};
pub(super) use estimate::say_costs;
pub(super) use measuring::{Ended, Measuring};
pub(super) use planned::{Planned, State, Unit, VariantPlan};

/// Version of the program, part of every record.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

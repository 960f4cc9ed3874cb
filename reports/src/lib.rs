//! What becomes of the events of a run: records, figures, tables and replay.
//!
//! The crate prints nothing and reads no clock. [`store`] is the only place that opens files for writing.

pub mod aggregate;
pub mod coverage;
#[cfg(test)]
mod fixtures;
pub mod printable;
pub mod report;
pub mod setup;
pub mod table;

pub use aggregate::{Aggregate, UnitResult};
pub use coverage::{Coverage, CoverageCounts};
pub use report::RunReport;
pub use setup::{ContextLength, Mode, RunSetup};

//! What becomes of the events of a run: records, figures, tables and replay.
//!
//! The crate prints nothing and reads no clock. [`store`] is the only place that opens files for writing.

pub mod aggregate;
pub mod answers;
pub mod calls;
pub mod comparison;
pub mod coverage;
pub mod csv_tables;
pub mod difference;
pub mod explain;
#[cfg(test)]
mod fixtures;
pub mod gate;
pub mod latencies;
mod nearest;
pub mod printable;
pub mod record;
pub mod replay;
pub mod report;
pub mod setup;
pub mod store;
pub mod table;
pub mod times;
pub mod unit_name;

pub use aggregate::{Aggregate, UnitResult};
pub use answers::AnswerCounts;
pub use comparison::{ComparedRun, Comparison, ComparisonSettings, Metric};
pub use coverage::{Coverage, CoverageCounts};
pub use gate::Gate;
pub use latencies::Latencies;
pub use report::RunReport;
pub use setup::{ContextLength, Mode, RunSetup};
pub use store::RunFolder;
pub use unit_name::UnitName;

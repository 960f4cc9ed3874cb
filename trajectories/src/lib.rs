//! Spreadsheet actions, ranges and the text notation; readers for trajectories and corpora.
//!
//! Everything here follows spec chapter 01 of the published system. The crate knows nothing of sheet
//! state or prediction: it is the leaf on which the simulator stands.

pub mod action;
pub mod corpus;
pub mod embedded;
pub mod input;
pub mod json;
pub mod kind;
pub mod number;
pub mod parse;
pub mod predictable;
pub mod range;
pub mod read;
pub mod text;
pub mod trajectory;

mod digit;
mod inverse;
mod iso;
mod print;
mod shift;
mod value;

pub use action::{Action, Edit};
pub use corpus::Corpus;
pub use digit::decimal_value;
pub use iso::{rewrite_clock_text, rewrite_datetime, rewrite_time};
pub use kind::{Family, Group, Keyword};
pub use parse::ParseError;
pub use predictable::PredictableState;
pub use range::{Bounds, CellAddress, Range, RangeError};
pub use read::{Diagnostic, ReadError, ReadOptions};
pub use shift::shift_references;
pub use trajectory::{SourceLine, Trajectory};
pub use value::Value;

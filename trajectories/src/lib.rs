//! Spreadsheet actions, ranges and the text notation; readers for trajectories and corpora.
//!
//! Everything here follows spec chapter 01 of the published system. The crate knows nothing of sheet
//! state or prediction: it is the leaf on which the simulator stands.

pub mod json;
pub mod number;
pub mod text;

mod digit;
mod iso;
mod shift;
mod value;

pub use iso::{rewrite_clock_text, rewrite_datetime, rewrite_time};
pub use shift::shift_references;
pub use value::Value;

//! Mergers: many single-cell actions into few actions on ranges (spec chapter 02, sections 7 and 8).

mod borders;
mod rectangles;

pub use borders::merge_borders;
pub use rectangles::{GrowFirst, merge_rectangles};

//! Actions that might come next, made from what has happened and what the sheet looks like.
//!
//! The published predictors have one idea of where the next action goes and one of its value (spec chapter 03, section
//! 2). Here many are proposed: by analogy with what was done before, by the formats of neighbours, by the run of the
//! block, each with a value from the value models ([`values`](crate::values)). Which of them to offer is for a
//! ranking to say (spec chapter 03, 14).

mod edits;
mod generate;
mod place;
mod pool;
mod scene;
mod sketch;

pub use edits::{ContentKind, EditId, Edits, KnownEdit, TextId, keyword_idx};
pub use generate::{Generator, edit_of, generate};
pub use place::Place;
pub use pool::{Candidate, Evidence, N_SOURCES, Pool, Source, ValueModel};
pub use scene::{Scene, Step, Used};
pub use sketch::{Look, N_SLOTS, Sketch, slot, slots_at};

#[cfg(test)]
mod tests;

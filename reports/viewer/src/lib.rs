//! Recorded rollouts step by step: films, the viewer of pages that draws them, and animated pictures.
//!
//! The crate reads and writes no file and no clock. Texts of trajectories and answers of models are anybody's; what goes
//! into a page is packed or escaped.

pub mod animation;
pub mod display;
pub mod film;
pub mod page;
#[cfg(test)]
mod testing;

pub use animation::{AnimationOptions, animated_svg};
pub use film::{Film, FilmError};
pub use page::standalone_page;

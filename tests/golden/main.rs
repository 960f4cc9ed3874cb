//! The golden vectors of the published system, run against this one.
//!
//! The vectors lie outside the repository, in the folder `golden` of `$NAPSIM_SHARED` or else of `../shared`. Where
//! the folder is absent each test says so and passes.

mod acceptance;
mod actions;
mod apply;
mod corpus;
mod describe;
mod evaluation;
mod predictors;
mod rewriting;
mod text_primitives;
mod vectors;

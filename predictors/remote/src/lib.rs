//! Language models over HTTP: nothing here knows an action or a sheet.

pub mod cache;
pub mod entry;
pub mod journal;
pub mod ledger;
pub mod money;
pub mod price;
pub mod recording;
pub mod secret;

mod lines;
mod sync;

pub use secret::{Redactor, Secret};

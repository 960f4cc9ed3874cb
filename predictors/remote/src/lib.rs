//! Language models over HTTP: nothing here knows an action or a sheet.

pub mod secret;
pub mod transport;

pub use secret::{Redactor, Secret};

//! Predictors outside of the program, each in a process of its own.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod asking;
mod checking;
mod conversations;
mod faults;
mod leftovers;
mod messages;
#[path = "../../src/bin/napsim-test-predictor/recall.rs"]
mod recall;
mod schema;
mod service;
mod service_faults;
mod serving;
mod starting;

//! Exports to MLflow: its folder, and a server that answers as MLflow's does.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "what helps tests may fail as they do"
)]

mod folder;
mod runs;
mod server;
mod tracking;

/// Past the test harness, which keeps what passing tests print to itself.
fn say(text: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "{text}");
}

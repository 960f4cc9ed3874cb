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

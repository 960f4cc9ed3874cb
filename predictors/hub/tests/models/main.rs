//! Models fetched from a hub on this machine, and taken out of wheels.

mod failures;
mod pull;
mod server;
mod tokens;
mod wheel;

//! Placeholder during scaffolding.

//! Llama models: reading, running and fine-tuning them.

mod config;

pub use config::{ConfigError, LlamaConfig};

//! Llama models: reading, running and fine-tuning them.

mod config;
mod network;
pub mod train;
pub mod vocabulary;

pub use config::{ConfigError, EndTokens, LlamaConfig};
pub use network::{LlamaNetwork, NetworkError};

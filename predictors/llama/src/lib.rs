//! Llama models: reading, running and fine-tuning them.
//!
//! [`Pretrained`] is a model as it lies on disk, [`Model`] one that can be run, [`Session`] a text that goes through it.
//! [`LlamaNetwork`] is one that can be trained, [`train`] trains it, and [`vocabulary`] makes a vocabulary for it.

mod config;
mod engine;
mod error;
mod generation;
mod memory;
mod network;
mod tokenizer;
pub mod train;
pub mod vocabulary;
mod weights;

pub use config::{ConfigError, EndTokens, LlamaConfig};
pub use engine::{Model, Session};
pub use error::LlamaError;
pub use generation::{Choice, Chooser, Ending, GeneratedToken, Listener, generate};
pub use memory::check_memory;
pub use network::{LlamaNetwork, NetworkError, Precision};
pub use tokenizer::ModelTokenizer;
pub use weights::{Numbers, Pretrained, StoredTensor, expected_tensors};

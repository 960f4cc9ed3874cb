//! Llama models: reading, running and fine-tuning them.
//!
//! [`Pretrained`] is a model as it lies on disk, [`Model`] one that can be run, [`Session`] a text that goes through it.

mod config;
mod engine;
mod error;
mod generation;
mod tokenizer;
mod weights;

pub use config::{ConfigError, EndTokens, LlamaConfig};
pub use engine::{Model, Session};
pub use error::LlamaError;
pub use generation::{Choice, Chooser, Ending, GeneratedToken, Listener, generate};
pub use tokenizer::ModelTokenizer;
pub use weights::{Numbers, Pretrained, StoredTensor, expected_tensors};

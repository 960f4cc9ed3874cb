//! Models that predictors share.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use napsim_hub::HubError;
use napsim_llama::{LlamaConfig, LlamaError, Model, ModelTokenizer, Pretrained, Session};

use super::activity::Activity;

/// The name of the model that comes with the program.
pub const TINY: &str = "smollm/tiny";

/// A model with its vocabulary, shared between any number of predictors.
#[derive(Debug)]
pub struct LanguageModel {
    name: String,
    model: Arc<Model>,
    tokenizer: ModelTokenizer,
    sha256: String,
    activity: Activity,
}

/// Why a model cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// It is not in the model folder.
    #[error(transparent)]
    Hub(#[from] HubError),
    /// It cannot be run.
    #[error(transparent)]
    Llama(#[from] LlamaError),
}

impl LanguageModel {
    /// The model that a user names: `smollm/tiny`, another name in the model folder, or `smollm:PATH`.
    ///
    /// # Errors
    /// [`ModelError`] where it is not there or cannot be used.
    pub fn named(name: &str) -> Result<Self, ModelError> {
        if name == TINY {
            return Ok(Self::tiny()?);
        }
        let path = match name.strip_prefix("smollm:") {
            Some(path) => PathBuf::from(path),
            None => napsim_hub::locate(name)?,
        };
        Ok(Self::load(name, &path)?)
    }

    /// The model that comes with the program.
    ///
    /// # Errors
    /// [`LlamaError`] never, unless the program was built from damaged files.
    pub fn tiny() -> Result<Self, LlamaError> {
        let pretrained = Pretrained::from_bytes(
            TINY,
            include_str!("../../models/tiny/config.json"),
            include_bytes!("../../models/tiny/tokenizer.json"),
            include_bytes!("../../models/tiny/model.safetensors"),
        )?;
        Self::new(TINY, pretrained)
    }

    /// Reads a Hugging Face folder or a GGUF file.
    ///
    /// # Errors
    /// [`LlamaError`] where it cannot be used, and where there is not enough memory for it.
    pub fn load(name: &str, path: &Path) -> Result<Self, LlamaError> {
        napsim_llama::check_memory(path)?;
        Self::new(name, Pretrained::load(path)?)
    }

    /// A model for predictors.
    ///
    /// # Errors
    /// [`LlamaError`] where weights are missing.
    pub fn new(name: &str, pretrained: Pretrained) -> Result<Self, LlamaError> {
        Ok(Self {
            name: name.to_owned(),
            model: Arc::new(Model::new(pretrained.config, pretrained.tensors)?),
            tokenizer: pretrained.tokenizer,
            sha256: pretrained.sha256,
            activity: Activity::default(),
        })
    }

    /// What a user calls it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its shape.
    pub fn config(&self) -> &LlamaConfig {
        self.model.config()
    }

    /// Its vocabulary.
    pub fn tokenizer(&self) -> &ModelTokenizer {
        &self.tokenizer
    }

    /// SHA-256 of its files, in hexadecimal.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// What it has done.
    pub fn activity(&self) -> &Activity {
        &self.activity
    }

    /// A text that goes through it.
    pub fn session(&self) -> Session {
        self.model.session()
    }
}

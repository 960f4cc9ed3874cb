//! Who serves models, and where.

mod address;
mod endpoint;

use std::fmt;

use crate::wire::Api;

pub use address::shown_address;
pub use endpoint::Endpoint;

/// A provider of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Provider {
    /// OpenAI.
    OpenAi,
    /// OpenAI's models on Azure; the model is the name of a deployment.
    Azure,
    /// Anthropic.
    Anthropic,
    /// OpenRouter.
    OpenRouter,
    /// Ollama on this machine or another one.
    Ollama,
    /// Any server that speaks as OpenAI does, such as vLLM, llama.cpp or LM Studio.
    Local,
}

impl Provider {
    /// All of them, in the order of listings.
    pub const ALL: [Self; 6] = [
        Self::OpenAi,
        Self::Azure,
        Self::Anthropic,
        Self::OpenRouter,
        Self::Ollama,
        Self::Local,
    ];

    /// The name before the slash.
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Azure => "azure",
            Self::Anthropic => "anthropic",
            Self::OpenRouter => "openrouter",
            Self::Ollama => "ollama",
            Self::Local => "local",
        }
    }

    /// The provider of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|provider| provider.name() == name)
    }

    /// Environment variables that hold the key, the first one set counts.
    pub fn key_variables(self) -> &'static [&'static str] {
        match self {
            Self::OpenAi => &["OPENAI_API_KEY"],
            Self::Azure => &["AZURE_OPENAI_API_KEY"],
            Self::Anthropic => &["ANTHROPIC_API_KEY"],
            Self::OpenRouter => &["OPENROUTER_API_KEY"],
            Self::Ollama => &["OLLAMA_API_KEY"],
            Self::Local => &["NAPSIM_API_KEY"],
        }
    }

    /// Environment variables that hold the address, the first one set counts.
    pub fn address_variables(self) -> &'static [&'static str] {
        match self {
            Self::OpenAi => &["OPENAI_BASE_URL"],
            Self::Azure => &["AZURE_OPENAI_ENDPOINT"],
            Self::Anthropic => &["ANTHROPIC_BASE_URL"],
            Self::OpenRouter => &["OPENROUTER_BASE_URL"],
            Self::Ollama => &["OLLAMA_HOST"],
            Self::Local => &["NAPSIM_BASE_URL"],
        }
    }

    /// The address where none is given; none where there is no usual one.
    fn usual_address(self) -> Option<&'static str> {
        match self {
            Self::OpenAi => Some("https://api.openai.com/v1"),
            Self::Anthropic => Some("https://api.anthropic.com"),
            Self::OpenRouter => Some("https://openrouter.ai/api/v1"),
            Self::Ollama => Some("http://127.0.0.1:11434/v1"),
            Self::Azure | Self::Local => None,
        }
    }

    /// Whether the usual address answers without a key.
    fn needs_key(self) -> bool {
        !matches!(self, Self::Ollama | Self::Local)
    }

    /// The interfaces it has, the usual one first.
    pub fn apis(self) -> &'static [Api] {
        match self {
            Self::OpenAi => &[Api::Chat, Api::Responses, Api::Completion],
            Self::Anthropic => &[Api::Messages],
            Self::Azure | Self::OpenRouter | Self::Ollama | Self::Local => &[Api::Chat, Api::Completion],
        }
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a model cannot be asked. Messages fit "failed to …".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProviderError {
    /// Nobody said where the server is.
    #[error("find the server of {provider}/{model}: give --base-url URL, or set {variable}")]
    NoAddress {
        /// The provider.
        provider: Provider,
        /// The model.
        model: String,
        /// The environment variable that may hold the address.
        variable: &'static str,
    },
    /// The address is none.
    #[error("read the address `{address}` of {provider}: {reason}; expected one such as http://127.0.0.1:8080/v1")]
    Address {
        /// The provider.
        provider: Provider,
        /// The address without what may be secret.
        address: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A key holds characters that no header may hold.
    #[error("use the key in {variable}: it holds characters that no key has")]
    Key {
        /// The environment variable.
        variable: &'static str,
    },
    /// The provider has no such interface.
    #[error("ask {provider} by `{api}`: it has {}", names(*provider))]
    Api {
        /// The provider.
        provider: Provider,
        /// The interface.
        api: Api,
    },
}

fn names(provider: Provider) -> String {
    let names: Vec<&str> = provider.apis().iter().map(|api| api.name()).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests;

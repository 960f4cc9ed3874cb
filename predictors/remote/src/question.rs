//! What a model is asked.

use serde_json::Value;

/// A question to a model, whoever serves it.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// What the model reads.
    pub prompt: Prompt,
    /// How it is to answer.
    pub generation: Generation,
}

/// What a model reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prompt {
    /// Messages of a conversation.
    Chat {
        /// What the model is told about its task.
        system: String,
        /// What it is asked.
        user: String,
    },
    /// A text to continue.
    Text(String),
}

impl Prompt {
    /// Characters of all texts together.
    pub fn n_characters(&self) -> usize {
        match self {
            Self::Chat { system, user } => system.chars().count() + user.chars().count(),
            Self::Text(text) => text.chars().count(),
        }
    }

    /// More tokens than the prompt can well have: one for every two bytes. Only texts in which nearly every character is a
    /// token of its own have more.
    pub fn tokens_at_most(&self) -> u64 {
        let n_bytes = match self {
            Self::Chat { system, user } => system.len() + user.len(),
            Self::Text(text) => text.len(),
        };
        u64::try_from(n_bytes.div_ceil(2)).unwrap_or(u64::MAX)
    }

    /// Tokens of the prompt where nobody counts them: a quarter of its characters, as in the published system.
    pub fn tokens_estimated(&self) -> u64 {
        u64::try_from(self.n_characters() / 4).unwrap_or(u64::MAX)
    }
}

/// How a model is to answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Generation {
    /// Tokens of the answer at most, reasoning included where the provider counts it so.
    pub tokens_max: u32,
    /// 0 takes the likeliest token; none leaves it to the server.
    pub temperature: Option<f64>,
    /// Tokens are drawn from the likeliest ones that have this probability together; none leaves it to the server.
    pub top_p: Option<f64>,
    /// Texts before which an answer ends.
    pub stop: Vec<String>,
    /// How much a reasoning model thinks, in the provider's words.
    pub effort: Option<String>,
    /// Whether the probabilities of the tokens are asked for.
    pub log_probabilities: bool,
    /// Seed of the drawing, for servers that take one.
    pub seed: Option<u64>,
    /// JSON schema that the answer must have.
    pub schema: Option<Value>,
}

impl Default for Generation {
    fn default() -> Self {
        Self {
            tokens_max: 4096,
            temperature: Some(0.0),
            top_p: None,
            stop: Vec::new(),
            effort: None,
            log_probabilities: false,
            seed: None,
            schema: None,
        }
    }
}

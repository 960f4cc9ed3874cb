//! What tokens cost: the user's own list of prices, dated.
//!
//! ```toml
//! currency = "USD"
//! date = 2026-11-30 # when the prices were looked up
//!
//! [models."openai/gpt-5-mini"]
//! input = 0.25 # for a million tokens
//! cached_input = 0.025 # if the provider had them cached; as the others unless said
//! output = 2.0 # with the tokens of reasoning
//!
//! [models."ollama/*"] # any rest; the longest name that fits counts
//! input = 0
//! output = 0
//! ```

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::ledger::TokenUse;
use crate::money::Money;

mod read;

/// Prices of models, as somebody looked them up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prices {
    /// The currency, such as `USD`; empty where there is no list.
    pub currency: String,
    /// The day on which the prices were looked up, `YYYY-MM-DD`; empty where there is no list.
    pub date: String,
    /// By name, or by the beginning of a name and `*`.
    models: BTreeMap<String, Price>,
}

/// The prices of one model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Price {
    /// Of an input token that the provider had not cached.
    pub input: Money,
    /// Of an input token that the provider had cached.
    pub cached_input: Money,
    /// Of an output token, those of reasoning among them.
    pub output: Money,
}

impl Price {
    /// What tokens cost.
    pub fn of(&self, tokens: TokenUse) -> Money {
        let cached = tokens.cached_input.min(tokens.input);
        self.input * (tokens.input - cached) + self.cached_input * cached + self.output * tokens.output
    }
}

/// Why a list of prices cannot be used. Messages fit "failed to …".
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("read the prices {file}:{line}: {reason}")]
pub struct PriceError {
    /// The file.
    pub file: String,
    /// The number of the line.
    pub line: usize,
    /// What is wrong there, and what was expected.
    pub reason: String,
}

impl Prices {
    /// Reads a list in TOML. Prices are plain decimal numbers with at most six decimals, for a million tokens.
    ///
    /// # Errors
    /// [`PriceError`], which names the file and the line.
    pub fn read(text: &str, file_name: &str) -> Result<Self, PriceError> {
        read::Reader::new(text, file_name).read()
    }

    /// The prices of a model: those under its own name, or else under the longest beginning that fits.
    pub fn of(&self, model: &str) -> Option<Price> {
        let by_beginning = || {
            let fits = |name: &String| {
                name.strip_suffix('*')
                    .is_some_and(|beginning| model.starts_with(beginning))
            };
            let fitting = self.models.iter().filter(|(name, _)| fits(name));
            fitting.max_by_key(|(name, _)| name.len())
        };
        let exact = self
            .models
            .get_key_value(model)
            .filter(|(name, _)| !name.ends_with('*'));
        exact.or_else(by_beginning).map(|(_, price)| *price)
    }
}

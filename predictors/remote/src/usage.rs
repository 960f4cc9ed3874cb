//! Tokens that an exchange with a model takes.

use std::iter::Sum;
use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};

/// Tokens read and written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenUse {
    /// Tokens of the prompt.
    pub input: u64,
    /// Those of them that the provider had kept from before.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cached_input: u64,
    /// Tokens of the answer, reasoning included.
    pub output: u64,
    /// Those of them that were reasoning.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub reasoning: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl TokenUse {
    /// Tokens of prompt and answer together.
    pub fn total(&self) -> u64 {
        self.input.saturating_add(self.output)
    }
}

impl Add for TokenUse {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            cached_input: self.cached_input.saturating_add(other.cached_input),
            output: self.output.saturating_add(other.output),
            reasoning: self.reasoning.saturating_add(other.reasoning),
        }
    }
}

impl AddAssign for TokenUse {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for TokenUse {
    fn sum<I: Iterator<Item = Self>>(uses: I) -> Self {
        uses.fold(Self::default(), Add::add)
    }
}

//! Figures of what was used.

use std::iter::Sum;
use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};

use crate::money::Money;

/// Tokens of one call or of many, as the server counts them. Sums stop at the greatest number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TokenUse {
    /// Input tokens, those that the provider had cached among them.
    pub input: u64,
    /// Input tokens that the provider had cached.
    pub cached_input: u64,
    /// Output tokens, those of reasoning among them.
    pub output: u64,
    /// Output tokens of reasoning.
    pub reasoning: u64,
}

impl TokenUse {
    /// Input and output together.
    pub const fn total(self) -> u64 {
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
        uses.fold(Self::default(), Self::add)
    }
}

/// What a run has used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Spent {
    /// Calls that a server answered.
    pub calls: u64,
    /// Their tokens.
    pub tokens: TokenUse,
    /// What those of them cost whose price is known; [`Spent::money`] says whether that is all.
    pub priced: Money,
    /// How many of them have no known price.
    pub unpriced_calls: u64,
    /// Calls that were sent and may have been paid for, though no answer came.
    pub unconfirmed_calls: u64,
    /// What those could have used at worst.
    pub unconfirmed_tokens: TokenUse,
    /// What those could have cost at worst, where the price is known.
    pub unconfirmed_money: Money,
    /// Calls that were answered without asking a server.
    pub cached_calls: u64,
    /// The tokens that they would have used.
    pub saved_tokens: TokenUse,
    /// What they would have cost, where the price is known.
    pub saved_money: Money,
}

impl Spent {
    /// What all answered calls cost together; None where there is one whose price is not known.
    pub fn money(&self) -> Option<Money> {
        (self.unpriced_calls == 0).then_some(self.priced)
    }

    pub(crate) fn add_call(&mut self, tokens: TokenUse, cost: Option<Money>) {
        self.calls += 1;
        self.tokens += tokens;
        self.priced += cost.unwrap_or_default();
        self.unpriced_calls += u64::from(cost.is_none());
    }

    pub(crate) fn add_unconfirmed(&mut self, tokens: TokenUse, cost: Money) {
        self.unconfirmed_calls += 1;
        self.unconfirmed_tokens += tokens;
        self.unconfirmed_money += cost;
    }

    pub(crate) fn add_cached(&mut self, tokens: TokenUse, saved: Option<Money>) {
        self.cached_calls += 1;
        self.saved_tokens += tokens;
        self.saved_money += saved.unwrap_or_default();
    }
}

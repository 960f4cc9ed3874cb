//! What a run has used and what it may use, shared by all who call models.

use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::money::Money;
use crate::price::{Price, Prices};

pub use spent::{Spent, TokenUse};

mod spent;

/// How often somebody who waits asks whether to stop.
const ASK_AFTER: Duration = Duration::from_millis(50);

/// What a run may use, over all its processes. None means no bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// Money, in the currency of the list of prices.
    pub money: Option<Money>,
    /// Tokens, input and output.
    pub tokens: Option<u64>,
}

/// What a run has used and may use. Copies are the same ledger.
#[derive(Clone)]
pub struct Ledger(Arc<Inner>);

struct Inner {
    prices: Prices,
    budget: Budget,
    state: Mutex<State>,
    /// Rings when a reservation ends.
    ended: Condvar,
}

struct State {
    spent: Spent,
    reserved: Amount,
}

/// What counts against a budget.
#[derive(Clone, Copy, Default)]
struct Amount {
    money: Money,
    tokens: u64,
}

/// Why a call must not be made. Messages fit "failed to …".
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BudgetError {
    /// The rest of the budget is less than the call could cost.
    #[error(
        "stay within the budget: {used} of {budget} {unit} are used, and a call of {model} could need {worst_case}"
    )]
    Spent {
        /// The model.
        model: String,
        /// What has been used, with what may have been.
        used: String,
        /// What the call could need.
        worst_case: String,
        /// What the budget is.
        budget: String,
        /// What is counted: `tokens`, or a currency.
        unit: String,
    },
    /// Money is bounded, and the price of the model is not known.
    #[error("stay within the budget: the list of prices has none for {model}")]
    NoPrice {
        /// The model.
        model: String,
    },
    /// The run was asked to stop.
    #[error("wait for a part of the budget: the run was asked to stop")]
    Stopped,
}

impl Ledger {
    /// A ledger that goes on from what was spent before.
    pub fn new(prices: Prices, budget: Budget, spent_before: Spent) -> Self {
        Self(Arc::new(Inner {
            prices,
            budget,
            state: Mutex::new(State {
                spent: spent_before,
                reserved: Amount::default(),
            }),
            ended: Condvar::new(),
        }))
    }

    /// The list of prices.
    pub fn prices(&self) -> &Prices {
        &self.0.prices
    }

    /// The budget.
    pub fn budget(&self) -> Budget {
        self.0.budget
    }

    /// Sets aside what a call of the model could cost at worst: every input token at the dearer of both prices, and the
    /// most output that was asked for. What is spent, unconfirmed and reserved never exceeds the budget together, as long
    /// as no call uses more than its worst case. Where only the reservations of others are in the way this waits for
    /// them.
    ///
    /// `stop` is asked 20 times a second while waiting.
    ///
    /// # Errors
    /// [`BudgetError`]; nothing is set aside then.
    pub fn reserve(
        &self,
        model: &str,
        worst_case: TokenUse,
        stop: &dyn Fn() -> bool,
    ) -> Result<Reservation, BudgetError> {
        let inner = &*self.0;
        let price = inner.prices.of(model);
        if price.is_none() && inner.budget.money.is_some() {
            return Err(BudgetError::NoPrice {
                model: model.to_owned(),
            });
        }
        let amount = Amount {
            money: price.map_or(Money::ZERO, |price| worst_cost(price, worst_case)),
            tokens: worst_case.total(),
        };
        loop {
            // Asked while nothing is locked: whoever is asked may want to know what was spent.
            if stop() {
                return Err(BudgetError::Stopped);
            }
            let mut state = inner.lock();
            inner.check(model, state.settled(), amount)?;
            let committed = state.settled().plus(state.reserved);
            if inner.check(model, committed, amount).is_ok() {
                state.reserved = state.reserved.plus(amount);
                return Ok(Reservation {
                    ledger: self.clone(),
                    price,
                    worst_case,
                    amount,
                });
            }
            drop(inner.ended.wait_timeout(state, ASK_AFTER));
        }
    }

    /// Counts an attempt that was sent and brought no answer, at its worst case, before the call it belongs to was answered.
    pub fn count_unconfirmed(&self, model: &str, worst_case: TokenUse) {
        let price = self.0.prices.of(model);
        let money = price.map_or(Money::ZERO, |price| worst_cost(price, worst_case));
        self.0.lock().spent.add_unconfirmed(worst_case, money);
    }

    /// Counts a call that was answered without asking the server, and what it would have cost.
    pub fn count_cached(&self, model: &str, tokens: TokenUse) {
        let saved = self.0.prices.of(model).map(|price| price.of(tokens));
        self.0.lock().spent.add_cached(tokens, saved);
    }

    /// What has been used by now.
    pub fn snapshot(&self) -> Spent {
        self.0.lock().spent
    }
}

impl fmt::Debug for Ledger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ledger({:?})", self.snapshot())
    }
}

impl Inner {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a call fits beside what is committed.
    fn check(&self, model: &str, committed: Amount, call: Amount) -> Result<(), BudgetError> {
        let error = |used: String, worst_case: String, budget: String, unit: &str| BudgetError::Spent {
            model: model.to_owned(),
            used,
            worst_case,
            budget,
            unit: unit.to_owned(),
        };
        let (money, tokens) = (committed.money, committed.tokens);
        match self.budget.money {
            Some(bound) if money + call.money > bound => {
                let [used, worst_case, bound] = [money, call.money, bound].map(|money| money.to_string());
                return Err(error(used, worst_case, bound, &self.prices.currency));
            }
            _ => {}
        }
        match self.budget.tokens {
            Some(bound) if tokens.saturating_add(call.tokens) > bound => {
                let [used, worst_case, bound] = [tokens, call.tokens, bound].map(|tokens| tokens.to_string());
                Err(error(used, worst_case, bound, "tokens"))
            }
            _ => Ok(()),
        }
    }
}

impl State {
    /// What is used for good, with what may have been.
    fn settled(&self) -> Amount {
        Amount {
            money: self.spent.priced + self.spent.unconfirmed_money,
            tokens: self
                .spent
                .tokens
                .total()
                .saturating_add(self.spent.unconfirmed_tokens.total()),
        }
    }
}

impl Amount {
    fn plus(self, other: Self) -> Self {
        Self {
            money: self.money + other.money,
            tokens: self.tokens.saturating_add(other.tokens),
        }
    }
}

fn worst_cost(price: Price, tokens: TokenUse) -> Money {
    price.input.max(price.cached_input) * tokens.input + price.output * tokens.output
}

/// A part of the budget that is set aside for one call. Dropping it says that the call was never sent: nothing is spent.
#[must_use = "dropping a reservation says that the call was never sent"]
pub struct Reservation {
    ledger: Ledger,
    price: Option<Price>,
    worst_case: TokenUse,
    amount: Amount,
}

impl Reservation {
    /// The call was answered and used so many tokens. Returns what it cost; None where there is no price. What it used is
    /// counted in full, even where it is more than was set aside.
    pub fn settle(self, actual: TokenUse) -> Option<Money> {
        let cost = self.price.map(|price| price.of(actual));
        self.ledger.0.lock().spent.add_call(actual, cost);
        cost
    }

    /// The call was sent and may have been paid for, but no answer came. Its worst case is counted as unconfirmed: apart
    /// from what is known to be spent, but against the budget, which holds whatever the server did.
    pub fn lost(self) {
        let (tokens, money) = (self.worst_case, self.amount.money);
        self.ledger.0.lock().spent.add_unconfirmed(tokens, money);
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let mut state = self.ledger.0.lock();
        state.reserved.money = state.reserved.money.less(self.amount.money);
        state.reserved.tokens = state.reserved.tokens.saturating_sub(self.amount.tokens);
        drop(state);
        self.ledger.0.ended.notify_all();
    }
}

impl fmt::Debug for Reservation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Reservation({:?})", self.worst_case)
    }
}

//! Language models over HTTP: nothing here knows an action or a sheet.
//!
//! A [`Question`] goes to an [`Endpoint`], the model of a [`Provider`], and comes back as an [`Answer`] or as
//! [`NoAnswer`], each way not to answer with a name of its own.

pub mod answer;
pub mod cache;
pub mod entry;
pub mod exchange;
pub mod journal;
pub mod ledger;
pub mod money;
pub mod price;
pub mod provider;
pub mod question;
pub mod recording;
pub mod secret;
pub mod transport;
pub mod wire;

mod lines;
mod sync;

pub use answer::{Answer, AnswerToken, Ending, NoAnswer, NoAnswerKind};
pub use exchange::{Ask, Exchange, ExchangeError, ExchangeSettings, Exchanged};
pub use ledger::TokenUse;
pub use provider::{Endpoint, Provider, ProviderError, shown_address};
pub use question::{Generation, Prompt, Question};
pub use secret::{Redactor, Secret};
pub use wire::Api;

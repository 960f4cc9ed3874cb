//! The text side of language-model predictors: what is written to a model, and what is read from its answer.
//!
//! Nothing here knows a model or a network (spec chapter 03, section 8). [`prompt`] makes the lines and the prompt out
//! of a history, with [`shorten`] and [`sheet`]; [`chat`] has the prompts as templates that users can replace, and
//! [`sheet_view`] shows them the sheet. [`response`] makes proposals out of an answer, with [`repetition`]; before it,
//! [`structured`] makes lines out of JSON and [`thoughts`] takes off what reasoning models write first. [`grammar`]
//! says byte by byte what a line may go on with, for runtimes that choose among tokens.

pub mod chat;
pub mod grammar;
pub mod offered;
pub mod prompt;
pub mod repetition;
pub mod response;
pub mod sheet;
pub mod sheet_view;
pub mod shorten;
pub mod structured;
pub mod thoughts;
pub mod written;

pub use chat::{ChatPrompt, PromptFacts, PromptPart, PromptTemplates, TemplateError, TemplateSource, TemplateVariable};
pub use grammar::LineState;
pub use offered::OFFERED;
pub use prompt::{CompletionTemplate, ContextSettings};
pub use repetition::{Cycle, Repetition};
pub use response::{Answer, Quirks, Reading, ResponseRules, ScoredToken};
pub use sheet::LineError;
pub use sheet_view::{SheetView, SheetViewError, ViewSize};
pub use shorten::Shortening;
pub use structured::StructuredError;
pub use thoughts::without_thoughts;
pub use written::WrittenHistory;

use napsim_trajectories::Keyword;

/// Whether lines of that name hold a second range, the source, as their third field.
fn has_source(name: &str) -> bool {
    matches!(Keyword::from_text(name), Some(Keyword::PasteFrom | Keyword::Autofill))
}

//! The messages of the protocol, which docs/PREDICTOR-PROTOCOL.md describes.
//!
//! Questions and notices are read tolerantly, so that predictors live on when napsim learns new words; answers are read
//! strictly, so that no misspelt field is lost.

mod answer;
mod question;
mod read;
mod workbook;

pub use answer::{Answer, ErrorAnswer, Hello, Prediction, ProposedLine, Ready, Tokens, Wants, WantsHistory};
pub use question::{Begin, Bye, HelloQuestion, Observe, Predict, QuestionError, Refused, ToPredictor, Withdrawn};
pub use read::AnswerError;
pub use workbook::WorkbookText;

/// The name and version of the protocol.
pub const PROTOCOL: &str = "napsim-predictor/1";

/// Longest answer, in bytes without the line feed.
pub const ANSWER_BYTES_MAX: usize = 16 << 20;

/// Most actions in an answer.
pub const ANSWER_ACTIONS_MAX: usize = 10_000;

/// Longest name of a predictor, in characters.
pub const NAME_CHARS_MAX: usize = 200;

/// Longest fingerprint of a predictor, in characters.
pub const FINGERPRINT_CHARS_MAX: usize = 1000;

/// Longest kind of an error, in characters.
pub const KIND_CHARS_MAX: usize = 40;

/// Whether a text may be the kind of an error: lower-case letters of ASCII, digits and `_`.
pub fn is_kind(text: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    (1..=KIND_CHARS_MAX).contains(&text.len()) && text.bytes().all(is_word)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}

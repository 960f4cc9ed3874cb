//! What can be wrong with an expression, and where.

use std::fmt;

use crate::expression::DEPTH_MAX;
use crate::nearest::hint;

/// A mistake in an expression. Its message ends with the text and a caret below the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpressionError {
    text: String,
    before: usize,
    problem: Problem,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// Something else should stand here.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What may stand here.
        expected: &'static str,
        /// What does: quoted text, or `the end`.
        found: String,
    },
    /// A character has no meaning.
    #[error("unexpected character {found:?}")]
    UnexpectedCharacter {
        /// The character.
        found: char,
    },
    /// A sign has no meaning here, but another does what was meant.
    #[error("`{found}` is not a sign; write {instead}")]
    ForeignSign {
        /// The sign.
        found: &'static str,
        /// What to write for it.
        instead: &'static str,
    },
    /// Digits and points do not make a number, or make one that is too large.
    #[error("`{found}` is not a number")]
    NotANumber {
        /// The characters.
        found: String,
    },
    /// No metric has that name.
    #[error("unknown metric `{name}`{}", hint(*nearest))]
    UnknownMetric {
        /// The word.
        name: String,
        /// The metric that is spelled most like it.
        nearest: Option<&'static str>,
    },
    /// A policy's name stands where a metric should.
    #[error("`{name}` is a policy, not a metric; in an expression write its rule ({rule})")]
    PolicyName {
        /// The policy.
        name: &'static str,
        /// Its rule.
        rule: String,
    },
    /// The signs of a chain do not point the same way.
    #[error("both signs of a chain point the same way, as in `0.5 <= precision < 0.9`")]
    CrookedChain,
    /// Parentheses, `not` and chains are nested too deeply.
    #[error("more than {DEPTH_MAX} levels of nesting")]
    TooDeep,
}

impl ExpressionError {
    /// A problem at a byte of the text.
    pub(super) fn new(text: &str, byte: usize, problem: Problem) -> Self {
        Self {
            text: text.to_owned(),
            before: text.char_indices().take_while(|&(start, _)| start < byte).count(),
            problem,
        }
    }

    /// The place in the text, counted in characters from 1.
    pub fn position(&self) -> usize {
        self.before + 1
    }

    /// What is wrong there.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }
}

impl std::error::Error for ExpressionError {}

impl fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const CONTEXT_CHARACTERS: usize = 50;
        let skipped = self.before.saturating_sub(CONTEXT_CHARACTERS);
        let excerpt: String = self
            .text
            .chars()
            .skip(skipped)
            .take(2 * CONTEXT_CHARACTERS)
            .map(|character| if character.is_control() { ' ' } else { character })
            .collect();
        let caret_column = self.before - skipped;
        let problem = &self.problem;
        write!(
            f,
            "{problem} (position {})\n  {excerpt}\n  {:caret_column$}^",
            self.position(),
            ""
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_stands_below_the_place() {
        let error = ExpressionError::new("é\t> 1", 3, Problem::CrookedChain);
        assert_eq!(error.position(), 3);
        assert!(error.to_string().ends_with("(position 3)\n  é > 1\n    ^"), "{error}");
    }

    #[test]
    fn a_long_text_is_cut_around_the_place() {
        let text = "(".repeat(10_000);
        let shown = ExpressionError::new(&text, 5_000, Problem::TooDeep).to_string();
        assert!(shown.len() < 300);
        assert!(
            shown.ends_with(&format!("\n  {}\n  {}^", "(".repeat(100), " ".repeat(50))),
            "{shown}"
        );
    }
}

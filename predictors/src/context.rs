//! How much of the history a predictor may know.

use std::collections::VecDeque;
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

/// How much of the history a predictor may know: everything, or the last so many actions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Context {
    /// Every action so far.
    #[default]
    All,
    /// The last so many actions.
    Last(NonZeroU32),
}

/// A text that is no [`Context`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no context: give `all` or a number of actions from 1")]
pub struct ContextError(String);

impl Context {
    /// Drops the oldest of `items` until as many are left as this context holds.
    pub fn trim<T>(self, items: &mut VecDeque<T>) {
        if let Self::Last(n) = self {
            let n = usize::try_from(n.get()).unwrap_or(usize::MAX);
            items.drain(..items.len().saturating_sub(n));
        }
    }
}

impl FromStr for Context {
    type Err = ContextError;

    fn from_str(text: &str) -> Result<Self, ContextError> {
        if text == "all" {
            return Ok(Self::All);
        }
        // Only the plain spelling: `032` and `+32` would be other names of the same context.
        let number = text
            .parse()
            .ok()
            .filter(|number: &NonZeroU32| number.to_string() == text);
        number.map(Self::Last).ok_or_else(|| ContextError(text.to_owned()))
    }
}

impl fmt::Display for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::Last(n) => n.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_contexts_correspond() {
        for text in ["all", "1", "32"] {
            assert_eq!(
                text.parse::<Context>().map(|context| context.to_string()).as_deref(),
                Ok(text)
            );
        }
        for text in ["", "0", "-1", "All", "1.5", "032", "+32"] {
            assert!(text.parse::<Context>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn trimming_keeps_the_latest() {
        let mut items: VecDeque<_> = (0..5).collect();
        Context::All.trim(&mut items);
        assert_eq!(items.len(), 5);
        "2".parse::<Context>().unwrap().trim(&mut items);
        assert_eq!(items, [3, 4]);
    }
}

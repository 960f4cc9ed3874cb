//! How much of the history a predictor may know.

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
    /// How many of so many actions, the oldest ones, a predictor may no longer know.
    pub fn n_dropped(self, n_actions: usize) -> usize {
        match self {
            Self::All => 0,
            Self::Last(n) => n_actions.saturating_sub(usize::try_from(n.get()).unwrap_or(usize::MAX)),
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
    fn the_oldest_are_dropped() {
        assert_eq!(Context::All.n_dropped(5), 0);
        let last_two: Context = "2".parse().unwrap();
        assert_eq!([0, 2, 5].map(|n_actions| last_two.n_dropped(n_actions)), [0, 0, 3]);
    }
}

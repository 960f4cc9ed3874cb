//! Which of the last actions a model sees.

use std::num::NonZeroU32;

use crate::Context;

/// The last actions, of which the oldest are left out in blocks.
///
/// A window that moved with every action would begin anew with every action, and nothing of what a model has read could
/// be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Window {
    /// Actions seen at most.
    pub context: Context,
    /// Actions left out at once; at least `context - block + 1` are seen then. 1 is the published window.
    pub block: NonZeroU32,
}

impl Default for Window {
    /// Never fewer than the 32 actions of the published protocol.
    fn default() -> Self {
        Self {
            context: NonZeroU32::new(47).map_or(Context::All, Context::Last),
            block: NonZeroU32::new(16).unwrap_or(NonZeroU32::MIN),
        }
    }
}

impl Window {
    /// How many of so many actions are left out.
    pub fn start(self, n_actions: usize) -> usize {
        let n_dropped = self.context.n_dropped(n_actions);
        n_dropped
            .next_multiple_of(self.block())
            .min(n_actions.saturating_sub(1))
    }

    /// How many are left out where `start` are not enough, at most all but one.
    pub fn later_start(self, start: usize, n_actions: usize) -> usize {
        (start + 1)
            .next_multiple_of(self.block())
            .min(n_actions.saturating_sub(1))
            .max(start + 1)
    }

    fn block(self) -> usize {
        usize::try_from(self.block.get()).unwrap_or(usize::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(context: &str, block: u32) -> Window {
        Window {
            context: context.parse().unwrap(),
            block: NonZeroU32::new(block).unwrap(),
        }
    }

    #[test]
    fn a_window_moves_in_blocks() {
        let window = window("47", 16);
        assert_eq!(window, Window::default());
        let starts: Vec<usize> = [0, 1, 47, 48, 63, 64, 79, 80].map(|n| window.start(n)).to_vec();
        assert_eq!(starts, [0, 0, 0, 16, 16, 32, 32, 48]);
        for n in 48..500 {
            assert!((32..=47).contains(&(n - window.start(n))), "{n}");
        }
    }

    #[test]
    fn a_block_of_one_is_the_published_window() {
        let window = window("32", 1);
        assert_eq!([31, 32, 33, 100].map(|n| window.start(n)), [0, 0, 1, 68]);
        assert_eq!(self::window("all", 16).start(1000), 0);
    }

    #[test]
    fn the_newest_action_is_never_left_out() {
        let window = window("3", 16);
        assert_eq!(window.start(5), 4);
        assert_eq!(window.later_start(0, 5), 4);
        assert_eq!(window.later_start(16, 100), 32);
    }
}

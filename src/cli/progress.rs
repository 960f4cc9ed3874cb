//! The progress bar of work on many things, on the standard error of a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::console;
use crate::exit::Failure;

/// Progress of work on many things, such as workbooks.
pub(super) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar for so many things, called by their name in the plural; invisible if asked to be quiet.
    pub(super) fn new(n: usize, what: &str, quiet: bool) -> Self {
        // Without a terminal the bar hides itself.
        let target = if quiet {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        let bar = ProgressBar::with_draw_target(Some(u64::try_from(n).unwrap_or(u64::MAX)), target);
        if let Ok(style) = ProgressStyle::with_template(&format!("{{bar:30}} {{pos}}/{{len}} {what}, {{eta}} left")) {
            bar.set_style(style);
        }
        Self { bar }
    }

    /// One more is done.
    pub(super) fn one_done(&self) {
        self.bar.inc(1);
    }

    /// Prints a line of data above the bar.
    pub(super) fn print(&self, line: &str) -> Result<(), Failure> {
        self.bar.suspend(|| console::print_untrusted(line))
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

//! The progress bar: workbooks done, on the standard error of a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::console;
use crate::exit::Failure;

/// Progress of work on many workbooks.
pub(super) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar for so many files; invisible if asked to be quiet.
    pub(super) fn new(n_files: usize, quiet: bool) -> Self {
        // Without a terminal the bar hides itself.
        let target = if quiet {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        let bar = ProgressBar::with_draw_target(Some(u64::try_from(n_files).unwrap_or(u64::MAX)), target);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} workbooks, {eta} left") {
            bar.set_style(style);
        }
        Self { bar }
    }

    /// One more file is done.
    pub(super) fn file_done(&self) {
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

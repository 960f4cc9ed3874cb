//! The progress bar of a training, on the standard error of a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use napsim_training::Progress;

/// How far a training has come.
pub(super) struct TrainingBar {
    bar: ProgressBar,
}

impl TrainingBar {
    /// A bar, invisible if asked to be quiet.
    pub(super) fn new(quiet: bool) -> Self {
        // Without a terminal the bar hides itself.
        let target = if quiet {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        if let Ok(style) = ProgressStyle::with_template("{msg} {bar:30} {percent} %, {eta} left") {
            bar.set_style(style);
        }
        Self { bar }
    }

    /// Shows how far it is.
    pub(super) fn show(&self, progress: Progress) {
        let (what, done, total) = match progress {
            Progress::Reading { done, total } => ("reading", done, total),
            Progress::Fitting { done, total } => ("training", done, total),
            Progress::Evaluating { done, total } => ("measuring", done, total),
            _ => return,
        };
        if self.bar.message() != what {
            self.bar.set_message(what);
            // What is left of one part of the work says nothing of the next.
            self.bar.reset_eta();
        }
        self.bar.set_length(total);
        self.bar.set_position(done);
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

//! The progress bar of a training, on the standard error of a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use napsim_training::Progress;

use crate::console;

/// How far a training has come.
pub(super) struct TrainingBar {
    bar: ProgressBar,
    quiet: bool,
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
        Self { bar, quiet }
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

    /// Shows how far a training in epochs is; the time left is that of all epochs.
    pub(super) fn show_batch(&self, epoch: (usize, usize), batch: (usize, usize), loss: f64) {
        let is_first = !self.bar.message().starts_with("epoch");
        self.bar
            .set_message(format!("epoch {} of {}, loss {loss:.3}", epoch.0, epoch.1));
        if is_first {
            self.bar.reset_eta();
        }
        let steps = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
        self.bar.set_length(steps(epoch.1.saturating_mul(batch.1)));
        self.bar
            .set_position(steps((epoch.0.saturating_sub(1)).saturating_mul(batch.1) + batch.0));
    }

    /// Shows how far a training in steps is, and something of the last one.
    pub(super) fn show_step(&self, (step, steps): (usize, usize), message: String) {
        if !self.bar.message().starts_with("loss") {
            self.bar.reset_eta();
        }
        self.bar.set_message(message);
        let number = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
        self.bar.set_length(number(steps));
        self.bar.set_position(number(step));
    }

    /// Says something above the bar, unless asked to be quiet.
    pub(super) fn say(&self, text: &str) {
        if !self.quiet {
            self.bar.suspend(|| console::say(&format!("napsim: {text}")));
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

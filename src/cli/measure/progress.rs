//! The progress bar: actions done over all trajectories, on the standard error of a terminal.

use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use napsim_remote::Exchange;
use napsim_sim::event::Event;

use super::spending;

/// How often the line is drawn while models think.
const TICK: Duration = Duration::from_millis(250);

/// Progress of a run.
pub(in crate::cli) struct Progress {
    bar: ProgressBar,
    n_pieces: usize,
    /// What the pieces of work are called.
    pieces: &'static str,
}

impl Progress {
    /// A bar for so many pieces of work, called so, with so many actions together; invisible if asked to be quiet. Where models are
    /// asked it says what that has cost by now.
    pub(in crate::cli) fn new(
        n_pieces: usize,
        pieces: &'static str,
        n_actions: usize,
        quiet: bool,
        exchange: Option<&Arc<Exchange>>,
    ) -> Self {
        // Without a terminal the bar hides itself.
        let target = if quiet {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        let bar = ProgressBar::with_draw_target(Some(u64::try_from(n_actions).unwrap_or(u64::MAX)), target);
        // What asking costs takes the place of a long bar.
        let template = match exchange {
            Some(_) => "{wide_bar} {pos}/{len} actions, {msg}{spending}, {eta} left",
            None => "{bar:30} {pos}/{len} actions, {msg}, {eta} left",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            let exchange = exchange.map(Arc::clone);
            if exchange.is_some() {
                bar.enable_steady_tick(TICK);
            }
            bar.set_style(
                style.with_key("spending", move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
                    if let Some(exchange) = &exchange {
                        let _ = write!(out, ", {}", spending::so_far(exchange));
                    }
                }),
            );
        }
        let progress = Self { bar, n_pieces, pieces };
        progress.done(0);
        progress
    }

    /// Says how many pieces are done.
    pub(in crate::cli) fn done(&self, n_done: usize) {
        self.bar
            .set_message(format!("{n_done}/{} {}", self.n_pieces, self.pieces));
    }

    /// Takes the bar away.
    pub(in crate::cli) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// The part of one trajectory.
    pub(in crate::cli) fn unit(&self, n_actions: usize) -> UnitProgress<'_> {
        UnitProgress {
            bar: &self.bar,
            n_actions: u64::try_from(n_actions).unwrap_or(u64::MAX),
            n_done: 0,
        }
    }
}

/// Progress of one trajectory: the bar moves on when its future gets shorter than it has ever been.
pub(in crate::cli) struct UnitProgress<'a> {
    bar: &'a ProgressBar,
    n_actions: u64,
    n_done: u64,
}

impl UnitProgress<'_> {
    /// Takes note of an event.
    pub(in crate::cli) fn see(&mut self, event: &Event) {
        if let Event::UserStep(step) = event {
            self.reach(self.n_actions.saturating_sub(step.future.into()));
        }
    }

    /// The trajectory is over, however it ended.
    pub(in crate::cli) fn finish(&mut self) {
        self.reach(self.n_actions);
    }

    fn reach(&mut self, n_done: u64) {
        self.bar.inc(n_done.saturating_sub(self.n_done));
        self.n_done = self.n_done.max(n_done);
    }
}

//! Long work on a model, with a progress bar, that a signal stops.

use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use napsim_hub::{Event, HubError, Watch};

use crate::console;
use crate::exit::{Exit, Failure};
use crate::signals::Interruption;

/// How often signals are looked for.
const GLANCE: Duration = Duration::from_millis(100);

/// How long the work may take to stop, such as while it waits for another machine. What it leaves behind is sound at any moment.
const STOP_TIME: Duration = Duration::from_secs(2);

/// What the work tells.
enum Note {
    Begun { what: String, size: u64 },
    Reached(u64),
    Retrying { reason: String, pause: Duration },
}

impl Note {
    fn of(event: Event<'_>) -> Option<Self> {
        match event {
            Event::Checking { file, size } => Some(Self::Begun {
                what: format!("checking {file}"),
                size,
            }),
            Event::Begun { file, size } => Some(Self::Begun {
                what: file.to_owned(),
                size,
            }),
            Event::Reached { done } => Some(Self::Reached(done)),
            Event::Retrying { reason, pause } => Some(Self::Retrying {
                reason: reason.to_owned(),
                pause,
            }),
            _ => None,
        }
    }
}

/// Does the work while a bar shows how far it is, invisible if asked to be quiet. Where a signal stopped it there is the exit
/// code instead, and `advice` has been said.
pub(super) fn watched<T: Send + 'static>(
    quiet: bool,
    advice: &str,
    work: impl FnOnce(&mut Watch<'_>) -> Result<T, HubError> + Send + 'static,
) -> Result<Result<T, Exit>, HubOrFailure> {
    let interruption = Interruption::listen()?;
    let is_stopped = Arc::new(AtomicBool::new(false));
    let (sender, notes) = channel();
    let worker = {
        let is_stopped = Arc::clone(&is_stopped);
        thread::spawn(move || {
            work(&mut |event| {
                // Where nobody listens any more the work is stopped as well.
                let is_heard = Note::of(event).is_none_or(|note| sender.send(note).is_ok());
                if is_heard && !is_stopped.load(Ordering::SeqCst) {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            })
        })
    };
    let bar = Bar::new(quiet);
    let outcome = follow(&notes, worker, &interruption, &is_stopped, &bar);
    bar.bar.finish_and_clear();
    match (outcome, interruption.signal()) {
        (Err(HubError::Stopped), Some(signal)) => {
            console::say(&format!("napsim: stopped; {advice}"));
            Ok(Err(Exit::Signal(signal)))
        }
        (outcome, _) => Ok(Ok(outcome?)),
    }
}

/// Why watched work did not end well.
pub(super) enum HubOrFailure {
    /// The model folder or the hub is the reason.
    Hub(HubError),
    /// Something else is.
    Other(Failure),
}

impl From<HubError> for HubOrFailure {
    fn from(error: HubError) -> Self {
        Self::Hub(error)
    }
}

impl From<Failure> for HubOrFailure {
    fn from(failure: Failure) -> Self {
        Self::Other(failure)
    }
}

impl From<HubOrFailure> for Failure {
    fn from(error: HubOrFailure) -> Self {
        match error {
            HubOrFailure::Hub(error) => error.into(),
            HubOrFailure::Other(failure) => failure,
        }
    }
}

/// Shows what the worker tells until it ends, or until it has been given up after a signal.
fn follow<T>(
    notes: &Receiver<Note>,
    worker: JoinHandle<Result<T, HubError>>,
    interruption: &Interruption,
    is_stopped: &AtomicBool,
    bar: &Bar,
) -> Result<T, HubError> {
    let mut stopped_at: Option<Instant> = None;
    loop {
        match notes.recv_timeout(GLANCE) {
            Ok(note) => bar.show(&note),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if interruption.signal().is_some() {
            is_stopped.store(true, Ordering::SeqCst);
            let since = *stopped_at.get_or_insert_with(Instant::now);
            if since.elapsed() > STOP_TIME {
                return Err(HubError::Stopped);
            }
        }
    }
    worker.join().unwrap_or_else(|panic| resume_unwind(panic))
}

/// How far a file is.
struct Bar {
    bar: ProgressBar,
    quiet: bool,
}

impl Bar {
    fn new(quiet: bool) -> Self {
        // Without a terminal the bar hides itself.
        let target = if quiet {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        let template = "{msg} {bar:30} {decimal_bytes} of {decimal_total_bytes}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { bar, quiet }
    }

    fn show(&self, note: &Note) {
        match note {
            Note::Begun { what, size } => {
                self.bar.set_message(what.clone());
                self.bar.set_length(*size);
                self.bar.set_position(0);
                self.bar.reset_eta();
            }
            Note::Reached(done) => self.bar.set_position(*done),
            Note::Retrying { reason, pause } if !self.quiet => self.bar.suspend(|| {
                let seconds = pause.as_secs_f64();
                console::say(&format!("napsim: failed to {reason}; trying again in {seconds} s"));
            }),
            Note::Retrying { .. } => {}
        }
    }
}

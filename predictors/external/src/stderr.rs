//! What programs write to their standard error: kept by trajectory, in bounds, and passed on.

mod kept;

use std::collections::VecDeque;
use std::io::Read;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub use kept::StderrText;

use crate::StderrMode;
use kept::Kept;

/// Most trajectories whose text is kept for somebody to take.
const TRAJECTORIES_MAX: usize = 256;

/// Longest piece that is passed on, in bytes.
const PIECE_BYTES_MAX: usize = 8 << 10;

/// The standard error of one program.
#[derive(Debug, Default)]
pub(crate) struct Tap {
    state: Mutex<TapState>,
    at_end: Condvar,
}

#[derive(Debug, Default)]
struct TapState {
    kept: Kept,
    has_ended: bool,
}

impl Tap {
    /// Reads to the end, on a thread of its own.
    pub(crate) fn drain(&self, mut from: impl Read, mode: &StderrMode) {
        let mut piece = vec![0; 16 << 10];
        let mut lines = Lines::default();
        while let Ok(n_bytes) = from.read(&mut piece) {
            let bytes = piece.get(..n_bytes).unwrap_or_default();
            if bytes.is_empty() {
                break;
            }
            self.lock().kept.push(bytes);
            if let StderrMode::PassOn(take) = mode {
                lines.push(bytes, &mut |line| take(line));
            }
        }
        if let StderrMode::PassOn(take) = mode {
            lines.finish(&mut |line| take(line));
        }
        self.lock().has_ended = true;
        self.at_end.notify_all();
    }

    /// Waits for the end, but not for long: somebody else may hold the pipe.
    pub(crate) fn settle(&self, at_most: Duration) {
        let state = self.lock();
        // How it came out makes no difference.
        let _ = self.at_end.wait_timeout_while(state, at_most, |state| !state.has_ended);
    }

    /// The last bytes.
    pub(crate) fn tail(&self, n_bytes: usize) -> Option<String> {
        Some(self.lock().kept.tail(n_bytes)).filter(|text| !text.trim().is_empty())
    }

    fn take(&self) -> Kept {
        std::mem::take(&mut self.lock().kept)
    }

    fn lock(&self) -> MutexGuard<'_, TapState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lines for whom they are passed on to.
#[derive(Default)]
struct Lines(Vec<u8>);

impl Lines {
    fn push(&mut self, bytes: &[u8], take: &mut dyn FnMut(&str)) {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.0.extend_from_slice(part);
            if part.ends_with(b"\n") || self.0.len() >= PIECE_BYTES_MAX {
                self.finish(take);
            }
        }
    }

    fn finish(&mut self, take: &mut dyn FnMut(&str)) {
        if !self.0.is_empty() {
            let line = String::from_utf8_lossy(&self.0);
            let line = line.strip_suffix('\n').unwrap_or(&line);
            take(line.strip_suffix('\r').unwrap_or(line));
            self.0.clear();
        }
    }
}

/// Which text belongs to which trajectory.
#[derive(Debug, Default)]
pub(crate) struct StderrByTrajectory(Mutex<VecDeque<(String, Vec<Arc<Tap>>)>>);

impl StderrByTrajectory {
    /// From now on what a program writes belongs to this trajectory. What it wrote before its first one does, too, and so
    /// does what came after its former one was taken.
    pub(crate) fn assign(&self, tap: &Arc<Tap>, trajectory: &str) {
        let mut all = self.lock();
        for (_, taps) in all.iter_mut() {
            for former in taps.iter_mut().filter(|former| Arc::ptr_eq(former, tap)) {
                let state = TapState {
                    kept: tap.take(),
                    has_ended: true,
                };
                *former = Arc::new(Tap {
                    state: Mutex::new(state),
                    at_end: Condvar::new(),
                });
            }
        }
        if let Some((_, taps)) = all.iter_mut().find(|(name, _)| name == trajectory) {
            taps.push(Arc::clone(tap));
            return;
        }
        all.push_back((trajectory.to_owned(), vec![Arc::clone(tap)]));
        if all.len() > TRAJECTORIES_MAX {
            all.pop_front();
        }
    }

    /// What was written during a trajectory, which is then forgotten.
    pub(crate) fn take(&self, trajectory: &str) -> Option<StderrText> {
        let mut all = self.lock();
        let idx = all.iter().position(|(name, _)| name == trajectory)?;
        let (_, taps) = all.remove(idx)?;
        let texts = taps.iter().filter_map(|tap| tap.take().into_text());
        texts.reduce(|sum, text| StderrText {
            text: sum.text + &text.text,
            n_bytes_left_out: sum.n_bytes_left_out + text.n_bytes_left_out,
        })
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(String, Vec<Arc<Tap>>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passed_on(bytes: &[u8]) -> Vec<String> {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let mode = {
            let lines = Arc::clone(&lines);
            StderrMode::PassOn(Arc::new(move |line| lines.lock().unwrap().push(line.to_owned())))
        };
        Tap::default().drain(bytes, &mode);
        let lines = lines.lock().unwrap();
        lines.clone()
    }

    #[test]
    fn lines_are_passed_on() {
        assert_eq!(passed_on(b"one\r\n\ntwo \xff\nend"), ["one", "", "two \u{fffd}", "end"]);
        let long = passed_on(&vec![b'x'; 100_000]);
        assert_eq!(long.iter().map(String::len).sum::<usize>(), 100_000);
        assert!(
            long.iter().all(|piece| piece.len() <= 3 * PIECE_BYTES_MAX),
            "{}",
            long.len()
        );
    }

    #[test]
    fn text_belongs_to_the_trajectory_in_which_it_was_written() {
        let all = StderrByTrajectory::default();
        let tap = Arc::new(Tap::default());
        let write = |text: &str| tap.lock().kept.push(text.as_bytes());
        let text = |trajectory: &str| all.take(trajectory).map(|text| text.text);
        write("loading ");
        all.assign(&tap, "a");
        write("in a");
        all.assign(&tap, "b");
        write("in b ");
        assert_eq!(text("a").as_deref(), Some("loading in a"));
        assert_eq!(text("a"), None);
        assert_eq!(text("b").as_deref(), Some("in b "));
        write("late ");
        all.assign(&tap, "c");
        write("in c ");
        let other = Arc::new(Tap::default());
        other.lock().kept.push(b"another program in c");
        all.assign(&other, "c");
        assert_eq!(text("c").as_deref(), Some("late in c another program in c"));
        assert_eq!(text("b"), None);
    }

    #[test]
    fn texts_that_nobody_takes_are_forgotten() {
        let all = StderrByTrajectory::default();
        for idx in 0..1_000 {
            let tap = Arc::new(Tap::default());
            tap.lock().kept.push(b"text");
            all.assign(&tap, &idx.to_string());
        }
        let n_kept = (0..1_000).filter(|idx| all.take(&idx.to_string()).is_some()).count();
        assert_eq!(n_kept, TRAJECTORIES_MAX);
    }
}

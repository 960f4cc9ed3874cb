//! What a model has done, for those who wonder where the time goes.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Counts of what a model has done, in any number of threads. They tell of this run and are part of no result.
#[derive(Debug, Default)]
pub struct Activity {
    n_predictions: AtomicU64,
    n_prompt_tokens: AtomicU64,
    n_read_tokens: AtomicU64,
    n_written_tokens: AtomicU64,
    reading_nanoseconds: AtomicU64,
    writing_nanoseconds: AtomicU64,
}

/// What a model has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ActivityReport {
    /// Answers given.
    pub n_predictions: u64,
    /// Tokens of all prompts.
    pub n_prompt_tokens: u64,
    /// Those of them that had to be read, since they were not read for the prompt before.
    pub n_read_tokens: u64,
    /// Tokens of all answers.
    pub n_written_tokens: u64,
    /// Time spent on reading, summed over threads.
    pub reading: Duration,
    /// Time spent on writing, summed over threads.
    pub writing: Duration,
}

impl Activity {
    pub(super) fn count_prompt(&self, n_tokens: usize, n_read: usize, time: Duration) {
        add(&self.n_predictions, 1);
        add(&self.n_prompt_tokens, count(n_tokens));
        add(&self.n_read_tokens, count(n_read));
        add(&self.reading_nanoseconds, nanoseconds(time));
    }

    pub(super) fn count_answer(&self, n_tokens: usize, time: Duration) {
        add(&self.n_written_tokens, count(n_tokens));
        add(&self.writing_nanoseconds, nanoseconds(time));
    }

    /// What was done so far.
    pub fn report(&self) -> ActivityReport {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        ActivityReport {
            n_predictions: get(&self.n_predictions),
            n_prompt_tokens: get(&self.n_prompt_tokens),
            n_read_tokens: get(&self.n_read_tokens),
            n_written_tokens: get(&self.n_written_tokens),
            reading: Duration::from_nanos(get(&self.reading_nanoseconds)),
            writing: Duration::from_nanos(get(&self.writing_nanoseconds)),
        }
    }
}

impl ActivityReport {
    /// Tokens read in a second of one thread.
    pub fn read_tokens_per_second(&self) -> f64 {
        per_second(self.n_read_tokens, self.reading)
    }

    /// Tokens written in a second of one thread.
    pub fn written_tokens_per_second(&self) -> f64 {
        per_second(self.n_written_tokens, self.writing)
    }

    /// Tokens that had to be read for a prediction, on average.
    pub fn read_tokens_per_prediction(&self) -> f64 {
        self.n_read_tokens as f64 / self.n_predictions.max(1) as f64
    }

    /// Tokens of a prompt, on average.
    pub fn prompt_tokens_per_prediction(&self) -> f64 {
        self.n_prompt_tokens as f64 / self.n_predictions.max(1) as f64
    }
}

fn add(counter: &AtomicU64, n: u64) {
    counter.fetch_add(n, Ordering::Relaxed);
}

fn count(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

fn per_second(n: u64, time: Duration) -> f64 {
    if time.is_zero() {
        return 0.0;
    }
    n as f64 / time.as_secs_f64()
}

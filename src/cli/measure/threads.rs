//! The threads of a run, and what they take their work from.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Context as _;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::exit::Failure;

/// Threads that read the corpus: as many as are asked for, but no more than there are cores.
pub(in crate::cli) fn for_reading(jobs: Option<NonZeroU32>) -> Result<ThreadPool, Failure> {
    let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
    start(jobs, n_cores)
}

/// Threads for rollouts: as many as are asked for, but no more than there are trajectories. Where they `wait` for servers,
/// each trajectory has its own unless fewer are asked for.
pub(in crate::cli) fn for_rollouts(
    jobs: Option<NonZeroU32>,
    n_trajectories: usize,
    wait: bool,
) -> Result<ThreadPool, Failure> {
    let all = u32::try_from(n_trajectories).ok().and_then(NonZeroU32::new);
    start(jobs.or(all.filter(|_| wait)), n_trajectories.min(LANES_MAX))
}

/// More threads than this would wait for each other rather than for servers.
const LANES_MAX: usize = 256;

fn start(jobs: Option<NonZeroU32>, n_max: usize) -> Result<ThreadPool, Failure> {
    let n_asked = jobs.map_or_else(
        || std::thread::available_parallelism().map_or(1, usize::from),
        |jobs| usize::try_from(jobs.get()).unwrap_or(usize::MAX),
    );
    ThreadPoolBuilder::new()
        .num_threads(n_asked.min(n_max.max(1)))
        .build()
        .context("failed to start threads")
        .map_err(Failure::Environment)
}

/// Pieces of work in order, each taken by whichever thread comes first.
#[derive(Debug)]
pub(in crate::cli) struct Queue {
    order: Vec<usize>,
    n_taken: AtomicUsize,
}

impl Queue {
    /// Nothing is taken yet.
    pub(in crate::cli) fn new(order: Vec<usize>) -> Self {
        Self {
            order,
            n_taken: AtomicUsize::new(0),
        }
    }

    /// The next piece of work, if there is one left.
    pub(in crate::cli) fn take(&self) -> Option<usize> {
        self.order.get(self.n_taken.fetch_add(1, Ordering::Relaxed)).copied()
    }

    /// Leaves nothing to take.
    pub(in crate::cli) fn close(&self) {
        self.n_taken.fetch_max(self.order.len(), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_piece_is_taken_once_and_in_order() {
        let queue = Queue::new(vec![2, 0, 1]);
        assert_eq!((queue.take(), queue.take()), (Some(2), Some(0)));
        queue.close();
        assert_eq!(queue.take(), None);
        let queue = Queue::new((0..1_000).collect());
        let pool = start(NonZeroU32::new(4), 4).unwrap();
        let mut taken = pool
            .broadcast(|_| std::iter::from_fn(|| queue.take()).collect::<Vec<_>>())
            .concat();
        taken.sort_unstable();
        assert_eq!(taken, (0..1_000).collect::<Vec<_>>());
    }
}

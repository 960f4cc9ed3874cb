//! Threads that work on batches side by side and hand on what they find in the order of the batches.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::TrainError;

/// Threads, each in a pool of its own, because the tensor library spreads a product over the pool that it finds itself in.
#[derive(Debug)]
pub(crate) struct Workers {
    pools: Vec<ThreadPool>,
}

/// Whose turn it is to hand on what it found.
struct Turns<F, E> {
    next: usize,
    take: F,
    failure: Option<E>,
}

/// Lets the others go when a worker panics.
struct Alarm<'a> {
    failed: &'a AtomicBool,
    turn: &'a Condvar,
}

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.failed.store(true, Ordering::SeqCst);
            self.turn.notify_all();
        }
    }
}

impl Workers {
    /// So many threads.
    pub(crate) fn new(n_threads: usize) -> Result<Self, TrainError> {
        let pool = |_| ThreadPoolBuilder::new().num_threads(1).build();
        Ok(Self {
            pools: (0..n_threads.max(1)).map(pool).collect::<Result<_, _>>()?,
        })
    }

    /// Works on all items, as many at once as there are threads, and hands the outcomes on one after the other, in the order
    /// of the items. The first failure ends it.
    pub(crate) fn in_order<I: Sync, T: Send, E: Send>(
        &self,
        items: &[I],
        work: impl Fn(usize, &I) -> Result<T, E> + Sync,
        take: impl FnMut(T) + Send,
    ) -> Result<(), E> {
        let taken = AtomicUsize::new(0);
        let failed = AtomicBool::new(false);
        let turn = Condvar::new();
        let turns = Mutex::new(Turns {
            next: 0,
            take,
            failure: None,
        });
        let one = || {
            let _alarm = Alarm {
                failed: &failed,
                turn: &turn,
            };
            loop {
                let idx = taken.fetch_add(1, Ordering::SeqCst);
                let Some(item) = items.get(idx).filter(|_| !failed.load(Ordering::SeqCst)) else {
                    return;
                };
                let outcome = work(idx, item);
                let mut turns = lock(&turns);
                while turns.next != idx && !failed.load(Ordering::SeqCst) {
                    turns = turn
                        .wait_timeout(turns, PATIENCE)
                        .map_or_else(|broken| broken.into_inner().0, |(turns, _)| turns);
                }
                if failed.load(Ordering::SeqCst) {
                    return;
                }
                match outcome {
                    Ok(found) => (turns.take)(found),
                    Err(failure) => {
                        turns.failure = Some(failure);
                        failed.store(true, Ordering::SeqCst);
                    }
                }
                turns.next += 1;
                turn.notify_all();
            }
        };
        std::thread::scope(|scope| {
            for pool in self.pools.iter().take(items.len()) {
                scope.spawn(|| pool.install(one));
            }
        });
        let turns = turns.into_inner().unwrap_or_else(PoisonError::into_inner);
        turns.failure.map_or(Ok(()), Err)
    }
}

/// How long a thread waits for its turn before it looks whether another one has failed.
const PATIENCE: std::time::Duration = std::time::Duration::from_millis(100);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_come_in_the_order_of_the_items() {
        let workers = Workers::new(3).unwrap();
        let items: Vec<u64> = (0..50).collect();
        let mut found = Vec::new();
        let work = |idx: usize, item: &u64| {
            // Later items are done sooner.
            let n_rounds = 10_000 * (50 - item);
            Ok::<_, ()>((
                idx,
                (0..n_rounds).fold(*item, |sum, round| sum.wrapping_add(round % 2) ^ 1) >> 60,
            ))
        };
        workers.in_order(&items, work, |(idx, _)| found.push(idx)).unwrap();
        assert_eq!(found, (0..50).collect::<Vec<_>>());
    }

    #[test]
    fn the_first_failure_ends_the_work() {
        let workers = Workers::new(2).unwrap();
        let items: Vec<usize> = (0..20).collect();
        let mut n_found = 0;
        let work = |idx: usize, _: &usize| if idx == 5 { Err(idx) } else { Ok(idx) };
        assert_eq!(workers.in_order(&items, work, |_| n_found += 1), Err(5));
        assert_eq!(n_found, 5);
    }
}

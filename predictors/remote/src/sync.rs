//! What was written is made durable by a thread of its own, so that no caller waits for a disk.

use std::collections::BTreeSet;
use std::io;
use std::mem;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

/// A place whose making durable failed, and why.
pub(crate) type Failure = (PathBuf, io::Error);

/// Makes things durable in the background. When it is dropped, all that it was told of has been seen to.
pub(crate) struct Syncer<T> {
    shared: Arc<Shared<T>>,
    thread: Option<JoinHandle<()>>,
}

struct Shared<T> {
    state: Mutex<State<T>>,
    /// Rings when there is more to do, and when something was done.
    changed: Condvar,
}

struct State<T> {
    /// What waits, each once however often it was told of.
    pending: BTreeSet<T>,
    /// Whether the thread is at work on what it took.
    is_busy: bool,
    is_closing: bool,
    /// The first failure. The system may have dropped what it could not write, so that later successes mean nothing.
    failure: Option<(PathBuf, io::ErrorKind, String)>,
}

impl<T: Ord + Send + 'static> Syncer<T> {
    /// How many things may wait before whoever brings the next one waits too.
    const PENDING_MAX: usize = 4096;

    /// Starts the thread. `sync` makes one thing durable, in the order of `T` where several wait.
    ///
    /// # Errors
    /// What the system says where it has no thread left.
    pub(crate) fn start(sync: impl Fn(&T) -> Result<(), Failure> + Send + 'static) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                pending: BTreeSet::new(),
                is_busy: false,
                is_closing: false,
                failure: None,
            }),
            changed: Condvar::new(),
        });
        let of_thread = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("answers-sync".to_owned())
            .spawn(move || of_thread.work(&sync))?;
        Ok(Self {
            shared,
            thread: Some(thread),
        })
    }

    /// Tells of things to be made durable.
    pub(crate) fn tell(&self, things: impl IntoIterator<Item = T>) {
        let mut state = self.shared.lock();
        while state.pending.len() >= Self::PENDING_MAX {
            state = self.shared.wait(state);
        }
        state.pending.extend(things);
        drop(state);
        self.shared.changed.notify_all();
    }

    /// Fails for ever once something could not be made durable.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        self.shared.lock().result()
    }

    /// Waits until all that was told of is durable.
    pub(crate) fn flush(&self) -> Result<(), Failure> {
        let mut state = self.shared.lock();
        while state.is_busy || !state.pending.is_empty() {
            state = self.shared.wait(state);
        }
        state.result()
    }
}

impl<T> Drop for Syncer<T> {
    fn drop(&mut self) {
        self.shared.lock().is_closing = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been told of; there is nobody left to tell again.
            let _ = thread.join();
        }
    }
}

impl<T> State<T> {
    fn result(&self) -> Result<(), Failure> {
        match &self.failure {
            None => Ok(()),
            Some((path, kind, reason)) => Err((path.clone(), io::Error::new(*kind, reason.clone()))),
        }
    }
}

impl<T: Ord> Shared<T> {
    fn work(&self, sync: &impl Fn(&T) -> Result<(), Failure>) {
        loop {
            let mut state = self.lock();
            while state.pending.is_empty() {
                if state.is_closing {
                    return;
                }
                state = self.wait(state);
            }
            let things = mem::take(&mut state.pending);
            state.is_busy = true;
            drop(state);
            self.changed.notify_all();
            let failures = things.iter().filter_map(|thing| sync(thing).err());
            let failure = failures.fold(None, |first, next| first.or(Some(next)));
            let mut state = self.lock();
            state.is_busy = false;
            let failure = failure.map(|(path, reason)| (path, reason.kind(), reason.to_string()));
            state.failure = state.failure.take().or(failure);
            drop(state);
            self.changed.notify_all();
        }
    }
}

impl<T> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State<T>>) -> MutexGuard<'a, State<T>> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn all_is_seen_to_before_the_end() {
        let seen = Arc::new(AtomicU32::new(0));
        let of_thread = Arc::clone(&seen);
        let syncer = Syncer::start(move |_: &u32| {
            of_thread.fetch_add(1, Ordering::SeqCst);
            Ok(())
        });
        let syncer = syncer.unwrap();
        (0..20_000).for_each(|number| syncer.tell([number]));
        syncer.flush().unwrap();
        assert_eq!(seen.load(Ordering::SeqCst), 20_000);
        syncer.tell([1, 2]);
        drop(syncer);
        assert_eq!(seen.load(Ordering::SeqCst), 20_002);
    }

    #[test]
    fn a_failure_is_never_forgotten() {
        let syncer = Syncer::start(|number: &u32| match number {
            1 => Err((PathBuf::from("one"), io::ErrorKind::StorageFull.into())),
            _ => Ok(()),
        });
        let syncer = syncer.unwrap();
        syncer.tell([1]);
        assert!(syncer.flush().is_err());
        syncer.tell([2]);
        let (path, reason) = syncer.flush().unwrap_err();
        assert_eq!(
            (path, reason.kind()),
            (PathBuf::from("one"), io::ErrorKind::StorageFull)
        );
        assert!(syncer.check().is_err());
    }
}

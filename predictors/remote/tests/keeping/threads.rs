//! Many threads share one cache.

use std::fs;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::thread;

use napsim_remote::cache::{Cache, Lookup};
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;

use crate::entry;

/// Lets each thread store its own answer to every request, and checks that all were told of the same ones.
fn race(cache: &Cache, n_threads: usize, rounds: usize, n_requests: usize) {
    let told = Mutex::new(vec![None; n_requests]);
    thread::scope(|scope| {
        for thread in 0..n_threads {
            let told = &told;
            scope.spawn(move || {
                // Some go the same way, so that they meet.
                let mut random = ChaCha8Rng::seed_from_u64(thread as u64 / 8);
                let mut numbers = (0..n_requests).collect::<Vec<_>>();
                for _ in 0..rounds {
                    numbers.shuffle(&mut random);
                    for number in &numbers {
                        let mine = entry(*number, &format!("thread {thread}"));
                        let stands = cache.put(&mine).unwrap();
                        let served = match cache.get(&mine.key()) {
                            Lookup::Hit(entry) => entry,
                            other => panic!("{other:?}"),
                        };
                        assert_eq!(stands, served);
                        let mut told = told.lock().unwrap();
                        let first = told[*number].get_or_insert_with(|| stands.clone());
                        assert_eq!(*first, stands);
                    }
                }
            });
        }
    });
}

#[test]
fn the_first_answer_wins_among_sixteen_threads() {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::open(dir.path()).unwrap();
    race(&cache, 16, 20, 500);
    cache.flush().unwrap();
    let verified = cache.verify(false, |_| ControlFlow::Continue(())).unwrap();
    assert_eq!((verified.whole, verified.damaged), (500, 0));
    let left = fs::read_dir(cache.folder().join("tmp")).unwrap().count();
    assert_eq!(left, 0, "temporary files are left");
}

#[test]
fn fifty_two_threads_replace_what_is_damaged_once() {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::open(dir.path()).unwrap();
    for number in 0..300 {
        let path = cache.path_of(&entry(number, "").key());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        match number % 4 {
            0 => fs::write(path, "garbage\n").unwrap(),
            1 | 2 => fs::create_dir(path).unwrap(),
            _ => fs::write(path, entry(number + 1, "another").to_line() + "\n").unwrap(),
        }
    }
    let before = cache.verify(false, |_| ControlFlow::Continue(())).unwrap();
    assert_eq!((before.whole, before.damaged), (0, 300));
    race(&cache, 52, 1, 300);
    let after = cache.verify(false, |_| ControlFlow::Continue(())).unwrap();
    assert_eq!((after.whole, after.damaged), (300, 0));
}

//! How long 100,000 answers out of the cache take, with requests and answers of 8 KB together, and how much memory.
//!
//! `cargo bench -p napsim-remote --bench cache`; `NAPSIM_BENCH_ENTRIES` sets how many files there are (10,000 unless
//! said).

#![expect(clippy::print_stdout, reason = "a bench prints what it measures")]
#![expect(clippy::expect_used, reason = "a bench that cannot be set up has nothing to measure")]

use std::env;
use std::fs;
use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use divan::Bencher;
use napsim_remote::cache::{Cache, Filter, Lookup};
use napsim_remote::entry::{Entry, Key};
use napsim_remote::journal::Journal;
use tempfile::TempDir;

const GETS: usize = 100_000;

struct Filled {
    _dir: TempDir,
    cache: Cache,
    keys: Vec<Key>,
}

fn main() {
    let before = memory();
    divan::main();
    println!("greatest memory: {before} before, {} after", memory());
}

fn memory() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.unwrap_or("unknown").trim().to_owned()
}

fn entry(number: usize) -> Entry {
    let history = format!("INPUT | A{number} | \\\"x\\\"\\n").repeat(250);
    let request = format!(r#"{{"provider":"bench","model":"m","number":{number},"prompt":"{history}"}}"#);
    let rest = "word ".repeat(400);
    Entry::new(request, format!(r#"{{"text":"{number} {rest}"}}"#)).expect("two objects")
}

fn filled() -> &'static Filled {
    static FILLED: OnceLock<Filled> = OnceLock::new();
    FILLED.get_or_init(|| {
        let n_entries = env::var("NAPSIM_BENCH_ENTRIES").ok().and_then(|text| text.parse().ok());
        let dir = tempfile::tempdir().expect("a folder");
        let cache = Cache::open(dir.path()).expect("a cache");
        let since = Instant::now();
        let keys = (0..n_entries.unwrap_or(10_000)).map(|number| {
            let entry = entry(number);
            cache.put(&entry).expect("stored");
            entry.key()
        });
        let keys = keys.collect::<Vec<_>>();
        let stored = since.elapsed();
        cache.flush().expect("durable");
        println!(
            "{} entries of {} bytes: stored in {stored:?}, durable after {:?}",
            keys.len(),
            entry(0).line_bytes() + 1,
            since.elapsed()
        );
        Filled { _dir: dir, cache, keys }
    })
}

#[divan::bench(args = [1, 2, 52], sample_count = 3, sample_size = 1)]
fn gets_100_000(bencher: Bencher<'_, '_>, n_threads: usize) {
    let Filled { cache, keys, .. } = filled();
    bencher.bench(|| {
        let next = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..n_threads {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some(key) = keys.get(number % keys.len()).filter(|_| number < GETS) else {
                            break;
                        };
                        assert!(matches!(cache.get(key), Lookup::Hit(_)), "stored before");
                    }
                });
            }
        });
    });
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn export_all() -> u64 {
    let exported = filled()
        .cache
        .export(std::io::sink(), &Filter::default(), |_| ControlFlow::Continue(()));
    exported.expect("readable").entries
}

/// What a caller waits for, in a cache with nothing in it.
#[divan::bench(sample_count = 5, sample_size = 200)]
fn put_one(bencher: Bencher<'_, '_>) {
    let dir = tempfile::tempdir().expect("a folder");
    let cache = Cache::open(dir.path()).expect("a cache");
    let mut number = 0;
    let next = || {
        number += 1;
        entry(number)
    };
    bencher
        .with_inputs(next)
        .bench_local_refs(|entry| cache.put(entry).expect("stored"));
}

/// What a caller waits for, in a journal.
#[divan::bench(sample_count = 5, sample_size = 200)]
fn append_one(bencher: Bencher<'_, '_>) {
    let dir = tempfile::tempdir().expect("a folder");
    let (journal, _) = Journal::open(&dir.path().join("answers.jsonl")).expect("a journal");
    let mut number = 0;
    let next = || {
        number += 1;
        entry(number)
    };
    bencher
        .with_inputs(next)
        .bench_local_refs(|entry| journal.append(entry, true).expect("added"));
}

//! Many processes share one cache, and some of them are killed.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

use napsim_remote::cache::{Cache, Lookup};
use napsim_remote::entry::{Entry, Key};
use napsim_remote::journal::Journal;
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;

use crate::entry;

/// The folder that a child of this test works in, and its number.
const DIR: &str = "KEEPING_DIR";
const NUMBER: &str = "KEEPING_NUMBER";

const N_REQUESTS: usize = 300;

/// What begins the lines that a child says.
const SAYS: &str = "told ";

fn child(test: &str, dir: &Path, number: usize) -> Child {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", test, "--ignored", "--nocapture", "--test-threads=1"]);
    command.env(DIR, dir).env(NUMBER, number.to_string());
    command.stdout(Stdio::piped()).stdin(Stdio::null()).spawn().unwrap()
}

/// What a child was told of each request until it ended, or was killed after so many lines.
fn listen(mut child: Child, kill_after: Option<usize>) -> Vec<(Key, Key)> {
    let mut told = Vec::new();
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        let Some((_, said)) = line.split_once(SAYS) else {
            continue;
        };
        // A child that is killed may end in the middle of a line.
        if let Some((key, answer)) = said.split_once(' ')
            && let (Ok(key), Ok(answer)) = (key.parse(), answer.parse())
        {
            told.push((key, answer));
        }
        if kill_after == Some(told.len()) {
            child.kill().unwrap();
        }
    }
    let status = child.wait().unwrap();
    assert!(status.success() || kill_after.is_some(), "{status}");
    told
}

fn say(entry: &Entry) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{SAYS}{} {}", entry.key(), Key::of(entry.answer())).unwrap();
    out.flush().unwrap();
}

fn work() -> Option<(std::path::PathBuf, u64)> {
    Some((env::var_os(DIR)?.into(), env::var(NUMBER).ok()?.parse().ok()?))
}

#[test]
#[ignore = "a child of the test below"]
fn child_of_a_cache() {
    let Some((dir, number)) = work() else {
        return;
    };
    let cache = Cache::open(&dir).unwrap();
    let mut requests = (0..N_REQUESTS).collect::<Vec<_>>();
    let mut random = ChaCha8Rng::seed_from_u64(number);
    requests.shuffle(&mut random);
    for (request, other) in requests.iter().zip(requests.iter().rev()) {
        say(&cache.put(&entry(*request, &format!("process {number}"))).unwrap());
        match cache.get(&entry(*other, "").key()) {
            Lookup::Hit(entry) => say(&entry),
            Lookup::Miss => {}
            Lookup::Damaged(damage) => panic!("a torn read: {damage}"),
        }
    }
}

#[test]
fn processes_share_a_cache_and_half_of_them_are_killed() {
    let dir = tempfile::tempdir().unwrap();
    let mut stands = BTreeMap::new();
    for round in 0..3 {
        let told = thread::scope(|scope| {
            let children = (0..8).map(|number| {
                let child = child("processes::child_of_a_cache", dir.path(), 8 * round + number);
                let kill_after = (number % 2 == 1).then_some(1 + 29 * number + 53 * round);
                scope.spawn(move || listen(child, kill_after))
            });
            let children = children.collect::<Vec<_>>();
            children
                .into_iter()
                .flat_map(|child| child.join().unwrap())
                .collect::<Vec<_>>()
        });
        assert!(told.len() > 4 * N_REQUESTS, "{}", told.len());
        for (key, answer) in told {
            assert_eq!(*stands.entry(key).or_insert(answer), answer, "two answers to {key}");
        }
    }
    let cache = Cache::open(dir.path()).unwrap();
    let verified = cache.verify(false, |_| ControlFlow::Continue(())).unwrap();
    assert_eq!((verified.whole, verified.damaged), (N_REQUESTS as u64, 0));
    assert_eq!(stands.len(), N_REQUESTS);
    for (key, answer) in stands {
        match cache.get(&key) {
            Lookup::Hit(entry) => assert_eq!(Key::of(entry.answer()), answer),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
#[ignore = "a child of the test below"]
fn child_of_a_journal() {
    let Some((dir, number)) = work() else {
        return;
    };
    let (journal, _) = Journal::open(&dir.join("answers.jsonl")).unwrap();
    for request in 0..N_REQUESTS {
        let kept = journal
            .append(&entry(request, &format!("process {number}")), true)
            .unwrap();
        say(&kept.entry);
    }
}

#[test]
fn what_a_killed_process_noted_is_never_asked_again() {
    let dir = tempfile::tempdir().unwrap();
    let mut stands = BTreeMap::new();
    for round in 0..12 {
        let child = child("processes::child_of_a_journal", dir.path(), round);
        for (key, answer) in listen(child, Some(25 * (round + 1))) {
            assert_eq!(*stands.entry(key).or_insert(answer), answer, "two answers to {key}");
        }
    }
    let path = dir.path().join("answers.jsonl");
    let (journal, notes) = Journal::open(&path).unwrap();
    assert_eq!((journal.len(), stands.len()), (N_REQUESTS, N_REQUESTS), "{notes:?}");
    for (key, answer) in stands {
        let kept = journal.get(&key).unwrap().unwrap();
        assert_eq!((Key::of(kept.entry.answer()), kept.paid), (answer, true));
    }
    let lines = fs::read_to_string(path).unwrap().lines().count();
    assert_eq!(lines, N_REQUESTS, "each request is noted once");
}

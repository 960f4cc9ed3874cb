//! Recordings, and runs that are replayed from them.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::thread;

use flate2::Compression;
use flate2::write::GzEncoder;
use napsim_remote::cache::Cache;
use napsim_remote::entry::Key;
use napsim_remote::recording::{Recording, RecordingError, Replay};
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;

use crate::entry;

fn key(number: usize) -> Key {
    entry(number, "").key()
}

/// Records entries in an order of its own.
fn record(path: &Path, seed: u64) {
    let (recording, notes) = Recording::begin(path).unwrap();
    assert!(notes.is_empty());
    let mut numbers = (0..120).collect::<Vec<_>>();
    numbers.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    thread::scope(|scope| {
        for part in numbers.chunks(30) {
            let recording = &recording;
            scope.spawn(move || {
                for number in part {
                    recording.add(&entry(*number, "x"), seed.is_multiple_of(2)).unwrap();
                }
            });
        }
    });
    assert_eq!(recording.finish().unwrap(), 120);
}

#[test]
fn recordings_are_the_same_bytes_in_whatever_order() {
    let dir = tempfile::tempdir().unwrap();
    let paths = [0, 1, 2].map(|seed| {
        let path = dir.path().join(format!("{seed}.jsonl"));
        record(&path, seed);
        path
    });
    let bytes = paths.each_ref().map(|path| fs::read(path).unwrap());
    assert!(bytes[0] == bytes[1] && bytes[1] == bytes[2]);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 3, "nothing else is left");
    let replay = Replay::open(&paths[0]).unwrap();
    assert_eq!(replay.len(), 120);
    for number in 0..130 {
        let expected = (number < 120).then(|| entry(number, "x"));
        assert_eq!(replay.get(&key(number)).unwrap(), expected);
    }
    let cache = Cache::open(&dir.path().join("cache")).unwrap();
    let imported = cache
        .import(bytes[0].as_slice(), |_| std::ops::ControlFlow::Continue(()))
        .unwrap();
    assert_eq!(imported.added, 120, "a cache takes a recording");
}

#[test]
fn an_unfinished_recording_is_gone_on_with() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run.jsonl");
    let (recording, _) = Recording::begin(&path).unwrap();
    recording.add(&entry(1, "x"), true).unwrap();
    drop(recording);
    let (recording, _) = Recording::begin(&path).unwrap();
    assert!(recording.get(&key(1)).unwrap().is_some_and(|kept| kept.paid));
    recording.add(&entry(2, "x"), true).unwrap();
    assert!(!path.exists(), "whole or not at all");
    assert_eq!(recording.finish().unwrap(), 2);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn a_recording_that_is_there_is_added_to() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run.jsonl");
    for number in [1, 2] {
        let (recording, _) = Recording::begin(&path).unwrap();
        recording.add(&entry(number, "x"), true).unwrap();
        assert_eq!(recording.finish().unwrap(), number as u64);
    }
    let (recording, _) = Recording::begin(&path).unwrap();
    assert_eq!(recording.get(&key(1)).unwrap().unwrap().entry, entry(1, "x"));
    // The answer that stands stays.
    recording.add(&entry(1, "y"), true).unwrap();
    assert_eq!(recording.finish().unwrap(), 2);
    let replay = Replay::open(&path).unwrap();
    assert_eq!(replay.get(&key(1)).unwrap(), Some(entry(1, "x")));
}

#[test]
fn what_is_no_recording_is_left_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("precious.txt");
    fs::write(&path, "precious").unwrap();
    assert!(matches!(Recording::begin(&path), Err(RecordingError::Line { .. })));
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
    assert!(matches!(
        Recording::begin(dir.path()),
        Err(RecordingError::NotAFile { .. })
    ));
    assert!(matches!(
        Recording::begin(Path::new("/dev/null")),
        Err(RecordingError::NotAFile { .. })
    ));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    let linked = dir.path().join("link.jsonl");
    std::os::unix::fs::symlink("target.jsonl", &linked).unwrap();
    fs::write(dir.path().join("target.jsonl"), "").unwrap();
    let (recording, _) = Recording::begin(&linked).unwrap();
    recording.add(&entry(1, "x"), true).unwrap();
    recording.finish().unwrap();
    assert!(fs::symlink_metadata(&linked).unwrap().is_symlink());
    assert_eq!(Replay::open(&linked).unwrap().len(), 1);
}

#[track_caller]
fn check_refused(text: &[u8], place: &str, is_expected: impl Fn(&RecordingError) -> bool) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run.jsonl");
    fs::write(&path, text).unwrap();
    let error = Replay::open(&path).unwrap_err();
    assert!(is_expected(&error), "{error}");
    let expected = format!("read the recording {}{place}", path.display());
    assert!(error.to_string().starts_with(&expected), "{error}");
}

#[test]
fn what_cannot_be_replayed_is_named() {
    let line = |number: usize, by: &str| entry(number, by).to_line() + "\n";
    let is_line = |error: &RecordingError| matches!(error, RecordingError::Line { .. });
    let spoiled = line(1, "x") + &line(2, "x").replace("000002", "000003");
    check_refused(spoiled.as_bytes(), ":2: damaged", is_line);
    check_refused((line(1, "x") + "\n").as_bytes(), ":2: no whole entry", is_line);
    check_refused(&line(1, "x").as_bytes()[..50], ":1: no whole entry", is_line);
    let twice = line(1, "x") + &line(2, "x") + &line(1, "y");
    let is_twice = |error: &RecordingError| matches!(error, RecordingError::TwoAnswers { .. });
    check_refused(twice.as_bytes(), ":3: another answer", is_twice);
    let is_io = |error: &RecordingError| matches!(error, RecordingError::Io { .. });
    check_refused(b"\x1f\x8b\x08\x00", ": ", is_io);
    check_refused(&packed(&spoiled), ":2: damaged", is_line);
    check_refused(&packed(&twice), ":3: another answer", is_twice);
    let cut = packed(&line(1, "x"));
    check_refused(&cut[..cut.len() - 4], ": ", is_io);
}

fn packed(text: &str) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(text.as_bytes()).unwrap();
    packed.finish().unwrap()
}

#[test]
fn recordings_may_be_compressed() {
    let dir = tempfile::tempdir().unwrap();
    let [plain, first, second] = ["run.jsonl", "1.jsonl.gz", "2.jsonl.gz"].map(|name| dir.path().join(name));
    record(&plain, 0);
    record(&first, 1);
    record(&second, 2);
    let bytes = fs::read(&first).unwrap();
    assert_eq!(bytes, fs::read(&second).unwrap());
    assert!(bytes.len() * 2 < fs::read(&plain).unwrap().len());
    let replay = Replay::open(&first).unwrap();
    assert_eq!(replay.len(), 120);
    for number in 0..120 {
        let expected = (number < 120).then(|| entry(number, "x"));
        assert_eq!(replay.get(&key(number)).unwrap(), expected);
    }
    // Packed by other means, in two parts, with a line twice and none at the end.
    let line = |number| entry(number, "x").to_line();
    let parts = [format!("{}\n{}\n", line(1), line(1)), line(2)].map(|part| packed(&part));
    fs::write(&plain, parts.concat()).unwrap();
    let replay = Replay::open(&plain).unwrap();
    assert_eq!(replay.get(&key(2)).unwrap(), Some(entry(2, "x")));
    assert_eq!((replay.len(), replay.contains(&key(1))), (2, true));
}

#[test]
fn equal_lines_and_a_missing_last_line_feed_are_no_harm() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run.jsonl");
    let line = entry(1, "x").to_line();
    fs::write(&path, format!("{line}\n{line}\n{}", entry(2, "x").to_line())).unwrap();
    let replay = Replay::open(&path).unwrap();
    assert_eq!(replay.len(), 2);
    assert_eq!(replay.get(&key(2)).unwrap(), Some(entry(2, "x")));
    fs::write(&path, entry(5, "x").to_line().repeat(9)).unwrap();
    assert!(matches!(replay.get(&key(2)), Err(RecordingError::Line { line: 3, .. })));
}

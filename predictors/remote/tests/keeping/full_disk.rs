//! What happens when nothing more can be written: children of this test may write files of a few kilobytes only.

#![cfg(unix)]

use std::env;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;

use napsim_remote::cache::{Cache, CacheError, Lookup};
use napsim_remote::entry::Entry;
use napsim_remote::journal::{Journal, JournalError};
use napsim_remote::recording::{Recording, RecordingError};

use crate::entry;

const DIR: &str = "KEEPING_FULL_DIR";

fn run_child(dir: &Path) {
    // Without the trap the system would end the process instead of refusing to write.
    let script = r#"trap '' XFSZ; ulimit -f 8; exec "$0" --exact full_disk::child --ignored --test-threads=1"#;
    let mut command = Command::new("sh");
    command
        .args(["-c", script])
        .arg(env::current_exe().unwrap())
        .env(DIR, dir);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

fn big(number: usize) -> Entry {
    let text = "x".repeat(20_000);
    Entry::new(format!(r#"{{"number":{number}}}"#), format!(r#"{{"text":"{text}"}}"#)).unwrap()
}

#[test]
#[ignore = "a child of the test below"]
fn child() {
    let Some(dir) = env::var_os(DIR) else {
        return;
    };
    let dir = Path::new(&dir);
    let (journal, _) = Journal::open(&dir.join("answers.jsonl")).unwrap();
    let mut kept = 0;
    while journal.append(&entry(kept, "x"), true).is_ok() {
        kept += 1;
        assert!(kept < 1000, "the bound was never reached");
    }
    // Nothing of the line that did not fit is left, so that a shorter one may.
    let short = Entry::new("{}", "{}").unwrap();
    let error = journal.append(&big(1), true).unwrap_err();
    assert!(matches!(error, JournalError::Io { .. }), "{error}");
    let _ = journal.append(&short, true);
    assert_eq!(
        journal.get(&entry(kept - 1, "").key()).unwrap().unwrap().entry,
        entry(kept - 1, "x")
    );
    fs::write(dir.join("kept"), kept.to_string()).unwrap();

    let cache = Cache::open(dir).unwrap();
    let error = cache.put(&big(1)).unwrap_err();
    assert!(matches!(error, CacheError::Io { action: "write", .. }), "{error}");
    assert!(matches!(cache.get(&big(1).key()), Lookup::Miss));
    assert_eq!(cache.put(&entry(2, "x")).unwrap(), entry(2, "x"));

    let path = dir.join("run.jsonl");
    let (recording, _) = Recording::begin(&path).unwrap();
    let mut number = 0;
    while recording.add(&entry(number, "x"), true).is_ok() {
        number += 1;
    }
    // The finished file is smaller than the unfinished one, so that something else must be in its way.
    fs::create_dir(dir.join("run.jsonl.tmp")).unwrap();
    assert!(matches!(recording.finish(), Err(RecordingError::Io { .. })));
    assert!(!path.exists());
}

#[test]
fn a_full_disk_is_told_of_and_leaves_nothing_half() {
    let dir = tempfile::tempdir().unwrap();
    run_child(dir.path());
    let kept = fs::read_to_string(dir.path().join("kept"))
        .unwrap()
        .parse::<usize>()
        .unwrap();
    assert!(kept > 3, "{kept}");
    let (journal, notes) = Journal::open(&dir.path().join("answers.jsonl")).unwrap();
    assert!(notes.is_empty(), "{notes:?}");
    assert!((0..kept).all(|number| journal.contains(&entry(number, "").key())));
    let cache = Cache::open(dir.path()).unwrap();
    let verified = cache.verify(false, |_| ControlFlow::Continue(())).unwrap();
    assert_eq!((verified.whole, verified.damaged), (1, 0));
    assert_eq!(fs::read_dir(cache.folder().join("tmp")).unwrap().count(), 0);
    let (recording, notes) = Recording::begin(&dir.path().join("run.jsonl")).unwrap();
    let first = recording.get(&entry(0, "").key()).unwrap();
    assert!(notes.is_empty() && first.is_some(), "{notes:?}");
}

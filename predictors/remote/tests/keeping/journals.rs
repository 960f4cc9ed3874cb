//! Journals, whole and torn.

use std::fs;
use std::path::Path;
use std::thread;

use napsim_remote::journal::{Journal, JournalError, Note};

use crate::entry;

fn open(path: &Path) -> (Journal, Vec<Note>) {
    Journal::open(path).unwrap()
}

/// The bytes of a journal with that many entries, every other one paid for.
fn bytes_of(n_entries: usize) -> Vec<u8> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("answers.jsonl");
    let (journal, _) = open(&path);
    for number in 0..n_entries {
        journal.append(&entry(number, "x"), number % 2 == 0).unwrap();
    }
    drop(journal);
    fs::read(path).unwrap()
}

/// Checks that a journal serves the entries of these numbers, and takes the others.
fn check_usable(path: &Path, whole: &[usize], n_entries: usize) {
    let (journal, _) = open(path);
    for number in 0..n_entries {
        let wanted = entry(number, "x");
        let found = journal.get(&wanted.key()).unwrap();
        assert_eq!(found.is_some(), whole.contains(&number), "entry {number}");
        if let Some(kept) = found {
            assert_eq!((kept.entry, kept.paid), (wanted.clone(), number % 2 == 0));
        }
        journal.append(&wanted, number % 2 == 0).unwrap();
    }
    drop(journal);
    let (journal, _) = open(path);
    assert_eq!(journal.len(), n_entries);
    let kept = journal.iter().collect::<Result<Vec<_>, _>>().unwrap();
    assert!(kept.is_sorted_by_key(|kept| kept.entry.key()));
    assert_eq!(kept.len(), n_entries);
}

#[test]
fn a_journal_torn_anywhere_keeps_every_whole_line() {
    let whole = bytes_of(3);
    let ends = (0..whole.len())
        .filter(|at| whole[*at] == b'\n')
        .map(|at| at + 1)
        .collect::<Vec<_>>();
    assert_eq!(ends.len(), 3);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("answers.jsonl");
    for cut in 0..=whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        let n_whole = ends.iter().filter(|end| **end <= cut).count();
        let is_at_end = cut == 0 || ends.contains(&cut);
        let lacks_line_feed = ends.contains(&(cut + 1));
        let (journal, notes) = open(&path);
        drop(journal);
        match notes.as_slice() {
            [] => assert!(is_at_end, "cut at {cut}"),
            [Note::Unended { line, .. }] => assert!(lacks_line_feed && *line == n_whole as u64 + 1, "cut at {cut}"),
            [Note::TornEnd { line, bytes, .. }] => {
                assert!(
                    !is_at_end && !lacks_line_feed && *line == n_whole as u64 + 1,
                    "cut at {cut}"
                );
                let start = if n_whole == 0 { 0 } else { ends[n_whole - 1] };
                assert_eq!(*bytes as usize, cut - start);
            }
            other => panic!("{other:?} at {cut}"),
        }
        let n_whole = n_whole + usize::from(lacks_line_feed);
        assert!(open(&path).1.is_empty(), "mended once for all");
        check_usable(&path, &(0..n_whole).collect::<Vec<_>>(), 3);
        assert_eq!(fs::read(&path).unwrap(), whole, "the same lines again");
    }
}

#[test]
fn a_damaged_line_costs_no_other() {
    let whole = bytes_of(3);
    let first = whole.iter().position(|byte| *byte == b'\n').unwrap();
    let second = first + 1 + whole[first + 1..].iter().position(|byte| *byte == b'\n').unwrap();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("answers.jsonl");
    for position in first + 1..second {
        let mut bytes = whole.clone();
        bytes[position] ^= 0x04;
        fs::write(&path, &bytes).unwrap();
        let (journal, notes) = open(&path);
        drop(journal);
        assert!(matches!(notes.as_slice(), [Note::Skipped { line: 2, .. }]), "{notes:?}");
        let said = notes[0].to_string();
        assert!(
            said.starts_with(&format!("{}:2: a damaged line was skipped: ", path.display())),
            "{said}"
        );
        check_usable(&path, &[0, 2], 3);
    }
}

#[test]
fn zeros_of_a_power_cut_are_cut_off() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("answers.jsonl");
    for n_entries in [0, 2] {
        let zeros = vec![0; 4096];
        fs::write(&path, [bytes_of(n_entries), zeros].concat()).unwrap();
        let (journal, notes) = open(&path);
        drop(journal);
        assert!(
            matches!(notes.as_slice(), [Note::TornEnd { bytes: 4096, .. }]),
            "{notes:?}"
        );
        check_usable(&path, &(0..n_entries).collect::<Vec<_>>(), 3);
    }
}

#[test]
fn other_files_are_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("answers.jsonl");
    for contents in ["\n", "a", "# Notes\n\nwritten by hand", "{\"step\":1}\n", "{\"paid\"\0"] {
        fs::write(&path, contents).unwrap();
        let error = Journal::open(&path).unwrap_err();
        assert!(matches!(error, JournalError::NotAJournal { .. }), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), contents);
    }
    assert!(matches!(Journal::open(dir.path()), Err(JournalError::Io { .. })));
}

#[test]
fn one_process_writes_at_a_time() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("answers.jsonl");
    let (journal, _) = open(&path);
    assert!(matches!(Journal::open(&path), Err(JournalError::InUse { .. })));
    drop(journal);
    assert!(Journal::open(&path).is_ok());
}

#[test]
fn threads_share_a_journal_and_the_first_answer_stands() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("answers.jsonl");
    let (journal, _) = open(&path);
    thread::scope(|scope| {
        for thread in 0..52 {
            let journal = &journal;
            scope.spawn(move || {
                for number in 0..60 {
                    let mine = entry((number + thread) % 60, &format!("thread {thread}"));
                    let stands = journal.append(&mine, true).unwrap();
                    assert_eq!(journal.get(&mine.key()).unwrap(), Some(stands));
                    assert!(journal.contains(&mine.key()));
                }
            });
        }
    });
    journal.flush().unwrap();
    assert_eq!(journal.len(), 60);
    drop(journal);
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 60);
    assert!(open(&path).1.is_empty());
}

#[test]
fn a_file_that_changes_behind_the_back_is_told_of() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("answers.jsonl");
    let (journal, _) = open(&path);
    journal.append(&entry(0, "x"), true).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("\"x\"", "\"y\"")).unwrap();
    let key = entry(0, "x").key();
    assert!(matches!(
        journal.get(&key),
        Err(JournalError::Changed { offset: 0, .. })
    ));
    fs::write(&path, "").unwrap();
    assert!(matches!(journal.get(&key), Err(JournalError::Io { .. })));
}

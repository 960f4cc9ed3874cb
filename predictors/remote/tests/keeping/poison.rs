//! Nothing that is not the answer to a request is ever served for it.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use napsim_remote::cache::{Cache, CacheError, Damage, Filter, Lookup};
use napsim_remote::entry::{Entry, EntryError};
use tempfile::TempDir;

use crate::entry;

/// A cache with one entry, which is then spoiled.
struct Spoiled {
    dir: TempDir,
    cache: Cache,
    entry: Entry,
}

impl Spoiled {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::open(dir.path()).unwrap();
        let entry = entry(7, "the first");
        cache.put(&entry).unwrap();
        cache.flush().unwrap();
        Self { dir, cache, entry }
    }

    fn damage(&self) -> Damage {
        match self.cache.get(&self.entry.key()) {
            Lookup::Damaged(damage) => damage,
            other => panic!("{other:?} is served"),
        }
    }

    /// Checks that what is there now is seen as damaged, told of, left out, and replaced.
    fn check(&self) -> Damage {
        let damage = self.damage();
        let verified = self.cache.verify(false, |_| ControlFlow::Continue(())).unwrap();
        assert_eq!((verified.whole, verified.damaged, verified.removed), (0, 1, 0));
        assert_eq!(verified.files[0].0, self.cache.path_of(&self.entry.key()));
        let mut exported = Vec::new();
        let counts = self
            .cache
            .export(&mut exported, &Filter::default(), |_| ControlFlow::Continue(()));
        assert_eq!((counts.unwrap().damaged, exported.len()), (1, 0));
        assert_eq!(self.cache.stat(|_| ControlFlow::Continue(())).unwrap().damaged, 1);
        let second = entry(7, "the second");
        assert_eq!(self.cache.put(&second).unwrap(), second);
        assert!(matches!(self.cache.get(&second.key()), Lookup::Hit(found) if found == second));
        damage
    }
}

#[test]
fn every_flipped_byte_and_every_cut_is_seen() {
    let spoiled = Spoiled::new();
    let path = spoiled.cache.path_of(&spoiled.entry.key());
    let whole = fs::read(&path).unwrap();
    for position in 0..whole.len() {
        fs::write(&path, &whole[..position]).unwrap();
        spoiled.damage();
        for flip in [1, 0x20, 0xff] {
            let mut bytes = whole.clone();
            bytes[position] ^= flip;
            fs::write(&path, bytes).unwrap();
            spoiled.damage();
        }
    }
    fs::write(&path, [whole.as_slice(), b"\n"].concat()).unwrap();
    spoiled.damage();
    fs::write(&path, &whole).unwrap();
    assert!(matches!(spoiled.cache.get(&spoiled.entry.key()), Lookup::Hit(_)));
}

fn check_contents(contents: &[u8], is_expected: impl Fn(&Damage) -> bool) {
    let spoiled = Spoiled::new();
    fs::write(spoiled.cache.path_of(&spoiled.entry.key()), contents).unwrap();
    let damage = spoiled.check();
    assert!(is_expected(&damage), "{damage}");
}

#[test]
fn other_contents_are_not_served() {
    let line = |entry: &Entry| entry.to_line() + "\n";
    let own = line(&entry(7, "the first"));
    let is_other = |damage: &Damage| matches!(damage, Damage::OtherKey { .. });
    let is_no_entry = |damage: &Damage| matches!(damage, Damage::Entry(EntryError::NotAnEntry { .. }));
    check_contents(line(&entry(8, "another")).as_bytes(), is_other);
    check_contents(b"", is_no_entry);
    check_contents(b"garbage\n", is_no_entry);
    check_contents(b"\xff\xfe\n", is_no_entry);
    check_contents(&[0; 512], is_no_entry);
    check_contents(own.trim_end().as_bytes(), is_no_entry);
    check_contents((own.clone() + &own).as_bytes(), is_no_entry);
    let is_key = |damage: &Damage| matches!(damage, Damage::Entry(EntryError::Key { .. }));
    check_contents(own.replace("\"m1\"", "\"m2\"").as_bytes(), is_key);
    let is_checksum = |damage: &Damage| matches!(damage, Damage::Entry(EntryError::Checksum));
    check_contents(own.replace("the first", "the worst").as_bytes(), is_checksum);
    let is_schema = |damage: &Damage| matches!(damage, Damage::Entry(EntryError::Schema { .. }));
    check_contents(own.replace("answer/1", "answer/2").as_bytes(), is_schema);
    check_contents(b"{\"schema\":\"napsim-answer/2\",\"other\":[]}\n", is_schema);
}

#[test]
fn huge_files_are_not_read() {
    let spoiled = Spoiled::new();
    let path = spoiled.cache.path_of(&spoiled.entry.key());
    fs::File::create(path).unwrap().set_len(1 << 40).unwrap();
    assert!(matches!(spoiled.check(), Damage::Entry(EntryError::TooLong)));
}

#[test]
fn folders_in_place_of_files_are_moved_aside() {
    for is_empty in [true, false] {
        let spoiled = Spoiled::new();
        let path = spoiled.cache.path_of(&spoiled.entry.key());
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        if !is_empty {
            fs::write(path.join("somebody's"), "own").unwrap();
        }
        assert!(matches!(spoiled.check(), Damage::NotAFile));
        let files = fs::read_dir(path.parent().unwrap()).unwrap().count();
        assert_eq!(files, if is_empty { 1 } else { 2 });
    }
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let spoiled = Spoiled::new();
    let path = spoiled.cache.path_of(&spoiled.entry.key());
    let outside = spoiled.dir.path().join("outside.json");
    fs::rename(&path, &outside).unwrap();
    std::os::unix::fs::symlink(&outside, &path).unwrap();
    let before = fs::read(&outside).unwrap();
    assert!(matches!(spoiled.check(), Damage::NotAFile));
    assert_eq!(
        fs::read(&outside).unwrap(),
        before,
        "what a link leads to is left alone"
    );
    assert!(!fs::symlink_metadata(&path).unwrap().is_symlink());
}

#[cfg(unix)]
#[test]
fn linked_folders_are_not_followed() {
    let spoiled = Spoiled::new();
    let path = spoiled.cache.path_of(&spoiled.entry.key());
    let folder = path.parent().unwrap();
    let outside = spoiled.dir.path().join("outside");
    let swap = |folder: &Path| {
        fs::rename(folder, &outside).unwrap();
        std::os::unix::fs::symlink(&outside, folder).unwrap();
    };
    swap(folder);
    assert!(matches!(spoiled.damage(), Damage::NotAFile));
    let refused = spoiled.cache.put(&spoiled.entry);
    assert!(matches!(refused, Err(CacheError::NotAFolder { path }) if path == folder));
    assert_eq!(
        fs::read_dir(&outside).unwrap().count(),
        1,
        "nothing is written through the link"
    );
    fs::remove_file(folder).unwrap();
    fs::remove_dir_all(&outside).unwrap();
    swap(spoiled.cache.folder());
    assert!(matches!(
        Cache::open(spoiled.dir.path()),
        Err(CacheError::NotAFolder { .. })
    ));
}

#[cfg(unix)]
#[test]
fn pipes_are_not_waited_for() {
    let spoiled = Spoiled::new();
    let path = spoiled.cache.path_of(&spoiled.entry.key());
    fs::remove_file(&path).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
    assert!(made.success());
    assert!(matches!(spoiled.check(), Damage::NotAFile));
}

#[test]
fn damaged_files_are_removed_when_asked_for() {
    let spoiled = Spoiled::new();
    for number in 20..60 {
        spoiled.cache.put(&entry(number, "whole")).unwrap();
    }
    let path = spoiled.cache.path_of(&spoiled.entry.key());
    fs::write(&path, "garbage\n").unwrap();
    let fixed = spoiled.cache.verify(true, |_| ControlFlow::Continue(())).unwrap();
    assert_eq!((fixed.whole, fixed.damaged, fixed.removed), (40, 1, 1));
    assert_eq!(fixed.files[0].0, path);
    assert!(matches!(spoiled.cache.get(&spoiled.entry.key()), Lookup::Miss));
    let stopped = spoiled.cache.verify(true, |_| ControlFlow::Break(()));
    assert!(matches!(stopped, Err(CacheError::Stopped)));
}

#[test]
fn a_cache_that_cannot_be_there_is_told_of() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    let error = Cache::open(&file).unwrap_err();
    let expected = format!("use the cache: expected a folder at {}", file.display());
    assert_eq!(error.to_string(), expected);
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("answers-v1"), "").unwrap();
    let error = Cache::open(dir.path()).unwrap_err();
    assert!(
        error.to_string().starts_with("use the cache: expected a folder at "),
        "{error}"
    );
}

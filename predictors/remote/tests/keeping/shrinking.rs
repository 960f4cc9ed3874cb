//! Counting the cache, making it smaller, and taking it elsewhere.

use std::fs::{self, File};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, SystemTime};

use napsim_remote::cache::{Cache, CacheError, Filter, Imported, Lookup, Progress, Pruning};
use napsim_remote::entry::EntryError;

use crate::entry;

const DAY: Duration = Duration::from_secs(24 * 3600);

fn go_on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn set_age(path: &Path, age: Duration) {
    let file = File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::now() - age).unwrap();
}

fn age(path: &Path) -> Duration {
    let modified = fs::metadata(path).unwrap().modified().unwrap();
    SystemTime::now().duration_since(modified).unwrap_or_default()
}

/// A cache of 30 entries, of which the entry of each number was used that many days ago.
fn filled(dir: &Path) -> Cache {
    let cache = Cache::open(dir).unwrap();
    for number in 0..30 {
        cache.put(&entry(number, "somebody")).unwrap();
        let path = cache.path_of(&entry(number, "").key());
        set_age(&path, DAY * u32::try_from(number).unwrap());
    }
    cache
}

fn bytes_of(number: usize) -> u64 {
    entry(number, "somebody").line_bytes() as u64 + 1
}

fn model(name: &str) -> Filter {
    Filter {
        model: Some(name.to_owned()),
    }
}

#[test]
fn everything_is_counted() {
    let dir = tempfile::tempdir().unwrap();
    let cache = filled(dir.path());
    let nameless = napsim_remote::entry::Entry::new(r#"{"n":1}"#, "{}").unwrap();
    cache.put(&nameless).unwrap();
    let mut last = Progress::default();
    let stat = cache
        .stat(|progress| {
            assert!(progress.entries >= last.entries && progress.folders >= last.folders);
            last = progress;
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!((last.entries, last.folders), (31, Progress::FOLDERS));
    assert_eq!((stat.all.entries, stat.unnamed.entries, stat.damaged), (31, 1, 0));
    let bytes = (0..30).map(bytes_of).sum::<u64>() + nameless.line_bytes() as u64 + 1;
    assert_eq!(stat.all.bytes, bytes);
    let names = stat.models.keys().map(String::as_str).collect::<Vec<_>>();
    assert_eq!(names, ["test/m0", "test/m1", "test/m2"]);
    let group = stat.models["test/m1"];
    assert_eq!(
        (group.entries, group.bytes),
        (10, (0..30).skip(1).step_by(3).map(bytes_of).sum())
    );
    let days = |time: Option<SystemTime>| time.unwrap().elapsed().unwrap().as_secs() / DAY.as_secs();
    assert_eq!((days(group.oldest), days(group.newest)), (28, 1));
}

#[test]
fn what_is_of_use_stays_young() {
    let dir = tempfile::tempdir().unwrap();
    let cache = filled(dir.path());
    let key = entry(9, "").key();
    assert!(age(&cache.path_of(&key)) > DAY * 8);
    assert!(matches!(cache.get(&key), Lookup::Hit(_)));
    assert!(age(&cache.path_of(&key)) < DAY);
    cache.verify(false, go_on).unwrap();
    assert!(
        age(&cache.path_of(&entry(8, "").key())) > DAY * 7,
        "only answers that are served count"
    );
}

#[track_caller]
fn check_pruned(pruning: &Pruning, expected: &[usize]) {
    let dir = tempfile::tempdir().unwrap();
    let cache = filled(dir.path());
    let trial = cache.prune(pruning, true, go_on).unwrap();
    assert_eq!(trial.kept_entries + trial.entries, 30);
    assert_eq!(cache.stat(go_on).unwrap().all.entries, 30, "a trial removes nothing");
    let pruned = cache.prune(pruning, false, go_on).unwrap();
    assert_eq!(pruned, trial);
    let is_gone = |number: &usize| !cache.path_of(&entry(*number, "").key()).exists();
    let gone = (0..30).filter(is_gone).collect::<Vec<_>>();
    assert_eq!(gone, expected);
    assert_eq!(
        pruned.bytes,
        expected.iter().map(|number| bytes_of(*number)).sum::<u64>()
    );
    assert_eq!(pruned.kept_bytes, cache.stat(go_on).unwrap().all.bytes);
}

#[test]
fn the_oldest_go_first() {
    check_pruned(&Pruning::default(), &[]);
    let older_than = Some(DAY * 25 - DAY / 2);
    let pruning = Pruning {
        older_than,
        ..Pruning::default()
    };
    check_pruned(&pruning, &[25, 26, 27, 28, 29]);
    let pruning = Pruning {
        bytes_max: Some((0..28).map(bytes_of).sum()),
        ..Pruning::default()
    };
    check_pruned(&pruning, &[28, 29]);
    let pruning = Pruning {
        bytes_max: Some(0),
        ..Pruning::default()
    };
    check_pruned(&pruning, &(0..30).collect::<Vec<_>>());
    let pruning = Pruning {
        models: model("test/m2"),
        ..Pruning::default()
    };
    check_pruned(&pruning, &[2, 5, 8, 11, 14, 17, 20, 23, 26, 29]);
    let pruning = Pruning {
        older_than,
        models: model("m1"),
        ..Pruning::default()
    };
    check_pruned(&pruning, &[25, 28]);
}

#[test]
fn forsaken_temporary_files_go() {
    let dir = tempfile::tempdir().unwrap();
    let cache = filled(dir.path());
    let temporary = |name: &str, age: Duration| {
        let path = cache.folder().join("tmp").join(name);
        fs::write(&path, "half an en").unwrap();
        set_age(&path, age);
        path
    };
    let old = temporary("1-0.tmp", Duration::from_secs(3700));
    let young = temporary("1-1.tmp", Duration::from_secs(3000));
    let other = temporary("other", Duration::from_secs(3700));
    assert_eq!(
        cache.prune(&Pruning::default(), true, go_on).unwrap().temporary_files,
        1
    );
    assert!(old.exists());
    assert_eq!(
        cache.prune(&Pruning::default(), false, go_on).unwrap().temporary_files,
        1
    );
    assert!(!old.exists() && young.exists() && other.exists());
    set_age(&young, Duration::from_secs(3700));
    drop(Cache::open(dir.path()).unwrap());
    assert!(!young.exists() && other.exists());
}

#[test]
fn exports_of_equal_caches_are_equal_bytes() {
    let dirs = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let caches = dirs.each_ref().map(|dir| Cache::open(dir.path()).unwrap());
    (0..200).for_each(|number| drop(caches[0].put(&entry(number, "x")).unwrap()));
    (0..200)
        .rev()
        .for_each(|number| drop(caches[1].put(&entry(number, "x")).unwrap()));
    let export = |cache: &Cache, filter| {
        let mut bytes = Vec::new();
        let exported = cache.export(&mut bytes, &filter, go_on).unwrap();
        (bytes, exported.entries)
    };
    let (bytes, n_entries) = export(&caches[0], Filter::default());
    assert_eq!(n_entries, 200);
    assert_eq!(export(&caches[1], Filter::default()).0, bytes);
    assert_eq!(export(&caches[0], model("m0")).1, 67);
    let imported = caches[2].import(bytes.as_slice(), go_on).unwrap();
    assert_eq!((imported.added, imported.present, imported.refused), (200, 0, 0));
    assert_eq!(export(&caches[2], Filter::default()).0, bytes);
    let stopped = caches[2].export(Vec::new(), &Filter::default(), |_| ControlFlow::Break(()));
    assert!(matches!(stopped, Err(CacheError::Stopped)));
}

#[test]
fn an_import_changes_no_answer_and_names_what_it_refuses() {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::open(dir.path()).unwrap();
    cache.put(&entry(1, "here")).unwrap();
    let line = |number| entry(number, "elsewhere").to_line();
    let lines = [
        line(1),
        line(2),
        line(3).replace("elsewhere", "nowhere"),
        String::new(),
        line(4),
    ]
    .join("\n");
    let imported = cache.import(lines.as_bytes(), go_on).unwrap();
    let Imported {
        added,
        present,
        refused,
        lines,
        ..
    } = imported;
    assert_eq!((added, present, refused), (2, 1, 2));
    assert_eq!(lines[0], (3, EntryError::Checksum));
    assert_eq!(lines[1].0, 4);
    assert!(matches!(cache.get(&entry(1, "").key()), Lookup::Hit(found) if found == entry(1, "here")));
}

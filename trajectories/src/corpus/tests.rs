use std::fs;

use super::*;

/// A folder with the given files, each made with the folders around it.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn names(corpus: &Corpus) -> Vec<&str> {
    corpus.trajectories.iter().map(|trajectory| &*trajectory.name).collect()
}

fn open(path: impl AsRef<Path>) -> Result<Corpus, ReadError> {
    Corpus::open(path, ReadOptions::default())
}

const LINE: &str = "INPUT | A1 | 1\n";
const JSON: &str = r#"{"name": "c", "operations": ["INPUT | A1 | 1"]}"#;
const PREDICTABLE: &str =
    r#"{"predictable_count": 1, "final_state_size": 1, "predictable_properties": {"Sheet1": {"A1": ["value"]}}}"#;

#[test]
fn plain_folder_stands_for_its_own_files() {
    let folder = folder(&[
        ("b.txt", LINE),
        ("x.JSON", JSON),
        ("a.txt", LINE),
        (".hidden.txt", "x"),
        ("notes.md", "x"),
        ("sub/d.txt", LINE),
    ]);
    let corpus = open(folder.path()).unwrap();
    assert_eq!(names(&corpus), ["a", "b", "c"]);
    assert_eq!(corpus.name, folder.path().file_name().unwrap().to_str().unwrap());
    assert!(
        corpus
            .trajectories
            .iter()
            .all(|trajectory| trajectory.predictable.is_none())
    );
}

#[test]
fn release_layouts_bring_predictable_properties() {
    for (trajectories, predictable) in [
        ("trajectories/c.json", "predictable/c.json"),
        ("data/trajectories/c.json", "data/raw/c_sheet/predictable_state.json"),
        ("data/trajectories/c.json", "data/raw/c/predictable_state.json"),
        ("data/trajectories/c.json", "data/predictable/c.json"),
        ("c.json", "predictable/c.json"),
    ] {
        let folder = folder(&[
            (trajectories, JSON),
            (predictable, PREDICTABLE),
            ("requirements.txt", "x"),
        ]);
        if trajectories == "c.json" {
            fs::remove_file(folder.path().join("requirements.txt")).unwrap();
        }
        let corpus = open(folder.path()).unwrap();
        assert_eq!(names(&corpus), ["c"], "{trajectories}");
        assert!(corpus.trajectories[0].predictable.is_some(), "{predictable}");
    }
    let folder = folder(&[
        ("data/trajectories/c.json", JSON),
        ("data/raw/c2/predictable_state.json", PREDICTABLE),
    ]);
    assert!(open(folder.path()).unwrap().trajectories[0].predictable.is_none());
}

#[test]
fn files_and_patterns_are_opened() {
    let folder = folder(&[("b1.txt", LINE), ("b2.txt", LINE), ("c.txt", LINE)]);
    let file = open(folder.path().join("c.txt")).unwrap();
    assert_eq!((names(&file), &*file.name), (vec!["c"], "c"));
    let pattern = folder.path().join("b*.txt");
    let corpus = open(&pattern).unwrap();
    assert_eq!(names(&corpus), ["b1", "b2"]);
    assert_eq!(corpus.name, pattern.to_str().unwrap());
}

#[test]
fn nothing_to_read_is_an_error() {
    let folder = folder(&[("notes.md", "x")]);
    assert!(matches!(open(folder.path()), Err(ReadError::Empty { .. })));
    assert!(matches!(
        open(folder.path().join("x*.txt")),
        Err(ReadError::Empty { .. })
    ));
    assert!(matches!(
        open(folder.path().join("x[.txt")),
        Err(ReadError::Pattern { .. })
    ));
    assert!(matches!(
        open(folder.path().join("none")),
        Err(ReadError::NotFound { .. })
    ));
}

#[test]
fn names_are_unique() {
    let folder = folder(&[("a.json", JSON), ("c.txt", LINE)]);
    let error = open(folder.path()).unwrap_err().to_string();
    assert!(
        error.contains("its name `c` is taken by") && error.ends_with("a.json"),
        "{error}"
    );
}

#[test]
fn lenient_reading_counts_over_all_files() {
    let folder = folder(&[
        ("a.txt", "FOO\nINPUT | A1 | 1\n"),
        ("b.txt", "INPUT | A1 | 1\nFOO\nBAR\n"),
    ]);
    assert!(matches!(
        open(folder.path()),
        Err(ReadError::Malformed { n_malformed: 1, .. })
    ));
    let corpus = Corpus::open(folder.path(), ReadOptions { lenient: true }).unwrap();
    assert_eq!((corpus.skipped_lines, corpus.diagnostics.len()), (3, 3));
}

#[cfg(unix)]
#[test]
fn odd_files_end_in_an_error() {
    assert!(matches!(open("/dev/null"), Err(ReadError::NoActions { .. })));
    assert!(matches!(open("/dev/zero"), Err(ReadError::LineTooLong { .. })));
}

#[test]
fn of_several_errors_that_of_the_first_file_is_told() {
    let bad: Vec<String> = (10..60).map(|no| format!("{no}.txt")).collect();
    let mut files: Vec<(&str, &str)> = bad.iter().map(|name| (&**name, "FOO | A1\n")).collect();
    files.push(("10.txt", LINE));
    files.push(("11.txt", LINE));
    files.push(("predictable/11.json", "{}"));
    let folder = folder(&files);
    for n_threads in [1, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        let error = pool.install(|| open(folder.path())).unwrap_err().to_string();
        assert!(error.contains("11.json: missing field"), "{error}");
        let lenient = pool.install(|| Corpus::open(folder.path(), ReadOptions { lenient: true }));
        assert_eq!(lenient.unwrap_err().to_string(), error);
    }
}

//! Tests of reading training data.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::TempDir;

use super::*;

const GOOD: &str = r#"{"schema":"napsim-sequence/1","id":"a-natural","workbook":"a","split":"train","actions":["INPUT | A1 | 1","INPUT | A2 | 2"]}"#;

fn read(folder: &TempDir, names: &[&str]) -> Result<(Vec<Sequence>, DataReport), DataError> {
    let paths: Vec<PathBuf> = names.iter().map(|name| folder.path().join(name)).collect();
    load(&paths, ReadingOptions::default(), &|_| ())
}

fn read_lines(lines: &[&str]) -> Result<(Vec<Sequence>, DataReport), DataError> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("data.jsonl"), lines.join("\n")).unwrap();
    read(&folder, &["data.jsonl"])
}

/// A published line of that name.
fn published(id: &str) -> String {
    format!(r#"{{"id":"{id}","ops":["INPUT | Sheet1!A1 | 1","FONT_BOLD | Sheet1!A1 | true"]}}"#)
}

#[test]
fn both_forms_are_read_in_order() {
    let second = GOOD.replace("\"a\"", "\"b\"").replace("train", "valid");
    let third = GOOD.replace("train", "test");
    let (sequences, report) = read_lines(&[GOOD, "", &second, &third, &published("p")]).unwrap();
    let seen: Vec<_> = sequences
        .iter()
        .map(|sequence| (sequence.group.as_str(), sequence.part, sequence.actions.len()))
        .collect();
    assert_eq!(
        seen,
        [("a", Part::Train, 2), ("b", Part::Valid, 2), ("p", part_of("p", 0), 2)]
    );
    let [source] = report.sources.as_slice() else {
        panic!("{:?}", report.sources)
    };
    assert_eq!(
        (source.name.as_str(), source.n_sequences, source.n_actions),
        ("data.jsonl", 4, 8)
    );
    assert_eq!((report.split.test, report.n_lines, report.n_bad), (1, 4, 0));
}

#[test]
fn compressed_files_have_the_same_hash() {
    let folder = tempfile::tempdir().unwrap();
    let lines: String = (0..300).map(|idx| published(&format!("s{idx}")) + "\n").collect();
    fs::write(folder.path().join("plain.jsonl"), &lines).unwrap();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(lines.as_bytes()).unwrap();
    fs::write(folder.path().join("packed.jsonl.gz"), encoder.finish().unwrap()).unwrap();
    let (_, plain) = read(&folder, &["plain.jsonl"]).unwrap();
    let (_, packed) = read(&folder, &["packed.jsonl.gz"]).unwrap();
    assert_eq!(plain.sources[0].sha256, packed.sources[0].sha256);
    assert_eq!(plain.split, packed.split);
    assert!(plain.split.valid > 0 && plain.split.valid < 60, "{:?}", plain.split);
}

#[test]
fn a_few_bad_lines_are_told_and_many_are_refused() {
    let mut lines = vec![GOOD; 200];
    lines[5] = "no json";
    lines[7] = r#"{"id":"x","ops":["INPUT | Sheet1!A1 | 1","JUMP | Sheet1!A1 | true"]}"#;
    let (sequences, report) = read_lines(&lines).unwrap();
    assert_eq!(
        (sequences.len(), report.n_bad, report.sources[0].n_bad_lines),
        (198, 2, 2)
    );
    let told: Vec<String> = report.bad_lines.iter().map(ToString::to_string).collect();
    assert!(told[0].contains("data.jsonl:6: not the JSON of a sequence"), "{told:?}");
    assert!(
        told[1].contains("data.jsonl:8: action 2: ") && told[1].ends_with("in `JUMP | Sheet1!A1 | true`"),
        "{told:?}"
    );

    lines[9] = r#"{"id":"y"}"#;
    let refused = read_lines(&lines).unwrap_err().to_string();
    assert!(
        refused.starts_with("use the data: 3 of 200 lines are no sequences of actions, more than 1 %\n"),
        "{refused}"
    );
    assert!(
        refused.ends_with("data.jsonl:10: it has neither `actions` nor `ops`"),
        "{refused}"
    );
    let unknown_part = GOOD.replace("train", "dev");
    assert!(
        read_lines(&[&unknown_part])
            .unwrap_err()
            .to_string()
            .contains("its split is `dev`")
    );
    let newer = GOOD.replace("sequence/1", "sequence/2");
    assert!(
        read_lines(&[&newer])
            .unwrap_err()
            .to_string()
            .contains("its schema is `napsim-sequence/2`")
    );
}

#[test]
fn data_without_training_sequences_are_refused() {
    let refused = read_lines(&[&GOOD.replace("train", "test")]).unwrap_err().to_string();
    assert_eq!(
        refused,
        "use the data: no sequence is for training (0 for validation, 1 for testing)"
    );
    let missing = load(
        &[Path::new("/no/such/place").to_owned()],
        ReadingOptions::default(),
        &|_| (),
    )
    .unwrap_err();
    assert!(
        missing
            .to_string()
            .starts_with("find /no/such/place: no such file or folder"),
        "{missing}"
    );
    assert!(!missing.is_environment());
}

#[test]
fn corpora_keep_the_split_of_their_manifest() {
    let folder = tempfile::tempdir().unwrap();
    let trajectories = folder.path().join("corpus/trajectories");
    fs::create_dir_all(&trajectories).unwrap();
    for name in ["one-a", "one-b", "two"] {
        fs::write(
            trajectories.join(format!("{name}.txt")),
            "# x\nINPUT | A1 | 1\nINPUT | A2 | 2\n",
        )
        .unwrap();
    }
    let manifest = r#"{"schema":"napsim-corpus/1","napsim":"0","options":{},"files":[
        {"path":"one.xlsx","id":"one","split":"valid","trajectories":[{"name":"one-b"},{"name":"one-a"}]},
        {"path":"two.xlsx","id":"two","split":"train","trajectories":[{"name":"two"}]}]}"#;
    // Without a manifest it is a corpus like any other.
    let (plain, _) = read(&folder, &["corpus"]).unwrap();
    let names: Vec<_> = plain.iter().map(|sequence| sequence.group.as_str()).collect();
    assert_eq!(names, ["one-a", "one-b", "two"]);
    fs::write(folder.path().join("corpus/manifest.json"), manifest).unwrap();
    let (sequences, report) = read(&folder, &["corpus"]).unwrap();
    let seen: Vec<_> = sequences
        .iter()
        .map(|sequence| (sequence.id.as_str(), sequence.group.as_str(), sequence.part))
        .collect();
    assert_eq!(
        seen,
        [
            ("one-b", "one", Part::Valid),
            ("one-a", "one", Part::Valid),
            ("two", "two", Part::Train)
        ]
    );
    assert_eq!(report.sources[0].name, "corpus");
    fs::remove_file(trajectories.join("two.txt")).unwrap();
    let refused = read(&folder, &["corpus"]).unwrap_err().to_string();
    assert!(refused.starts_with("use the data: 1 of 3 lines"), "{refused}");
    fs::write(
        folder.path().join("corpus/manifest.json"),
        manifest.replace("corpus/1", "corpus/2"),
    )
    .unwrap();
    assert!(
        read(&folder, &["corpus"])
            .unwrap_err()
            .to_string()
            .contains("its schema is `napsim-corpus/2`")
    );
}

#[test]
fn one_group_in_twenty_is_for_validation() {
    let n_valid = |seed| {
        let groups = (0..10_000).map(|idx| part_of(&format!("book-{idx}"), seed));
        groups.filter(|part| *part == Part::Valid).count()
    };
    for seed in 0..3 {
        assert!((400..600).contains(&n_valid(seed)), "{}", n_valid(seed));
    }
    assert_ne!(
        (0..50).map(|idx| part_of(&idx.to_string(), 0)).collect::<Vec<_>>(),
        (0..50).map(|idx| part_of(&idx.to_string(), 1)).collect::<Vec<_>>()
    );
}

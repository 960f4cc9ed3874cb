//! `napsim corpus build` and what goes with it: workbooks into trajectories and back.

use std::fs;

use serde_json::Value;

use crate::command::{Folder, timeless};

/// A folder with six workbooks in `g/workbooks`, made up.
fn workbooks() -> Folder {
    let folder = Folder::new();
    folder
        .napsim("corpus generate --seed 5 --count 6 --xlsx --quiet -o g")
        .output(0);
    folder
}

#[expect(clippy::unwrap_used, reason = "a test whose manifest is no JSON has failed")]
fn manifest(folder: &Folder, name: &str) -> Value {
    serde_json::from_str(&folder.read(&format!("{name}/manifest.json"))).unwrap()
}

#[test]
fn a_workbook_becomes_a_corpus_that_can_be_measured() {
    let folder = workbooks();
    let (name, bytes) = folder.files("g/workbooks").remove(0);
    folder.write("My plan (2).xlsx", bytes);
    let answer = folder.napsim_with(["corpus", "build", "My plan (2).xlsx"]);
    assert_eq!(
        answer.stderr, "napsim: measure it with `napsim run napsim-corpus`\n",
        "{name}"
    );
    let text = answer.output(0);
    assert!(text.starts_with("imported My plan (2).xlsx: 1 trajectory, "), "{text}");
    assert!(folder.path("napsim-corpus/trajectories/My-plan-2-Sheet1.txt").exists());
    let figures = timeless(&folder.napsim("run napsim-corpus --json --quiet").output(0));
    assert_eq!(figures["trajectories"], 1);
    let checked = folder.napsim("corpus validate napsim-corpus").output(0);
    assert!(checked.ends_with("no mistake found\n"), "{checked}");
}

#[test]
fn builds_are_equal_whatever_the_threads_and_the_past() {
    let folder = workbooks();
    let build = |out: &str, more: &str| {
        folder
            .napsim(&format!(
                "corpus build g/workbooks --quiet -o {out} --jsonl {out}.jsonl {more}"
            ))
            .output(0)
    };
    build("one", "--jobs 1 --profile all --split 0.5,0.25,0.25");
    build("two", "--jobs 3 --profile all --split 0.5,0.25,0.25");
    // Another past: other options, fewer files, a trajectory that was lost.
    build("three", "--profile tidy --profile-seed 9");
    folder
        .napsim("corpus build g/workbooks/[a-k]*.xlsx --quiet -o three --profile all")
        .output(0);
    let lost = folder.files("three/trajectories").remove(0).0;
    fs::remove_file(folder.path("three/trajectories").join(lost)).unwrap();
    build("three", "--profile all --split 0.5,0.25,0.25");
    assert_eq!(folder.files("one"), folder.files("two"));
    assert_eq!(folder.files("one"), folder.files("three"));
    assert_eq!(folder.read("one.jsonl"), folder.read("two.jsonl"));
    assert_eq!(folder.read("one.jsonl"), folder.read("three.jsonl"));
    let lines: Vec<Value> = folder
        .read("one.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 6 * 9);
    for line in &lines {
        assert_eq!(line["schema"], "napsim-sequence/1");
        assert_eq!(line["provenance"]["sha256"].as_str().unwrap().len(), 64);
        assert!(!line["actions"].as_array().unwrap().is_empty());
        let same_workbook = lines.iter().filter(|other| other["workbook"] == line["workbook"]);
        for other in same_workbook {
            assert_eq!(other["split"], line["split"]);
        }
    }
    let profiles = &manifest(&folder, "one")["options"]["profiles"];
    assert_eq!(profiles.as_array().unwrap().len(), 9);
}

#[test]
fn what_is_done_is_not_done_again() {
    let folder = workbooks();
    folder.napsim("corpus build g/workbooks --quiet -o out").output(0);
    let names: Vec<String> = folder
        .files("out/trajectories")
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    let times = || {
        let modified = |name: &String| {
            fs::metadata(folder.path("out/trajectories").join(name))
                .unwrap()
                .modified()
        };
        names.iter().map(|name| modified(name).unwrap()).collect::<Vec<_>>()
    };
    let before = times();
    let again = folder.napsim("corpus build g/workbooks -o out").output(0);
    assert_eq!(times(), before);
    assert_eq!(again.lines().filter(|line| line.starts_with("imported ")).count(), 6);
    folder
        .napsim("corpus build g/workbooks --quiet -o out --profile-seed 1")
        .output(0);
    assert_ne!(times(), before);
}

#[test]
fn files_that_are_no_workbooks_are_refused_and_the_others_go_on() {
    let folder = workbooks();
    folder.write("mixed/broken.xlsx", "PK\u{3}\u{4}nothing more");
    folder.write("mixed/letter.xlsx", "Dear reader,\n");
    folder.write("mixed/~$open.xlsx", "lock");
    let (_, bytes) = folder.files("g/workbooks").remove(0);
    folder.write("mixed/deep/er/good.xlsx", &bytes);
    folder.write("mixed/good.xlsx", &bytes);
    let answer = folder.napsim("corpus build mixed -o out");
    let text = answer.output(0);
    assert!(text.contains("refused mixed/broken.xlsx: "), "{text}");
    assert!(
        text.contains("refused mixed/letter.xlsx: expected a workbook"),
        "{text}"
    );
    assert!(text.contains("  imported") && text.contains("50.0 %"), "{text}");
    assert!(!text.contains("~$open"), "{text}");
    let files = manifest(&folder, "out")["files"].clone();
    let ids: Vec<&str> = files
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["broken", "good", "good-2", "letter"]);
    folder.napsim("corpus build mixed -o out --strict --quiet").talk(20);
    let none = folder.napsim("corpus build mixed/letter.xlsx -o none").talk(2);
    assert_eq!(none, "napsim: no sheet could be imported\n");
    let json = folder.napsim("corpus build mixed -o out --json").output(0);
    assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), manifest(&folder, "out"));
}

#[test]
fn workbooks_of_the_benchmark_are_refused() {
    let folder = workbooks();
    folder
        .napsim("corpus generate --seed 5 --count 2 --quiet -o benchmark")
        .output(0);
    let answer = folder.napsim("corpus build g/workbooks -o out --against benchmark");
    let text = answer.output(0);
    assert_eq!(text.matches("of the benchmark\n").count(), 2, "{text}");
    assert_eq!(
        manifest(&folder, "out")["options"]["against"].as_str().unwrap().len(),
        64
    );
    let talk = folder
        .napsim("corpus build g/workbooks -o all --against g/workbooks")
        .talk(2);
    assert_eq!(talk, "napsim: no sheet could be imported\n");
}

#[test]
fn bad_requests_are_named() {
    let folder = workbooks();
    folder.write("full/letter.txt", "Dear");
    for (arguments, expected) in [
        ("build nowhere.xlsx", "failed to find nowhere.xlsx"),
        ("build full", "full holds no workbook (.xlsx"),
        ("build *.ods", "no workbook matches"),
        ("build g/workbooks --profile tdiy", "did you mean `tidy`?"),
        ("build g/workbooks --split 1,2", "write shares"),
        ("build g/workbooks --split-seed 1", "--split"),
        (
            "build g/workbooks -o full",
            "it is not empty and holds no manifest.json",
        ),
        ("build g/workbooks -o g", "it holds one of generated workbooks"),
        ("build g/workbooks --against nowhere", "failed to find nowhere"),
        ("generate -o full", "it is not empty"),
        ("export g -o one.xlsx", "6 trajectories do not go into one file"),
        ("export g nobody -o one.xlsx", "holds no trajectory `nobody`"),
    ] {
        let talk = folder.napsim(&format!("corpus {arguments}")).talk(2);
        assert!(talk.contains(expected), "{arguments}: {talk}");
    }
}

#[test]
fn exported_sheets_come_back_as_they_were() {
    let folder = workbooks();
    let name = manifest(&folder, "g")["files"][0]["id"].as_str().unwrap().to_owned();
    let written = folder.napsim("corpus export g -o x").output(0);
    assert_eq!(written.lines().count(), 6, "{written}");
    folder.napsim("corpus build x -o back --quiet").output(0);
    let last = |corpus: &str, name: &str| {
        let shown = folder
            .napsim(&format!("corpus show {corpus} {name} --rows 500"))
            .output(0);
        shown.split_once("\nSheet1\n").unwrap().1.to_owned()
    };
    assert_eq!(last("back", &format!("{name}-Sheet1")), last("g", &name));
    folder
        .napsim(&format!("corpus export g {name} --step 5 -o half.xlsx"))
        .output(0);
    let half = fs::metadata(folder.path("half.xlsx")).unwrap().len();
    assert!(half < fs::metadata(folder.path(&format!("x/{name}.xlsx"))).unwrap().len());
}

#[test]
fn series_are_the_same_in_pieces() {
    let folder = workbooks();
    folder
        .napsim("corpus generate --seed 5 --first 2 --count 2 --jobs 1 --quiet -o g2")
        .output(0);
    let all = folder.files("g/trajectories");
    let piece = folder.files("g2/trajectories");
    assert_eq!(piece.len(), 2);
    assert!(piece.iter().all(|file| all.contains(file)));
    // A shorter series in the same folder leaves nothing of the longer one.
    folder
        .napsim("corpus generate --seed 5 --count 1 --quiet -o g")
        .output(0);
    assert_eq!(folder.files("g").len(), 3);
}

#[test]
fn parts_hold_whole_workbooks() {
    let folder = workbooks();
    folder
        .napsim("corpus build g/workbooks --quiet -o c --profile tidy --profile typist --split 1,1,1")
        .output(0);
    let listed = folder.napsim("corpus split c --shares 1,1,1").output(0);
    let files = manifest(&folder, "c")["files"].clone();
    for file in files.as_array().unwrap() {
        for built in file["trajectories"].as_array().unwrap() {
            let line = format!(
                "{:<6} {}\n",
                file["split"].as_str().unwrap(),
                built["name"].as_str().unwrap()
            );
            assert!(listed.contains(&line), "{line} in {listed}");
        }
    }
    folder.napsim("corpus split c --shares 1,1,1 -o parts").output(0);
    let n = |part: &str| {
        let path = folder.path(&format!("parts/{part}"));
        if path.exists() {
            fs::read_dir(path).unwrap().count()
        } else {
            0
        }
    };
    assert_eq!(n("train") + n("valid") + n("test"), 12);
    assert_eq!(n("train"), listed.matches("train  ").count());
}

#[test]
fn corpora_are_described_and_compared() {
    let folder = workbooks();
    folder
        .napsim("corpus build g/workbooks --quiet -o c --profile typist")
        .output(0);
    let text = folder.napsim("corpus stats c --against g").output(0);
    for part in ["share of input", "FONT_BOLD", "kind-mix", "mean edit distance", "pairs"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let json = folder.napsim("corpus stats c --against g --json").output(0);
    let value: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["schema"], "napsim-corpus-stats/1");
    assert_eq!(value["pairs"].as_array().unwrap().len(), 6);
    assert_eq!(value["corpus"]["stats"]["n_trajectories"], 6);
    let same = folder.napsim("corpus stats g --against g --json").output(0);
    let same: Value = serde_json::from_str(&same).unwrap();
    let distances = same["distances"].as_array().unwrap();
    assert!(!distances.is_empty());
    assert!(
        distances.iter().all(|distance| distance["value"].as_f64() == Some(0.0)),
        "{same}"
    );
}

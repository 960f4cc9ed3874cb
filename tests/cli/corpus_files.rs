//! Files that `napsim corpus` reads and writes: none lost, none mixed up, none where it would mislead.

use crate::command::{Folder, PLAN};

/// A corpus folder `c` with two sequences of each of six workbooks, made up.
fn built() -> Folder {
    let folder = Folder::new();
    folder
        .napsim("corpus generate --seed 5 --count 6 --profile tidy --profile typist --quiet -o c")
        .output(0);
    folder
}

#[test]
fn a_split_does_not_mix_with_an_earlier_one() {
    let folder = built();
    let split = |more: &str| folder.napsim(&format!("corpus split c --shares 1,1,1 -o parts {more}"));
    split("").output(0);
    let before = folder.files("parts");
    // The same split again replaces its own files.
    split("").output(0);
    folder.write("parts/train/notes.md", "no trajectory");
    split("").output(0);
    std::fs::remove_file(folder.path("parts/train/notes.md")).unwrap();
    let talk = split("--seed 1").talk(2);
    assert!(
        talk.contains(".txt, which does not belong to this part; choose an empty folder"),
        "{talk}"
    );
    assert_eq!(folder.files("parts"), before);
    // A part that would get nothing is looked at too.
    folder.write("other/test/old.txt", PLAN);
    let talk = folder.napsim("corpus split c --shares 1,0,0 -o other").talk(2);
    assert!(talk.contains("test already holds old.txt"), "{talk}");
    assert_eq!(folder.files("other").len(), 1);
}

#[test]
fn a_split_needs_the_manifest_to_be_readable() {
    let folder = built();
    let text = folder.read("c/manifest.json");
    for (manifest, expected) in [
        (text.replace("napsim-corpus/1", "napsim-corpus/2"), "napsim-corpus/2"),
        (text.replacen('{', "[", 1), "manifest.json"),
        (text.replace("\"files\"", "\"filed\""), "manifest.json"),
    ] {
        folder.write("c/manifest.json", manifest);
        let talk = folder.napsim("corpus split c").talk(2);
        assert!(talk.contains(expected), "{talk}");
        // A build, or a generation, would say the same.
        assert_eq!(folder.napsim("corpus generate --count 1 --quiet -o c").talk(2), talk);
    }
    std::fs::remove_file(folder.path("c/manifest.json")).unwrap();
    folder.napsim("corpus split c").output(0);
}

#[test]
fn every_trajectory_is_exported_under_a_name_of_its_own() {
    let folder = Folder::new();
    let long = "x".repeat(70);
    let longest = "y".repeat(240);
    for name in [
        format!("{long}1"),
        format!("{long}2"),
        "a b".to_owned(),
        "a-b".to_owned(),
        format!("{longest}1"),
        format!("{longest}2"),
    ] {
        folder.write(&format!("plans/{name}.txt"), PLAN);
    }
    folder.napsim("corpus export plans -o all").output(0);
    let names: Vec<String> = folder.files("all").into_iter().map(|(name, _)| name).collect();
    assert_eq!(
        names,
        [
            "a-b-2.xlsx".to_owned(),
            "a-b.xlsx".to_owned(),
            format!("{long}1.xlsx"),
            format!("{long}2.xlsx"),
            format!("{longest}1.xlsx"),
            format!("{longest}2.xlsx"),
        ]
    );
    // A name does not depend on which others are exported, and a step is never cut off.
    let written = folder.napsim("corpus export plans a-b -o one --step 4").output(0);
    assert_eq!(written, "one/a-b-2-4.xlsx\n");
    folder.napsim("corpus export plans -o four --step 4").output(0);
    assert_eq!(folder.files("four").len(), 6);
}

#[test]
fn an_export_beyond_the_end_writes_nothing() {
    let folder = Folder::new();
    folder.write("plans/first.txt", PLAN);
    folder.write("plans/second.txt", "INPUT | A1 | 1\n");
    let talk = folder.napsim("corpus export plans --step 4 -o half").talk(2);
    assert!(talk.contains("--step 4 is beyond the 1 action of `second`"), "{talk}");
    assert!(!folder.path("half").exists());
}

#[test]
fn drafts_of_one_name_are_refused() {
    let folder = Folder::new();
    let draft = "# title: Seed bank\n# plot: A keeper types a lot.\nA1 = Seed bank\n";
    folder.write("a/d1.draft", draft);
    folder.write("b/D1.draft", draft);
    let talk = folder.napsim("corpus write a/d1.draft b/D1.draft -o out").talk(2);
    assert!(
        talk.contains("a/d1.draft and b/D1.draft would become one file"),
        "{talk}"
    );
    assert!(!folder.path("out").exists());
    folder.napsim("corpus write a/d1.draft b/D1.draft --check").output(0);
}

#[test]
fn sheets_that_are_asked_for_and_missing_are_named() {
    let folder = Folder::new();
    folder.write("plans/one.txt", PLAN);
    folder.write(
        "plans/two.txt",
        PLAN.replace("| A", "| Data!A").replace("| B", "| Data!B"),
    );
    folder.napsim("corpus export plans -o books").output(0);
    let none = folder.napsim("corpus build books -o none --sheets Nope --sheets Nada");
    assert!(
        none.stdout
            .contains("refused books/one.xlsx: expected a sheet `Nope` or `Nada`, found `Sheet1`\n"),
        "{}",
        none.stdout
    );
    assert_eq!(
        none.talk(2),
        "napsim: warning: no workbook has a sheet `Nope`\n\
         napsim: warning: no workbook has a sheet `Nada`\n\
         napsim: no sheet could be imported\n"
    );
    // The second call takes over what the first has done, and knows as much.
    for _ in 0..2 {
        let some = folder.napsim("corpus build books -o some --sheets Nope --sheets Sheet1 --sheets Data");
        assert_eq!(
            some.stderr,
            "napsim: warning: no workbook has a sheet `Nope`\nnapsim: measure it with `napsim run some`\n"
        );
        let text = some.output(0);
        assert!(!text.contains("refused books/"), "{text}");
    }
}

#[test]
fn refined_trajectories_do_not_go_into_the_corpus() {
    let folder = built();
    let before = folder.files("c");
    for out in ["c", "./c/", "c/trajectories"] {
        let talk = folder.napsim(&format!("corpus refine c -o {out}")).talk(2);
        assert!(
            talk.contains("holds the corpus that is refined; give another folder"),
            "{talk}"
        );
    }
    assert_eq!(folder.files("c"), before);
    folder.napsim("corpus refine c -o c/refined").output(0);
}

//! `napsim corpus`: what a person meets.

use serde_json::Value;

use crate::command::{Folder, PLAN};

const DRAFT: &str = "\
# title: Seed bank
# plot: A keeper types the lots and dresses the head.
A1 = Seed bank
A3 > Lot | Sown
A4 >> LN-1 | 50 / LN-2 | 40
A3:B3 bold, fill #DDEBF7
";

#[test]
fn a_draft_becomes_a_trajectory() {
    let folder = Folder::new();
    folder.write("seed.draft", DRAFT);
    let answer = folder.napsim("corpus write seed.draft");
    assert_eq!(
        answer.stderr,
        "seed: 9 actions, A1:B5, 0 warnings; INPUT 77.8 %, FILL_COLOR 11.1 %, FONT_BOLD 11.1 %\n"
    );
    insta::assert_snapshot!(answer.output(0), @r##"
    # title: Seed bank
    # description: A keeper types the lots and dresses the head.
    INPUT | Sheet1!A1 | "Seed bank"
    INPUT | Sheet1!A3 | "Lot"
    INPUT | Sheet1!B3 | "Sown"
    INPUT | Sheet1!A4 | "LN-1"
    INPUT | Sheet1!B4 | 50
    INPUT | Sheet1!A5 | "LN-2"
    INPUT | Sheet1!B5 | 40
    FONT_BOLD | Sheet1!A3:B3 | true
    FILL_COLOR | Sheet1!A3:B3 | #DDEBF7
    "##);
}

#[test]
fn drafts_of_a_folder_are_written_and_can_be_measured() {
    let folder = Folder::new();
    folder.write("drafts/seed.draft", DRAFT);
    folder.write("drafts/time.draft", format!("{DRAFT}C1 = 07:15\nA3 bold\n"));
    folder.write("drafts/notes.md", "no draft");
    let answer = folder.napsim("corpus write drafts -o out");
    assert!(
        answer
            .stderr
            .contains("drafts/time.draft:7: warning: typing `07:15` leaves `07:15:00`")
            && answer
                .stderr
                .contains("drafts/time.draft:8: warning: changes nothing: `FONT_BOLD | Sheet1!A3 | true`"),
        "{}",
        answer.stderr
    );
    assert!(answer.output(0).contains("all 2: 20 actions; INPUT 75.0 %"));
    folder.napsim("run out --quiet").output(0);
    assert_eq!(folder.files("out").len(), 2);
}

#[test]
fn mistakes_in_drafts_are_all_told_and_nothing_is_written() {
    let folder = Folder::new();
    folder.write("bad.draft", "A1 bald\nA2 = x\nA3\n");
    let answer = folder.napsim("corpus write bad.draft -o out");
    assert!(!folder.path("out").exists());
    assert_eq!(answer.stdout, "");
    let talk = answer.talk(2);
    for part in [
        "failed to expand bad.draft:1: expected a line `# title: …`",
        "bad.draft:1: expected one of the steps",
        "bad.draft:3: expected `=`",
        "napsim: 3 mistakes and 0 warnings in 1 draft",
    ] {
        assert!(talk.contains(part), "{talk}");
    }
    folder.write("good.draft", DRAFT);
    let both = folder.napsim("corpus write good.draft bad.draft").talk(2);
    assert!(both.contains("give `--out DIR`, or `--check`"), "{both}");
    folder.napsim("corpus write missing.draft").talk(2);
    folder.napsim("corpus write good.draft --check").output(0);
}

#[test]
fn a_trajectory_is_shown_with_its_sheet() {
    let folder = Folder::new();
    folder.write("plans/first.txt", PLAN);
    folder.write("plans/other.txt", PLAN.replace("\"Week\"", "\"\u{1b}[31mMonth\""));
    let shown = folder.napsim("corpus show plans first").output(0);
    insta::assert_snapshot!(shown, @r#"
    first

    10 actions, A1:C4
    INPUT 40.0 %, FILL_COLOR 40.0 %, MERGE 10.0 %, FONT_BOLD 10.0 %

        1  INPUT | Sheet1!A1 | "Week"
        2  INPUT | Sheet1!A2 | 1
        3  INPUT | Sheet1!A3 | 2
        4  FONT_BOLD | Sheet1!A1 | true
        5  FILL_COLOR | Sheet1!A1 | FF00FF00
        6  FILL_COLOR | Sheet1!A2 | FF00FF00
        7  FILL_COLOR | Sheet1!A3 | FF00FF00
        8  FILL_COLOR | Sheet1!A4 | FF00FF00
        9  INPUT | Sheet1!A4 | 3
       10  MERGE | Sheet1!B1:C1 | true

    Sheet1
       A
     1 Week
     2    1
     3    2
     4    3
    "#);
    let prefix = folder.napsim("corpus show plans other --step 3 --actions 1").output(0);
    assert!(
        prefix.contains("3 actions of 10") && prefix.contains("    3  INPUT | Sheet1!A3 | 2\n"),
        "{prefix}"
    );
    assert!(
        prefix.contains("\\u{1b}[31mMon") && !prefix.contains('\u{1b}'),
        "{prefix}"
    );
    for (arguments, expected) in [
        (
            "plans frist",
            "plans holds no trajectory `frist` (did you mean `first`?)",
        ),
        ("plans", "plans holds 2 trajectories; say which:\n  first\n  other"),
        ("plans first --step 11", "--step 11 is beyond the 10 actions"),
    ] {
        let talk = folder.napsim(&format!("corpus show {arguments}")).talk(2);
        assert!(talk.contains(expected), "{talk}");
    }
}

#[test]
fn a_corpus_is_validated() {
    let folder = Folder::new();
    folder.write("plans/first.txt", PLAN);
    folder.write("plans/second.txt", PLAN);
    folder.write("plans/third.txt", format!("{PLAN}INPUT | A4 | 3\n"));
    let text = folder.napsim("corpus validate plans").output(0);
    insta::assert_snapshot!(text, @r"
    third: action 11 changes nothing: INPUT | Sheet1!A4 | 3
    the same actions: first, second
    3 trajectories with 31 actions checked, no mistake found
    ");
    let talk = folder.napsim("corpus validate plans --strict").talk(2);
    assert!(talk.contains("2 mistakes found"), "{talk}");
    folder.write(
        "plans/fourth.txt",
        "INPUT | A1 | 1\nWALK | A1\nFONT_BOLD | $A$1 | true\n",
    );
    let answer = folder.napsim("corpus validate plans --json");
    let found: Value = serde_json::from_str(&answer.output(2)).unwrap();
    assert_eq!(found["schema"], "napsim-validation/1");
    assert_eq!(found["n_trajectories"], 4);
    assert_eq!(found["mistakes"].as_array().unwrap().len(), 2, "{found}");
    let none = folder.napsim("corpus validate nowhere");
    assert!(none.output(2).contains("failed to find nowhere"));
}

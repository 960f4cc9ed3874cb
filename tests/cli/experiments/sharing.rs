//! However units are measured, they and the comparison are the same.

use super::{small, units};
use crate::command::{Answer, Folder};

/// Variants over the built-in trajectories, two of which ask the same.
const WIDE: &str = "\
name = \"wide\"
first = 12

[grid]
stride = [1, 4]
mode = [\"single\", \"multi\"]

[[variant]]
name = \"again\"
stride = 4

[[variant]]
name = \"floor\"
predictor = \"repeat-last\"
";

fn wide() -> Folder {
    let folder = Folder::new();
    folder.write("wide.toml", WIDE);
    folder
}

#[test]
fn jobs_order_parts_and_engine_make_no_difference() {
    let folder = wide();
    let report = folder.napsim("sweep wide.toml --store one --jobs 1 --quiet").output(0);
    let expected = units(&folder, "one");
    assert_eq!(
        expected.len(),
        5 * 12,
        "the variant that asks the same is measured once"
    );
    let ways = [
        ("eight", "--jobs 8"),
        ("shuffled", "--order shuffled:7"),
        ("plain", "--engine plain"),
    ];
    for (store, options) in ways {
        let same = folder
            .napsim(&format!("sweep wide.toml --store {store} --quiet {options}"))
            .output(0);
        assert_eq!(same, report, "{options}");
        assert!(units(&folder, store) == expected, "{options}");
    }
    for how in ["slice", "hash"] {
        for part in 1..=2 {
            let line = format!("sweep wide.toml --store {how}{part} --partition {how}:{part}/2 --quiet");
            assert_eq!(folder.napsim(&line).output(0), "", "a part compares nothing");
            assert!(!units(&folder, &format!("{how}{part}")).is_empty());
        }
        folder.napsim(&format!("merge {how}2 {how}1 -o {how}")).output(0);
        assert!(units(&folder, how) == expected, "{how}");
        let same = folder
            .napsim(&format!("sweep wide.toml --store {how} --quiet"))
            .output(0);
        assert_eq!(same, report, "{how}");
    }
}

#[test]
fn no_gate_is_passed_before_everything_is_measured() {
    let folder = small();
    let line = "sweep small.toml --partition slice:1/2 --quiet";
    let gated = folder.napsim(&format!("{line} --gate uas>=-9 --json"));
    assert_eq!(gated.code, Some(20), "{}", gated.stderr);
    assert!(gated.stderr.contains("no gate is judged"), "{}", gated.stderr);
    assert!(gated.stdout.contains("napsim-plan-summary/1"), "{}", gated.stdout);
    folder.napsim(line).output(0);
    folder
        .napsim("sweep small.toml --partition slice:2/2 --quiet --gate uas>=-9")
        .output(0);
    folder
        .napsim("sweep small.toml --partition slice:2/2 --quiet --gate uas>=0.9")
        .output(10);
}

#[test]
fn units_that_a_plan_lists_can_be_measured_alone() {
    let folder = small();
    let plan = folder.napsim("plan small.toml --format jsonl").output(0);
    let lines: Vec<&str> = plan.lines().collect();
    assert_eq!(lines.len(), 4);
    assert!(
        lines.iter().all(|line| line.contains("\"state\":\"missing\"")),
        "{plan}"
    );
    folder.write("two.jsonl", lines[..2].join("\n"));
    folder.napsim("sweep small.toml --units two.jsonl").output(0);
    assert_eq!(units(&folder, "napsim-store").len(), 2);
    folder.napsim("status small.toml").output(20);
    let id = lines[2].split('"').nth(3).unwrap();
    folder.write("third", format!("\n{id}\n"));
    folder.napsim("sweep small.toml --units third").output(0);
    assert_eq!(units(&folder, "napsim-store").len(), 3);
    let talk = folder.napsim("sweep small.toml").talk(0);
    assert!(
        talk.contains("3 done, 1 to be done") && talk.contains("1 unit measured"),
        "{talk}"
    );
    folder.napsim("status small.toml").output(0);
}

#[test]
fn all_done_is_the_same_report_at_once() {
    let folder = small();
    let first = folder.napsim("sweep small.toml --quiet").output(0);
    let before = folder.files("napsim-store");
    let again = folder.napsim("sweep small.toml");
    assert!(
        again.stderr.contains("4 done") && again.stderr.contains("0 units measured"),
        "{}",
        again.stderr
    );
    assert_eq!(again.output(0), first);
    assert!(folder.files("napsim-store") == before);
}

#[test]
fn two_processes_fill_one_store() {
    let folder = wide();
    let expected = folder.napsim("sweep wide.toml --store alone --quiet").output(0);
    let start = |order: &str| {
        let arguments = [
            "sweep",
            "wide.toml",
            "--store",
            "both",
            "--quiet",
            "--jobs",
            "1",
            "--order",
            order,
        ];
        folder
            .command(arguments)
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap()
    };
    let both = [start("longest"), start("shuffled:3")];
    for child in both {
        assert_eq!(Answer::of(&child.wait_with_output().unwrap()).output(0), expected);
    }
    assert!(units(&folder, "both") == units(&folder, "alone"));
    folder.napsim("verify --store both").output(0);
}

#[test]
fn repeats_are_units_of_their_own_seeds() {
    let folder = small();
    folder.napsim("sweep small.toml --set repeats=3").output(0);
    assert_eq!(units(&folder, "napsim-store").len(), 12);
    let plan = folder
        .napsim("plan small.toml --set repeats=2 --set seed=1 --format jsonl")
        .output(0);
    assert_eq!(
        plan.lines().filter(|line| line.contains("\"state\":\"done\"")).count(),
        8,
        "{plan}"
    );
}

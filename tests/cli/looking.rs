//! Looking at what was measured: streaks, breakdowns, traces.

use serde_json::Value;

use crate::command::Folder;
use crate::experiments::small;

/// A folder with two runs over a few of the built-in trajectories.
fn two_runs() -> Folder {
    let folder = Folder::new();
    folder.write(
        "two.toml",
        "name = \"two\"\nfirst = 6\n\n[grid]\npredictor = [\"online-ngram\", \"repeat-last\"]\n",
    );
    folder.napsim("sweep two.toml --quiet").output(0);
    folder
}

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn comparison(folder: &Folder) -> Value {
    serde_json::from_str(&folder.napsim("compare two.toml --json").output(0)).unwrap()
}

#[test]
fn streaks_are_those_of_the_accepted_predictions() {
    let folder = two_runs();
    let runs = objects(&folder.napsim("streaks two.toml --json").output(0));
    assert_eq!(runs.len(), 2);
    for run in &runs {
        assert_eq!(run["schema"], "napsim-streaks/1");
        let lengths = run["streaks"]["histogram"].as_array().unwrap();
        let sum: u64 = lengths
            .iter()
            .map(|bar| bar["length"].as_u64().unwrap() * bar["n"].as_u64().unwrap())
            .sum();
        assert_eq!(Some(sum), run["basis"]["accepted"].as_u64());
    }
    let text = folder.napsim("streaks two.toml").output(0);
    assert!(text.contains("online-ngram") && text.contains("repeat-last"), "{text}");
    for table in ["", " survival", " lengths", " turns"] {
        let csv = folder.napsim(&format!("streaks two.toml --csv{table}")).output(0);
        assert!(csv.starts_with("run,"), "{csv}");
        assert!(csv.lines().count() > 2, "{csv}");
    }
    folder.napsim("streaks two.toml --json --csv").output(2);
}

#[test]
fn rows_of_every_breakdown_are_all_predictions() {
    let folder = two_runs();
    let compared = comparison(&folder);
    assert!(
        compared["schema"]
            .as_str()
            .is_some_and(|schema| schema.starts_with("napsim-comparison"))
    );
    for by in [
        "kind",
        "trigger",
        "length",
        "progress",
        "confidence",
        "distance",
        "predictor",
        "policy",
        "mode",
        "stride",
        "context",
        "max-actions",
        "profile",
        "trajectory",
    ] {
        let runs = objects(&folder.napsim(&format!("breakdown two.toml --by {by} --json")).output(0));
        for run in &runs {
            let rows = run["rows"].as_array().unwrap();
            for figure in ["predictions", "accepted"] {
                let sum: u64 = rows.iter().map(|row| row[figure].as_u64().unwrap()).sum();
                assert_eq!(Some(sum), run["basis"][figure].as_u64(), "{by}: {figure}");
            }
        }
        folder.napsim(&format!("breakdown two.toml --by {by}")).output(0);
        let csv = folder.napsim(&format!("breakdown two.toml --by {by} --csv")).output(0);
        assert!(csv.starts_with("run,"), "{csv}");
    }
    let talk = folder.napsim("breakdown two.toml --by colour").talk(2);
    assert!(talk.contains("trigger"), "{talk}");
}

#[test]
fn a_trajectory_is_shown_step_by_step() {
    let folder = small();
    folder.napsim("run corpus --out kept --quiet").output(0);
    let list = folder.napsim("trace kept").output(0);
    assert!(list.contains("plan") && list.contains("day"), "{list}");
    assert_eq!(objects(&folder.napsim("trace kept --json").output(0)).len(), 2);
    assert_eq!(folder.napsim("trace kept --csv").output(0).lines().count(), 3);
    let shown: Value = serde_json::from_str(&folder.napsim("trace kept plan --json").output(0)).unwrap();
    let summary: Value = serde_json::from_str(&folder.napsim("show kept --json").output(0)).unwrap();
    let of_plan = summary["per_trajectory"]
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["name"] == "plan")
        .unwrap();
    assert_eq!(shown["user_steps"], of_plan["user_steps"]);
    let steps = shown["steps"].as_array().unwrap();
    assert_eq!(
        Some(u64::try_from(steps.len()).unwrap()),
        of_plan["user_steps"].as_u64()
    );
    let one = folder.napsim("trace kept plan --step 2").output(0);
    assert!(
        !one.is_empty()
            && folder
                .napsim("trace kept plan")
                .output(0)
                .contains(one.lines().last().unwrap())
    );
    let marks = folder.napsim("trace kept plan --csv").output(0);
    assert!(marks.lines().count() > 1, "{marks}");
    assert!(folder.napsim("trace kept plan --step 999").talk(2).contains("999"));
    assert!(
        folder
            .napsim("trace kept plam")
            .talk(2)
            .contains("did you mean `plan`?")
    );
    folder.napsim("sweep small.toml --quiet").output(0);
    let talk = folder.napsim("trace small.toml plan").talk(2);
    assert!(talk.contains("--variant NAME, one of stride=1, stride=2"), "{talk}");
    folder
        .napsim("trace small.toml plan --variant stride=2 --step 1")
        .output(0);
    assert!(
        folder
            .napsim("trace small.toml plan --variant stride=3")
            .talk(2)
            .contains("did you mean")
    );
    assert!(
        folder
            .napsim("trace small.toml plan --variant stride=2 --seed 9")
            .talk(2)
            .contains("it was measured with 0")
    );
}

#[test]
fn what_is_not_complete_is_shown_and_said_so() {
    let folder = small();
    folder
        .napsim("sweep small.toml --partition slice:1/2 --quiet")
        .output(0);
    for command in ["streaks", "breakdown"] {
        let answer = folder.napsim(&format!("{command} small.toml"));
        assert_eq!(answer.code, Some(20), "{}", answer.stderr);
        assert!(answer.stdout.contains("missing"), "{}", answer.stdout);
    }
    for command in ["streaks", "breakdown", "trace"] {
        folder.napsim(&format!("{command} nowhere")).output(2);
    }
}

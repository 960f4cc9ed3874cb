//! Looking at what was measured: streaks, breakdowns, traces, pages and pictures.

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

#[expect(clippy::unwrap_used, reason = "a test whose output is no JSON has failed")]
fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[expect(clippy::unwrap_used, reason = "a test whose output is no JSON has failed")]
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
    assert_eq!(
        folder.napsim("trace kept pl --step 2").output(0),
        one,
        "the beginning of a name is enough"
    );
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
fn a_trajectory_is_shown_in_a_page_and_a_picture() {
    let folder = small();
    folder.napsim("run corpus --out kept --quiet").output(0);
    let talk = folder.napsim("replay kept --html plan").talk(0);
    assert!(talk.contains("written plan.html"), "{talk}");
    let page = folder.read("plan.html");
    assert!(page.starts_with("<!DOCTYPE html>") || page.starts_with("<!doctype html>"));
    // The names of the languages of pictures look like addresses, but nobody goes there.
    let page = page.replace("http://www.w3.org/", "");
    assert!(page.contains("Content-Security-Policy") && !page.contains("http://") && !page.contains("https://"));
    folder.napsim("replay kept --svg plan -o built.svg").output(0);
    assert!(folder.read("built.svg").starts_with("<svg"));
    assert!(
        folder
            .napsim("replay kept --html plam")
            .talk(2)
            .contains("did you mean `plan`?")
    );
    folder.napsim("replay kept --html plan --svg plan").output(2);
    folder.napsim("replay kept -o x.html").output(2);
    folder.napsim("replay kept --html plan -o corpus").output(2);
    folder.napsim("sweep small.toml --quiet").output(0);
    folder
        .napsim("replay small.toml --variant stride=2 --html day -o day.html")
        .output(0);
}

#[test]
fn reports_are_the_same_bytes_whatever_made_them() {
    let folder = two_runs();
    let talk = folder.napsim("report two.toml -o one.html").talk(0);
    assert!(talk.contains("written one.html"), "{talk}");
    let page = folder.read("one.html");
    for text in [
        "Content-Security-Policy",
        "online-ngram",
        "repeat-last",
        "napsim-52",
        "nape-1",
    ] {
        assert!(page.contains(text), "{text}");
    }
    for (options, name) in [("", "again.html"), (" --quiet", "quiet.html")] {
        folder.napsim(&format!("report two.toml -o {name}{options}")).output(0);
        assert!(folder.read(name) == page, "{name}");
    }
    let mut one_thread = folder.command("report two.toml -o thread.html".split(' '));
    assert!(one_thread.env("RAYON_NUM_THREADS", "1").status().unwrap().success());
    assert!(folder.read("thread.html") == page);
    // The plan that the store keeps stands for the file.
    let plans = folder.files("napsim-store/experiments");
    folder
        .napsim(&format!("report napsim-store/experiments/{} -o plan.html", plans[0].0))
        .output(0);
    // Only wall times are not the same; they lie beside the records, which both read.
    assert!(folder.read("plan.html") == page);
}

#[test]
fn reports_take_what_is_asked_for_and_refuse_the_rest() {
    let folder = small();
    folder.napsim("run corpus --out kept --quiet").output(0);
    let size = |name: &str| folder.read(name).len();
    folder.napsim("report kept").output(0);
    folder.napsim("report kept -o none.html --replays none").output(0);
    folder.napsim("report kept -o one.html --replays 1").output(0);
    assert!(size("none.html") < size("one.html") && size("one.html") < size("report.html"));
    folder.write("user.toml", "keystroke_s = 0.2\n");
    for model in ["default", "user.toml"] {
        folder
            .napsim(&format!("report kept -o user.html --user-model {model}"))
            .output(0);
        assert!(folder.read("user.html").contains("keystroke"));
    }
    folder.write("wrong.toml", "keystroke_s = -1\n");
    assert!(
        folder
            .napsim("report kept --user-model wrong.toml")
            .talk(2)
            .contains("keystroke_s")
    );
    folder.write("wrong.toml", "keystrokes = 1\n");
    assert!(
        folder
            .napsim("report kept --user-model wrong.toml")
            .talk(2)
            .contains("wrong.toml")
    );
    for options in [
        "--replays some",
        "-o corpus",
        "--baseline nobody",
        "--user-model nowhere.toml",
        "--prices user.toml",
    ] {
        folder.napsim(&format!("report kept {options}")).output(2);
    }
    folder.napsim("report nowhere -o nowhere.html").output(2);
    assert!(!folder.path("nowhere.html").exists());
    folder.napsim("report kept kept").output(2);
}

#[test]
fn the_user_in_the_examples_is_the_default_one() {
    let text = include_str!("../../examples/user-model.toml");
    let model: napsim_analysis::UserModel = toml::from_str(text).unwrap();
    assert_eq!(model, napsim_analysis::UserModel::default());
    let fields = serde_json::to_value(model).unwrap();
    for (name, value) in fields.as_object().unwrap() {
        for name in value
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, _)| name)
            .chain([name])
        {
            assert!(text.contains(name), "{name}");
        }
    }
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
    let answer = folder.napsim("report small.toml");
    assert_eq!(answer.code, Some(20), "{}", answer.stderr);
    assert!(folder.read("report.html").contains("missing"));
    for command in ["streaks", "breakdown", "trace"] {
        folder.napsim(&format!("{command} nowhere")).output(2);
    }
}

//! `napsim run`: figures as tables, as JSON and as a log of calls.

use serde_json::Value;

use crate::command::{Folder, PLAN, timeless, without_times};

#[test]
fn without_arguments_the_built_in_trajectories_are_measured() {
    let text = Folder::new().napsim("run").output(0);
    assert!(
        text.starts_with("protocol nape-1 · corpus napsim-52 · predictor online-ngram · policy greedy\n"),
        "{text}"
    );
    for figure in [
        "trajectories",
        "actions",
        "predictions",
        "accepted",
        "UAS",
        "AR",
        "precision",
        "pCov",
        "undo actions",
    ] {
        assert!(text.lines().any(|line| line.starts_with(figure)), "{figure} in {text}");
    }
}

#[test]
fn a_small_corpus_gives_this_table() {
    let folder = Folder::new();
    folder.write("corpus/plan.txt", PLAN);
    folder.write("corpus/short.txt", "INPUT | A1 | 1\nINPUT | A2 | 1\n");
    let text = folder
        .napsim("run corpus --per-trajectory --policy non-negative --step-limit none")
        .output(0);
    insta::assert_snapshot!(without_times(&text), @r"
    ───────────────────────────────────────────────────────
    trajectory actions user pred. acc.    UAS  prec. undo
    ───────────────────────────────────────────────────────
    plan            10    8     6    4 20.0 % 33.3 %    0
    short            2    2     1    0  0.0 %  0.0 %    0
    ───────────────────────────────────────────────────────

    protocol nape-1 · corpus corpus · predictor online-ngram · policy non-negative
    mode single · stride 1 · context all · step limit none
    ─────────────────────────────────────
                            mean   pooled
    ─────────────────────────────────────
    trajectories               2
    actions                   12
    predictions                7
    accepted                   4
    UAS                   10.0 %   16.7 %
    AR                    33.3 %   57.1 %
    precision (macro)     16.7 %
    pCov                       -
    pCov, all attempts         -
    undo actions               0
    time a prediction     [time]
    ─────────────────────────────────────
    ");
}

#[test]
fn the_json_object_keeps_its_contract() {
    let folder = Folder::new();
    let text = folder.napsim("run --json").output(0);
    let object = timeless(&text);
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(
        keys(&object),
        "schema protocol corpus predictor policy mode stride context trajectories actions predictions accepted \
         uas_mean uas_pooled ar_pooled ar_mean precision_mean pcov_accepted pcov_attempted undo_actions wall_s \
         per_trajectory outcomes settings"
    );
    let rows = object["per_trajectory"].as_array().unwrap();
    assert_eq!(
        keys(&rows[0]),
        "name outcome actions user_steps predictions accepted uas precision tp fp fn mm ops_saved undo_actions \
         final_length truncated limit"
    );
    assert_eq!(object["schema"], "napsim-run/1");
    assert_eq!(
        (&object["mode"], &object["stride"], &object["context"]),
        (&"single".into(), &1.into(), &"all".into())
    );
    assert_eq!(object["trajectories"], rows.len());
    assert_eq!(object["pcov_accepted"], Value::Null);
    let sum = |key: &str| rows.iter().map(|row| row[key].as_u64().unwrap()).sum::<u64>();
    for key in ["actions", "predictions", "accepted", "undo_actions"] {
        assert_eq!(object[key].as_u64(), Some(sum(key)), "{key}");
    }
    let pooled = 1.0 - sum("user_steps") as f64 / sum("actions") as f64;
    assert_eq!(object["uas_pooled"].as_f64(), Some(pooled));
}

#[test]
fn figures_do_not_depend_on_the_number_of_threads() {
    let folder = Folder::new();
    let of = |jobs: &str| timeless(&folder.napsim(&format!("run --json --jobs {jobs}")).output(0));
    assert_eq!(of("1"), of("2"));
}

#[test]
fn coverage_needs_the_predictable_properties() {
    let folder = Folder::new();
    let run = |policy: &str| timeless(&folder.napsim(&format!("run corpus --json --policy {policy}")).output(0));
    folder.write("corpus/plan.txt", PLAN);
    let json = run("greedy");
    assert!(
        json["pcov_accepted"].is_null() && json["pcov_attempted"].is_null(),
        "{json}"
    );
    folder.write("corpus/predictable/plan.json", PREDICTABLE);
    let json = run("greedy");
    assert_eq!(
        (&json["pcov_accepted"], &json["pcov_attempted"]),
        (&0.5.into(), &0.5.into())
    );
    let json = run("never");
    assert_eq!(
        (&json["pcov_accepted"], &json["pcov_attempted"]),
        (&0.0.into(), &0.5.into())
    );
}

const PREDICTABLE: &str = r#"{"trajectory_name": "plan", "final_state_size": 15, "predictable_count": 2,
    "predictable_properties": {"Sheet1": {"A1": ["Format.font.bold"], "A3": ["Format.fill.fgColor"]}}}"#;

#[test]
fn calls_are_logged_in_the_published_fields() {
    let folder = Folder::new();
    folder.write("plan.txt", PLAN);
    folder
        .napsim("run plan.txt --predictor repeat-last --log-calls calls.jsonl")
        .output(0);
    let log = folder.read("calls.jsonl");
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["trajectory"], "plan");
    assert_eq!(lines[0]["step_limit"], 12);
    let kinds: Vec<&str> = lines[1..].iter().map(|line| line["kind"].as_str().unwrap()).collect();
    assert_eq!(
        kinds.iter().filter(|kind| **kind == "prediction").count(),
        kinds.len() - 1
    );
    assert_eq!(kinds.last(), Some(&"summary"));
    assert_eq!(lines[1]["future_sha"].as_str().map(str::len), Some(16));
    assert!(lines[1].get("trajectory").is_none());
    let answer = folder.napsim("run plan.txt --predictor repeat-last --log-calls -");
    assert!(answer.stderr.contains("protocol nape-1"));
    assert_eq!(answer.output(0), log);
    folder.napsim("run plan.txt --json --log-calls -").talk(2);
}

#[test]
fn limits_are_marked() {
    let folder = Folder::new();
    folder.write("plan.txt", PLAN);
    let text = folder
        .napsim("run plan.txt --per-trajectory --predictor none --step-limit 5")
        .output(0);
    assert!(text.contains("* truncated"), "{text}");
    assert!(text.contains("truncated: 1"), "{text}");
    let json = timeless(
        &folder
            .napsim("run plan.txt --json --predictor none --step-limit 5")
            .output(0),
    );
    let row = &json["per_trajectory"][0];
    assert_eq!(
        (&row["outcome"], &row["truncated"], &row["uas"]),
        (&"truncated".into(), &true.into(), &0.5.into())
    );
}

#[test]
fn a_chain_that_leads_nowhere_ends() {
    let folder = Folder::new();
    folder.write("plan.txt", PLAN);
    let arguments = "run plan.txt --json --predictor repeat-last --policy always --chain-max 20";
    let json = timeless(&folder.napsim(arguments).output(0));
    assert_eq!(json["per_trajectory"][0]["outcome"], "truncated");
}

#[test]
fn a_trajectory_that_fails_is_left_out_and_said_aloud() {
    let folder = Folder::new();
    folder.write("corpus/good.txt", PLAN);
    folder.write("corpus/bad.txt", "INPUT | A1 | 1\nINPUT | $A$3 | 1\n");
    let answer = folder.napsim("run corpus");
    assert_eq!(
        answer.stderr.lines().last(),
        Some("napsim: 1 of 2 trajectories failed: bad")
    );
    let text = answer.output(20);
    assert!(
        text.contains("1 of 2\n") && text.contains("failed: 1, of which 1 have no figures"),
        "{text}"
    );
    let json = timeless(&folder.napsim("run corpus --json").output(20));
    assert_eq!(
        (&json["trajectories"], &json["per_trajectory"][0]["uas"]),
        (&1.into(), &Value::Null)
    );
}

#[test]
fn triggers_and_strides_ask_less_often() {
    let folder = Folder::new();
    folder.write("plan.txt", PLAN);
    let predictions = |options: &str| {
        let arguments = format!("run plan.txt --json --predictor repeat-last --policy never {options}");
        timeless(&folder.napsim(&arguments).output(0))["predictions"]
            .as_u64()
            .unwrap()
    };
    assert_eq!(predictions(""), 10);
    assert_eq!(predictions("--stride 4"), 2);
    assert_eq!(predictions("--trigger after:font,merge"), 2);
    assert_eq!(predictions("--trigger run:3"), 2);
    assert_eq!(predictions("--trigger kind-change --mode multi"), 4);
    assert_eq!(predictions("--trigger after:font --trigger area-change"), 2);
}

#[test]
fn times_say_where_the_time_went() {
    let folder = Folder::new();
    folder.write("corpus/plan.txt", PLAN);
    let answer = folder.napsim("run corpus --timings --jobs 1");
    assert!(!answer.stdout.contains("carry out"), "{}", answer.stdout);
    let talk = answer.talk(0);
    for part in [
        "load",
        "predict",
        "score",
        "rewrite",
        "carry out",
        "record",
        "idle threads",
        "other",
    ] {
        assert!(talk.lines().any(|line| line.starts_with(part)), "{part} in {talk}");
    }
    assert!(talk.ends_with(" on 1 thread\n"), "{talk}");
    let json = folder.napsim("run corpus --timings --json --out kept").output(0);
    let json: Value = serde_json::from_str(&json).unwrap();
    let timings = json["timings"].as_object().unwrap();
    let keys: Vec<_> = timings.keys().map(String::as_str).collect();
    assert_eq!(
        keys.join(" "),
        "wall_s threads load_s predict_s score_s rewrite_s carry_out_s record_s idle_s other_s"
    );
    assert!(timings["rewrite_s"].as_f64().unwrap() > 0.0);
    assert!(!folder.read("kept/summary.json").contains("timings"));
    let kept: Value = serde_json::from_str(&folder.read("kept/timings.json")).unwrap();
    let unit = &kept["per_trajectory"][0];
    assert!(unit["total_s"].as_f64().unwrap() >= unit["record_s"].as_f64().unwrap());
}

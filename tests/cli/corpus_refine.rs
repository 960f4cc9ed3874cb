//! `napsim corpus refine` and `lint`, and refinement within a build.

use serde_json::{Value, json};

use crate::command::{Folder, PLAN};

/// The calls of a log file.
#[expect(clippy::unwrap_used, reason = "a test whose log is no JSON has failed")]
fn calls(folder: &Folder, name: &str) -> Vec<Value> {
    let text = folder.read(name);
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn write_calls(folder: &Folder, name: &str, calls: &[Value]) {
    let lines: String = calls.iter().map(|call| format!("{call}\n")).collect();
    folder.write(name, lines);
}

/// What somebody may have made of the plan: the same sheet by fewer actions.
const BETTER: [&str; 6] = [
    "INPUT | A1 | \"Week\"",
    "INPUT | A2:A4 | [[1], [2], [3]]",
    "FONT_BOLD | A1 | true",
    "FILL_COLOR | A1:A4 | FF00FF00",
    "MERGE | B1:C1 | true",
    "FONT_ITALIC | D9 | true",
];

#[test]
fn rules_refine_a_trajectory() {
    let folder = Folder::new();
    folder.write("plan.txt", PLAN);
    let answer = folder.napsim("corpus refine plan.txt");
    assert_eq!(
        answer.stderr,
        "plan: rejected before, accepted after 1 iteration; 10 actions before, 7 after\n"
    );
    insta::assert_snapshot!(answer.output(0), @r#"
    INPUT | Sheet1!A1 | "Week"
    INPUT | Sheet1!A2 | 1
    INPUT | Sheet1!A3 | 2
    FONT_BOLD | Sheet1!A1 | true
    FILL_COLOR | Sheet1!A1:A4 | FF00FF00
    INPUT | Sheet1!A4 | 3
    MERGE | Sheet1!B1:C1 | true
    "#);
    folder.write("plans/first.txt", PLAN);
    folder.write("plans/other.txt", "INPUT | A1 | 1\n");
    let text = folder.napsim("corpus refine plans -o out").output(0);
    assert!(text.ends_with("other: accepted as it is; 1 action\n"), "{text}");
    assert_eq!(folder.files("out").len(), 2);
    let json: Value = serde_json::from_str(&folder.napsim("corpus refine plans --json").output(0)).unwrap();
    assert_eq!(json["schema"], "napsim-refinement/1");
    let first = &json["trajectories"][0];
    assert_eq!(first["before"]["verdict"], "rejected");
    assert_eq!(first["before"]["reasons"].as_array().unwrap().len(), 3, "{first}");
    assert_eq!(
        first["after"],
        json!({"verdict": "accepted", "n_actions": 7, "penalty": 0, "reasons": []})
    );
    assert_eq!(first["actions"][4], "FILL_COLOR | Sheet1!A1:A4 | FF00FF00");
}

#[test]
fn replies_are_put_into_a_log_until_the_judge_accepts() {
    let folder = Folder::new();
    folder.write("plan.txt", PLAN);
    folder.write("none.jsonl", "");
    // Nobody has answered yet: the log holds the question.
    let talk = folder
        .napsim("corpus refine plan.txt --editor none.jsonl --log calls.jsonl")
        .talk(20);
    assert!(
        talk.contains("ended early: failed to get a reply: the script has none left after 0"),
        "{talk}"
    );
    let mut asked = calls(&folder, "calls.jsonl");
    assert_eq!(asked.len(), 2);
    let prompt = &asked[1]["prompt"];
    assert!(
        prompt["system"].as_str().unwrap().contains("\"operations\""),
        "{prompt}"
    );
    assert!(
        prompt["user"]
            .as_str()
            .unwrap()
            .contains("8: FILL_COLOR | Sheet1!A4 | FF00FF00"),
        "{prompt}"
    );
    // The first answer leads to another sheet, which is told in the next question.
    asked[1]["reply"] = json!({ "operations": BETTER }).to_string().into();
    asked[1]["usage"] = json!({"input_tokens": 900, "output_tokens": 80});
    write_calls(&folder, "calls.jsonl", &asked);
    folder
        .napsim("corpus refine plan.txt --editor calls.jsonl --log calls.jsonl")
        .talk(20);
    let mut asked = calls(&folder, "calls.jsonl");
    assert_eq!(asked[1]["outcome"], "mismatch");
    let note = asked[2]["prompt"]["user"].as_str().unwrap();
    assert!(
        note.contains("Sheet1!D9: Format.font.italic: wanted nothing, found true"),
        "{note}"
    );
    asked[2]["reply"] = json!({ "operations": BETTER[..5] }).to_string().into();
    write_calls(&folder, "calls.jsonl", &asked);
    let refine = "corpus refine plan.txt --editor calls.jsonl --judge rules --json";
    let json: Value = serde_json::from_str(&folder.napsim(refine).output(0)).unwrap();
    let plan = &json["trajectories"][0];
    assert_eq!(plan["after"]["verdict"], "accepted");
    assert_eq!(plan["after"]["n_actions"], 5);
    assert_eq!(plan["n_calls"], 4);
    assert_eq!(plan["usage"], json!({"input_tokens": 900, "output_tokens": 80}));
}

#[test]
fn recorded_refinements_are_replayed() {
    let folder = Folder::new();
    folder.write("plans/first.txt", PLAN);
    folder.write("plans/other.txt", PLAN.replace("Week", "Month"));
    let recorded = folder.napsim("corpus refine plans --json --log calls.jsonl").output(0);
    let replayed = folder
        .napsim("corpus refine plans --json --editor calls.jsonl --judge calls.jsonl --log again.jsonl")
        .output(0);
    assert_eq!(folder.read("calls.jsonl"), folder.read("again.jsonl"));
    assert_eq!(replayed.replace("\"log\"", "\"rules\""), recorded);
    // A correction that a judge lets pass is told with the result.
    let slip = json!({
        "operations": ["INPUT | A1 | 2"],
        "corrections": [{"cell": "A1", "from": 1, "to": 2, "reason": "a slip"}],
    });
    folder.write("one.txt", "INPUT | A1 | 1\n");
    let reply = |role: &str, reply: String| json!({"role": role, "reply": reply});
    let replies = [
        reply("judge", json!({"verdict": "reject", "reasons": ["wrong"]}).to_string()),
        reply("editor", slip.to_string()),
        reply("judge", json!({"verdict": "accept"}).to_string()),
    ];
    write_calls(&folder, "hand.jsonl", &replies);
    let refined = folder.napsim("corpus refine one.txt --editor hand.jsonl --judge hand.jsonl");
    assert!(
        refined
            .stderr
            .contains("  declared: A1 value corrected from 1 to 2: a slip\n"),
        "{}",
        refined.stderr
    );
    assert_eq!(refined.output(0), "INPUT | Sheet1!A1 | 2\n");
}

#[test]
fn bad_requests_are_named() {
    let folder = Folder::new();
    folder.write("plans/first.txt", PLAN);
    folder.write("plans/other.txt", PLAN);
    folder.write("fails.txt", "FONT_BOLD | $A$1 | true\n");
    folder.write("bad.jsonl", "\n{\"role\": \"cook\"}\n");
    folder.write("hand.jsonl", "{\"role\": \"editor\", \"reply\": \"{}\"}\n");
    for (arguments, expected) in [
        ("refine plans", "2 trajectories need a folder to go to"),
        ("refine plans frist", "did you mean `first`?"),
        (
            "refine plans first --editor rule",
            "failed to read the call log rule; give `rules` or such a file",
        ),
        (
            "refine plans first --judge bad.jsonl",
            "bad.jsonl: failed to read line 2 of the call log",
        ),
        (
            "refine plans --json --editor hand.jsonl",
            "expected the key `trajectory` in every line",
        ),
        ("refine plans first --iterations 0", "--iterations"),
        ("refine plans first --log nowhere/calls.jsonl", "nowhere/calls.jsonl"),
        ("build plan.xlsx --refine model", "[possible values: rules]"),
        ("lint nowhere", "failed to find nowhere"),
    ] {
        let answer = folder.napsim(&format!("corpus {arguments}"));
        assert!(answer.stderr.contains(expected), "{arguments}: {}", answer.stderr);
        answer.talk(if expected.starts_with("nowhere/") { 30 } else { 2 });
    }
    let talk = folder.napsim("corpus refine fails.txt").talk(2);
    assert!(talk.contains("fails"), "{talk}");
}

#[test]
fn trajectories_are_linted() {
    let folder = Folder::new();
    folder.write("plan.txt", PLAN);
    insta::assert_snapshot!(folder.napsim("corpus lint plan.txt").output(0), @r"
    plan: action 6: warning: it belongs together with action 5 (scattered)
    plan: action 7: warning: it belongs together with action 6 (scattered)
    plan: action 8: warning: it belongs together with action 7 (scattered)
    ─────────────────────────────
                 severity n share
    ─────────────────────────────
    trajectories          1
      accepted            0 0.0 %
    scattered     warning 3
    ─────────────────────────────
    ");
    let summary = folder.napsim("corpus lint plan.txt --summary").output(0);
    assert!(!summary.contains("plan: "), "{summary}");
    let json: Value = serde_json::from_str(&folder.napsim("corpus lint plan.txt plan --json").output(0)).unwrap();
    let plan = &json["trajectories"][0];
    assert_eq!((&plan["accepted"], &plan["n_actions"]), (&json!(false), &json!(10)));
    assert_eq!(
        plan["findings"][0],
        json!({
            "rule": "scattered",
            "severity": "warning",
            "action_no": 6,
            "reason": "it belongs together with action 5",
            "edit": "replace actions 5 and 6 by `FILL_COLOR | Sheet1!A1:A2 | FF00FF00`",
        })
    );
}

#[test]
fn sequences_of_a_build_are_refined_by_rules() {
    let folder = Folder::new();
    folder
        .napsim("corpus generate --seed 5 --count 4 --xlsx --quiet -o g")
        .output(0);
    let build = |more: &str| folder.napsim(&format!("corpus build g/workbooks --profile typist {more}"));
    build("-o plain --quiet").output(0);
    let text = build("-o c --refine rules").output(0);
    assert_eq!(text.matches(" saved\n").count(), 4, "{text}");
    assert!(text.contains("  accepted by the judge"), "{text}");
    let manifest: Value = serde_json::from_str(&folder.read("c/manifest.json")).unwrap();
    assert_eq!(manifest["options"]["refine"], "rules");
    let mut n_saved = 0;
    for file in manifest["files"].as_array().unwrap() {
        let built = &file["trajectories"][0];
        let (before, after) = (&built["refined"]["n_actions_before"], &built["n_actions"]);
        n_saved += before.as_u64().unwrap() - after.as_u64().unwrap();
        assert!(built["refined"]["accepted"].is_boolean(), "{built}");
    }
    assert!(n_saved > 0);
    // The sheets are the same, and what is refined is not taken for what is not.
    folder.napsim("corpus export plain -o x").output(0);
    folder.napsim("corpus export c -o y").output(0);
    assert_eq!(folder.files("x"), folder.files("y"));
    assert_ne!(folder.files("plain"), folder.files("c"));
    let kept = folder.files("c");
    build("-o c --refine rules --quiet").output(0);
    assert_eq!(folder.files("c"), kept);
    build("-o c --quiet").output(0);
    assert_eq!(folder.files("c"), folder.files("plain"));
}

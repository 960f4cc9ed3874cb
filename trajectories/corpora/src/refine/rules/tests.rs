//! What each rule finds and what it leaves alone.

use serde_json::json;

use super::*;

fn actions(lines: &[&str]) -> Vec<Action> {
    lines.iter().filter_map(|line| Action::parse(line).ok()).collect()
}

#[track_caller]
fn check_rule(rule: &str, lines: &[&str], expected: &[usize]) {
    let findings = RuleJudge::findings(&actions(lines));
    let found: Vec<usize> = findings
        .iter()
        .filter(|finding| finding.rule == rule)
        .map(|finding| finding.action_idx.unwrap_or(999))
        .collect();
    assert_eq!(found, expected, "{rule}: {findings:?}");
}

#[test]
fn rules_about_typing_find_what_they_name() {
    check_rule("formula-first", &["INPUT | B1 | \"=A1+A2\"", "INPUT | A1 | 1"], &[0]);
    check_rule(
        "formula-first",
        &["INPUT | A1 | 1", "INPUT | B1 | \"=A1+A2\"", "INPUT | A2 | 1"],
        &[],
    );
    check_rule("formula-first", &["INPUT | B1 | \"=A1\""], &[]);
    let fills = [
        "INPUT | C1 | \"=A1\"",
        "INPUT | C2 | \"=A2\"",
        "INPUT | C3 | \"=A3\"",
        "INPUT | C4 | \"=A4\"",
    ];
    check_rule("fill-missed", &fills, &[0]);
    check_rule("fill-missed", &fills[..3], &[]);
    let block = |formula: &str| {
        let rows: Vec<Vec<serde_json::Value>> = (0..65).map(|row| vec![json!(row), json!(formula)]).collect();
        format!("INPUT | A1:B65 | {}", json!(rows))
    };
    check_rule("mixed-array", &[&block("=A1")], &[0]);
    check_rule("mixed-array", &[&block("text")], &[]);
}

#[test]
fn rules_about_formats_find_what_they_name() {
    check_rule("idle", &["FONT_BOLD | A1 | true", "FONT_BOLD | A1 | true"], &[1]);
    check_rule(
        "scattered",
        &["FONT_BOLD | A1 | true", "INPUT | A1 | 1", "FONT_BOLD | A2 | true"],
        &[2],
    );
    check_rule(
        "scattered",
        &["FONT_BOLD | A1 | true", "MERGE | A1:A2 | true", "FONT_BOLD | A3 | true"],
        &[],
    );
    let sides = ["TOP", "BOTTOM", "LEFT", "RIGHT"].map(|side| format!("BORDER_{side} | A1:B2 | Thin, Continuous"));
    let sides: Vec<&str> = sides.iter().map(String::as_str).collect();
    check_rule("four-sides", &sides, &[0]);
    check_rule("three-sides", &sides, &[]);
    check_rule("three-sides", &sides[1..], &[0]);
    check_rule(
        "huge-format-early",
        &["FONT_BOLD | A1:B32 | true", "INPUT | A1 | 1"],
        &[0],
    );
    check_rule(
        "huge-format-early",
        &["INPUT | A1 | 1", "FONT_BOLD | A1:B32 | true"],
        &[],
    );
    check_rule(
        "outside-content",
        &["INPUT | A1 | 1", "FONT_BOLD | C1 | true", "FONT_BOLD | B2 | true"],
        &[1],
    );
    check_rule("default-noise", &["FILL_COLOR | A1 | #ffffff"], &[0]);
    check_rule("default-noise", &["FONT_SIZE | A1 | 14", "FONT_SIZE | A1 | 11"], &[]);
    check_rule(
        "wrap-before-merge",
        &["WRAP_TEXT | A1 | true", "MERGE | A1:B1 | true"],
        &[0],
    );
    check_rule(
        "wrap-before-merge",
        &["MERGE | A1:B1 | true", "WRAP_TEXT | A1 | true"],
        &[],
    );
    check_rule("dark-on-dark", &["INPUT | A1 | 1", "FILL_COLOR | A1 | #1F3864"], &[999]);
    check_rule("dark-on-dark", &["INPUT | A1 | 1", "FILL_COLOR | A1 | #DDEBF7"], &[]);
    let light = [
        "INPUT | A1 | 1",
        "FILL_COLOR | A1 | #1F3864",
        "FONT_COLOR | A1 | #FFFFFF",
    ];
    check_rule("dark-on-dark", &light, &[]);
    let kinds = [
        "FONT_BOLD | {} | true",
        "FONT_SIZE | {} | 14",
        "WRAP_TEXT | {} | true",
        "FONT_ITALIC | {} | true",
    ];
    let block = |cell: &str| kinds.map(|kind| kind.replace("{}", cell));
    let repeated: Vec<String> = block("A1").into_iter().chain(block("C5")).collect();
    let repeated: Vec<&str> = repeated.iter().map(String::as_str).collect();
    check_rule("paste-missed", &repeated, &[4]);
    check_rule("paste-missed", &repeated[..7], &[]);
    let mut far = vec!["INPUT | A1 | \"title\"".to_owned()];
    far.extend((2..70).map(|row| format!("INPUT | A{row} | {row}")));
    far.push("MERGE | A1:B1 | true".to_owned());
    let far: Vec<&str> = far.iter().map(String::as_str).collect();
    check_rule("merge-far", &far, &[69]);
    check_rule("merge-far", &far[20..], &[]);
}

#[track_caller]
fn check_editor(lines: &[&str], expected: &[&str]) {
    let current = actions(lines);
    let edit = |current: &[Action]| {
        let request = EditRequest {
            baseline: current,
            current,
            feedback: &[],
            iteration: 1,
            call: 1,
        };
        RuleEditor.edit(&request).unwrap().operations
    };
    let got = edit(&current);
    let expected: Vec<String> = actions(expected).iter().map(ToString::to_string).collect();
    assert_eq!(got, expected);
    let again: Vec<&str> = got.iter().map(String::as_str).collect();
    assert_eq!(edit(&actions(&again)), expected, "a second call changes something");
}

#[test]
fn the_editor_moves_large_formats_behind_their_content() {
    check_editor(
        &[
            "FONT_BOLD | A1:B40 | true",
            "INPUT | A1 | 1",
            "INPUT | B40 | 2",
            "INPUT | C1 | 3",
        ],
        &[
            "INPUT | A1 | 1",
            "INPUT | B40 | 2",
            "FONT_BOLD | A1:B40 | true",
            "INPUT | C1 | 3",
        ],
    );
    // A fill would no longer copy the format, and the other bold would come out on top.
    let filled = ["FONT_BOLD | A1:B40 | true", "INPUT | A1 | 1", "AUTOFILL | A1:A60 | A1"];
    check_editor(&filled, &filled);
    let taken_back = ["FONT_BOLD | A1:B40 | true", "FONT_BOLD | A1 | false", "INPUT | A1 | 1"];
    check_editor(&taken_back, &taken_back);
}

#[test]
fn the_editor_joins_drops_and_boxes() {
    check_editor(
        &[
            "FONT_BOLD | A1 | true",
            "INPUT | A1 | 1",
            "FONT_SIZE | A1 | 14",
            "FONT_BOLD | B1 | true",
            "FONT_BOLD | A1 | true",
            "FONT_BOLD | C1 | true",
        ],
        &["FONT_BOLD | A1:C1 | true", "INPUT | A1 | 1", "FONT_SIZE | A1 | 14"],
    );
    check_editor(
        &[
            "BORDER_TOP | A1:B2 | Thin, Continuous, #000000",
            "BORDER_LEFT | A1:B2 | Thin, Continuous, #000000",
            "BORDER_RIGHT | A1:B2 | Thin, Continuous, #000000",
            "BORDER_BOTTOM | A1:B2 | Thin, Continuous, #000000",
        ],
        &["BORDER_OUTSIDE | A1:B2 | Thin, Continuous, #000000"],
    );
    // Merging drops the format of B1, so the two cannot be joined before it.
    let merged = ["FONT_BOLD | A1 | true", "MERGE | A1:B1 | true", "FONT_BOLD | B1 | true"];
    check_editor(&merged, &merged);
}

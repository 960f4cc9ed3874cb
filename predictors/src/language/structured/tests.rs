//! Tests of answers in JSON.

use napsim_sim::predictor::{Budget, Proposals};
use proptest::prelude::*;

use super::*;
use crate::language::{Answer, ResponseRules};

/// An answer of these actions.
fn answer(actions: &[(&str, &str, &str)]) -> String {
    let actions: Vec<Value> = actions
        .iter()
        .map(|(name, range, value)| json!({"type": name, "range": range, "value": value}))
        .collect();
    json!({"actions": actions}).to_string()
}

fn check(actions: &[(&str, &str, &str)], expect: &str) {
    assert_eq!(lines(&answer(actions)).as_deref(), Ok(expect));
}

fn check_error(text: &str, expect: &str) {
    assert_eq!(lines(text).unwrap_err().to_string(), expect);
}

#[test]
fn actions_become_lines() {
    check(&[], "");
    check(
        &[
            ("INPUT", "A1", "\"Region\""),
            ("INPUT", "A2:B2", "[[1, 2]]"),
            ("PASTE_FROM", "F2", "B2:B9 | values"),
            ("AUTOFILL", "D2:D9", "D2"),
            ("MERGE", "A1:C1", "true"),
            ("MERGE", "A2:C2", ""),
        ],
        "INPUT | A1 | \"Region\"\nINPUT | A2:B2 | [[1, 2]]\nPASTE_FROM | F2 | B2:B9 | values\nAUTOFILL | D2:D9 | D2\n\
         MERGE | A1:C1 | true\nMERGE | A2:C2",
    );
}

#[test]
fn an_unmerge_never_merges() {
    for value in ["", "true", "false"] {
        check(&[("UNMERGE", "A1:C1", value)], "UNMERGE | A1:C1");
    }
}

#[test]
fn a_field_stays_on_its_line() {
    check(&[("INPUT", "A1", "Two\nlines")], "INPUT | A1 | \"Two\\nlines\"");
    check(&[("INPUT", "A1", "\"Two\nlines\"")], "INPUT | A1 | \"Two\\nlines\"");
    check(
        &[("INPUT", "A1:A2", "[\n  [1],\r\n  [2]\n]")],
        "INPUT | A1:A2 | [   [1],    [2] ]",
    );
    check(&[(" FONT_NAME", "A1\n", "Comic\nSans")], "FONT_NAME | A1 | Comic Sans");
}

#[test]
fn the_intent_comes_first() {
    let text = r#"{"intent": "filling\nB ", "actions": []}"#;
    assert_eq!(lines(text).as_deref(), Ok("Intent: filling B"));
}

#[test]
fn a_fence_around_the_answer_is_taken_off() {
    let answer = answer(&[("INPUT", "A1", "1")]);
    for fenced in [
        format!("```json\n{answer}\n```"),
        format!("\n```\n{answer}\n```\n"),
        format!(" {answer}\n"),
    ] {
        assert_eq!(lines(&fenced).as_deref(), Ok("INPUT | A1 | 1"), "{fenced}");
    }
    check_error(
        &format!("Here it is: {answer}"),
        "read the answer as JSON, line 1, column 1: expected value",
    );
}

#[test]
fn errors_name_the_place() {
    check_error(
        "",
        "read the answer as JSON, line 1, column 0: EOF while parsing a value",
    );
    check_error(
        "```json\n{\"actions\": [\n```",
        "read the answer as JSON, line 3, column 0: EOF while parsing a list",
    );
    check_error(
        "{\"actions\": [],}",
        "read the answer as JSON, line 1, column 16: trailing comma",
    );
    check_error("[]", "read the answer: expected an object at the top, found a list");
    check_error("{}", "read the answer: expected a list at actions, found nothing");
    check_error(
        r#"{"actions": [{"type": "INPUT", "range": "A1", "value": 5}]}"#,
        "read the answer: expected a text at actions[0].value, found a number",
    );
    check_error(
        r#"{"actions": [{"type": "INPUT", "range": "A1", "value": ""}, {"type": "INPUT", "value": ""}]}"#,
        "read the answer: expected a text at actions[1].range, found nothing",
    );
    check_error(
        r#"{"actions": [], "note": ""}"#,
        "read the answer: expected no other key than those of the schema at the top, found `note`",
    );
    check_error(
        r#"{"intent": null, "actions": []}"#,
        "read the answer: expected a text at intent, found null",
    );
}

#[test]
fn whole_actions_survive_a_cut() {
    let answer = answer(&[
        ("INPUT", "A1", "\"}\""),
        ("INPUT", "A2", "\"{x}\""),
        ("INPUT", "A3", "3"),
    ]);
    let whole = lines(&answer).unwrap();
    assert_eq!(whole_actions("{\"actions\": ["), None);
    let mut n_lines = 0;
    for end in 1..answer.len() - 1 {
        let cut = answer.get(..end).unwrap();
        let error = lines(cut).unwrap_err();
        assert!(matches!(error, StructuredError::Json { cut_off: true, .. }), "{cut}");
        let found = whole_actions(cut).unwrap_or_default();
        assert!(
            whole.starts_with(&found) && found.lines().count() >= n_lines,
            "{cut}: {found}"
        );
        n_lines = found.lines().count();
    }
    assert_eq!(n_lines, 3);
    assert_eq!(
        whole_actions(&format!("```json\n{}", answer.get(..60).unwrap())).as_deref(),
        Some("INPUT | A1 | \"}\"")
    );
}

#[test]
fn a_schema_is_strict() {
    let schema = schema(Some(3), true);
    let properties = schema.get("properties").and_then(Value::as_object).unwrap();
    assert_eq!(properties.keys().collect::<Vec<_>>(), ["intent", "actions"]);
    assert_eq!(schema["required"], json!(["intent", "actions"]));
    assert_eq!(schema["properties"]["actions"]["maxItems"], json!(3));
    let items = &schema["properties"]["actions"]["items"];
    assert_eq!(items["required"], json!(["type", "range", "value"]));
    assert_eq!(
        items["properties"]["type"]["enum"].as_array().unwrap().len(),
        OFFERED.len()
    );
    assert_eq!(
        [&schema["additionalProperties"], &items["additionalProperties"]],
        [&json!(false); 2]
    );
    let plain = super::schema(None, false);
    assert_eq!(plain["required"], json!(["actions"]));
    assert_eq!(plain["properties"]["actions"].get("maxItems"), None);
}

#[test]
fn the_lines_are_read_like_any_answer() {
    let answer = r#"{"intent": "a | b", "actions": [{"type": "INPUT", "range": "A1", "value": "Region"},
        {"type": "NONE", "range": "A1", "value": ""}, {"type": "UNMERGE", "range": "A1:B1", "value": "true"}]}"#;
    let text = lines(answer).unwrap();
    let rules = ResponseRules {
        expects_intent: true,
        ..ResponseRules::corrected()
    };
    let mut proposals = Proposals::default();
    let answer = Answer {
        text: &text,
        tokens: &[],
    };
    let reading = rules.read(answer, Some("S"), Budget { actions_max: None }, &mut proposals);
    assert_eq!(reading.intent.as_deref(), Some("a | b"));
    let actions: Vec<String> = proposals
        .actions()
        .iter()
        .map(|proposal| proposal.action.to_string())
        .collect();
    assert_eq!(actions, ["INPUT | S!A1 | \"Region\"", "MERGE | S!A1:B1 | false"]);
    assert_eq!(proposals.rejected().len(), 1);
}

proptest! {
    #[test]
    fn every_action_is_one_line(name in "[A-Z_\n]{0,9}", range in ".{0,9}", value in "[\\PC\n\r]{0,40}") {
        let n_actions = 2;
        let text = lines(&answer(&[(&name, &range, &value), ("INPUT", "A1", &value)])).unwrap();
        prop_assert_eq!(text.split('\n').count(), n_actions);
        prop_assert!(!text.contains('\r'));
    }

    #[test]
    fn no_answer_makes_the_reader_panic(text in "[\\PC\n`{}\\[\\]\":,]{0,60}") {
        let _ = (lines(&text), whole_actions(&text));
    }
}

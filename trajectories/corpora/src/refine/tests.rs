//! The loop with scripted and rule-made parts.

use napsim_sim::state::Workbook;
use serde_json::json;

use super::*;
use crate::shared_data::published;

const BASELINE: [&str; 6] = [
    "INPUT | A1 | \"Nmae\"",
    "INPUT | B1 | 0",
    "FONT_BOLD | A1 | true",
    "FONT_BOLD | B1 | true",
    "FILL_COLOR | A9:B9 | #FFFFFF",
    "FONT_BOLD | A1 | true",
];

const REJECT: &str = r#"{"verdict": "reject", "reasons": ["odd"], "edits": ["do better"]}"#;
const ACCEPT: &str = r#"{"verdict": "accept"}"#;

fn actions(lines: &[&str]) -> Vec<Action> {
    lines.iter().filter_map(|line| Action::parse(line).ok()).collect()
}

fn texts(actions: &[Action]) -> Vec<String> {
    actions.iter().map(ToString::to_string).collect()
}

fn state_of(actions: &[Action]) -> Workbook {
    let mut state = Workbook::default();
    state.apply_lenient(actions);
    state
}

fn reply(operations: &[&str]) -> String {
    json!({ "operations": operations }).to_string()
}

/// Refines the baseline with scripted replies and verdicts.
fn scripted(replies: &[&str], verdicts: &[&str]) -> Result<Refined, RefineError> {
    let baseline = actions(&BASELINE);
    refine(
        &baseline,
        &state_of(&baseline),
        &RefineOptions::default(),
        &mut ScriptedEditor::new(replies),
        &mut ScriptedJudge::new(verdicts),
    )
}

fn outcomes(refined: &Refined) -> Vec<&str> {
    refined.log.iter().map(|entry| entry.outcome.as_str()).collect()
}

#[test]
fn an_accepted_baseline_is_left_alone() {
    let refined = scripted(&[], &[ACCEPT]).unwrap();
    assert_eq!((refined.success, refined.iterations), (true, 0));
    assert_eq!(refined.actions, actions(&BASELINE));
    assert_eq!(outcomes(&refined), ["accepted"]);
}

#[test]
fn whatever_goes_wrong_becomes_feedback() {
    let good = [
        "INPUT | A1 | \"Nmae\"",
        "INPUT | B1 | 0",
        "FONT_BOLD | A1:B1 | true",
        "FILL_COLOR | A9:B9 | #FFFFFF",
    ];
    let invalid = reply(&["INPUT | A1", "SHOUT | A1 | true"]);
    // Zero, a white fill and bold are all differences here.
    let mismatch = reply(&["INPUT | A1 | \"Nmae\""]);
    let refined = scripted(&["nonsense", &invalid, &mismatch, &reply(&good)], &[REJECT, ACCEPT]).unwrap();
    assert!(refined.success);
    assert_eq!(refined.iterations, 2);
    assert_eq!(texts(&refined.actions), texts(&actions(&good)));
    assert_eq!(
        outcomes(&refined),
        ["rejected", "malformed", "invalid", "mismatch", "candidate", "accepted"]
    );
    let note = |idx: usize| refined.log[idx].note.as_str();
    assert!(
        note(2).contains("operation 1 `INPUT | A1`") && note(2).contains("operation 2"),
        "{}",
        note(2)
    );
    for part in [
        "B1: value: wanted 0, found nothing",
        "Sheet1!A9:B9: Format.fill",
        "Format.font.bold",
    ] {
        assert!(note(3).contains(part), "{} lacks {part}", note(3));
    }
}

/// An editor that writes down the notes it gets.
#[derive(Default)]
struct Listener(Vec<Vec<&'static str>>);

impl Editor for Listener {
    fn edit(&mut self, request: &EditRequest<'_>) -> Result<EditReply, RefineError> {
        self.0.push(request.feedback.iter().map(Feedback::kind).collect());
        let operations = match self.0.len() {
            1 => vec!["INPUT | A1 | 7".to_owned()],
            2 => Vec::new(),
            _ => texts(request.current),
        };
        Ok(EditReply {
            operations,
            ..EditReply::default()
        })
    }
}

#[test]
fn feedback_is_kept_from_one_iteration_to_the_next() {
    let baseline = actions(&BASELINE);
    let mut listener = Listener::default();
    let options = RefineOptions {
        iterations_max: 3,
        calls_per_iteration_max: 2,
        feedback_max: 3,
        ..RefineOptions::default()
    };
    let judge = &mut ScriptedJudge::new(&[REJECT, REJECT, REJECT]);
    let refined = refine(&baseline, &state_of(&baseline), &options, &mut listener, judge).unwrap();
    assert!(!refined.success);
    assert_eq!(
        listener.0,
        [
            vec!["judge"],
            vec!["judge", "mismatch"],
            vec!["judge", "mismatch", "mismatch"],
            vec!["mismatch", "mismatch", "judge"],
        ]
    );
}

#[test]
fn declared_differences_are_allowed_and_reported() {
    let declared = json!({
        "operations": ["INPUT | A1 | \"Name\"", "INPUT | B1 | 0", "FONT_BOLD | A1:B1 | true"],
        "ignore": [{"operation": "FILL_COLOR", "ranges": ["A9:B9"]}],
        "corrections": [{"cell": "A1", "from": "Nmae", "to": "Name", "reason": "a slip"}],
    });
    let refined = scripted(&[&declared.to_string()], &[REJECT, ACCEPT]).unwrap();
    assert!(refined.success, "{:?}", refined.log);
    assert_eq!(refined.declared.corrections[0].reason, "a slip");
    assert_eq!(refined.declared.ignore[0].operation, "FILL_COLOR");
    let refuse = |key: &str, value: serde_json::Value, expected: &str| {
        let mut reply = declared.clone();
        reply[key] = value;
        let refined = scripted(&[&reply.to_string()], &[REJECT]).unwrap();
        let note = &refined.log[1].note;
        assert!(note.contains(expected), "{note} lacks {expected}");
        assert_eq!(refined.actions, actions(&BASELINE));
        assert!(refined.declared.is_empty());
    };
    refuse(
        "ignore",
        json!([{"operation": "INPUT", "ranges": ["A1"]}]),
        "cannot be ignored",
    );
    refuse(
        "ignore",
        json!([{"operation": "FILL_COLOR", "ranges": ["A:B"]}]),
        "is not a range",
    );
    refuse(
        "ignore",
        json!([{"operation": "FILL_COLOR", "ranges": ["A9"]}]),
        "Sheet1!B9: Format.fill",
    );
    refuse(
        "ignore",
        json!([{"operation": "FONT_BOLD", "ranges": ["A9:B9"]}]),
        "Format.fill",
    );
    refuse(
        "corrections",
        json!([]),
        "Sheet1!A1: value: wanted \"Nmae\", found \"Name\"",
    );
    refuse(
        "corrections",
        json!([{"cell": "A1", "from": "x", "to": "Name"}]),
        "the target has \"Nmae\"",
    );
    refuse(
        "corrections",
        json!([{"cell": "A1", "from": "Nmae", "to": "Names"}]),
        "wanted \"Names\"",
    );
    refuse(
        "corrections",
        json!([{"cell": "A1:B1", "from": "Nmae", "to": "Name"}]),
        "more than one cell",
    );
}

#[test]
fn the_best_candidate_is_kept_and_failures_end_the_loop() {
    let worse = r#"{"verdict": "reject", "reasons": ["a", "b", "c"]}"#;
    let better = r#"{"verdict": "reject", "reasons": ["a"]}"#;
    let shorter: Vec<&str> = BASELINE[..5].to_vec();
    let refined = scripted(&[&reply(&shorter), &reply(&BASELINE)], &[REJECT, better, worse]).unwrap();
    assert!(!refined.success);
    assert_eq!(texts(&refined.actions), texts(&actions(&shorter)));
    assert_eq!(refined.failure, Some(RefineError::Exhausted { n_replies: 2 }));
    assert_eq!(outcomes(&refined).last(), Some(&"failed"));
}

#[test]
fn a_baseline_that_misses_its_target_is_refused() {
    let baseline = actions(&BASELINE);
    let target = state_of(&actions(&["INPUT | A1 | 2"]));
    let got = refine(
        &baseline,
        &target,
        &RefineOptions::default(),
        &mut RuleEditor,
        &mut RuleJudge,
    );
    assert!(matches!(got, Err(RefineError::Baseline { .. })));
}

#[test]
fn a_recorded_refinement_can_be_replayed_and_tokens_are_counted() {
    let good = reply(&BASELINE[..5]);
    let mut first = scripted(&["nonsense", &good], &[REJECT, ACCEPT]).unwrap();
    for entry in &mut first.log {
        entry.usage = Usage {
            input_tokens: 100,
            output_tokens: 7,
        };
    }
    let log = read_log(&write_log(&first.log)).unwrap();
    assert_eq!(log, first.log);
    let baseline = actions(&BASELINE);
    let again = refine(
        &baseline,
        &state_of(&baseline),
        &RefineOptions::default(),
        &mut ScriptedEditor::from_log(&log),
        &mut ScriptedJudge::from_log(&log),
    )
    .unwrap();
    assert_eq!(again.actions, first.actions);
    assert_eq!(again.log, first.log);
    assert_eq!((again.usage.input_tokens, again.usage.output_tokens), (400, 28));
    let bad = read_log("\n{}").unwrap_err();
    assert!(matches!(bad, RefineError::Log { line_no: 2, .. }));
}

#[test]
fn rules_refine_without_a_model() {
    let baseline = actions(&BASELINE);
    let target = state_of(&baseline);
    let refined = refine(
        &baseline,
        &target,
        &RefineOptions::default(),
        &mut RuleEditor,
        &mut RuleJudge,
    )
    .unwrap();
    assert!(refined.success, "{:?}", refined.log);
    assert_eq!(
        texts(&refined.actions),
        [
            "INPUT | Sheet1!A1 | \"Nmae\"",
            "INPUT | Sheet1!B1 | 0",
            "FONT_BOLD | Sheet1!A1:B1 | true",
            "FILL_COLOR | Sheet1!A9:B9 | #FFFFFF"
        ]
    );
}

#[test]
fn published_trajectories_can_be_tidied_without_changing_the_sheet() {
    let Some(corpus) = published() else { return };
    let (mut n_accepted, mut n_fewer) = (0, 0);
    let mut rules = std::collections::BTreeMap::new();
    for trajectory in &corpus.trajectories {
        let target = state_of(&trajectory.actions);
        let options = RefineOptions {
            iterations_max: 1,
            ..RefineOptions::default()
        };
        let refined = refine(&trajectory.actions, &target, &options, &mut RuleEditor, &mut RuleJudge).unwrap();
        for finding in RuleJudge::findings(&trajectory.actions) {
            *rules.entry(finding.rule).or_insert(0) += 1;
        }
        n_accepted += u32::from(refined.success && refined.iterations == 0);
        n_fewer += trajectory.actions.len() - refined.actions.len();
        assert!(
            differences(&state_of(&refined.actions), &target).is_empty(),
            "{}",
            trajectory.name
        );
        assert!(
            refined.log.iter().all(|entry| entry.outcome != "mismatch"),
            "{}",
            trajectory.name
        );
    }
    println!("{n_accepted} of 52 accepted as published; {n_fewer} actions fewer; {rules:?}");
    // Sequences by people are what the rules must put up with.
    assert!(n_accepted >= 26, "{n_accepted}");
}

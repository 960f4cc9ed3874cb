//! Tests of answers as a whole.

use proptest::prelude::*;

use super::*;

/// Reads an answer on the sheet `S`: the proposed lines, the rejected ones, and what else was in it.
fn read(rules: ResponseRules, text: &str, actions_max: Option<u32>) -> (Vec<String>, Vec<String>, Reading) {
    let mut out = Proposals::default();
    let reading = rules.read(
        Answer { text, tokens: &[] },
        Some("S"),
        Budget { actions_max },
        &mut out,
    );
    let proposed = out.actions().iter().filter_map(|proposal| proposal.line.clone());
    let rejected = out.rejected().iter().map(|rejected| rejected.text.clone());
    (proposed.collect(), rejected.collect(), reading)
}

#[track_caller]
fn check(text: &str, proposed: &[&str], rejected: &[&str]) {
    let (got_proposed, got_rejected, _) = read(ResponseRules::corrected(), text, None);
    assert_eq!(got_proposed, proposed);
    assert_eq!(got_rejected, rejected);
}

#[test]
fn sources_of_fills_get_their_sheet() {
    check("AUTOFILL | A1:A9 | A1", &["AUTOFILL | S!A1:A9 | S!A1"], &[]);
    check("PASTE_FROM | A1 | clear", &["PASTE_FROM | S!A1 | clear"], &[]);
    let (proposed, rejected, _) = read(ResponseRules::published(), "AUTOFILL | A1:A9 | A1", None);
    assert!(proposed.is_empty());
    assert_eq!(rejected, ["AUTOFILL | S!A1:A9 | A1"]);
}

#[test]
fn broken_values_are_no_texts() {
    let cut_off = ["INPUT | S!A1:B1 | [[1, 2", "INPUT | S!A2 | \"half"];
    check(
        "INPUT | A1:B1 | [[1, 2\nINPUT | A2 | \"half\nINPUT | A3 | half",
        &["INPUT | S!A3 | half"],
        &cut_off,
    );
    let (proposed, ..) = read(ResponseRules::published(), "INPUT | A2 | \"half", None);
    assert_eq!(proposed, ["INPUT | S!A2 | \"half"]);
    let mut out = Proposals::default();
    let answer = Answer {
        text: "INPUT | A1 | [[1",
        tokens: &[],
    };
    ResponseRules::corrected().read(answer, None, Budget { actions_max: None }, &mut out);
    let reason = &out.rejected().first().unwrap().reason;
    assert!(
        reason.starts_with("the value is broken or cut off: failed to read JSON at byte 3"),
        "{reason}"
    );
}

#[test]
fn an_unreadable_line_uses_up_the_budget() {
    let text = "FONT_SIZE | A1 | huge\nFONT_BOLD | A1 | true";
    let (proposed, rejected, reading) = read(ResponseRules::corrected(), text, Some(1));
    assert!(proposed.is_empty());
    assert_eq!(rejected, ["FONT_SIZE | S!A1 | huge"]);
    let dropped = DroppedLine {
        text: "FONT_BOLD | A1 | true".to_owned(),
        why: WhyDropped::BeyondBudget,
    };
    assert_eq!(reading.dropped, [dropped]);
    let (proposed, ..) = read(ResponseRules::published(), text, Some(1));
    assert_eq!(proposed, ["FONT_BOLD | S!A1 | true"]);
}

#[test]
fn decorated_lines_count_and_the_stop_word_ends() {
    let text = "Intent: a | b\nSure:\n1) INPUT | A1 | 1\n- `INPUT | A2 | 2.5`\n`STOP`.\nSTOP\nINPUT | A3 | 3";
    let rules = ResponseRules {
        expects_intent: true,
        ..ResponseRules::corrected()
    };
    let (proposed, rejected, reading) = read(rules, text, None);
    assert_eq!(proposed, ["INPUT | S!A1 | 1", "INPUT | S!A2 | 2.5"]);
    assert!(rejected.is_empty());
    assert_eq!(reading.intent.as_deref(), Some("a | b"));
    let why: Vec<_> = reading.dropped.iter().map(|line| line.why).collect();
    let (prose, stop) = (WhyDropped::NotAnAction, WhyDropped::AfterStop);
    assert_eq!(why, [WhyDropped::Intent, prose, prose, stop, stop]);
}

#[test]
fn an_answer_in_circles_is_cut() {
    let text: String = (1..=9).map(|row| format!("FONT_BOLD | A{row} | true\n")).collect();
    let (proposed, _, reading) = read(ResponseRules::corrected(), &text, None);
    assert_eq!(proposed.len(), 3);
    assert_eq!(reading.candidates.len(), 9);
    assert!(reading.dropped.iter().all(|line| line.why == WhyDropped::Repetition));
}

#[test]
fn confidence_is_the_mean_probability_of_the_tokens() {
    let tokens = ["\n", "FONT_BOLD", " | A1 |", " true", "\nINPUT | A1 | 1"].map(|text| ScoredToken {
        bytes: text.as_bytes(),
        log_probability: -0.5,
    });
    let text: String = tokens
        .iter()
        .map(|token| std::str::from_utf8(token.bytes).unwrap())
        .collect();
    let mut out = Proposals::default();
    let answer = Answer {
        text: &text,
        tokens: &tokens,
    };
    ResponseRules::corrected().read(answer, Some("S"), Budget { actions_max: None }, &mut out);
    let confidences: Vec<_> = out.actions().iter().map(|proposal| proposal.confidence).collect();
    assert_eq!(confidences, [Some((-0.5_f64).exp()); 2]);
}

proptest! {
    #[test]
    fn no_answer_makes_the_reader_panic(text in r#"([A-Z]{1,3}|INPUT|AUTOFILL| \| |A1|:|"|\[|\n|`|- |1\)|é|STOP){0,30}"#) {
        for rules in [ResponseRules::published(), ResponseRules::corrected()] {
            let (proposed, rejected, reading) = read(rules, &text, Some(3));
            let n_cut = reading
                .dropped
                .iter()
                .filter(|line| matches!(line.why, WhyDropped::BeyondBudget | WhyDropped::Repetition))
                .count();
            prop_assert_eq!(proposed.len() + rejected.len() + n_cut, reading.candidates.len());
        }
    }
}

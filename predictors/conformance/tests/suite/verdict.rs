//! The verdict as people read it.

use std::sync::Arc;
use std::time::Duration;

use crate::toys::{Fault, Shared, Toy};
use napsim_conformance::{Clock, Suite};

fn check(only: &[&'static str], fault: Fault, expect: &str) {
    let shared = Arc::new(Shared::default());
    let suite = Suite {
        long_history: 4_000,
        only: only.to_vec(),
        clock: Clock::new(|| Duration::ZERO),
        ..Suite::default()
    };
    let verdict = suite.run(&mut || Box::new(Toy::new(fault, &shared)), &mut |_| {});
    assert_eq!(verdict.to_string(), expect.trim_start_matches('\n'), "\n{verdict}\n");
}

#[test]
fn all_is_well() {
    check(
        &[],
        Fault::None,
        r#"
passed   answers         2 questions answered
passed   determinism     7 answers, the same from two predictors and after beginning anew
passed   seed            another seed changes 7 of 7 answers
passed   empty-history   answered, with 0 proposals
passed   observe         5 answers, the same however told
passed   every-action    53 actions, 11 questions answered
passed   unusual-texts   27 actions, 6 questions answered
passed   unusual-sheets  22 actions, 5 questions answered
passed   large-ranges    18 actions, 4 questions answered
passed   proposals       24 proposals in 16 answers
passed   budget          at most 1 of 1, 1 of 3, 2 where it may choose
passed   rewind          13 answers, after 8 accepted proposals
passed   no-leaks        30 answers as of a fresh predictor, after 5 kinds of trajectories
passed   side-by-side    12 answers in turns
passed   feedback        8 answers, the same of two predictors
passed   long-history    told at once: 0.000 ms a call after 400 actions, 0.000 ms after 4,000; step by step: 20 calls, 0.000 ms in the middle, 0.000 ms at most
passed   rollouts        4 rollouts, twice each: 88 calls, 56 accepted
passed   fingerprint     `toy/1`, the same of 8 predictors
skipped  recovery        no call failed, so there was nothing to come back from
18 passed, 0 warned, 0 failed, 1 skipped: this predictor can be measured"#,
    );
}

#[test]
fn a_failed_call_is_told_with_all_that_is_known() {
    check(
        &["answers", "long-history", "recovery"],
        Fault::ContextTooLong,
        r#"
passed   answers       2 questions answered
FAILED   long-history  A long history is no error, and the time of a call grows with it at most in proportion.
           gave no answer: the prompt is too long (kind `context`)
           what came instead: {"error":\u{1b}[31m400}
           last line on standard error: ValueError: 400
           to reproduce:
             begin trajectory `long-history` on sheet `Sheet1` with seed 0
             tell 4,000 actions
             ask for at most 1
             the history then has 4,000 actions, the last of them:
               INPUT | Depot!A1733 | "Flour"
               INPUT | Depot!B1733 | 18
               INPUT | Depot!A1734 | "Flour"
               INPUT | Depot!B1734 | 134
               INPUT | Depot!A1735 | "Flour"
               INPUT | Depot!B1735 | 306
passed   recovery      came back after 2 failed calls
2 passed, 0 warned, 1 failed, 0 skipped: this predictor cannot be measured reliably"#,
    );
}

#[test]
fn a_panic_is_told_with_the_history() {
    check(
        &["unusual-texts"],
        Fault::PanicsOnEmoji,
        r#"
FAILED   unusual-texts  Cells may hold any text: every writing, separators, control characters, 32,767 characters.
           panicked in `observe`: byte index 1 is not a char boundary
           to reproduce:
             begin trajectory `Übung 7: „a | b“ 📈` on sheet `Sheet1` with seed 0
             tell 1 action
             tell 1 action
             the history then has 2 actions:
               INPUT | Sheet1!A1 | "Gr\u00f6\u00dfe"
               INPUT | Sheet1!A2 | "\ud83d\udcc8"
0 passed, 0 warned, 1 failed, 0 skipped: this predictor cannot be measured reliably"#,
    );
}

#[test]
fn a_difference_is_told_from_both_sides() {
    check(
        &["determinism", "seed"],
        Fault::RandomByInstance,
        r#"
FAILED   determinism  The same seed and history give the same answers, in every process and every time.
           answer 1 of 7 differs
           expected (of a fresh predictor): proposal 1: `FONT_SIZE | Sheet1!A2 | 18`, confidence 0.67
           came (of another fresh predictor): proposal 1: `FONT_SIZE | Sheet1!A2 | 18`, confidence 0.125
           to reproduce, with both:
             begin trajectory `determinism` on sheet `Sheet1` with seed 0
             tell 4 actions
             ask for at most 1
             the history then has 4 actions:
               MERGE | Sheet1!A1:H1 | true
               INPUT | Sheet1!A1 | "Condition report, loans out"
               FONT_BOLD | Sheet1!A1 | true
               FONT_SIZE | Sheet1!A1 | 18
skipped  seed         equal questions get different answers as it is, see `determinism`
0 passed, 0 warned, 1 failed, 1 skipped: this predictor cannot be measured reliably"#,
    );
}

#[test]
fn what_is_no_action_is_told_with_examples() {
    check(
        &["proposals", "budget"],
        Fault::HalfUnreadable,
        r#"
warned   proposals  Proposals are actions, and confidences lie between 0 and 1.
           16 of 24 proposals are no actions:
             `Sure! FONT_ITALIC | Sheet1!A3 | true`: unknown action `Sure! FONT_ITALIC`, after `FONT_ITALIC | Sheet1!A2 | true`
             `Sure! FONT_ITALIC | Sheet1!A4 | true`: unknown action `Sure! FONT_ITALIC`, after `FONT_ITALIC | Sheet1!A2 | true`
             `Sure! MERGE | Sheet1!G6:H6 | true`: unknown action `Sure! MERGE`, after `MERGE | Sheet1!G5:H5 | true`
           8 proposals in 16 answers
passed   budget     at most 1 of 1, 1 of 3, 2 where it may choose
1 passed, 1 warned, 0 failed, 0 skipped: this predictor can be measured; see the warnings"#,
    );
}

#[test]
fn too_many_actions_are_told_with_the_reason() {
    check(
        &["budget"],
        Fault::AlwaysThree,
        r#"
FAILED   budget  No more actions are proposed than were asked for.
           expected: at most 1 action
           came: 3
           what is over is cut off, and is not what it would have said had it kept to it
           to reproduce:
             begin trajectory `budget` on sheet `Sheet1` with seed 0
             tell 13 actions
             ask for at most 1
             the history then has 13 actions, the last of them:
               FONT_SIZE | Sheet1!A2 | 16
               MERGE | Sheet1!A3:E3 | true
               INPUT | Sheet1!A3 | "Saturday, half past seven, St Aidan"
               FONT_ITALIC | Sheet1!A3 | true
               ALIGN_HORIZONTAL | Sheet1!A1:A3 | center
               MERGE | Sheet1!A5:E5 | true
0 passed, 0 warned, 1 failed, 0 skipped: this predictor cannot be measured reliably"#,
    );
}

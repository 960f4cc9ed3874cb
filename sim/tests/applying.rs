//! Laws of applying actions: nothing panics, and what resets or sets does so once.

#[path = "../../trajectories/tests/support/lines.rs"]
mod lines;

use napsim_sim::state::Workbook;
use napsim_trajectories::{Action, Edit, json};
use proptest::prelude::*;

/// A program of random actions, some of them inverses.
fn programs() -> impl Strategy<Value = Vec<Action>> {
    let action =
        (lines::lines(), prop::bool::weighted(0.1)).prop_filter_map("the line is refused", |(line, inverse)| {
            let action = Action::parse(&line).ok()?;
            Some(if inverse { action.inverse() } else { action })
        });
    prop::collection::vec(action, 1..25)
}

fn text(state: &Workbook) -> String {
    json::write(&state.to_json())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn applying_never_panics_and_states_read_back(actions in programs()) {
        let mut state = Workbook::default();
        state.apply_lenient(&actions);
        let value = state.to_json();
        let again = Workbook::from_json(&value).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(text(&again), text(&state));
    }

    #[test]
    fn once_is_as_good_as_twice(actions in programs()) {
        let mut state = Workbook::default();
        for action in &actions {
            let once_applied = state.apply(action);
            let once = text(&state);
            // A paste may read what it has written.
            if !matches!(action.edit(), Edit::Paste { .. }) {
                prop_assert_eq!(state.apply(action), once_applied);
                prop_assert_eq!(text(&state), once, "{}", action);
            }
        }
    }

    #[test]
    fn strict_application_stops_where_lenient_skips(actions in programs()) {
        let mut strict = Workbook::default();
        let failed_at = strict.apply_strict(&actions).err().map(|failure| failure.action_idx);
        let done = failed_at.map_or(actions.len(), |failed_at| failed_at + 1);
        let mut lenient = Workbook::default();
        lenient.apply_lenient(&actions[..done]);
        prop_assert_eq!(text(&strict), text(&lenient));
    }

    #[test]
    fn writing_to_a_copy_leaves_the_original(first in programs(), second in programs()) {
        let mut state = Workbook::default();
        state.apply_lenient(&first);
        let before = text(&state);
        let mut copy = state.clone();
        copy.apply_lenient(&second);
        prop_assert_eq!(text(&state), before);
    }
}

#[track_caller]
fn check_failure(lines: &[&str], expect: &str) {
    let actions: Vec<Action> = lines.iter().filter_map(|line| Action::parse(line).ok()).collect();
    let failure = Workbook::default().apply_strict(&actions).err();
    assert_eq!(failure.map(|failure| failure.error.code()), Some(expect));
}

#[test]
fn fills_make_no_more_text_than_the_limit() {
    for (content, code) in [("=A1+1", "fill_too_large"), ("Item 1", "fill_too_large")] {
        let padded = format!("VALUE | A1 | {}{}", &content[..1], "x".repeat(1_000) + &content[1..]);
        check_failure(&[&padded, "AUTOFILL | A1:A250000 | A1"], code);
    }
    let number = format!("VALUE | A1 | x{}", "9".repeat(4_301));
    check_failure(&[&number, "AUTOFILL | A1:A2 | A1"], "overflow");
}

#[test]
fn fills_of_many_slots_take_no_more_than_their_cells() {
    let mixed: Vec<String> = (0..1_000)
        .map(|slot| {
            if slot % 2 == 0 {
                "1".to_owned()
            } else {
                "[2]".to_owned()
            }
        })
        .collect();
    let column = format!("INPUT | A1:A1000 | [[{}]]", mixed.join("],["));
    let fill = "AUTOFILL | A1:A250000 | A1:A1000";
    let actions = [column.as_str(), fill].map(|line| Action::parse(line).unwrap());
    let mut state = Workbook::default();
    state.apply_strict(&actions).unwrap();
    assert_eq!(state.sheet("Sheet1").unwrap().cells.as_ref().unwrap().len(), 250_000);
}

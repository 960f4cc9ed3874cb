//! What is proposed in typical moments, and that imagining leaves no trace.

use napsim_trajectories::Action;
use proptest::prelude::*;

use super::*;

fn scene(lines: &[&str]) -> Scene {
    let mut scene = Scene::default();
    for line in lines {
        scene.observe(&Action::parse(line).unwrap());
    }
    scene
}

fn proposed(scene: &mut Scene) -> Vec<String> {
    let mut pool = Pool::default();
    generate(scene, &mut Generator::default(), &mut pool);
    let action = |candidate: &Candidate| scene.action(candidate.edit, candidate.place).unwrap().to_string();
    pool.candidates().iter().map(action).collect()
}

fn check(lines: &[&str], expect: &str) {
    let all = proposed(&mut scene(lines));
    assert!(all.iter().any(|line| line == expect), "{expect} is not among {all:#?}");
}

#[test]
fn series_go_on_in_the_next_cell() {
    let numbers = ["INPUT | A1 | 1", "INPUT | A2 | 2", "INPUT | A3 | 3"];
    check(&numbers, "INPUT | Sheet1!A4 | 4");
    check(&["INPUT | B2 | \"Jan\""], "INPUT | Sheet1!C2 | \"Feb\"");
    check(&["INPUT | B2 | \"=A2*2\""], "INPUT | Sheet1!B3 | \"=A3*2\"");
}

#[test]
fn a_begun_formula_is_dragged_to_the_end_of_the_block() {
    let lines = [
        "INPUT | A1 | 5",
        "INPUT | A2 | 6",
        "INPUT | A3 | 7",
        "INPUT | B1 | \"=A1*2\"",
    ];
    check(&lines, "AUTOFILL | Sheet1!B1:B3 | B1");
}

#[test]
fn formats_spread_over_row_and_block() {
    let lines = [
        "INPUT | A1 | \"a\"",
        "INPUT | B1 | \"b\"",
        "INPUT | C1 | \"c\"",
        "FONT_BOLD | A1 | true",
    ];
    check(&lines, "FONT_BOLD | Sheet1!B1:C1 | true");
    check(&lines, "ALIGN_HORIZONTAL | Sheet1!A1:C1 | center");
}

#[test]
fn what_followed_before_follows_again() {
    let lines = [
        "INPUT | A1 | \"x\"",
        "FILL_COLOR | A1:D1 | #DDEBF7",
        "MERGE | A1:D1 | true",
        "INPUT | A5 | \"y\"",
    ];
    check(&lines, "FILL_COLOR | Sheet1!A5:D5 | #DDEBF7");
    check(&lines, "MERGE | Sheet1!A5:D5 | true");
}

#[test]
fn what_would_change_nothing_is_left_out() {
    let lines = ["INPUT | A1 | 1", "FONT_BOLD | A1 | true"];
    let all = proposed(&mut scene(&lines));
    assert!(
        !all.iter().any(|line| line == "FONT_BOLD | Sheet1!A1 | true"),
        "{all:#?}"
    );
}

#[test]
fn sheets_are_kept_apart() {
    let scene = scene(&[
        "INPUT | Depot!A1 | 1",
        "INPUT | Sheet1!A1 | 2",
        "FONT_BOLD | Depot!A1 | true",
    ]);
    let own = scene.look(scene.last().unwrap().place.sheet, 1, 1);
    let typed = scene.edits.value(own.content.unwrap()).unwrap();
    assert_eq!(typed.as_number(), Some(1.0));
}

fn line() -> impl Strategy<Value = String> {
    let kinds = prop::sample::select(vec![
        "INPUT | {} | 7",
        "INPUT | {} | \"=A1+1\"",
        "FONT_BOLD | {} | true",
        "FILL_COLOR | {} | #DDEBF7",
        "BORDER_OUTSIDE | {} | Thin, Continuous, #000000",
        "MERGE | {} | true",
        "PASTE_FROM | {} | A1:B2 | all",
    ]);
    (kinds, 1..6_u8, 0..5_u8, 0..3_u8, 0..3_u8).prop_map(|(kind, row, col, rows, cols)| {
        let letter = |col: u8| char::from(b'A' + col);
        let range = format!("{}{row}:{}{}", letter(col), letter(col + cols), row + rows);
        kind.replace("{}", &range)
    })
}

proptest! {
    #[test]
    fn waking_up_leaves_no_trace(lines in prop::collection::vec(line(), 1..12), imagined in prop::collection::vec(0..200_usize, 1..6)) {
        let actions: Vec<Action> = lines.iter().filter_map(|line| Action::parse(line).ok()).collect();
        let mut scene = Scene::default();
        for action in &actions {
            scene.observe(action);
        }
        let before = proposed(&mut scene);
        let steps = scene.steps().to_vec();
        let mut pool = Pool::default();
        for pick in imagined {
            generate(&mut scene, &mut Generator::default(), &mut pool);
            let candidates = pool.candidates();
            if let Some(candidate) = candidates.get(pick % candidates.len().max(1)).copied() {
                scene.imagine(candidate.edit, candidate.place);
            }
        }
        scene.wake();
        prop_assert_eq!(scene.steps(), steps.as_slice());
        prop_assert_eq!(proposed(&mut scene), before);
    }

    #[test]
    fn every_candidate_is_an_action(lines in prop::collection::vec(line(), 1..12)) {
        let lines: Vec<&str> = lines.iter().map(String::as_str).filter(|line| Action::parse(line).is_ok()).collect();
        for text in proposed(&mut scene(&lines)) {
            prop_assert!(Action::parse(&text).is_ok(), "{}", text);
        }
    }
}

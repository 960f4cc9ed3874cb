//! What a page draws from the JSON of a film is what happened: sheets, merges and futures, step by step.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that leaves its arrays has failed"
)]

#[path = "../../../sim/tests/support/rollouts.rs"]
mod rollouts;
#[path = "../src/testing.rs"]
mod testing;

use std::collections::BTreeMap;

use napsim_reports::setup::Mode;
use napsim_sim::event::Event;
use napsim_sim::predictor::{Proposals, Usage, View};
use napsim_sim::protocol::Protocol;
use napsim_sim::state::{CellKey, Workbook};
use napsim_trajectories::Action;
use napsim_viewer::Film;
use napsim_viewer::display::{ContentKind, Display};
use napsim_viewer::film::Look;
use serde_json::{Value as Json, json};
use testing::{Heard, Saves, record_with};

/// The sheets and the future as somebody who has nothing but the JSON of a film works them out.
#[derive(Default)]
struct Drawn {
    cells: BTreeMap<(u64, u64, u64), (u64, u64)>,
    merges: BTreeMap<u64, Vec<[u64; 4]>>,
    future: Vec<u64>,
}

fn numbers(list: &Json) -> Vec<u64> {
    list.as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect()
}

fn lists(list: &Json) -> Vec<Vec<u64>> {
    list.as_array().into_iter().flatten().map(numbers).collect()
}

impl Drawn {
    fn apply(&mut self, changes: &Json) {
        for change in changes.as_array().into_iter().flatten() {
            let sheet = change["s"].as_u64().unwrap_or(0);
            let merges = self.merges.entry(sheet).or_default();
            for gone in lists(&change["x"]) {
                merges.retain(|merge| merge[..] != gone[..]);
            }
            merges.extend(
                lists(&change["m"])
                    .iter()
                    .map(|merge| <[u64; 4]>::try_from(&merge[..]).unwrap()),
            );
            for look in lists(&change["l"]) {
                for row in look[0]..=look[2] {
                    for col in look[1]..=look[3] {
                        self.cells.entry((sheet, row, col)).or_default().0 = look[4];
                    }
                }
            }
            for block in lists(&change["v"]) {
                for (at, content) in (0..).zip(&block[3..]) {
                    let place = (sheet, block[0] + at / block[2], block[1] + at % block[2]);
                    self.cells.entry(place).or_default().1 = *content;
                }
            }
        }
        self.cells.retain(|_, face| *face != (0, 0));
    }

    fn rewritten(&self, edits: &Json) -> Vec<u64> {
        let mut future = self.future.clone();
        for edit in edits.as_array().unwrap().iter().rev() {
            let (at, n) = (edit[0].as_u64().unwrap() as usize, edit[1].as_u64().unwrap() as usize);
            let inserted = if edit[2].is_array() {
                numbers(&edit[2])
            } else {
                Vec::new()
            };
            future.splice(at..at + n, inserted);
        }
        future
    }

    fn future_texts(&self, future: &[u64], film: &Json) -> Vec<String> {
        let text = |number: &u64| film["actions"][(*number / 2) as usize][0].as_str().unwrap().to_owned();
        future.iter().map(text).collect()
    }
}

/// What a cell shows, as a film writes it.
fn shown(display: Option<Display>) -> Json {
    let Some(display) = display else { return json!([]) };
    let kind = match display.kind {
        ContentKind::Number => "n",
        ContentKind::Text => "t",
        ContentKind::Truth => "b",
        ContentKind::Formula => "f",
    };
    match (display.raw, display.color) {
        (None, None) => json!([display.text, kind]),
        (Some(raw), None) => json!([display.text, kind, raw]),
        (raw, color) => json!([display.text, kind, raw.as_ref().unwrap_or(&display.text), color]),
    }
}

fn position(list: &Json, value: &Json) -> u64 {
    list.as_array()
        .unwrap()
        .iter()
        .position(|known| known == value)
        .unwrap() as u64
}

/// Faces and merges of a workbook in the numbers of a film.
fn expected(workbook: &Workbook, film: &Json) -> Drawn {
    let mut drawn = Drawn::default();
    for (name, sheet) in workbook.sheets() {
        let number = position(&film["sheets"], &json!(&**name));
        for (key, cell) in sheet.cells.as_ref().unwrap().sorted() {
            let CellKey::Address(at) = key else { continue };
            let look = position(&film["looks"], &json!(Look::of(cell)));
            let content = position(&film["shown"], &shown(Display::of(cell)));
            if (look, content) != (0, 0) {
                drawn
                    .cells
                    .insert((number, at.row as u64, at.col as u64), (look, content));
            }
        }
        let merges = sheet.merges().iter().filter(|merge| merge.n_cells() > 1);
        let corners = |merge: &napsim_trajectories::Bounds| {
            [merge.first_row, merge.first_col, merge.last_row, merge.last_col].map(|n| n as u64)
        };
        drawn.merges.insert(number, merges.map(corners).collect());
    }
    drawn
}

/// Makes a film of a random rollout and works sheets and futures out of its JSON.
fn check(seed: u64) {
    let mut dice = rollouts::Dice::new(seed);
    // What a record cannot hold, such as the inverse flag, is left out.
    let written = |action: &Action| Action::parse(&action.to_string()).ok();
    let trajectory: Vec<Action> = rollouts::trajectory(&mut dice).iter().filter_map(written).collect();
    let mut proposals = rollouts::Dice::new(!seed);
    let known = trajectory.clone();
    let answer = move |view: View<'_>, out: &mut Proposals| {
        for action in rollouts::proposal(&mut proposals, &known, view.user_steps as usize) {
            let _ = out.push_text(&action.to_string(), None);
        }
        Ok(Usage::default())
    };
    let policy = Saves([1, 0, -3][dice.below(3)]);
    let mode = if dice.once_in(2) { Mode::Single } else { Mode::Multi };
    let mut heard = Heard::default();
    let mut record = record_with(&trajectory, &policy, mode, answer, &mut heard);
    if dice.once_in(2) {
        let line = serde_json::to_string(&record.events).unwrap();
        record.events = serde_json::from_str(&line).unwrap();
    }
    let film = Film::of(&record, &policy, &Protocol::NAPE_1).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    let json: Json = serde_json::from_str(&film.json()).unwrap();
    let mut drawn = Drawn {
        future: numbers(&json["start"]).iter().map(|number| number * 2).collect(),
        ..Drawn::default()
    };
    let mut workbook = Workbook::default();
    let mut n_done = 0;
    let steps = json["steps"].as_array().unwrap();
    let events: Vec<_> = (0..record.events.len())
        .filter(|idx| !matches!(record.events[*idx], Event::Divergence(_)))
        .collect();
    assert_eq!(steps.len(), events.len());
    for (step, idx) in steps.iter().zip(events) {
        match &record.events[idx] {
            Event::UserStep(event) => {
                let next = drawn.future.remove(0);
                assert_eq!(
                    drawn.future_texts(&[next], &json),
                    std::slice::from_ref(&event.action),
                    "seed {seed}"
                );
                drawn.apply(&step["c"]);
            }
            Event::Prediction(event) => {
                let after = heard.after[idx].as_ref();
                if let Some(after) = after {
                    let future = drawn.rewritten(&step["e"]);
                    assert_eq!(&drawn.future_texts(&future, &json), after, "seed {seed}, event {idx}");
                    let n_undo = |future: &[u64]| future.iter().filter(|number| *number % 2 == 1).count();
                    let in_edits = step["e"].as_array().unwrap().iter().filter(|edit| edit[2].is_array());
                    let n_marked: usize = in_edits.map(|edit| n_undo(&numbers(&edit[2]))).sum();
                    assert!(n_marked <= event.undo.len(), "seed {seed}");
                    if event.accepted {
                        drawn.future = future;
                    }
                } else {
                    assert!(step["e"].is_null());
                }
                if event.accepted {
                    drawn.apply(&step["c"]);
                }
            }
            _ => {}
        }
        workbook.apply_lenient(&heard.history[n_done..heard.n_history[idx]]);
        n_done = heard.n_history[idx];
        let expected = expected(&workbook, &json);
        assert_eq!(drawn.cells, expected.cells, "seed {seed}, event {idx}");
        for (sheet, mut merges) in expected.merges {
            let mut known = drawn.merges.get(&sheet).cloned().unwrap_or_default();
            known.sort_unstable();
            merges.sort_unstable();
            assert_eq!(known, merges, "seed {seed}, event {idx}");
        }
    }
}

#[test]
fn sheets_and_futures_follow_from_the_json() {
    for seed in 1..=120 {
        check(seed);
    }
}

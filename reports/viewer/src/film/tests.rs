#[path = "../../../../sim/tests/support/rollouts.rs"]
mod rollouts;

use std::collections::BTreeMap;
use std::rc::Rc;

use napsim_reports::record::{Seal, UnitHeader};
use napsim_reports::setup::{ContextLength, Mode, RunSetup};
use napsim_sim::event::{Event, EventSink, Judged};
use napsim_sim::plan::{Planned, texts};
use napsim_sim::policy::{Check, Comparison, Evidence, Metric, Verdict};
use napsim_sim::predictor::{
    Budget, Fingerprint, PredictError, Predictor, Proposals, Remarks, Seed, TrajectoryHead, Usage, View,
};
use napsim_sim::rollout::{Task, rollout};
use napsim_sim::state::{CellKey, Workbook};
use napsim_trajectories::{Action, SourceLine, Trajectory};
use serde_json::{Value as Json, json};

use super::*;
use crate::display::Display;

/// Takes what saves as many actions.
pub(crate) struct Saves(pub(crate) i64);

impl AcceptancePolicy for Saves {
    fn id(&self) -> &str {
        "saves"
    }

    fn decide(&self, evidence: &Evidence) -> Verdict {
        let accepted = evidence.saved >= self.0;
        #[expect(clippy::cast_precision_loss, reason = "small numbers")]
        let check = Check {
            metric: Metric::Saved,
            value: evidence.saved as f64,
            comparison: Comparison::AtLeast,
            bound: self.0 as f64,
            passed: accepted,
        };
        Verdict {
            accepted,
            checks: vec![check],
        }
    }
}

/// Answers each call as the function says.
struct Scripted<F>(F);

impl<F: FnMut(View<'_>, &mut Proposals) -> Result<Usage, PredictError> + Send> Predictor for Scripted<F> {
    fn fingerprint(&self) -> Fingerprint {
        Fingerprint("scripted".to_owned())
    }

    fn begin(&mut self, _head: TrajectoryHead<'_>, _seed: Seed) {}

    fn observe(&mut self, _actions: &[Action]) {}

    fn predict(&mut self, view: View<'_>, _budget: Budget, out: &mut Proposals) -> Result<Usage, PredictError> {
        (self.0)(view, out)
    }
}

/// The record of a rollout, and what a sink hears of it.
fn record_with(
    actions: &[Action],
    policy: &Saves,
    mode: Mode,
    answer: impl FnMut(View<'_>, &mut Proposals) -> Result<Usage, PredictError> + Send,
    sink: &mut Heard,
) -> UnitRecord {
    let setup = RunSetup {
        protocol: "nape-1".to_owned(),
        corpus: "made up".to_owned(),
        predictor: "scripted".to_owned(),
        fingerprint: Fingerprint("scripted".to_owned()),
        policy: "saves".to_owned(),
        mode,
        context: Some(ContextLength::ALL),
        settings: mode.settings(),
    };
    let line = |(line_no, action): (u64, &Action)| SourceLine {
        line_no,
        text: action.to_string(),
    };
    let trajectory = Trajectory {
        name: "made-up".to_owned(),
        title: Some("Made up".to_owned()),
        description: None,
        actions: actions.to_vec(),
        lines: (1..).zip(actions).map(line).collect(),
        predictable: None,
    };
    let task = Task {
        name: &trajectory.name,
        actions,
        policy,
        protocol: &Protocol::NAPE_1,
        settings: &setup.settings,
    };
    let summary = rollout(task, &mut Scripted(answer), sink);
    UnitRecord {
        header: UnitHeader::new(&setup, &trajectory, "0.1.0"),
        events: sink.events.clone(),
        summary,
        seal: Seal {
            events: u64::try_from(sink.events.len()).unwrap(),
            coverage: None,
            lost: false,
            sha256: String::new(),
        },
        intact: true,
    }
}

/// A record of actions given as lines.
pub(crate) fn record(
    lines: &[&str],
    answer: impl FnMut(View<'_>, &mut Proposals) -> Result<Usage, PredictError> + Send,
) -> UnitRecord {
    let actions: Vec<Action> = lines.iter().map(|line| Action::parse(line).unwrap()).collect();
    record_with(&actions, &Saves(1), Mode::Single, answer, &mut Heard::default())
}

/// The film of a record made by [`record`].
pub(crate) fn film(record: &UnitRecord) -> Film {
    Film::of(record, &Saves(1), &Protocol::NAPE_1).unwrap()
}

/// What a sink hears: the events, the actions that became history by the end of each, and the futures if accepted.
#[derive(Default)]
struct Heard {
    events: Vec<Event>,
    history: Vec<Action>,
    n_history: Vec<usize>,
    after: Vec<Option<Vec<String>>>,
    next: Option<Action>,
    predicted: Vec<Action>,
    rewritten: Option<Vec<String>>,
}

impl EventSink for Heard {
    fn event(&mut self, event: Event) {
        match &event {
            Event::UserStep(_) => self.history.extend(self.next.take()),
            Event::Prediction(prediction) if prediction.accepted => self.history.append(&mut self.predicted),
            _ => {}
        }
        let is_prediction = matches!(event, Event::Prediction(_));
        self.after.push(self.rewritten.take().filter(|_| is_prediction));
        self.n_history.push(self.history.len());
        self.events.push(event);
    }

    fn wants_actions(&self) -> bool {
        true
    }

    fn user_action(&mut self, planned: &Rc<Planned>) {
        self.next = Some(planned.action.clone());
    }

    fn judged(&mut self, judged: Judged<'_>) {
        self.predicted = judged.predicted.iter().map(|planned| planned.action.clone()).collect();
        self.rewritten = judged.after.map(texts);
    }
}

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
            merges.extend(lists(&change["m"]).iter().map(|merge| <[u64; 4]>::try_from(&merge[..]).unwrap()));
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
            let inserted = if edit[2].is_array() { numbers(&edit[2]) } else { Vec::new() };
            future.splice(at..at + n, inserted);
        }
        future
    }

    fn future_texts(&self, future: &[u64], film: &Json) -> Vec<String> {
        let text = |number: &u64| film["actions"][(*number / 2) as usize][0].as_str().unwrap().to_owned();
        future.iter().map(text).collect()
    }
}

/// Faces and merges of a workbook in the numbers of a film.
fn expected(workbook: &Workbook, film: &Film) -> Drawn {
    let mut drawn = Drawn::default();
    for (name, sheet) in workbook.sheets() {
        let number = film.names.sheets.values().iter().position(|known| known == name).unwrap() as u64;
        for (key, cell) in sheet.cells.as_ref().unwrap().sorted() {
            let CellKey::Address(at) = key else { continue };
            let number_of = |idx: Option<usize>| idx.unwrap() as u64;
            let look = number_of(film.names.looks.values().iter().position(|look| *look == Look::of(cell)));
            let display = Display::of(cell);
            let content = number_of(film.names.shown.values().iter().position(|shown| shown.display == display));
            if (look, content) != (0, 0) {
                drawn.cells.insert((number, at.row as u64, at.col as u64), (look, content));
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
    let mut drawn = Drawn::default();
    drawn.future = numbers(&json["start"]).iter().map(|number| number * 2).collect();
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
                assert_eq!(drawn.future_texts(&[next], &json), [event.action.clone()], "seed {seed}");
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
        let expected = expected(&workbook, &film);
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

#[test]
fn a_film_tells_what_happened() {
    let lines = ["INPUT | A1 | 1", "INPUT | A2 | 2", "INPUT | A3 | 3", "FONT_BOLD | A1:A3 | true"];
    let record = record(&lines, |view, out| {
        match view.call_idx {
            0 => out.push_text("INPUT | A2 | 2", Some(0.75)).unwrap(),
            1 => out.push_text("INPUT | B1 | 0.5", None).unwrap(),
            2 => return Err(PredictError::Call("<b>no</b>".to_owned())),
            _ => {
                let _ = out.push_text("no action", None);
                out.remark(Remarks {
                    intent: Some("to rest".to_owned()),
                    ..Remarks::default()
                });
            }
        }
        Ok(Usage {
            input_tokens: 5,
            output_tokens: 1,
        })
    });
    let json: Json = serde_json::from_str(&film(&record).json()).unwrap();
    assert_eq!(json["sheets"], json!(["Sheet1"]));
    assert_eq!(json["shown"], json!([[], ["1", "n"], ["2", "n"], ["0.5", "n"], ["3", "n"]]));
    assert_eq!(json["looks"], json!([{}, {"b": 1}]));
    assert_eq!(json["bounds"], json!([["saved", ">=", 1.0]]));
    assert_eq!(json["actions"][1], json!(["INPUT | Sheet1!A2 | 2", 0, 0, [2, 1, 2, 1]]));
    let steps = json["steps"].as_array().unwrap();
    let kinds: Vec<_> = steps.iter().map(|step| step["k"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["u", "p", "p", "u", "f", "u", "e", "x"]);
    assert_eq!(steps[0]["c"], json!([{"n": 1, "v": [[1, 1, 1, 1]]}]));
    // The proposal does the next action and nothing else.
    assert_eq!((&steps[1]["a"], &steps[1]["q"]), (&json!(1), &json!(0.75)));
    assert_eq!((&steps[1]["c"], &steps[1]["e"]), (&json!([{"v": [[2, 1, 1, 2]]}]), &json!([[0, 1]])));
    assert_eq!(steps[1]["h"], json!([[0, 1.0, 1]]));
    // The other one would have to be undone.
    assert_eq!((&steps[2]["a"], &steps[2]["h"]), (&Json::Null, &json!([[0, -1.0, 0]])));
    let undo = steps[2]["e"][0][2][0].as_u64().unwrap();
    assert_eq!((&steps[2]["e"][0][0], undo % 2), (&json!(0), 1));
    assert_eq!(steps[4]["m"], json!("<b>no</b>"));
    assert_eq!(steps[5]["c"], json!([{"l": [[1, 1, 3, 1, 1]]}]));
    assert_eq!((&steps[6]["i"], &steps[6]["t"]), (&json!("to rest"), &json!([5, 1])));
    assert_eq!(steps[6]["r"][0][0], json!("no action"));
    assert_eq!(json["end"]["user_steps"], json!(3));
}

#[test]
fn what_does_not_come_out_as_recorded_has_no_film() {
    let mut record = record(&["INPUT | A1 | 1", "INPUT | A2 | 2"], |_, _| Ok(Usage::default()));
    let made = |record: &UnitRecord| Film::of(record, &Saves(1), &Protocol::NAPE_1);
    assert!(made(&record).is_ok());
    let events = record.events.clone();
    record.events.remove(1);
    assert!(matches!(made(&record), Err(FilmError::Different { event_idx: 1 })));
    record.events = events;
    record.events.push(record.events[0].clone());
    assert!(matches!(made(&record), Err(FilmError::Different { event_idx }) if event_idx + 1 == record.events.len()));
    record.header.trajectory.lines.pop();
    assert!(matches!(made(&record), Err(FilmError::Replay(ReplayError::Digest { .. }))));
    record.seal.lost = true;
    assert!(matches!(made(&record), Err(FilmError::Lost)));
}

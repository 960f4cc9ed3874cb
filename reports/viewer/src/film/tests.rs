use napsim_reports::setup::Mode;
use napsim_sim::predictor::{PredictError, Proposals, Remarks, Usage, View};
use napsim_trajectories::Action;
use serde_json::{Value as Json, json};

use super::*;
use crate::testing::{Heard, Saves, record_with};

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

#[test]
fn a_film_tells_what_happened() {
    let lines = [
        "INPUT | A1 | 1",
        "INPUT | A2 | 2",
        "INPUT | A3 | 3",
        "FONT_BOLD | A1:A3 | true",
    ];
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
    assert_eq!(
        json["shown"],
        json!([[], ["1", "n"], ["2", "n"], ["0.5", "n"], ["3", "n"]])
    );
    assert_eq!(json["looks"], json!([{}, {"b": 1}]));
    assert_eq!(json["bounds"], json!([["saved", ">=", 1.0]]));
    assert_eq!(json["actions"][1], json!(["INPUT | Sheet1!A2 | 2", 0, 0, [2, 1, 2, 1]]));
    let steps = json["steps"].as_array().unwrap();
    let kinds: Vec<_> = steps.iter().map(|step| step["k"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["u", "p", "p", "u", "f", "u", "e", "x"]);
    assert_eq!(steps[0]["c"], json!([{"n": 1, "v": [[1, 1, 1, 1]]}]));
    // The proposal does the next action and nothing else.
    assert_eq!((&steps[1]["a"], &steps[1]["q"]), (&json!(1), &json!(0.75)));
    assert_eq!(
        (&steps[1]["c"], &steps[1]["e"]),
        (&json!([{"v": [[2, 1, 1, 2]]}]), &json!([[0, 1]]))
    );
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
    assert!(matches!(
        made(&record),
        Err(FilmError::Replay(ReplayError::Digest { .. }))
    ));
    record.seal.lost = true;
    assert!(matches!(made(&record), Err(FilmError::Lost)));
}

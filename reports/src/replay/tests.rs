use napsim_sim::policy::{Evidence, Verdict};
use napsim_sim::predictor::{
    Budget, Fingerprint, PredictError, Predictor, Proposals, Seed, TrajectoryHead, Usage, View,
};
use napsim_trajectories::{Action, SourceLine};

use super::*;
use crate::fixtures::setup;
use crate::record::{Seal, UnitHeader};

const LINES: [&str; 6] = [
    "INPUT | A1 | Week",
    "INPUT | A2 | 1",
    "INPUT | A3 | 2",
    "FONT_BOLD | A1 | true",
    "FILL_COLOR | A1 | FF00FF00",
    "INPUT | A4 | 3",
];

struct Greedy;

impl AcceptancePolicy for Greedy {
    fn id(&self) -> &str {
        "greedy"
    }

    fn decide(&self, evidence: &Evidence) -> Verdict {
        Verdict {
            accepted: evidence.saved >= 1,
            checks: Vec::new(),
        }
    }
}

/// Does everything that a predictor can do: silence, rejected lines, a failure, right and wrong proposals.
struct Moody;

impl Predictor for Moody {
    fn fingerprint(&self) -> Fingerprint {
        Fingerprint("moody".to_owned())
    }

    fn begin(&mut self, _head: TrajectoryHead<'_>, _seed: Seed) {}

    fn observe(&mut self, _actions: &[Action]) {}

    fn predict(&mut self, view: View<'_>, _budget: Budget, out: &mut Proposals) -> Result<Usage, PredictError> {
        match view.call_idx {
            0 => out.reject("WALK | A1", "no such action"),
            1 => return Err(PredictError::Call("busy".to_owned())),
            2 => drop(out.push_text("FONT_BOLD | A1 | true", Some(0.75))),
            3 => drop(out.push_text("INPUT | C9 | stray", None)),
            _ => {}
        }
        Ok(Usage {
            input_tokens: 10,
            output_tokens: 2,
        })
    }
}

fn record() -> UnitRecord {
    let trajectory = Trajectory {
        name: "t".to_owned(),
        title: None,
        description: None,
        actions: LINES.iter().map(|line| Action::parse(line).unwrap()).collect(),
        lines: LINES
            .iter()
            .zip(1..)
            .map(|(line, line_no)| SourceLine {
                text: (*line).to_owned(),
                line_no,
            })
            .collect(),
        predictable: serde_json::from_str(
            r#"{"final_state_size": 6, "predictable_count": 2,
                "predictable_properties": {"Sheet1": {"A1": ["Format.font.bold", "value"]}}}"#,
        )
        .unwrap(),
    };
    let setup = setup();
    let mut events: Vec<Event> = Vec::new();
    let task = Task {
        name: "t",
        actions: &trajectory.actions,
        policy: &Greedy,
        protocol: &Protocol::NAPE_1,
        settings: &setup.settings,
    };
    let summary = rollout(task, &mut Moody, &mut events);
    let mut coverage = Coverage::new(trajectory.predictable.as_ref().unwrap());
    events.iter().for_each(|event| coverage.see(event));
    let seal = Seal {
        events: u64::try_from(events.len()).unwrap(),
        coverage: Some(coverage.counts()),
        lost: false,
        sha256: String::new(),
    };
    // As a file would have it: what is not recorded is gone.
    let events: Vec<Event> = serde_json::from_str(&serde_json::to_string(&events).unwrap()).unwrap();
    UnitRecord {
        header: UnitHeader::new(&setup, &trajectory, "0"),
        events,
        summary,
        seal,
        intact: true,
    }
}

fn check(change: impl FnOnce(&mut UnitRecord), expected: Option<(Option<u64>, &str)>) {
    let mut record = record();
    change(&mut record);
    let replay = replay(&record, &Greedy, &Protocol::NAPE_1).unwrap();
    let found = replay
        .mismatch
        .map(|mismatch| (mismatch.event_idx, mismatch.difference.to_string()));
    assert_eq!(found.as_ref().map(|(idx, text)| (*idx, text.as_str())), expected);
}

#[test]
fn a_record_comes_out_as_it_is() {
    let record = record();
    assert_eq!((record.summary.predictions, record.summary.accepted), (2, 1));
    assert_eq!((record.summary.errors, record.summary.rejected_proposals), (1, 1));
    assert_eq!(record.seal.coverage.unwrap().accepted, 1);
    let replay = replay(&record, &Greedy, &Protocol::NAPE_1).unwrap();
    assert_eq!(replay.mismatch, None);
    assert_eq!(replay.n_equal, record.seal.events);
    assert_eq!(replay.result, record.result());
}

#[test]
fn what_was_changed_is_found() {
    let at = |record: &UnitRecord| {
        record
            .events
            .iter()
            .position(|event| matches!(event, Event::Prediction(_)))
            .unwrap()
    };
    let idx = u64::try_from(at(&record())).unwrap();
    check(
        |record| {
            let idx = at(record);
            if let Event::Prediction(prediction) = &mut record.events[idx] {
                prediction.metrics.tp += 1;
            }
        },
        Some((Some(idx), "metrics.tp: expected 1, got 2")),
    );
    check(
        |record| {
            if let Some(Event::End(summary)) = record.events.last_mut() {
                summary.user_steps -= 1;
            }
        },
        Some((
            Some(u64::try_from(record().events.len() - 1).unwrap()),
            "user_steps: expected 5, got 4",
        )),
    );
    check(
        |record| record.seal.coverage = None,
        Some((
            None,
            r#"expected {"predictable":2,"accepted":1,"attempted":1}, got null"#,
        )),
    );
}

#[test]
fn events_too_few_or_too_many_are_found() {
    let mut short = record();
    let last = short.events.pop().unwrap();
    let n_events = u64::try_from(short.events.len()).unwrap();
    let found = replay(&short, &Greedy, &Protocol::NAPE_1).unwrap().mismatch.unwrap();
    assert_eq!((found.event_idx, found.difference.right), (Some(n_events), None));
    let mut long = record();
    long.events.push(last);
    let found = replay(&long, &Greedy, &Protocol::NAPE_1).unwrap().mismatch.unwrap();
    assert_eq!((found.event_idx, found.difference.left), (Some(n_events + 1), None));
}

#[test]
fn another_trajectory_is_no_ground_for_a_replay() {
    let mut other = record();
    other.header.trajectory.lines[0] = "INPUT | A1 | Month".to_owned();
    let error = replay(&other, &Greedy, &Protocol::NAPE_1).unwrap_err().to_string();
    assert!(
        error.starts_with("find the measured trajectory: its digest is"),
        "{error}"
    );
    other.header.trajectory.lines[0] = "WALK".to_owned();
    let error = replay(&other, &Greedy, &Protocol::NAPE_1).unwrap_err().to_string();
    assert!(error.starts_with("read line 1 of the recorded trajectory:"), "{error}");
}

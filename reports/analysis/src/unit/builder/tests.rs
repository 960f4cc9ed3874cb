use napsim_sim::event::Event;
use napsim_sim::predictor::RejectedProposal;

use super::*;
use crate::by::By;
use crate::unit::UnitAnalysis;
use crate::unit::fixtures::{accepted, empty, record, rejected, step, unit};

const TRAJECTORY: [&str; 3] = [
    "INPUT | Sheet1!A1 | \"x\"",
    "FONT_BOLD | A1 | True",
    "UNMERGE | Sheet1!A1:B1 | false",
];

#[test]
fn actions_are_counted_by_kind() {
    let unit = unit(
        "t",
        &TRAJECTORY,
        &[
            step(TRAJECTORY[0]),
            rejected("INPUT | Sheet1!A2 | 1; FONT_BOLD | Sheet1!A2 | true").into(),
            accepted("FONT_BOLD | Sheet1!A1 | true")
                .with_removed(&["FONT_BOLD | Sheet1!A1 | true"])
                .with_undo(&["FILL_COLOR | Sheet1!A1 | clear"])
                .into(),
        ],
    );
    let at = |places: &crate::tally::Places, name: &str| {
        let place = Kind::all().position(|kind| kind.name() == name).unwrap();
        places.get(place)
    };
    let kinds = &unit.kinds;
    assert_eq!(["input", "font", "merge"].map(|kind| at(&kinds.truth, kind)), [1, 1, 1]);
    assert_eq!(["input", "font"].map(|kind| at(&kinds.rejected, kind)), [1, 1]);
    assert_eq!(["input", "font"].map(|kind| at(&kinds.accepted, kind)), [0, 1]);
    assert_eq!((at(&kinds.removed, "font"), at(&kinds.undo, "fill")), (1, 1));
    assert_eq!(unit.undo.get("FILL_COLOR"), Some(&1));
    assert_eq!((unit.all.predictions, unit.all.accepted, unit.all.proposed), (2, 1, 3));
    assert!(unit.summary.remaining.is_empty());
}

#[test]
fn the_trigger_is_the_last_action_of_the_user() {
    let unit = unit(
        "t",
        &TRAJECTORY,
        &[
            step("INPUT | Sheet1!A1 | 1"),
            accepted("MERGE | Sheet1!A1:B1 | true").into(),
            accepted("INPUT | Sheet1!A1 | 1").into(),
            step("FONT_BOLD | Sheet1!A1 | true"),
            rejected("INPUT | Sheet1!A1 | 1").into(),
        ],
    );
    let tally = |kind| unit.tally(By::Trigger, Kind::from(kind).place());
    let (input, font) = (
        tally(napsim_trajectories::Group::Input),
        tally(napsim_trajectories::Group::Font),
    );
    assert_eq!((input.predictions, input.accepted), (2, 2));
    assert_eq!((font.predictions, font.accepted), (1, 0));
}

#[test]
fn answers_without_any_action_count_as_invalid() {
    let Event::Empty(mut call) = empty() else {
        panic!("it is an empty call")
    };
    call.rejected = vec![RejectedProposal {
        text: "dance".to_owned(),
        reason: "no action".to_owned(),
    }];
    let unit = unit("t", &TRAJECTORY, &[Event::Empty(call)]);
    let mut expected = ErrorCounts::default();
    expected.add_invalid(1);
    assert_eq!(unit.errors, expected);
}

#[test]
fn a_record_gives_the_same_as_its_events_one_by_one() {
    let record = record("t", &TRAJECTORY, &[step(TRAJECTORY[0]), accepted(TRAJECTORY[1]).into()]);
    let mut builder = Builder::new(&record.header);
    record.events.iter().for_each(|event| builder.see(event));
    assert_eq!(builder.finish(&record.summary), UnitAnalysis::of(&record));
}

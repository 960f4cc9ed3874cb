//! Histories that are allowed and rare.

use napsim_trajectories::Action;

use super::Found;
use crate::answer::Failure;
use crate::bench::Bench;
use crate::conversation::{Conversation, alternating};
use crate::histories;
use crate::shown::counted;

/// Actions between two questions.
const STRIDE: usize = 5;

pub(super) fn every_action(bench: &mut Bench<'_>) -> Result<Found, Failure> {
    survives(bench, "every-action", &histories::every_action())
}

pub(super) fn texts(bench: &mut Bench<'_>) -> Result<Found, Failure> {
    survives(bench, "Übung 7: „a | b“ 📈", &histories::unusual_texts())
}

pub(super) fn sheets(bench: &mut Bench<'_>) -> Result<Found, Failure> {
    let actions = histories::unusual_sheets();
    // Backwards too, so that a trajectory begins on a sheet with an unusual name.
    let backwards: Vec<Action> = actions.iter().rev().take(2 * STRIDE).cloned().collect();
    survives(bench, "unusual-sheets", &backwards)?;
    survives(bench, "unusual-sheets", &actions)
}

pub(super) fn ranges(bench: &mut Bench<'_>) -> Result<Found, Failure> {
    survives(bench, "large-ranges", &histories::large_ranges())
}

/// That every question gets an answer while such a history is told.
fn survives(bench: &mut Bench<'_>, trajectory: &str, actions: &[Action]) -> Result<Found, Failure> {
    let begun = Conversation::new(trajectory, bench.suite.seed);
    // Told one by one, so that a panic names the action.
    let pieces = actions.chunks(STRIDE).enumerate();
    let conversation = pieces.fold(begun, |told, (idx, piece)| {
        piece.chunks(1).fold(told, Conversation::tell).ask(alternating(idx))
    });
    let mut subject = bench.subject();
    let answers = bench.hold(&mut subject, &conversation)?;
    bench.keep(subject);
    let n_actions = counted(actions.len(), "action");
    Ok(Found::well(format!(
        "{n_actions}, {} answered",
        counted(answers.len(), "question")
    )))
}

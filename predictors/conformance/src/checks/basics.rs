//! Whether it answers at all.

use super::Found;
use crate::answer::Failure;
use crate::bench::Bench;

/// An ordinary history gets an answer.
pub(super) fn answers(bench: &mut Bench<'_>) -> Result<Found, Failure> {
    let conversation = bench.histories.plain("answers", bench.suite.seed);
    let mut subject = bench.subject();
    let held = bench.hold(&mut subject, &conversation);
    bench.is_mute = held.is_err();
    bench.keep(subject);
    held.map(|answers| Found::well(format!("answered {} questions", answers.len())))
}

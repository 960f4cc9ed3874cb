//! What became of answers may be told at any time.

use super::Found;
use crate::answer::{Answered, Failure, must_agree};
use crate::bench::Bench;
use crate::conversation::{Conversation, Step};
use crate::shown::counted;

/// Feedback before the first answer, twice after one, about foreign actions and about none.
pub(super) fn feedback(bench: &mut Bench<'_>) -> Result<Found, Failure> {
    let actions = &bench.histories.first().actions;
    let foreign = bench.histories.second().actions.get(..3).unwrap_or_default().to_vec();
    let refuse = |actions: &[_]| Step::Refuse(actions.to_vec());
    let begun = Conversation::new("feedback", bench.suite.seed)
        .then(Step::Withdraw)
        .then(refuse(&foreign))
        .then(refuse(&[]));
    let conversation = actions.chunks(6).take(4).fold(begun, |told, piece| {
        told.tell(piece)
            .then(refuse(piece))
            .ask(Some(1))
            .then(Step::Withdraw)
            .then(refuse(&foreign))
            .ask(None)
            .then(refuse(piece))
            .then(Step::Withdraw)
            .then(Step::Withdraw)
    });
    let mut used = bench.subject();
    let came = bench.hold(&mut used, &conversation)?;
    drop(used);
    let mut fresh = bench.fresh();
    let expected = bench.hold(&mut fresh, &conversation)?;
    bench.keep(fresh);
    must_agree(
        Answered {
            who: "a fresh predictor",
            conversation: &conversation,
            answers: &expected,
        },
        Answered {
            who: "another one, with the same feedback",
            conversation: &conversation,
            answers: &came,
        },
    )?;
    Ok(Found::well(format!(
        "{}, the same of two predictors",
        counted(expected.len(), "answer")
    )))
}

//! How history is told: in which pieces, and when none was told yet.

use super::Found;
use crate::answer::{Answer, Answered, Failure, agree, must_agree};
use crate::bench::Bench;
use crate::conversation::Conversation;
use crate::shown::counted;

/// A question without any history, also after being told of no action, and a history after it.
pub(super) fn empty_history(bench: &mut Bench<'_>) -> Result<Found, Failure> {
    let begun = || Conversation::new("empty-history", bench.suite.seed);
    let some = bench.histories.first().actions.get(..3).unwrap_or_default();
    let conversations = [
        begun().ask(Some(1)),
        begun().tell(&[]).ask(None).tell(some).ask(Some(1)),
    ];
    let mut subject = bench.subject();
    let mut n_proposals = 0;
    for conversation in &conversations {
        let answers = bench.hold(&mut subject, conversation)?;
        n_proposals += answers.first().map_or(0, |answer| answer.proposals.actions().len());
    }
    bench.keep(subject);
    Ok(Found::well(format!(
        "answered, with {}",
        counted(n_proposals, "proposal")
    )))
}

/// However history is cut into pieces, the answer is the same.
pub(super) fn observe(bench: &mut Bench<'_>) -> Result<Found, Failure> {
    let actions = &bench.histories.second().actions;
    let actions = actions.get(..30).unwrap_or(actions);
    let begun = || Conversation::new("observe", bench.suite.seed);
    let at_once = begun().tell(actions).ask(Some(3));
    let singly = actions.chunks(1).fold(begun(), Conversation::tell).ask(Some(3));
    let unevenly = [0, 1, 0, 11, 2, 16, 0].iter().scan(actions, |rest, n| {
        let (piece, later) = rest.split_at((*n).min(rest.len()));
        *rest = later;
        Some(piece)
    });
    let unevenly = unevenly.fold(begun(), Conversation::tell).ask(Some(3));
    let between = actions
        .chunks(10)
        .fold(begun(), |told, piece| told.tell(piece).ask(None));
    let singly_between = actions.chunks(10).fold(begun(), |told, piece| {
        piece.chunks(1).fold(told, Conversation::tell).ask(None)
    });
    let pairs = [
        ("one told at once", &at_once, "one told one by one", &singly),
        (
            "one told at once",
            &at_once,
            "one told in uneven pieces, some of them empty",
            &unevenly,
        ),
        (
            "one told in one piece before each question",
            &between,
            "one told one by one before each question",
            &singly_between,
        ),
    ];
    let mut subject = bench.subject();
    let mut n_answers = 0;
    for (expected_of, expected, came_of, came) in pairs {
        let expected_answers = bench.hold(&mut subject, expected)?;
        bench.renew(&mut subject);
        let answers = bench.hold(&mut subject, came)?;
        bench.renew(&mut subject);
        let answered = |who, conversation, answers| Answered {
            who,
            conversation,
            answers,
        };
        must_agree(
            answered(expected_of, expected, &expected_answers),
            answered(came_of, came, &answers),
        )?;
        n_answers += answers.len();
    }
    let twice = begun().tell(actions).ask(Some(1)).ask(Some(1));
    let answers = bench.hold(&mut subject, &twice)?;
    bench.keep(subject);
    let found = Found::well(format!("{}, the same however told", counted(n_answers, "answer")));
    Ok(if differ(&answers) {
        found.warn("asked twice without news in between it answers differently, as if it learnt from being asked")
    } else {
        found
    })
}

fn differ(answers: &[Answer]) -> bool {
    let mut pairs = answers.iter().zip(answers.iter().skip(1));
    pairs.any(|(one, other)| !agree(&one.proposals, &other.proposals))
}

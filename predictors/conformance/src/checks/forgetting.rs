//! That nothing is left of what was before or goes on beside.

use napsim_sim::predictor::Proposals;
use napsim_trajectories::Action;

use super::Found;
use crate::answer::{Answer, Answered, Failure, must_agree};
use crate::bench::Bench;
use crate::conversation::{Conversation, Step, alternating};
use crate::shown::counted;
use crate::subject::Subject;

/// Actions of the long trajectory that comes before another one.
const LONG: usize = 2_000;

/// Proposals of one answer that are carried out.
const ACCEPTED_MAX: usize = 3;

/// A trajectory begins with a part of what was told before and goes on otherwise.
pub(super) fn rewind(bench: &mut Bench<'_>) -> Result<Found, Failure> {
    let (first, second) = (bench.histories.first(), bench.histories.second());
    let prefix = first.actions.get(..4).unwrap_or_default();
    let other = second.actions.get(20..40).unwrap_or_default();
    let shorter = Conversation::new("rewind", bench.suite.seed).tell(prefix).ask(Some(1));
    let shorter = other
        .chunks(5)
        .enumerate()
        .fold(shorter, |told, (idx, piece)| told.tell(piece).ask(alternating(idx)));
    let mut used = bench.subject();
    let on_policy = OnPolicy::hold(bench, &mut used)?;
    let came = bench.hold(&mut used, &shorter)?;
    drop(used);
    let mut fresh = bench.fresh();
    let expected = bench.hold(&mut fresh, &shorter)?;
    must_agree(
        Answered {
            who: "a fresh predictor",
            conversation: &shorter,
            answers: &expected,
        },
        Answered {
            who: "one that began anew after accepted proposals and undo actions",
            conversation: &shorter,
            answers: &came,
        },
    )?;
    let again = bench.hold(&mut fresh, &on_policy.conversation)?;
    must_agree(
        Answered {
            who: "the first time",
            conversation: &on_policy.conversation,
            answers: &on_policy.answers,
        },
        Answered {
            who: "one that was told the same later",
            conversation: &on_policy.conversation,
            answers: &again,
        },
    )?;
    bench.keep(fresh);
    let n_answers = expected.len() + again.len();
    let n_accepted = on_policy.n_accepted;
    Ok(Found::well(format!(
        "{}, after {}",
        counted(n_answers, "answer"),
        counted(n_accepted, "accepted proposal")
    )))
}

/// A history that leaves the recorded trajectory: proposals are accepted, undone, and actions come twice.
struct OnPolicy {
    conversation: Conversation,
    answers: Vec<Answer>,
    n_accepted: usize,
}

impl OnPolicy {
    fn hold(bench: &mut Bench<'_>, subject: &mut Subject) -> Result<Self, Failure> {
        let recorded = bench.histories.first().actions.clone();
        let mut held = Self {
            conversation: Conversation::new("rewind", bench.suite.seed),
            answers: Vec::new(),
            n_accepted: 0,
        };
        let mut pieces = recorded.chunks(6);
        held.conversation = held.conversation.tell(pieces.next().unwrap_or_default());
        let begun = subject.begin(&held.conversation);
        begun.map_err(|trouble| bench.failure(subject, &held.conversation, 0, &trouble))?;
        held.carry_on(bench, subject, 0)?;
        for piece in pieces.take(4) {
            held.round(bench, subject, piece)?;
        }
        Ok(held)
    }

    /// A question, what becomes of its answer, and then the user's next actions.
    fn round(&mut self, bench: &mut Bench<'_>, subject: &mut Subject, piece: &[Action]) -> Result<(), Failure> {
        let start = self.conversation.steps.len();
        let mut next = self.conversation.clone().ask(None);
        self.say(bench, subject, &mut next, start)?;
        let accepted = self
            .answers
            .last()
            .map(|answer| acceptable(&answer.proposals))
            .unwrap_or_default();
        self.n_accepted += accepted.len();
        // Where nothing was accepted, an action of the user is undone instead.
        let undone = accepted.last().or(piece.first()).map(Action::inverse);
        let start = self.conversation.steps.len();
        let mut next = self.conversation.clone();
        if !accepted.is_empty() {
            next = next.accept(&accepted).ask(Some(1));
        }
        let undone: Vec<Action> = undone.into_iter().collect();
        next = next.tell(&undone).tell(piece).tell(piece.get(..1).unwrap_or_default());
        self.say(bench, subject, &mut next, start)
    }

    /// Says the steps of a longer conversation that were not said yet.
    fn say(
        &mut self,
        bench: &mut Bench<'_>,
        subject: &mut Subject,
        next: &mut Conversation,
        start: usize,
    ) -> Result<(), Failure> {
        std::mem::swap(&mut self.conversation, next);
        self.carry_on(bench, subject, start)
    }

    fn carry_on(&mut self, bench: &mut Bench<'_>, subject: &mut Subject, start: usize) -> Result<(), Failure> {
        for (idx, step) in self.conversation.steps.iter().enumerate().skip(start) {
            let said = subject.step(step);
            let answer = said.map_err(|trouble| bench.failure(subject, &self.conversation, idx, &trouble))?;
            self.answers.extend(answer);
        }
        Ok(())
    }
}

/// The first proposals, as far as they can be kept as text.
fn acceptable(proposals: &Proposals) -> Vec<Action> {
    let actions = proposals.actions().iter().take(ACCEPTED_MAX);
    actions
        .filter_map(|proposal| Action::parse(&proposal.action.to_string()).ok())
        .collect()
}

/// A trajectory is answered as by a fresh predictor, whatever came before it.
pub(super) fn no_leaks(bench: &mut Bench<'_>) -> Result<Found, Failure> {
    let first = &bench.histories.first().actions;
    let second = &bench.histories.second().actions;
    let begun = |name| Conversation::new(name, bench.suite.seed);
    let trajectory = begun("no-leaks").asked_every(4, second.get(..24).unwrap_or(second));
    let n_long = LONG.min(bench.suite.long_history);
    let long = bench.histories.generated(n_long);
    let before = [
        (
            "another trajectory",
            begun("before").asked_every(8, first.get(..40).unwrap_or(first)),
        ),
        ("a long trajectory", begun("long").tell(&long).ask(Some(1))),
        (
            "a trajectory that ended before a question",
            begun("cut-off").tell(first.get(..3).unwrap_or_default()),
        ),
        (
            "a trajectory with refusals",
            begun("refusals")
                .tell(first.get(..6).unwrap_or_default())
                .ask(Some(1))
                .then(Step::Refuse(second.get(..2).unwrap_or_default().to_vec()))
                .then(Step::Withdraw)
                .ask(None),
        ),
        ("a trajectory without any action", begun("empty")),
    ];
    let mut used = bench.subject();
    let mut answers = Vec::new();
    for (what, conversation) in &before {
        bench.hold(&mut used, conversation)?;
        answers.push((*what, bench.hold(&mut used, &trajectory)?));
    }
    drop(used);
    let mut fresh = bench.fresh();
    let expected = bench.hold(&mut fresh, &trajectory)?;
    bench.keep(fresh);
    for (what, came) in &answers {
        must_agree(
            Answered {
                who: "a fresh predictor",
                conversation: &trajectory,
                answers: &expected,
            },
            Answered {
                who: &format!("one that had gone through {what} before"),
                conversation: &trajectory,
                answers: came,
            },
        )?;
    }
    let n_answers = counted(expected.len() * answers.len(), "answer");
    Ok(Found::well(format!(
        "{n_answers} as of a fresh predictor, after {} kinds of trajectories",
        before.len()
    )))
}

/// Two predictors take turns, each in a trajectory of its own.
pub(super) fn side_by_side(bench: &mut Bench<'_>) -> Result<Found, Failure> {
    let begun = |name| Conversation::new(name, bench.suite.seed);
    let beginning = |actions: &[Action]| actions.get(..24).unwrap_or(actions).to_vec();
    let left = begun("left").asked_every(4, &beginning(&bench.histories.first().actions));
    let right = begun("right").asked_every(4, &beginning(&bench.histories.second().actions));
    let mut one = bench.subject();
    let left_alone = bench.hold(&mut one, &left)?;
    bench.renew(&mut one);
    let alone = [left_alone, bench.hold(&mut one, &right)?];
    bench.renew(&mut one);
    let mut other = bench.fresh();
    let together = in_turns(bench, (&mut one, &left), (&mut other, &right))?;
    drop(other);
    bench.keep(one);
    for ((conversation, expected), came) in [&left, &right].into_iter().zip(&alone).zip(&together) {
        must_agree(
            Answered {
                who: "a predictor alone",
                conversation,
                answers: expected,
            },
            Answered {
                who: "one of two that took turns",
                conversation,
                answers: came,
            },
        )?;
    }
    let n_answers = together.iter().map(Vec::len).sum();
    Ok(Found::well(format!("{} in turns", counted(n_answers, "answer"))))
}

type Seat<'a> = (&'a mut Subject, &'a Conversation);

/// Holds two conversations step by step in turns.
fn in_turns(bench: &mut Bench<'_>, left: Seat<'_>, right: Seat<'_>) -> Result<[Vec<Answer>; 2], Failure> {
    let mut seats = [left, right];
    let mut answers = [Vec::new(), Vec::new()];
    for (subject, conversation) in &mut seats {
        let begun = subject.begin(conversation);
        begun.map_err(|trouble| bench.failure(subject, conversation, 0, &trouble))?;
    }
    let n_steps = seats.iter().map(|(_, conversation)| conversation.steps.len()).max();
    for idx in 0..n_steps.unwrap_or_default() {
        for ((subject, conversation), answers) in seats.iter_mut().zip(&mut answers) {
            let Some(step) = conversation.steps.get(idx) else {
                continue;
            };
            answers.extend(turn(bench, subject, conversation, (idx, step))?);
        }
    }
    Ok(answers)
}

fn turn(
    bench: &mut Bench<'_>,
    subject: &mut Subject,
    conversation: &Conversation,
    (idx, step): (usize, &Step),
) -> Result<Option<Answer>, Failure> {
    let said = subject.step(step);
    said.map_err(|trouble| bench.failure(subject, conversation, idx, &trouble))
}

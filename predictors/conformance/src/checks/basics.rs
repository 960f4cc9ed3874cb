//! Whether it answers at all, and always the same.

use super::Found;
use crate::answer::{Answer, Answered, Failure, agree, must_agree};
use crate::bench::Bench;
use crate::conversation::Conversation;
use crate::shown::{counted, shown};

/// A seed that does not fit into 63 bits, or into the 32 that some libraries take.
const LARGEST_SEED: u64 = u64::MAX;

/// An ordinary history gets an answer.
pub(super) fn answers(bench: &mut Bench<'_>) -> Result<Found, Failure> {
    let conversation = bench.histories.plain("answers", bench.suite.seed);
    bench.is_mute = true;
    let mut subject = bench.subject();
    let answers = bench.hold(&mut subject, &conversation)?;
    bench.is_mute = false;
    bench.keep(subject);
    Ok(Found::well(format!("{} answered", counted(answers.len(), "question"))))
}

/// Two fresh predictors answer alike, and so does one that begins anew.
pub(super) fn determinism(bench: &mut Bench<'_>) -> Result<Found, Failure> {
    let conversation = ordinary(bench, "determinism");
    let mut first = bench.fresh();
    let expected = bench.hold(&mut first, &conversation)?;
    drop(first);
    let mut second = bench.fresh();
    let came = bench.hold(&mut second, &conversation)?;
    let answered = |who, answers| Answered {
        who,
        conversation: &conversation,
        answers,
    };
    let fresh = answered("a fresh predictor", &expected);
    if let Err(failure) = must_agree(fresh, answered("another fresh predictor", &came)) {
        bench.is_erratic = true;
        return Err(failure);
    }
    let again = bench.hold(&mut second, &conversation)?;
    must_agree(fresh, answered("one that began the same trajectory again", &again))?;
    bench.keep(second);
    let n_answers = counted(expected.len(), "answer");
    Ok(Found::well(format!(
        "{n_answers}, the same from two predictors and after beginning anew"
    )))
}

/// Answers depend on the present seed, not on earlier ones, and every seed will do.
pub(super) fn seed(bench: &mut Bench<'_>) -> Result<Found, Failure> {
    let plain = ordinary(bench, "seed");
    let other = plain.clone().seeded(LARGEST_SEED);
    let mut used = bench.subject();
    let first = bench.hold(&mut used, &plain)?;
    let second = bench.hold(&mut used, &other)?;
    let third = bench.hold(&mut used, &plain)?;
    drop(used);
    must_agree(
        Answered {
            who: "the first trajectory with this seed",
            conversation: &plain,
            answers: &first,
        },
        Answered {
            who: "the same after one with another seed",
            conversation: &plain,
            answers: &third,
        },
    )?;
    let mut fresh = bench.fresh();
    let expected = bench.hold(&mut fresh, &other)?;
    must_agree(
        Answered {
            who: "a fresh predictor",
            conversation: &other,
            answers: &expected,
        },
        Answered {
            who: "one that had begun with another seed before",
            conversation: &other,
            answers: &second,
        },
    )?;
    bench.keep(fresh);
    Ok(Found::well(match n_differing(&first, &second) {
        0 => "another seed changes no answer".to_owned(),
        n => format!("another seed changes {n} of {}", counted(first.len(), "answer")),
    }))
}

fn n_differing(first: &[Answer], second: &[Answer]) -> usize {
    let pairs = first.iter().zip(second);
    pairs
        .filter(|(one, other)| !agree(&one.proposals, &other.proposals))
        .count()
}

/// An ordinary trajectory with seven questions.
fn ordinary(bench: &Bench<'_>, name: &str) -> Conversation {
    let actions = &bench.histories.first().actions;
    let beginning = actions.get(..28).unwrap_or(actions);
    Conversation::new(name, bench.suite.seed).asked_every(4, beginning)
}

/// Every predictor gives the same fingerprint, before and after use.
pub(super) fn fingerprint(bench: &mut Bench<'_>) -> Result<Found, Failure> {
    let mut subject = bench.subject();
    if bench.fingerprints.len() < 2 {
        // This check alone was asked for, so there is but the one.
        drop(subject);
        subject = bench.fresh();
    }
    let conversation = bench.histories.plain("fingerprint", bench.suite.seed);
    bench.hold(&mut subject, &conversation)?;
    let after_use = subject.fingerprint().map_err(|trouble| trouble.to_string());
    bench.keep(subject);
    let of_fresh = bench.fingerprints.iter().cloned();
    let mut all = of_fresh
        .map(|given| ("a fresh predictor", given))
        .chain([("one in use", after_use)]);
    let mut expected: Option<String> = None;
    for (who, given) in &mut all {
        let given = given.map_err(|trouble| Failure(format!("{who} {trouble}")))?;
        if given.trim().is_empty() {
            let why = "the same text promises the same answers: kept runs go on only with the same one";
            return Err(Failure(format!(
                "expected: a text\ncame (of {who}): an empty one\n{why}"
            )));
        }
        match &expected {
            Some(expected) if *expected != given => {
                return Err(Failure(format!(
                    "expected (of the first predictor): `{}`\ncame (of {who}): `{}`",
                    shown(expected),
                    shown(&given)
                )));
            }
            _ => expected = Some(given),
        }
    }
    let n_predictors = counted(bench.fingerprints.len(), "predictor");
    let text = shown(&expected.unwrap_or_default());
    Ok(Found::well(format!("`{text}`, the same of {n_predictors}")))
}

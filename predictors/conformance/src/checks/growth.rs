//! Long histories: whether they are answered, and what they cost.

use std::time::Duration;

use super::Found;
use crate::answer::{Answer, Failure};
use crate::bench::Bench;
use crate::conversation::Conversation;
use crate::shown::{counted, grouped};

/// Questions along a history that is told step by step.
const MOMENTS: usize = 20;

/// The same where calls are slow, and what a slow call takes.
const MOMENTS_IF_SLOW: usize = 4;
const SLOW: Duration = Duration::from_secs(5);

/// How often a call is timed; the shortest time counts, since whatever else runs only makes it longer.
const REPEATS: usize = 3;

/// How many times as long as the history is long a call may take before it is more than proportional.
const SLACK: f64 = 2.5;

/// Calls below this are fast enough, however they grow.
const NEGLIGIBLE: Duration = Duration::from_millis(5);

/// A long history, told at once and step by step, and how the time of a call grows from a tenth of it.
pub(super) fn long_history(bench: &mut Bench<'_>) -> Result<Found, Failure> {
    let n_long = bench.suite.long_history.max(10);
    let n_short = n_long / 10;
    let actions = bench.histories.generated(n_long);
    let begun = || Conversation::new("long-history", bench.suite.seed);
    let short = begun().tell(actions.get(..n_short).unwrap_or(&actions)).ask(Some(1));
    let long = begun().tell(&actions).ask(Some(1));
    // A predictor that loads its model at the first question must not be timed while it does.
    let mut subject = bench.subject();
    bench.hold(&mut subject, &bench.histories.plain("long-history", bench.suite.seed))?;
    bench.keep(subject);
    let mut times = Vec::new();
    for conversation in [&short, &long] {
        times.push(shortest(bench, conversation)?);
    }
    let [short_time, long_time] = times.try_into().unwrap_or([Duration::ZERO; 2]);
    let n_moments = if long_time > SLOW { MOMENTS_IF_SLOW } else { MOMENTS };
    let stepwise = begun().asked_every(n_long.div_ceil(n_moments), &actions);
    let mut subject = bench.subject();
    let answers = bench.hold(&mut subject, &stepwise)?;
    bench.keep(subject);
    let found = Found::well(format!(
        "told at once: {} a call after {}, {} after {}",
        milliseconds(short_time),
        counted(n_short, "action"),
        milliseconds(long_time),
        grouped(n_long)
    ));
    let found = found.and(format!("step by step: {}", in_words(&answers)));
    let growth = long_time.as_secs_f64() / short_time.as_secs_f64().max(1e-9);
    #[expect(clippy::cast_precision_loss, reason = "lengths of histories are far below 2^53")]
    let proportion = n_long as f64 / n_short as f64;
    Ok(if long_time > NEGLIGIBLE && growth > SLACK * proportion {
        found.warn(format!(
            "a history {proportion:.0} times as long takes {growth:.0} times as long to answer"
        ))
    } else {
        found
    })
}

/// The shortest time of a call, over some tries.
fn shortest(bench: &mut Bench<'_>, conversation: &Conversation) -> Result<Duration, Failure> {
    let mut subject = bench.subject();
    let mut shortest = time_of(&bench.hold(&mut subject, conversation)?);
    for _ in 1..REPEATS {
        if shortest > SLOW {
            break;
        }
        shortest = shortest.min(time_of(&bench.hold(&mut subject, conversation)?));
    }
    bench.keep(subject);
    Ok(shortest)
}

fn time_of(answers: &[Answer]) -> Duration {
    answers.iter().map(|answer| answer.time).sum()
}

/// Number of calls, the middle time and the longest one.
fn in_words(answers: &[Answer]) -> String {
    let mut times: Vec<Duration> = answers.iter().map(|answer| answer.time).collect();
    times.sort();
    let middle = times.get(times.len() / 2).copied().unwrap_or_default();
    let longest = times.last().copied().unwrap_or_default();
    format!(
        "{}, {} in the middle, {} at most",
        counted(times.len(), "call"),
        milliseconds(middle),
        milliseconds(longest)
    )
}

fn milliseconds(time: Duration) -> String {
    format!("{:.3} ms", 1e3 * time.as_secs_f64())
}

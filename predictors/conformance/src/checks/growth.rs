//! Long histories: whether they are answered, and what they cost.

use std::time::Duration;

use super::Found;
use crate::answer::{Answer, Failure};
use crate::bench::Bench;
use crate::conversation::Conversation;
use crate::shown::{counted, grouped};
use crate::subject::Subject;

/// Questions along a history that is told step by step.
const MOMENTS: usize = 20;

/// The same where calls are slow, and what a slow call takes.
const MOMENTS_IF_SLOW: usize = 4;
const SLOW: Duration = Duration::from_secs(5);

/// How often a call is timed; the shortest time counts, since whatever else runs only makes it longer.
const REPEATS: usize = 3;

/// By what a call may take longer than in proportion: longer histories leave the caches of the machine, and a call that
/// grows with the square of a history ten times as long takes ten times longer than in proportion.
const SLACK: f64 = 4.0;

/// Calls below this are fast enough, however they grow.
const NEGLIGIBLE: Duration = Duration::from_millis(10);

/// A long history, told at once and step by step, and how the time of a call grows from a tenth of it.
pub(super) fn long_history(bench: &mut Bench<'_>) -> Result<Found, Failure> {
    let n_long = bench.suite.long_history.max(10);
    let n_short = n_long / 10;
    let actions = bench.histories.generated(n_long);
    let begun = || Conversation::new("long-history", bench.suite.seed);
    let short = begun().tell(actions.get(..n_short).unwrap_or(&actions)).ask(Some(1));
    let long = begun().tell(&actions).ask(Some(1));
    let mut subject = bench.subject();
    // A predictor that loads its model at the first question must not be timed while it does.
    bench.hold(&mut subject, &bench.histories.plain("long-history", bench.suite.seed))?;
    let mut growth = Growth {
        lengths: (n_short, n_long),
        short: shortest(bench, &mut subject, &short)?,
        long: shortest(bench, &mut subject, &long)?,
    };
    if growth.is_steep() {
        // Something else may have run just then.
        growth.long = growth.long.min(shortest(bench, &mut subject, &long)?);
    }
    let n_moments = if growth.long > SLOW { MOMENTS_IF_SLOW } else { MOMENTS };
    let stepwise = begun().asked_every(n_long.div_ceil(n_moments), &actions);
    let answers = bench.hold(&mut subject, &stepwise)?;
    bench.keep(subject);
    let found = Found::well(format!(
        "told at once: {} a call after {}, {} after {}",
        milliseconds(growth.short),
        counted(n_short, "action"),
        milliseconds(growth.long),
        grouped(n_long)
    ));
    let found = found.and(format!("step by step: {}", in_words(&answers)));
    Ok(if growth.is_steep() {
        let (longer, slower) = (growth.of_length(), growth.of_time());
        found.warn(format!(
            "a history {longer:.0} times as long takes {slower:.0} times as long to answer"
        ))
    } else {
        found
    })
}

/// What a call takes after a history and after a longer one.
struct Growth {
    /// Actions of the two histories.
    lengths: (usize, usize),
    short: Duration,
    long: Duration,
}

impl Growth {
    /// How many times as long the longer history is.
    #[expect(clippy::cast_precision_loss, reason = "lengths of histories are far below 2^53")]
    fn of_length(&self) -> f64 {
        let (short, long) = self.lengths;
        long as f64 / short as f64
    }

    /// How many times as long a call takes after it.
    fn of_time(&self) -> f64 {
        self.long.as_secs_f64() / self.short.as_secs_f64().max(1e-9)
    }

    /// Whether time grows faster than history, and matters.
    fn is_steep(&self) -> bool {
        self.long > NEGLIGIBLE && self.of_time() > SLACK * self.of_length()
    }
}

/// The shortest time of a call, over some tries.
fn shortest(bench: &mut Bench<'_>, subject: &mut Subject, conversation: &Conversation) -> Result<Duration, Failure> {
    let mut shortest = time_of(&bench.hold(subject, conversation)?);
    for _ in 1..REPEATS {
        if shortest > SLOW {
            break;
        }
        shortest = shortest.min(time_of(&bench.hold(subject, conversation)?));
    }
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

//! What has to be known beside the tables of a comparison, in sentences.

use napsim_statistics::{Method, TestMethod};

use super::sheet::level;
use super::{Comparison, PairedFigures, RunFigures, Verdict};
use crate::table::{count, percent};

/// Fewer pairs than this cannot show a difference at 5 %, whatever they are.
const PAIRS_FEW: usize = 6;

/// One sentence a line. Names of runs stand as they are.
pub(super) fn notes(comparison: &Comparison) -> Vec<String> {
    let mut notes = winners(comparison);
    notes.extend(comparison.runs.iter().flat_map(run));
    for figures in &comparison.differences {
        notes.extend(pairs(figures, comparison));
    }
    notes.extend(methods(comparison));
    notes
}

/// Who is the best, and who cannot be told from the best.
fn winners(comparison: &Comparison) -> Vec<String> {
    let title = comparison.settings.metric.title();
    let best: Vec<&RunFigures> = comparison.best().collect();
    let (Some(first), true) = (best.first(), comparison.runs.len() > 1) else {
        return Vec::new();
    };
    let names: Vec<String> = best.iter().map(|run| format!("`{}`", run.name)).collect();
    let mean = percent(first.mean);
    let mut notes = vec![match names.as_slice() {
        [name] => format!("highest mean {title}: {name} ({mean})"),
        _ => format!("highest mean {title}: {} alike ({mean})", list(&names)),
    }];
    let is_best = |name: &str| best.iter().any(|run| run.name == name);
    let equal: Vec<String> = comparison
        .differences
        .iter()
        .filter(|figures| figures.verdict == Verdict::NoDifferenceShown && comparison.baseline.is_some())
        .filter(|figures| is_best(&figures.baseline) && !is_best(&figures.run))
        .map(|figures| format!("`{}`", figures.run))
        .collect();
    if !equal.is_empty() {
        notes.push(format!("not shown to be behind it: {}", list(&equal)));
    }
    notes
}

fn run(run: &RunFigures) -> Vec<String> {
    let mut notes = Vec::new();
    let name = &run.name;
    if !run.is_complete() {
        let parts = [(run.missing, "missing"), (run.failed, "failed")];
        let some = parts.iter().filter(|(count, _)| *count > 0);
        let words: Vec<String> = some.map(|(count, what)| format!("{count} units {what}")).collect();
        let words = if words.is_empty() {
            "no unit".to_owned()
        } else {
            words.join(", ")
        };
        notes.push(format!(
            "! `{name}` is incomplete ({words}): a run with unresolved errors is not ranked"
        ));
    }
    let parts = [
        (
            run.truncated,
            "truncated (a limit stopped it; UAS counts what a step limit left as saved)",
        ),
        (run.diverged, "diverged (an acceptance was taken back)"),
    ];
    for (count, what) in parts.iter().filter(|(count, _)| *count > 0) {
        notes.push(format!("`{name}`: {count} {what}"));
    }
    if let Some(spread) = &run.spread {
        notes.push(if spread.identical {
            format!("`{name}`: identical over {} seeds", spread.repeats)
        } else {
            let deviation = spread.standard_deviation.unwrap_or_default();
            format!(
                "`{name}`: means of {} seeds from {} to {}, SD {:.2} points; SD between seeds on one trajectory {:.2}, \
                 between trajectories {:.2} points",
                spread.repeats,
                percent(Some(spread.lowest)),
                percent(Some(spread.highest)),
                100.0 * deviation,
                100.0 * spread.within.unwrap_or_default().sqrt(),
                100.0 * spread.between.unwrap_or_default().sqrt()
            )
        });
    }
    notes
}

fn pairs(figures: &PairedFigures, comparison: &Comparison) -> Vec<String> {
    let difference = &figures.difference;
    let (name, n) = (&figures.run, difference.n);
    let who = if comparison.baseline.is_some() {
        format!("`{name}`")
    } else {
        format!("`{name}` against `{}`", figures.baseline)
    };
    let mut notes = Vec::new();
    let left_out = figures.left_out.total();
    if left_out > 0 {
        notes.push(format!(
            "{who}: {n} of {} trajectories are paired, left out: {}",
            n + left_out,
            figures.left_out.words()
        ));
    }
    if difference.ties == n && n > 0 {
        return notes;
    }
    if 2 * difference.ties >= n && n > 0 {
        notes.push(format!("{who}: {} of {n} trajectories tie", difference.ties));
    }
    let n_different = n - difference.ties;
    if n_different > 0 && n_different < PAIRS_FEW {
        let pairs = if n_different == 1 {
            "pair differs"
        } else {
            "pairs differ"
        };
        notes.push(format!(
            "{who}: only {n_different} {pairs}; p cannot be below {}",
            0.5_f64.powi(i32::try_from(n_different).unwrap_or_default() - 1)
        ));
    }
    notes
}

/// How intervals and tests are made, with what is made otherwise.
fn methods(comparison: &Comparison) -> Vec<String> {
    let settings = &comparison.settings;
    let mut notes = Vec::new();
    if comparison.runs.iter().any(|run| run.interval.is_some()) {
        notes.push(format!(
            "{} intervals: {} over trajectories, {} resamples, seed {}",
            level(settings.level),
            Method::Studentised.name(),
            count(settings.resamples.into()),
            settings.seed
        ));
    }
    let of_runs = comparison.runs.iter().map(|run| (&run.name, run.interval, ""));
    let of_pairs = comparison.differences.iter().map(|figures| {
        let interval = figures.difference.interval;
        (&figures.run, interval, "difference of ")
    });
    for (name, interval, what) in of_runs.chain(of_pairs) {
        match interval.map(|interval| interval.method) {
            None | Some(Method::Studentised) => {}
            Some(method) => notes.push(format!("interval of {what}`{name}`: {}", method.name())),
        }
    }
    if !comparison.differences.is_empty() {
        let drawn = comparison
            .differences
            .iter()
            .find_map(|figures| match figures.difference.sign_flip.method {
                TestMethod::MonteCarlo(n) => Some(format!(" (or {} drawn signs)", count(n.into()))),
                _ => None,
            });
        let adjusted = match comparison.differences.len() {
            1 => String::new(),
            n => format!(", both adjusted by Holm's method for {n} comparisons"),
        };
        notes.push(format!(
            "p: exact{} sign-flip test of the mean difference; p (W): Wilcoxon's signed-rank test{adjusted}",
            drawn.unwrap_or_default()
        ));
    }
    notes
}

fn list(names: &[String]) -> String {
    const SHOWN_MAX: usize = 8;
    match names.len().checked_sub(SHOWN_MAX) {
        Some(more) if more > 0 => {
            let shown: Vec<String> = names.iter().take(SHOWN_MAX).cloned().collect();
            format!("{} and {more} more", shown.join(", "))
        }
        _ => names.join(", "),
    }
}

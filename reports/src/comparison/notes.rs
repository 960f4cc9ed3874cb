//! What has to be known beside the tables of a comparison, in sentences.

use napsim_statistics::{Interval, Method, TestMethod};

use super::intervals::reason;
use super::pairs::TRUNCATED_WITHOUT_UAS;
use super::sheet::level;
use super::{Comparison, PairedFigures, RunFigures, Verdict};
use crate::table::{count, counted, percent};

/// Fewer pairs than this cannot show a difference at 5 %, whatever they are.
const PAIRS_FEW: usize = 6;

/// One sentence a line. Names of runs stand as they are.
pub(super) fn notes(comparison: &Comparison) -> Vec<String> {
    let mut notes = winners(comparison);
    notes.extend(strangers(comparison));
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

/// That means over different trajectories have no order, and who is compared all the same.
fn strangers(comparison: &Comparison) -> Option<String> {
    let (left, right) = comparison.strangers.as_ref()?;
    let otherwise = if comparison.runs.len() > 2 && comparison.differences.is_empty() {
        "; name a baseline, or compare all pairs"
    } else {
        ""
    };
    Some(format!(
        "no run is ranked: {} have no trajectory in common{otherwise}",
        with_corpora(left, right, comparison)
    ))
}

/// Two runs by name, with their corpora where these have different names.
fn with_corpora(left: &str, right: &str, comparison: &Comparison) -> String {
    let corpus = |name: &str| {
        comparison
            .runs
            .iter()
            .find(|run| run.name == name)
            .map(|run| &run.corpus)
    };
    match (corpus(left), corpus(right)) {
        (Some(one), Some(other)) if one != other => {
            format!("`{left}` (corpus {one}) and `{right}` (corpus {other})")
        }
        _ => format!("`{left}` and `{right}`"),
    }
}

/// A count of trajectories, units and the like as [`counted`] takes it.
fn many(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}

/// What a run lacks, and that it has no place for it.
fn incomplete(run: &RunFigures) -> String {
    let units = |n: usize| counted(many(n), "unit", "units");
    let (words, what) = match (run.missing, run.failed) {
        (0, 0) => ("no unit".to_owned(), "without units"),
        (missing, 0) => (format!("{} missing", units(missing)), "with missing units"),
        (0, failed) => (format!("{} failed", units(failed)), "with failed units"),
        (missing, failed) => (
            format!("{} missing, {failed} failed", units(missing)),
            "with missing and failed units",
        ),
    };
    format!("! `{}` is incomplete ({words}): a run {what} is not ranked", run.name)
}

fn run(run: &RunFigures) -> Vec<String> {
    let mut notes = Vec::new();
    let name = &run.name;
    if !run.is_complete() {
        notes.push(incomplete(run));
    }
    let parts = [
        (
            run.truncated - run.truncated_without_uas,
            "truncated (step limit: what was left undone counts as saved)",
        ),
        (run.truncated_without_uas, TRUNCATED_WITHOUT_UAS),
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
    let are_complete = |name: &String| comparison.runs.iter().any(|run| run.name == *name && run.is_complete());
    if figures.are_strangers() && are_complete(name) && are_complete(&figures.baseline) {
        let both = with_corpora(name, &figures.baseline, comparison);
        return vec![format!("{both} have no trajectory in common: nothing is compared")];
    }
    let left_out = figures.left_out.total();
    if left_out > 0 {
        notes.push(format!(
            "{who}: {n} of {} paired, left out: {}",
            counted(many(n + left_out), "trajectory is", "trajectories are"),
            figures.left_out.words()
        ));
    }
    if difference.ties == n {
        return notes;
    }
    if 2 * difference.ties >= n {
        notes.push(format!(
            "{who}: {} of {n} trajectories {}",
            difference.ties,
            if difference.ties == 1 { "ties" } else { "tie" }
        ));
    }
    match n - difference.ties {
        1 => notes.push(format!(
            "{who}: only 1 pair differs, from which no test can tell anything"
        )),
        n_different if n_different < PAIRS_FEW => notes.push(format!(
            "{who}: only {n_different} pairs differ; p cannot be below {}",
            0.5_f64.powi(i32::try_from(n_different).unwrap_or_default() - 1)
        )),
        _ => {}
    }
    notes
}

/// How intervals and tests are made, with what is made otherwise.
fn methods(comparison: &Comparison) -> Vec<String> {
    let settings = &comparison.settings;
    let mut notes = Vec::new();
    let of_runs = comparison
        .runs
        .iter()
        .map(|run| (run.interval, format!("`{}`", run.name)));
    let of_pairs = comparison.differences.iter().map(|figures| {
        let name = if comparison.baseline.is_some() {
            format!("difference of `{}`", figures.run)
        } else {
            format!("`{}` - `{}`", figures.run, figures.baseline)
        };
        (figures.difference.interval, name)
    });
    let intervals: Vec<(Interval, String)> = of_runs
        .chain(of_pairs)
        .filter_map(|(interval, name)| Some((interval?, name)))
        .collect();
    let is_usual = |(interval, _): &(Interval, String)| interval.method == Method::Studentised;
    if intervals.iter().any(is_usual) {
        notes.push(format!(
            "{} intervals: {} over trajectories, {} resamples, seed {}",
            level(settings.level),
            Method::Studentised.name(),
            count(settings.resamples.into()),
            settings.seed
        ));
    }
    notes.extend(unusual(&intervals));
    let n_tested = comparison
        .differences
        .iter()
        .filter(|one| one.p_sign_flip.is_some())
        .count();
    if n_tested > 0 {
        let drawn = comparison
            .differences
            .iter()
            .find_map(|figures| match figures.difference.sign_flip.method {
                TestMethod::MonteCarlo(n) => Some(format!(" (or {} drawn signs)", count(n.into()))),
                _ => None,
            });
        let adjusted = match n_tested {
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

/// Reasons of intervals that are not the usual ones, each with what it is about.
fn unusual(intervals: &[(Interval, String)]) -> Vec<String> {
    let mut reasons: Vec<(String, Vec<String>)> = Vec::new();
    for (interval, name) in intervals {
        let Some(reason) = reason(interval) else { continue };
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, names)) => names.push(name.clone()),
            None => reasons.push((reason, vec![name.clone()])),
        }
    }
    let note = |(reason, names): &(String, Vec<String>)| format!("{reason} ({})", list(names));
    reasons.iter().map(note).collect()
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

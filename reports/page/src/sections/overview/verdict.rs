//! The verdict in words: which run, by how much, and why.

use maud::{Markup, html};
use napsim_analysis::By;
use napsim_reports::comparison::{PairedFigures, RunFigures, Verdict};

use crate::choice::Page;
use crate::markup::sentence;
use crate::sections::{settings, why};
use crate::words;

/// Runs that are named when several cannot be told apart; more are counted.
const NAMED_MAX: usize = 4;

/// The card at the top of the page.
pub(super) fn card(page: &Page<'_>) -> Markup {
    let title = match (
        page.is_single(),
        page.best().is_some_and(|best| best.figures.rank == Some(1)),
    ) {
        (true, _) => "In short",
        (false, true) => "Which one, by how much, and why",
        (false, false) => "No run can be ranked yet",
    };
    let (headline, points) = (headline(page), points(page));
    html! {
        div class="card verdict" id="verdict" {
            h2 { (title) }
            p class="big" { (sentence(&headline)) }
            ul { @for point in &points { li { (sentence(point)) } } }
        }
    }
}

fn headline(page: &Page<'_>) -> String {
    let comparison = &page.report.comparison;
    let metric = comparison.settings.metric;
    let best: Vec<&RunFigures> = comparison.best().collect();
    let Some(first) = best.first() else {
        let is_any_complete = comparison.runs.iter().any(RunFigures::is_complete);
        return if let (true, Some(only)) = (
            page.is_single(),
            comparison.runs.first().filter(|run| run.is_complete()),
        ) {
            let stopped = u64::try_from(only.truncated).unwrap_or(u64::MAX);
            format!(
                "{} has no {}: limits stopped {} before everything was done.",
                words::name(&only.name),
                metric.title(),
                words::counted(stopped, "rollout")
            )
        } else if is_any_complete {
            "The runs share no trajectories, or have no such figure, so that they cannot be ranked.".to_owned()
        } else {
            "Every run lacks units or has failures, and such runs are not ranked. What is there is shown below."
                .to_owned()
        };
    };
    let mean = words::percent_or_dash(first.mean);
    let interval = first.interval.map_or_else(String::new, |interval| {
        format!(
            " ({} interval {})",
            words::level(comparison.settings.level),
            words::interval(&interval)
        )
    });
    let over = words::counted(u64::try_from(first.trajectories).unwrap_or(u64::MAX), "trajectory");
    let does = if metric.name() == "uas" {
        format!("saves {mean} of the user's actions{interval}")
    } else {
        format!("has {} {mean}{interval}", metric.title())
    };
    match best.as_slice() {
        [_] => format!("{} {does}, mean over {over}.", words::name(&first.name)),
        several => {
            let names: Vec<String> = several.iter().map(|run| words::name(&run.name)).collect();
            format!(
                "{} are level: each {does}, mean over {over}.",
                words::list_of_at_most(&names, NAMED_MAX)
            )
        }
    }
}

fn points(page: &Page<'_>) -> Vec<String> {
    let mut points = Vec::new();
    points.extend(behind(page));
    points.extend(settings::sentences(page));
    points.extend(why::sentences(page));
    if page.is_single() {
        points.extend(single(page));
    }
    let runs = &page.report.comparison.runs;
    let named = |is_meant: fn(&RunFigures) -> bool| -> Vec<String> {
        let meant = runs.iter().filter(|run| is_meant(run));
        meant.map(|run| words::name(&run.name)).collect()
    };
    let without = named(|run| run.is_complete() && run.mean.is_none());
    if !without.is_empty() && page.report.runs.len() > 1 {
        let names = words::list_of_at_most(&without, NAMED_MAX);
        let metric = page.report.comparison.settings.metric.title();
        points.push(format!("Without {metric}, and so not ranked: {names}."));
    }
    let incomplete = named(|run| !run.is_complete());
    if !incomplete.is_empty() && page.report.runs.len() > 1 {
        let names = words::list_of_at_most(&incomplete, NAMED_MAX);
        points.push(format!("Not ranked, because units are missing or failed: {names}."));
    }
    points
}

/// What there is to say of a single run.
fn single(page: &Page<'_>) -> Vec<String> {
    /// Kinds with fewer predictions are not named.
    const FEW: u64 = 20;
    let Some(best) = page.best() else {
        return Vec::new();
    };
    let analysis = &best.run.analysis;
    let by_kind = analysis.breakdown(By::Kind);
    let known = || {
        by_kind
            .rows
            .iter()
            .filter(|row| row.predictions >= FEW)
            .filter_map(|row| Some((&row.label, row.rate?)))
    };
    let mut points = Vec::new();
    let most = known().max_by(|left, right| left.1.total_cmp(&right.1));
    let least = known().min_by(|left, right| left.1.total_cmp(&right.1));
    if let (Some((most, high)), Some((least, low))) = (most, least)
        && high > low
    {
        points.push(format!(
            "By kind of action, it is accepted most often with {} ({}) and least often with {} ({}).",
            words::name(most),
            words::percent(high),
            words::name(least),
            words::percent(low)
        ));
    }
    let streaks = analysis.streaks();
    if let (Some(mean), Some(second)) = (
        streaks.streaks.mean,
        streaks.survival.iter().find(|point| point.length == 2),
    ) {
        points.push(format!(
            "Accepted proposals come in streaks of {} on average; {} of the streaks go on to a second one.",
            napsim_charts::NumberFormat::Number.text(mean),
            words::percent(second.share)
        ));
    }
    let undo = analysis.undo();
    if analysis.basis().accepted > 0 {
        points.push(format!(
            "Accepted proposals had to be corrected by {}.",
            words::counted(undo.total, "undo action")
        ));
    }
    points
}

/// Who cannot be told from the best, and how far the next one is behind that can.
fn behind(page: &Page<'_>) -> Vec<String> {
    let Some(comparison) = &page.against_best else {
        return Vec::new();
    };
    let is_best = |name: &str| comparison.best().any(|run| run.name == name);
    let others = || comparison.differences.iter().filter(|figures| !is_best(&figures.run));
    let with = |verdict: Verdict| others().filter(move |figures| figures.verdict == verdict);
    let mut points = Vec::new();
    let near: Vec<String> = with(Verdict::NoDifferenceShown)
        .map(|figures| words::name(&figures.run))
        .collect();
    if !near.is_empty() {
        let smallest = with(Verdict::NoDifferenceShown).max_by(|left, right| by_mean(left, right));
        let margin = smallest.and_then(|figures| margin(figures, "closest: "));
        points.push(format!(
            "{} cannot be told apart from it on these trajectories{}.",
            words::list_of_at_most(&near, NAMED_MAX),
            margin.map_or_else(String::new, |margin| format!(" ({margin})"))
        ));
    }
    let next = with(Verdict::Worse).max_by(|left, right| by_mean(left, right));
    if let Some((next, margin)) = next.and_then(|next| Some((next, margin(next, "")?))) {
        let n_worse = with(Verdict::Worse).count();
        let rest = if n_worse > 1 {
            format!(
                "; so do {} further behind",
                words::counted(u64::try_from(n_worse - 1).unwrap_or_default(), "run")
            )
        } else {
            String::new()
        };
        points.push(format!(
            "{} falls short of it by more than chance: {margin}{rest}.",
            words::name(&next.run)
        ));
    }
    points
}

fn by_mean(left: &PairedFigures, right: &PairedFigures) -> std::cmp::Ordering {
    let mean = |figures: &PairedFigures| figures.difference.mean.unwrap_or(f64::NEG_INFINITY);
    mean(left).total_cmp(&mean(right))
}

/// How far behind, with interval and p.
fn margin(figures: &PairedFigures, before: &str) -> Option<String> {
    let mean = figures.difference.mean?;
    let interval = figures.difference.interval.map_or_else(String::new, |interval| {
        let end = |value: f64| napsim_charts::NumberFormat::Points.text(value);
        format!(" [{} to {}]", end(interval.low), end(interval.high))
    });
    Some(format!(
        "{before}{} behind{interval}, {}",
        words::points(mean),
        words::p_value(figures.p_sign_flip)
    ))
}

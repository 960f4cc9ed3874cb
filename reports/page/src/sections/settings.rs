//! What the settings do: policies, stride, context, scope and whatever else the runs differ in.

mod curves;
mod published;

use std::collections::BTreeMap;

use napsim_reports::RunSetup;
use napsim_reports::comparison::RunFigures;

use super::Section;
use super::setting_values::{Varying, varying};
use crate::choice::Page;
use crate::figure::Figure;
use crate::markup::{Cell, Row, Table};
use crate::words;

/// Curves that a chart has room for.
const CURVES_MAX: usize = 5;

/// Runs that differ in one setting alone: their places, by the place of the setting's value.
struct Curve {
    /// What else they are, in words; empty where nothing else varies.
    name: String,
    /// Place of the value and place of the run, in the order of the values.
    runs: Vec<(usize, usize)>,
}

pub(super) fn section(page: &Page<'_>) -> Option<Section> {
    let varying = found(page);
    if page.is_single() {
        return None;
    }
    let mut section = Section::new(
        "settings",
        "Settings",
        "What changes when one setting changes and everything else stays as it is.",
    );
    if varying.is_empty() {
        section.absent("The runs have the same settings, so there is nothing to vary.");
    }
    for (place, setting) in varying.iter().enumerate() {
        let curves = joined(page, &varying, place);
        if curves.is_empty() {
            section.absent(&format!(
                "No two runs differ in {} alone, so what it does by itself cannot be told.",
                words::name(&setting.name)
            ));
        } else if let Some(id) = IDS.get(place) {
            section.figure(&figure(page, setting, &curves, id));
        }
    }
    Some(section)
}

/// Ids of figures; runs that differ in more settings than this are no experiment.
const IDS: [&str; 12] = [
    "setting-1",
    "setting-2",
    "setting-3",
    "setting-4",
    "setting-5",
    "setting-6",
    "setting-7",
    "setting-8",
    "setting-9",
    "setting-10",
    "setting-11",
    "setting-12",
];

fn found(page: &Page<'_>) -> Vec<Varying> {
    let setups: Vec<&RunSetup> = page.report.runs.iter().map(|run| &run.compared.setup).collect();
    varying(&setups)
}

/// The runs that differ in that setting alone, for each combination of the others, the best first.
fn joined(page: &Page<'_>, varying: &[Varying], place: usize) -> Vec<Curve> {
    let Some(setting) = varying.get(place) else {
        return Vec::new();
    };
    let mut groups: BTreeMap<Vec<&str>, Curve> = BTreeMap::new();
    for run in 0..page.report.runs.len() {
        let others = varying.iter().enumerate().filter(|(other, _)| *other != place);
        let pairs: Vec<(&str, &str)> = others
            .filter_map(|(_, other)| Some((other.name.as_str(), other.values.get(run)?.as_str())))
            .collect();
        let name: Vec<String> = pairs
            .iter()
            .map(|(name, value)| {
                if *name == "predictor" {
                    (*value).to_owned()
                } else {
                    format!("{name}={value}")
                }
            })
            .collect();
        let level = setting
            .values
            .get(run)
            .and_then(|value| setting.levels.iter().position(|level| level == value));
        let curve = groups
            .entry(pairs.iter().map(|(_, value)| *value).collect())
            .or_insert_with(|| Curve {
                name: name.join(", "),
                runs: Vec::new(),
            });
        curve.runs.extend(level.map(|level| (level, run)));
    }
    let mut curves: Vec<Curve> = groups.into_values().filter(|curve| curve.runs.len() > 1).collect();
    for curve in &mut curves {
        curve.runs.sort_unstable();
    }
    let best = |curve: &Curve| {
        let means = curve.runs.iter().filter_map(|(_, run)| figures(page, *run)?.mean);
        means.fold(f64::NEG_INFINITY, f64::max)
    };
    curves.sort_by(|left, right| best(right).total_cmp(&best(left)));
    curves
}

fn figures<'a>(page: &Page<'a>, run: usize) -> Option<&'a RunFigures> {
    page.report.comparison.runs.get(run)
}

/// One sentence a setting: which value is best, and how often.
pub(super) fn sentences(page: &Page<'_>) -> Vec<String> {
    let varying = found(page);
    let sentence = |place: usize| {
        // Saving more on other trajectories is no merit.
        let setting = varying.get(place).filter(|setting| setting.name != "corpus")?;
        let curves = joined(page, &varying, place);
        answer(page, setting, &curves)
    };
    (0..varying.len()).filter_map(sentence).collect()
}

/// Which value is best with everything else the same, and how much the best curve loses with the worst.
fn answer(page: &Page<'_>, setting: &Varying, curves: &[Curve]) -> Option<String> {
    let metric = page.report.comparison.settings.metric.title();
    let means = |curve: &Curve| -> Vec<(usize, f64)> {
        // Runs that are not whole are not ranked, here as elsewhere; and means over other trajectories are not held against
        // each other.
        let complete = |(level, run): &(usize, usize)| {
            let is_whole =
                |figures: &&RunFigures| figures.is_complete() && figures.trajectories == figures.trajectories_all;
            let figures = figures(page, *run).filter(is_whole)?;
            Some((*level, figures.mean?))
        };
        curve.runs.iter().filter_map(complete).collect()
    };
    let best = |curve: &Curve| {
        means(curve)
            .into_iter()
            .max_by(|left, right| left.1.total_cmp(&right.1))
    };
    let worst = |curve: &Curve| {
        means(curve)
            .into_iter()
            .min_by(|left, right| left.1.total_cmp(&right.1))
    };
    // The value that is best most often, and of several that of the best curve.
    let compared: Vec<&Curve> = curves.iter().filter(|curve| means(curve).len() > 1).collect();
    let wins = |level: usize| {
        let is_won = |curve: &&&Curve| best(curve).is_some_and(|(best, _)| best == level);
        compared.iter().filter(is_won).count()
    };
    let winners = compared.iter().filter_map(|curve| Some(best(curve)?.0));
    let best_level = winners.reduce(|one, other| if wins(other) > wins(one) { other } else { one })?;
    let first = compared
        .iter()
        .find(|curve| best(curve).is_some_and(|(level, _)| level == best_level))?;
    let (_, best_mean) = best(first)?;
    let (worst_level, worst_mean) = worst(first)?;
    let name = |level: usize| {
        setting
            .levels
            .get(level)
            .map(|level| words::name(level))
            .unwrap_or_default()
    };
    let title = setting.name.trim_start_matches('?');
    if best_mean - worst_mean < 1e-9 {
        return Some(format!(
            "{}: makes no difference to the mean {metric}.",
            capitalised(title)
        ));
    }
    // Curves that lack the value say nothing about it.
    let with_level = curves
        .iter()
        .filter(|curve| means(curve).len() > 1 && means(curve).iter().any(|(level, _)| *level == best_level));
    let (n, agree) = with_level.fold((0_usize, 0_usize), |(n, agree), curve| {
        let is_best = best(curve).is_some_and(|(level, _)| level == best_level);
        (n + 1, agree + usize::from(is_best))
    });
    let how_often = match (n, agree) {
        (1, _) => String::new(),
        (2, 2) => " in both comparisons".to_owned(),
        (all, agree) if all == agree => format!(" in all {all} comparisons"),
        (all, agree) => format!(" in {agree} of {all} comparisons"),
    };
    let with = if first.name.is_empty() {
        String::new()
    } else {
        format!(" with {}", words::name(&first.name))
    };
    Some(format!(
        "{}: {} has the highest mean {metric}{how_often}; {} against {} at {}{with}.",
        capitalised(title),
        name(best_level),
        words::percent(best_mean),
        words::percent(worst_mean),
        name(worst_level),
    ))
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    characters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

fn figure(page: &Page<'_>, setting: &Varying, curves: &[Curve], id: &'static str) -> Figure {
    let metric = page.report.comparison.settings.metric.title();
    let title = setting.name.trim_start_matches('?');
    let mut notes = Vec::new();
    if curves.len() > CURVES_MAX {
        notes.push(format!(
            "Drawn are the {CURVES_MAX} best of {} curves; the CSV has all.",
            curves.len()
        ));
    }
    let published = published::published(page, setting);
    if !published.is_empty() {
        notes.push(
            "The marks are what the paper reports of GPT-5 with one action at a time, GREEDY: another predictor, for orientation."
                .to_owned(),
        );
    }
    Figure {
        id,
        question: question(&setting.name),
        answer: answer(page, setting, curves).unwrap_or_default(),
        definition: format!(
            "Each line joins runs that differ in {title} alone. Left: mean {metric} with its interval. Right: the same runs by \
             acceptance rate, mean over trajectories; a curve that goes up to the left saves more by disturbing more."
        ),
        charts: vec![
            curves::by_value(page, setting, curves, &published),
            curves::by_acceptance(page, setting, curves, &published),
        ],
        notes,
        table: table(page, setting, curves),
        ..Figure::default()
    }
}

fn question(setting: &str) -> String {
    match setting {
        "policy" => "How picky should the user be?".to_owned(),
        "stride" => "How often should the predictor be asked?".to_owned(),
        "context" | "?context" => "How much of the history does the predictor need?".to_owned(),
        "max-actions" | "?max_actions" => "How many actions should it propose at once?".to_owned(),
        "mode" => "One action at a time, or several?".to_owned(),
        "predictor" => "Which predictor saves the most?".to_owned(),
        "trigger" => "When should the predictor be asked?".to_owned(),
        "?shorten" => "May long values be shortened?".to_owned(),
        other => format!("What does {} do?", other.trim_start_matches('?')),
    }
}

fn table(page: &Page<'_>, setting: &Varying, curves: &[Curve]) -> Table {
    let metric = page.report.comparison.settings.metric.title();
    let titles = [
        "run".to_owned(),
        setting.name.trim_start_matches('?').to_owned(),
        "everything else".to_owned(),
    ];
    let mut table = Table::new(
        titles
            .into_iter()
            .chain([metric, "low", "high", "AR", "AR, pooled", "precision", "pCov"].map(|title| format!("#{title}"))),
    );
    for curve in curves {
        for (level, run) in &curve.runs {
            let Some(figures) = figures(page, *run) else {
                continue;
            };
            table.rows.push(Row::of(vec![
                Cell::text(figures.name.clone()),
                Cell::text(setting.levels.get(*level).cloned().unwrap_or_default()),
                Cell::text(curve.name.clone()),
                Cell::percent(figures.mean),
                Cell::percent(figures.interval.map(|interval| interval.low)),
                Cell::percent(figures.interval.map(|interval| interval.high)),
                Cell::percent(figures.means.ar),
                Cell::percent(figures.means.ar_pooled),
                Cell::percent(figures.means.precision),
                Cell::percent(figures.means.pcov),
            ]));
        }
    }
    table
}

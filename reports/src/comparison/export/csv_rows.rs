//! Rows for pandas, R and spreadsheets.

use std::borrow::Cow;

use napsim_statistics::Interval;

use super::ExportError;
use crate::comparison::settings::settings_of_run;
use crate::comparison::{Comparison, PairedFigures, RunFigures};
use crate::printable::printable;

/// Columns before and after those of the settings.
const RUN_COLUMNS: [&str; 2] = ["run", "protocol"];
const FIGURE_COLUMNS: [&str; 40] = [
    "trajectories",
    "trajectories_all",
    "repeats",
    "missing",
    "failed",
    "truncated",
    "diverged",
    "rank",
    "metric",
    "mean",
    "low",
    "high",
    "level",
    "method",
    "pooled",
    "uas",
    "uas_pooled",
    "ar",
    "ar_pooled",
    "precision",
    "pcov",
    "pcov_attempted",
    "undo_actions",
    "repeats_sd",
    "baseline",
    "pairs",
    "left_out",
    "difference",
    "difference_low",
    "difference_high",
    "wins",
    "ties",
    "losses",
    "p_sign_flip",
    "p_sign_flip_holm",
    "p_wilcoxon",
    "p_wilcoxon_holm",
    "cohens_dz",
    "rank_biserial",
    "verdict",
];
/// Those of them that a run compared with none leaves empty.
const N_DIFFERENCE_COLUMNS: usize = 16;

pub(super) fn csv(comparison: &Comparison) -> Result<String, ExportError> {
    let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
    let settings = comparison.runs.first().map(settings_of_run).unwrap_or_default();
    let settings = settings.iter().map(|(setting, _)| setting.replace('-', "_"));
    let header = RUN_COLUMNS.map(str::to_owned).into_iter().chain(settings);
    writer.write_record(header.chain(FIGURE_COLUMNS.map(str::to_owned)))?;
    for run in &comparison.runs {
        let of_run: Vec<&PairedFigures> = comparison.differences.iter().filter(|d| d.run == run.name).collect();
        let cells = run_cells(run, comparison);
        if of_run.is_empty() {
            let empty = std::iter::repeat_n(String::new(), N_DIFFERENCE_COLUMNS);
            writer.write_record(cells.iter().cloned().chain(empty))?;
        }
        for figures in of_run {
            writer.write_record(cells.iter().cloned().chain(difference_cells(figures)))?;
        }
    }
    let bytes = writer
        .into_inner()
        .map_err(|error| csv::Error::from(error.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn run_cells(run: &RunFigures, comparison: &Comparison) -> Vec<String> {
    let mut cells = vec![text(&run.name), text(&comparison.protocol)];
    cells.extend(settings_of_run(run).iter().map(|(_, value)| text(value)));
    cells.extend(
        [
            run.trajectories,
            run.trajectories_all,
            run.repeats,
            run.missing,
            run.failed,
            run.truncated,
            run.diverged,
        ]
        .map(|count| count.to_string()),
    );
    let interval = run.interval.as_ref();
    cells.extend([
        run.rank.map(|rank| rank.to_string()).unwrap_or_default(),
        comparison.settings.metric.name().to_owned(),
        figure(run.mean),
        figure(low(interval)),
        figure(high(interval)),
        figure(Some(comparison.settings.level)),
        interval
            .map(|interval| interval.method.name().to_owned())
            .unwrap_or_default(),
        figure(run.pooled),
    ]);
    let means = &run.means;
    cells.extend(
        [
            means.uas,
            means.uas_pooled,
            means.ar,
            means.ar_pooled,
            means.precision,
            means.pcov,
            means.pcov_attempted,
            means.undo_actions,
            run.spread.as_ref().and_then(|spread| spread.standard_deviation),
        ]
        .map(figure),
    );
    cells
}

fn difference_cells(figures: &PairedFigures) -> [String; N_DIFFERENCE_COLUMNS] {
    let difference = &figures.difference;
    let interval = difference.interval.as_ref();
    [
        text(&figures.baseline),
        difference.n.to_string(),
        figures.left_out.total().to_string(),
        figure(difference.mean),
        figure(low(interval)),
        figure(high(interval)),
        difference.wins.to_string(),
        difference.ties.to_string(),
        difference.losses.to_string(),
        figure(figures.p_sign_flip.and(Some(difference.sign_flip.p))),
        figure(figures.p_sign_flip),
        figure(figures.p_wilcoxon.and(Some(difference.wilcoxon.p))),
        figure(figures.p_wilcoxon),
        figure(difference.cohens_dz),
        figure(difference.rank_biserial),
        figures.verdict.words().to_owned(),
    ]
}

fn low(interval: Option<&Interval>) -> Option<f64> {
    interval.map(|interval| interval.low)
}

fn high(interval: Option<&Interval>) -> Option<f64> {
    interval.map(|interval| interval.high)
}

/// A figure with all its digits; empty where undefined.
fn figure(value: Option<f64>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// A text that spreadsheets take as a text: one that starts like a formula gets an apostrophe before it.
fn text(text: &str) -> String {
    const FORMULA_STARTS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];
    let shown: Cow<'_, str> = printable(text, false);
    if text.starts_with(FORMULA_STARTS) {
        format!("'{shown}")
    } else {
        shown.into_owned()
    }
}

//! The tables that a person reads.

mod figure;
mod per_trajectory;

use comfy_table::{CellAlignment, ContentArrangement, Table};
use napsim_sim::event::{Limit, Outcome};
use serde::{Deserialize, Serialize};

use crate::printable::printable;
use crate::report::RunReport;
use crate::times::RunTimes;

pub(crate) use figure::counted;
pub use figure::{count, duration, percent};
pub use per_trajectory::per_trajectory;

/// Width of a table where the terminal's is not known.
pub const WIDTH_DEFAULT: u16 = 80;

/// Time spent in the predictor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PredictionTime {
    /// Seconds in all calls together, learning from the history included.
    pub seconds: f64,
    /// Calls made, empty answers and failures included.
    pub calls: u64,
}

impl PredictionTime {
    /// The time of several rollouts together.
    pub fn sum(times: impl Iterator<Item = PredictionTime>) -> Self {
        times.fold(Self::default(), |sum, time| Self {
            seconds: sum.seconds + time.seconds,
            calls: sum.calls + time.calls,
        })
    }

    /// Seconds a call; absent without calls.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    pub fn mean(&self) -> Option<f64> {
        (self.calls > 0).then(|| self.seconds / self.calls as f64)
    }
}

/// The figures of a run: what was measured, the table, and what is to be known about it.
pub fn summary(report: &RunReport, time: Option<PredictionTime>, width: u16) -> String {
    let mut text = heading(report, width);
    text.push('\n');
    text.push_str(&figures(report, time, width).trim_fmt());
    text.push('\n');
    for note in notes(report) {
        text.push_str(&note);
        text.push('\n');
    }
    text
}

/// Where the time of a run went.
pub fn times(times: &RunTimes, width: u16) -> String {
    let all: f64 = times.parts().iter().map(|(_, seconds)| seconds).sum();
    let mut table = table(width);
    table.set_header(["", "time", "share"]);
    let share = |seconds: f64| percent((all > 0.0).then(|| seconds / all));
    for (name, seconds) in times.parts() {
        table.add_row([name.to_owned(), duration(seconds), share(seconds)]);
    }
    align(&mut table, 1..3, 3);
    let threads = if times.threads == 1 { "thread" } else { "threads" };
    let wall = duration(times.wall_s);
    format!("{}\n{wall} on {} {threads}\n", table.trim_fmt(), times.threads)
}

/// A table whose first column is text from files and whose other columns are numbers.
pub fn counts_table(header: &[String], rows: &[Vec<String>], width: u16) -> String {
    let mut table = table(width);
    table.set_header(header);
    for row in rows {
        table.add_row(row.iter().map(|cell| printable(cell, false)));
    }
    align(&mut table, 1..header.len(), 1);
    format!("{}\n", table.trim_fmt())
}

/// Protocol, corpus, predictor, policy, mode, stride and context, broken between them to fit the width.
fn heading(report: &RunReport, width: u16) -> String {
    let context = report
        .context
        .map_or_else(|| "none".to_owned(), |context| context.to_string());
    let parts = [
        format!("protocol {}", report.protocol),
        format!("corpus {}", printable(&report.corpus, false)),
        format!("predictor {}", printable(&report.predictor, false)),
        format!("policy {}", printable(&report.policy, false)),
        format!("mode {}", report.mode.name()),
        format!("stride {}", report.stride),
        format!("context {context}"),
    ];
    wrapped(parts.into_iter().chain(unusual_settings(report)), width)
}

/// Parts with dots between them, and line breaks so that lines fit the width. A part is never broken.
pub(crate) fn wrapped(parts: impl IntoIterator<Item = String>, width: u16) -> String {
    let mut text = String::new();
    let mut n_columns = 0;
    for part in parts {
        let length = part.chars().count();
        if n_columns > 0 && n_columns + 3 + length > usize::from(width) {
            text.push('\n');
            n_columns = 0;
        }
        if n_columns > 0 {
            text.push_str(" · ");
            n_columns += 3;
        }
        text.push_str(&part);
        n_columns += length;
    }
    text
}

/// Settings that differ from the published ones of the mode, each as `name value`.
fn unusual_settings(report: &RunReport) -> Vec<String> {
    let (settings, usual) = (&report.settings, report.mode.settings());
    let number = |value: Option<u32>| value.map_or_else(|| "all".to_owned(), |value| value.to_string());
    let mut parts = Vec::new();
    if settings.step_limit != usual.step_limit {
        let steps = settings.step_limit.steps.map(|steps| steps.to_string());
        let share = settings.step_limit.share.map(|share| format!("{}%", 100.0 * share));
        let limit: Vec<String> = steps.into_iter().chain(share).collect();
        parts.push(format!(
            "step limit {}",
            if limit.is_empty() {
                "none".to_owned()
            } else {
                limit.join(",")
            }
        ));
    }
    if !settings.triggers.is_empty() {
        let triggers: Vec<String> = settings.triggers.iter().map(ToString::to_string).collect();
        parts.push(format!("trigger {}", triggers.join(" or ")));
    }
    if settings.actions_max != usual.actions_max {
        parts.push(format!("max-actions {}", number(settings.actions_max)));
    }
    for (name, value, usual) in [
        ("undo-max", settings.undo_max, usual.undo_max),
        ("chain-max", settings.chain_max, usual.chain_max),
    ] {
        if value != usual {
            parts.push(format!("{name} {value}"));
        }
    }
    if settings.seed != usual.seed {
        parts.push(format!("seed {}", settings.seed.0));
    }
    parts
}

/// Rules above, below the head and below; nothing between columns.
const LINES: &str = "  ── ──      ──    ";

/// An empty table in the house's style.
pub(crate) fn table(width: u16) -> Table {
    let mut table = Table::new();
    table
        .load_preset(LINES)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(width);
    table
}

/// Sets columns of numbers to the right, and all columns so many blanks apart, of which the line between columns is one.
pub(crate) fn align(table: &mut Table, numbers: std::ops::Range<usize>, blanks: u16) {
    for (idx, column) in table.column_iter_mut().enumerate() {
        column.set_padding((if idx == 0 { 0 } else { blanks.saturating_sub(1) }, 0));
        if numbers.contains(&idx) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}

fn figures(report: &RunReport, time: Option<PredictionTime>, width: u16) -> Table {
    let mut table = table(width);
    let n_all = report.per_trajectory.len() + report.outcomes.missing;
    let n_measured = usize::try_from(report.trajectories).unwrap_or(usize::MAX);
    let trajectories = if n_measured == n_all {
        count(report.trajectories)
    } else {
        format!("{n_measured} of {n_all}")
    };
    table.set_header(["", "mean", "pooled"]);
    let mut row = |name: &str, value: String, pooled: String| {
        table.add_row([name.to_owned(), value, pooled]);
    };
    let beside = |mean: Option<f64>, pooled: Option<f64>| {
        let (mean, pooled) = (percent(mean), percent(pooled));
        if mean == pooled { String::new() } else { pooled }
    };
    row("trajectories", trajectories, String::new());
    row("actions", count(report.actions), String::new());
    row("predictions", count(report.predictions), String::new());
    row("accepted", count(report.accepted), String::new());
    let n_with_uas = report.n_with_uas();
    let uas = if n_with_uas == n_measured {
        "UAS".to_owned()
    } else {
        format!("UAS ({n_with_uas} of {n_measured})")
    };
    row(
        &uas,
        percent(report.uas_mean),
        beside(report.uas_mean, report.uas_pooled),
    );
    row("AR", percent(report.ar_mean), beside(report.ar_mean, report.ar_pooled));
    row("precision (macro)", percent(report.precision_mean), String::new());
    row("pCov", percent(report.pcov_accepted), String::new());
    row("pCov, all attempts", percent(report.pcov_attempted), String::new());
    row("undo actions", count(report.undo_actions), String::new());
    row(
        "time a prediction",
        time.and_then(|time| time.mean())
            .map_or_else(|| "-".to_owned(), duration),
        String::new(),
    );
    align(&mut table, 1..3, 3);
    table
}

const LIMITS: [(Limit, &str); 3] = [
    (Limit::StepLimit, "step limit"),
    (Limit::ChainMax, "chain-max"),
    (Limit::FutureMax, "future-max"),
];

/// What a limit does to UAS.
fn limit_meaning(limit: Limit) -> &'static str {
    if limit.is_published() {
        "what was left undone counts as saved"
    } else {
        "no UAS"
    }
}

/// What has to be known beside the figures: limits that stopped rollouts, acceptances taken back, failures.
fn notes(report: &RunReport) -> Vec<String> {
    let n_stopped = |limit| {
        report
            .per_trajectory
            .iter()
            .filter(|row| row.limit == Some(limit))
            .count()
    };
    let n_diverged = report.n_with(Outcome::Diverged);
    let n_failed = report.n_with(Outcome::Failed);
    let n_aborted = report.per_trajectory.iter().filter(|row| row.aborted).count();
    let mut notes = Vec::new();
    for (limit, name) in LIMITS {
        let (n, meaning) = (n_stopped(limit), limit_meaning(limit));
        if n > 0 {
            notes.push(format!("truncated: {n} ({name}: {meaning})"));
        }
    }
    if n_diverged > 0 {
        notes.push(format!(
            "diverged: {n_diverged} (an acceptance could not be carried out and was taken back)"
        ));
    }
    if n_failed > 0 {
        let left_out = match n_aborted {
            0 => "in calls that brought no answer; all have figures".to_owned(),
            n => format!("of which {n} have no figures and are left out"),
        };
        notes.push(format!("failed: {n_failed}, {left_out}"));
    }
    if let Some(answers) = &report.answers {
        notes.push(answers.note());
    }
    notes
}

#[cfg(test)]
mod tests;

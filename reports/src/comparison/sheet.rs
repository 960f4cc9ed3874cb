//! The tables of a comparison as cells, whatever they are written as in the end.

use std::ops::Range;

use napsim_statistics::Interval;

use super::settings::columns;
use super::{Comparison, Metric, PairedFigures, RunFigures};
use crate::table::percent;

/// A table: columns of text, columns of figures, and columns of text again.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Sheet {
    pub(super) header: Vec<String>,
    /// As wide as the header. Texts stand as they are in the run, figures as they are shown.
    pub(super) rows: Vec<Vec<String>>,
    /// The columns of figures.
    pub(super) figures: Range<usize>,
}

impl Sheet {
    /// The columns of settings alone, with the names of the runs; none where there are no such columns.
    pub(super) fn settings_alone(&self) -> Option<Self> {
        let end = self.figures.start;
        let settings = |cells: &Vec<String>| cells.iter().take(end).cloned().collect();
        (end > 1).then(|| Self {
            header: settings(&self.header),
            rows: self.rows.iter().map(settings).collect(),
            figures: end..end,
        })
    }

    /// The table of runs without the columns of settings.
    pub(super) fn without_settings(&self) -> Self {
        let start = self.figures.start.max(1);
        let without = |cells: &Vec<String>| {
            let kept = cells
                .iter()
                .enumerate()
                .filter(|(column, _)| *column == 0 || *column >= start);
            kept.map(|(_, cell)| cell.clone()).collect()
        };
        Self {
            header: without(&self.header),
            rows: self.rows.iter().map(without).collect(),
            figures: 1..self.figures.end - (start - 1),
        }
    }
}

/// One line a run.
pub(super) fn figures(comparison: &Comparison) -> Sheet {
    let settings = columns(&comparison.runs);
    let metric = comparison.settings.metric;
    let has = |metric: Metric| comparison.runs.iter().any(|run| run.means.get(metric).is_some());
    let others: Vec<Metric> = [Metric::Uas, Metric::AcceptanceRate, Metric::Precision, Metric::Pcov]
        .into_iter()
        .filter(|other| *other != metric && has(*other))
        .collect();
    let has_pooled = comparison.runs.iter().any(|run| run.pooled.is_some());
    let mut header = vec!["run".to_owned()];
    header.extend(settings.iter().map(|(setting, _)| (*setting).to_owned()));
    let first_figure = header.len();
    header.extend(["n".to_owned(), metric.title().to_owned(), interval_title(comparison)]);
    header.extend(has_pooled.then(|| "pooled".to_owned()));
    header.extend(others.iter().map(|other| other.title().to_owned()));
    let row = |(place, run): (usize, &RunFigures)| {
        let mut row = vec![run.name.clone()];
        row.extend(settings.iter().filter_map(|(_, values)| values.get(place).cloned()));
        let mark = if run.is_complete() { "" } else { " !" };
        row.extend([
            format!("{}{mark}", run.trajectories),
            percent(run.mean),
            interval(run.interval.as_ref(), 1),
        ]);
        row.extend(has_pooled.then(|| percent(run.pooled)));
        row.extend(others.iter().map(|other| percent(run.means.get(*other))));
        row
    };
    Sheet {
        rows: comparison.runs.iter().enumerate().map(row).collect(),
        figures: first_figure..header.len(),
        header,
    }
}

/// One line a comparison of two runs.
pub(super) fn differences(comparison: &Comparison) -> Sheet {
    let against = comparison.baseline.is_none();
    let mut header = vec!["run".to_owned()];
    header.extend(against.then(|| "against".to_owned()));
    let first_figure = header.len();
    header.extend(["points".to_owned(), interval_title(comparison)]);
    header.extend(["+/=/-", "p", "p (W)", "d_z"].map(str::to_owned));
    let figures = first_figure..header.len();
    header.push("verdict".to_owned());
    let row = |figures: &PairedFigures| {
        let difference = &figures.difference;
        let mut row = vec![figures.run.clone()];
        row.extend(against.then(|| figures.baseline.clone()));
        row.extend([
            difference.mean.map_or_else(|| "-".to_owned(), |mean| points(mean, 2)),
            interval(difference.interval.as_ref(), 2),
            if difference.n == 0 {
                "-".to_owned()
            } else {
                format!("{}/{}/{}", difference.wins, difference.ties, difference.losses)
            },
            p_value(figures.p_sign_flip),
            p_value(figures.p_wilcoxon),
            difference
                .cohens_dz
                .map_or_else(|| "-".to_owned(), |effect| signed(effect, 2)),
            figures.verdict.words().to_owned(),
        ]);
        row
    };
    Sheet {
        rows: comparison.differences.iter().map(row).collect(),
        header,
        figures,
    }
}

fn interval_title(comparison: &Comparison) -> String {
    format!("{} interval", level(comparison.settings.level))
}

/// A level in percent, with as many decimals as it needs: `95 %`, `99.9 %`.
pub(super) fn level(level: f64) -> String {
    let text = format!("{:.2}", 100.0 * level);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

/// Both ends in hundredths of the unit.
fn interval(interval: Option<&Interval>, decimals: usize) -> String {
    let end = |value: f64| without_negative_zero(format!("{:.decimals$}", 100.0 * value));
    interval.map_or_else(
        || "-".to_owned(),
        |interval| format!("[{}, {}]", end(interval.low), end(interval.high)),
    )
}

/// A difference of two ratios in hundredths, with its sign.
pub(super) fn points(difference: f64, decimals: usize) -> String {
    signed(100.0 * difference, decimals)
}

fn signed(value: f64, decimals: usize) -> String {
    let text = without_negative_zero(format!("{value:.decimals$}"));
    let is_zero = !text.contains(|digit: char| digit.is_ascii_digit() && digit != '0');
    if text.starts_with('-') || is_zero {
        text
    } else {
        format!("+{text}")
    }
}

fn without_negative_zero(text: String) -> String {
    match text.strip_prefix('-') {
        Some(digits) if !digits.contains(|digit: char| digit.is_ascii_digit() && digit != '0') => digits.to_owned(),
        _ => text,
    }
}

/// A probability with three decimals, or `-` where there is none.
fn p_value(p: Option<f64>) -> String {
    match p {
        None => "-".to_owned(),
        Some(p) if p < 0.001 => "<0.001".to_owned(),
        Some(p) => format!("{p:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_read_well() {
        assert_eq!(
            [0.0124, -0.0124, 0.00001, -0.00001].map(|value| points(value, 2)),
            ["+1.24", "-1.24", "0.00", "0.00"]
        );
        assert_eq!(
            [0.95, 0.9, 0.999, 0.975].map(level),
            ["95 %", "90 %", "99.9 %", "97.5 %"]
        );
        assert_eq!(
            [Some(1.0), Some(0.0415), Some(0.00099), None].map(p_value),
            ["1.000", "0.042", "<0.001", "-"]
        );
    }
}

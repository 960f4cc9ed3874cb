//! Losses of a training by epoch or step, as text.

mod svg;

use napsim_llama::train::Report;
use napsim_recurrent::EpochReport;

/// Rows of the plot.
const ROWS: usize = 10;

/// Columns of the labels to the left of the plot.
const MARGIN: usize = 8;

/// Columns that an epoch gets at most.
const EPOCH_COLUMNS_MAX: usize = 4;

/// What an epoch came to, in a line.
pub(super) fn line(report: &EpochReport) -> String {
    let training = report.train.loss;
    let validation = match &report.valid {
        Some(valid) => format!(", {:.3} in validation", valid.loss),
        None => String::new(),
    };
    let best = if report.best && report.valid.is_some() {
        " (lowest)"
    } else {
        ""
    };
    format!(
        "epoch {}: loss {training:.3} in training{validation}{best}",
        report.epoch
    )
}

/// Losses by epoch or by step.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Curve {
    /// What is counted: `epoch` or `step`.
    unit: &'static str,
    points: Vec<Point>,
}

impl Default for Curve {
    fn default() -> Self {
        Self {
            unit: "epoch",
            points: Vec::new(),
        }
    }
}

/// The losses after so many epochs or steps.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Point {
    epoch: usize,
    training: f64,
    validation: Option<f64>,
    best: bool,
}

impl Curve {
    /// The losses of these epochs.
    pub(crate) fn of(epochs: &[EpochReport]) -> Self {
        let point = |report: &EpochReport| Point {
            epoch: report.epoch,
            training: report.train.loss,
            validation: report.valid.as_ref().map(|valid| valid.loss),
            best: report.best,
        };
        Self {
            points: epochs.iter().map(point).collect(),
            ..Self::default()
        }
    }

    /// The losses of these reports, by step.
    pub(crate) fn by_step(reports: &[Report]) -> Self {
        let point = |report: &Report| Point {
            epoch: report.step,
            training: report.train,
            validation: report.valid,
            best: report.best,
        };
        Self {
            unit: "step",
            points: reports.iter().map(point).collect(),
        }
    }

    /// The epoch whose weights were kept.
    fn best(&self) -> Option<&Point> {
        self.points.iter().rev().find(|point| point.best)
    }

    /// The lowest and the highest loss.
    fn bounds(&self) -> Option<(f64, f64)> {
        let losses = || {
            let of_point = |point: &Point| [Some(point.training), point.validation];
            self.points.iter().flat_map(of_point).flatten()
        };
        let lowest = losses().fold(f64::INFINITY, f64::min);
        let highest = losses().fold(f64::NEG_INFINITY, f64::max);
        (lowest <= highest).then_some((lowest, highest))
    }

    /// A plot no wider than so many columns; nothing without epochs.
    pub(crate) fn text(&self, width: u16) -> String {
        let Some((lowest, highest)) = self.bounds() else {
            return String::new();
        };
        let room = usize::from(width).saturating_sub(MARGIN + 1).max(1);
        let columns = (room / self.points.len()).clamp(1, EPOCH_COLUMNS_MAX);
        let shown = thinned(&self.points, room / columns);
        let row_of = |loss: f64| row(loss, (lowest, highest));
        let mut text = String::new();
        for row in 0..ROWS {
            let label = match row {
                0 => format!("{highest:.3}"),
                row if row + 1 == ROWS => format!("{lowest:.3}"),
                _ => String::new(),
            };
            let mut line = format!("{label:>width$} ┤", width = MARGIN - 2);
            for point in &shown {
                let is_training = row_of(point.training) == row;
                let is_validation = point.validation.is_some_and(|loss| row_of(loss) == row);
                let block = match (is_training, is_validation) {
                    (true, true) => '▓',
                    (true, false) => '░',
                    (false, true) => '█',
                    (false, false) => ' ',
                };
                line.extend(std::iter::repeat_n(block, columns));
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text.push_str(&format!("{:>MARGIN$}{}\n", "└", "─".repeat(columns * shown.len())));
        text.push_str(&self.legend(&shown, columns));
        text
    }

    /// The mark under the best epoch, and what the blocks stand for.
    fn legend(&self, shown: &[&Point], columns: usize) -> String {
        let Some((best, last)) = self.best().zip(self.points.last()) else {
            return String::new();
        };
        let position = shown
            .iter()
            .rposition(|point| point.epoch <= best.epoch)
            .unwrap_or_default();
        let before = MARGIN + position * columns + columns / 2;
        let loss = best.validation.unwrap_or(best.training);
        format!(
            "{:before$}▲\n{:MARGIN$}░ training  █ validation  ▓ both  ▲ kept: {} {} of {}, loss {loss:.3}\n",
            "", "", self.unit, best.epoch, last.epoch
        )
    }
}

/// The row of a loss, from 0 at the top.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a small whole number that is not negative"
)]
fn row(loss: f64, (lowest, highest): (f64, f64)) -> usize {
    let share = (highest - loss) / (highest - lowest).max(f64::MIN_POSITIVE);
    (share.clamp(0.0, 1.0) * (ROWS - 1) as f64).round() as usize
}

/// At most so many points, evenly spread, with the first and the last one.
fn thinned(points: &[Point], n_max: usize) -> Vec<&Point> {
    let n_max = n_max.max(2);
    if points.len() <= n_max {
        return points.iter().collect();
    }
    let last = points.len() - 1;
    (0..n_max)
        .filter_map(|idx| points.get(idx * last / (n_max - 1)))
        .collect()
}

#[cfg(test)]
mod tests;

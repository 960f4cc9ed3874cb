//! Which runs have lines of their own in charts, and what they look like.

use std::collections::BTreeSet;

use napsim_charts::{LOOKS, Series};
use napsim_reports::comparison::RunFigures;
use napsim_reports::{Comparison, ComparisonSettings};

use crate::{Report, ReportRun};

/// A report with what all sections need to know of it.
pub(crate) struct Page<'a> {
    pub(crate) report: &'a Report,
    /// The runs compared with the best of them; the comparison of the report where that does so already.
    pub(crate) against_best: Option<Comparison>,
    /// The runs that have lines of their own in charts, the best first.
    pub(crate) shown: Vec<Shown<'a>>,
}

/// A run that has a line of its own in charts.
#[derive(Clone, Copy)]
pub(crate) struct Shown<'a> {
    pub(crate) run: &'a ReportRun,
    pub(crate) figures: &'a RunFigures,
    /// Its place among the runs of the report.
    pub(crate) idx: usize,
    /// Its place among the shown runs, which decides its look.
    pub(crate) look: usize,
}

impl<'a> Page<'a> {
    pub(crate) fn of(report: &'a Report) -> Self {
        let shown = choose(report);
        let is_against_best = report.comparison.baseline.is_some()
            && report.comparison.baseline.as_deref() == report.comparison.best().next().map(|run| run.name.as_str());
        let runs = || report.runs.iter().map(|run| run.compared.clone()).collect::<Vec<_>>();
        let against_best = if is_against_best {
            Some(report.comparison.clone())
        } else if report.runs.len() > 1 {
            let settings = ComparisonSettings {
                baseline: None,
                all_pairs: false,
                ..report.comparison.settings.clone()
            };
            Comparison::of(&runs(), &settings).ok()
        } else {
            None
        };
        Self {
            report,
            against_best,
            shown,
        }
    }

    /// The figures of all runs with the runs themselves.
    pub(crate) fn all(&self) -> impl Iterator<Item = (usize, &'a ReportRun, &'a RunFigures)> {
        let both = self.report.runs.iter().zip(&self.report.comparison.runs);
        both.enumerate().map(|(idx, (run, figures))| (idx, run, figures))
    }

    /// The best complete run, or the first where none is complete.
    pub(crate) fn best(&self) -> Option<Shown<'a>> {
        let is_best = |shown: &&Shown<'a>| shown.figures.rank == Some(1);
        self.shown.iter().find(is_best).or_else(|| self.shown.first()).copied()
    }

    /// Whether the report is about a single run.
    pub(crate) fn is_single(&self) -> bool {
        self.report.runs.len() == 1
    }

    /// A sentence on runs that have no lines in charts; none where all have.
    pub(crate) fn note_on_runs(&self) -> Option<String> {
        let (shown, all) = (self.shown.len(), self.report.runs.len());
        (shown < all).then(|| {
            format!(
                "Charts with a mark for each run show {shown} of {all}: the best of each predictor, then the best of the rest. \
                 Overview, settings and cost have all."
            )
        })
    }
}

impl Shown<'_> {
    /// The run's name.
    pub(crate) fn name(&self) -> &str {
        &self.run.compared.name
    }

    /// By what everything that belongs to the run can be hidden.
    pub(crate) fn group(&self) -> String {
        self.idx.to_string()
    }

    /// Its series in charts.
    pub(crate) fn series(&self) -> Series {
        Series {
            name: self.name().to_owned(),
            look: self.look,
            group: self.group(),
        }
    }
}

/// The best run of each predictor by rank, then others by rank, then incomplete ones, as many as there are looks.
fn choose(report: &Report) -> Vec<Shown<'_>> {
    let mut order: Vec<(usize, &ReportRun, &RunFigures)> = report
        .runs
        .iter()
        .zip(&report.comparison.runs)
        .enumerate()
        .map(|(idx, (run, figures))| (idx, run, figures))
        .collect();
    // Sorting is stable: equals stay in the order in which they were given.
    order.sort_by_key(|(_, _, figures)| figures.rank.unwrap_or(usize::MAX));
    let mut predictors = BTreeSet::new();
    let (mut first, rest): (Vec<_>, Vec<_>) = order
        .into_iter()
        .partition(|(_, run, _)| predictors.insert(predictor(&run.compared.setup.predictor)));
    first.extend(rest);
    first.truncate(LOOKS);
    first.sort_by_key(|(idx, _, figures)| (figures.rank.unwrap_or(usize::MAX), *idx));
    let shown = first.into_iter().enumerate();
    shown
        .map(|(look, (idx, run, figures))| Shown {
            run,
            figures,
            idx,
            look,
        })
        .collect()
}

/// The name of a predictor without its options.
fn predictor(id: &str) -> &str {
    id.split('?').next().unwrap_or(id)
}

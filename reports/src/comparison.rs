//! Runs compared with one another over the same trajectories: means with intervals, paired differences with tests.

mod corpora;
mod error;
pub mod export;
mod intervals;
mod metric;
mod notes;
mod pairs;
mod run;
mod settings;
mod sheet;
mod strangers;
mod text;

use std::collections::BTreeSet;

use napsim_statistics::{BootstrapSettings, holm};

use crate::nearest::nearest;
pub use error::ComparisonError;
pub use metric::{Metric, UnknownMetric};
pub use pairs::{LeftOut, PairedFigures, Verdict};
pub use run::{ComparedRun, Means, RunFigures};
pub use settings::settings_of;
pub use text::text;

use pairs::Pairs;

/// How runs are compared.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparisonSettings {
    /// The figure that they are compared by.
    pub metric: Metric,
    /// Name of the run that the others are compared with. Where none is given, it is the complete run with the highest
    /// mean.
    pub baseline: Option<String>,
    /// Level of the intervals; 1 − level is the level of the tests.
    pub level: f64,
    /// Resamples of the bootstrap.
    pub resamples: u32,
    /// Seed of what is drawn.
    pub seed: u64,
    /// Compare each run with each other one instead of with a baseline.
    pub all_pairs: bool,
}

impl Default for ComparisonSettings {
    /// UAS, against the best run, 95 %, 10,000 resamples, seed 0.
    fn default() -> Self {
        let BootstrapSettings { level, resamples, seed } = BootstrapSettings::default();
        Self {
            metric: Metric::Uas,
            baseline: None,
            level,
            resamples,
            seed,
            all_pairs: false,
        }
    }
}

impl ComparisonSettings {
    /// The part that statistics need.
    pub fn bootstrap(&self) -> BootstrapSettings {
        BootstrapSettings {
            level: self.level,
            resamples: self.resamples,
            seed: self.seed,
        }
    }
}

/// Runs compared with one another.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// How they are compared; the baseline is the one asked for.
    pub settings: ComparisonSettings,
    /// Protocol of all runs.
    pub protocol: String,
    /// Name of the run that the others are compared with; absent for a single run, all pairs, or where none was asked
    /// for and no run is complete.
    pub baseline: Option<String>,
    /// The figures of each run, in the order given.
    pub runs: Vec<RunFigures>,
    /// The comparisons, in the order of the runs.
    pub differences: Vec<PairedFigures>,
    /// Names of the first two complete runs without a trajectory in common, if there are such: their means cannot be
    /// ranked.
    pub strangers: Option<(String, String)>,
}

impl Comparison {
    /// Compares runs. The same runs and settings give the same figures on every machine.
    ///
    /// # Errors
    /// No run, two of one name, different protocols, a baseline that is none of them, settings out of bounds.
    pub fn of(runs: &[ComparedRun], settings: &ComparisonSettings) -> Result<Self, ComparisonError> {
        let protocol = check(runs)?;
        let mut figures = Vec::with_capacity(runs.len());
        for run in runs {
            figures.push(RunFigures::of(run, settings.metric, &settings.bootstrap())?);
        }
        for (figures, corpus) in figures.iter_mut().zip(corpora::names(runs)) {
            figures.corpus = corpus;
        }
        let strangers = strangers::first(runs, &figures, settings.metric);
        if strangers.is_none() {
            rank(&mut figures);
        }
        let baseline = match &settings.baseline {
            Some(name) => Some(find(runs, name)?),
            None if settings.all_pairs => None,
            None => figures.iter().position(|run| run.rank == Some(1)),
        };
        let pairs: Vec<(usize, usize)> = if settings.all_pairs {
            (0..runs.len())
                .flat_map(|right| (0..right).map(move |left| (right, left)))
                .collect()
        } else {
            let others = (0..runs.len()).filter(|idx| Some(*idx) != baseline);
            others.filter_map(|idx| Some((idx, baseline?))).collect()
        };
        let differences = compare(runs, &figures, &pairs, settings)?;
        let baseline = baseline.filter(|_| !settings.all_pairs && runs.len() > 1);
        Ok(Self {
            settings: settings.clone(),
            protocol,
            baseline: baseline.and_then(|idx| runs.get(idx)).map(|run| run.name.clone()),
            runs: figures,
            differences,
            strangers,
        })
    }

    /// What has to be known beside the figures, in sentences with names between backticks.
    pub fn notes(&self) -> Vec<String> {
        notes::notes(self)
    }

    /// The complete runs whose mean is the highest.
    pub fn best(&self) -> impl Iterator<Item = &RunFigures> {
        self.runs.iter().filter(|run| run.rank == Some(1))
    }
}

/// The protocol of all runs.
fn check(runs: &[ComparedRun]) -> Result<String, ComparisonError> {
    let first = runs.first().ok_or(ComparisonError::NoRuns)?;
    let mut names = BTreeSet::new();
    for run in runs {
        if !names.insert(run.name.as_str()) {
            return Err(ComparisonError::SameName(run.name.clone()));
        }
        if run.setup.protocol != first.setup.protocol {
            return Err(ComparisonError::Protocols {
                left: first.name.clone(),
                left_protocol: first.setup.protocol.clone(),
                right: run.name.clone(),
                right_protocol: run.setup.protocol.clone(),
            });
        }
    }
    Ok(first.setup.protocol.clone())
}

fn find(runs: &[ComparedRun], name: &str) -> Result<usize, ComparisonError> {
    let unknown = || ComparisonError::UnknownBaseline {
        name: name.to_owned(),
        nearest: nearest(name, runs.iter().map(|run| run.name.as_str())).map(str::to_owned),
    };
    runs.iter().position(|run| run.name == name).ok_or_else(unknown)
}

/// Gives complete runs their places by the mean.
fn rank(runs: &mut [RunFigures]) {
    /// Means that differ by less are the same.
    const EQUAL: f64 = 1e-12;
    let means: Vec<f64> = runs
        .iter()
        .filter(|run| run.is_complete())
        .filter_map(|run| run.mean)
        .collect();
    for run in runs.iter_mut().filter(|run| run.is_complete()) {
        let n_better = |mean: f64| means.iter().filter(|other| **other > mean + EQUAL).count();
        run.rank = run.mean.map(|mean| n_better(mean) + 1);
    }
}

fn compare(
    runs: &[ComparedRun],
    figures: &[RunFigures],
    pairs: &[(usize, usize)],
    settings: &ComparisonSettings,
) -> Result<Vec<PairedFigures>, ComparisonError> {
    let mut differences = Vec::with_capacity(pairs.len());
    let mut are_complete = Vec::with_capacity(pairs.len());
    for (left_idx, right_idx) in pairs {
        let (Some(left), Some(right)) = (runs.get(*left_idx), runs.get(*right_idx)) else {
            continue;
        };
        let shared = Pairs::of(left, right, settings.metric);
        differences.push(shared.figures(&left.name, &right.name, settings.metric, &settings.bootstrap())?);
        let is_complete = |idx: &usize| figures.get(*idx).is_some_and(RunFigures::is_complete);
        are_complete.push(is_complete(left_idx) && is_complete(right_idx));
    }
    adjust(&mut differences, |difference| &mut difference.p_sign_flip);
    adjust(&mut differences, |difference| &mut difference.p_wilcoxon);
    for (difference, are_complete) in differences.iter_mut().zip(are_complete) {
        difference.verdict = difference.judge(settings.level, are_complete);
    }
    Ok(differences)
}

/// Adjusts the probabilities of one test for the number of comparisons that have one.
fn adjust(differences: &mut [PairedFigures], p: fn(&mut PairedFigures) -> &mut Option<f64>) {
    let mut all: Vec<&mut f64> = differences.iter_mut().filter_map(|one| p(one).as_mut()).collect();
    let raw: Vec<f64> = all.iter().map(|p| **p).collect();
    for (p, adjusted) in all.iter_mut().zip(holm(&raw)) {
        **p = adjusted;
    }
}

#[cfg(test)]
mod tests;

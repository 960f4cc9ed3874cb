//! Comparing runs and variants: what `napsim sweep` and `napsim compare` share.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::anyhow;
use clap::Args;
use napsim_reports::comparison::export::{Format, export};
use napsim_reports::comparison::{ComparedRun, Comparison, ComparisonSettings, Metric, text};
use napsim_reports::gate::Gate;
use napsim_reports::{RunFolder, RunSetup};

use super::experiment::{Planned, State};
use super::records;
use crate::console;
use crate::exit::Failure;
use napsim_experiments::nearest::hint;

/// How runs are compared.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Comparison")]
pub(super) struct ComparingArgs {
    /// Run or variant that the others are compared with [default: that of the experiment, or else the best one].
    #[arg(long, value_name = "NAME", conflicts_with = "all_pairs")]
    pub(super) baseline: Option<String>,

    /// Compare each with each other one instead of with one of them.
    #[arg(long)]
    pub(super) all_pairs: bool,

    /// Figure to compare by: uas, ar, precision or pcov (`napsim explain`).
    #[arg(long, value_name = "FIGURE", default_value = "uas", value_parser = Metric::from_str)]
    pub(super) metric: Metric,

    /// Level of the intervals.
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95)]
    pub(super) level: f64,

    /// Resamples of the bootstrap.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(super) resamples: u32,

    /// Seed of resamples and permutations.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) statistics_seed: u64,

    /// Print the comparison as `csv`, `json`, `md` or `latex` instead of tables for a terminal.
    #[arg(long, value_name = "FORMAT", value_parser = Format::from_str, conflicts_with = "json")]
    pub(super) export: Option<Format>,

    /// The same as --export json (schema napsim-comparison/1).
    #[arg(long)]
    pub(super) json: bool,
}

/// How runs are compared, with the baseline that an experiment names.
pub(super) type Settings = ComparisonSettings;

impl ComparingArgs {
    /// What is meant for an experiment, whose baseline must be one of its variants.
    pub(super) fn settings(&self, planned: &Planned) -> Result<Settings, Failure> {
        let mut settings = self.settings_of_runs();
        let own = planned.experiment.baseline.clone().filter(|_| !self.all_pairs);
        settings.baseline = settings.baseline.or(own);
        let names = || planned.variants.iter().map(|plan| plan.name.as_str());
        match &settings.baseline {
            Some(name) if !names().any(|known| known == name) => Err(Failure::Input(anyhow!(
                "failed to use --baseline {name}: there is no such variant{}",
                hint(name, names())
            ))),
            _ => Ok(settings),
        }
    }

    /// What is meant for runs of any kind.
    pub(super) fn settings_of_runs(&self) -> Settings {
        ComparisonSettings {
            metric: self.metric,
            baseline: self.baseline.clone(),
            level: self.level,
            resamples: self.resamples,
            seed: self.statistics_seed,
            all_pairs: self.all_pairs,
        }
    }
}

/// Prints the comparison and says which gates were missed; whether there are any.
pub(super) fn conclude(
    runs: &[ComparedRun],
    settings: &Settings,
    args: &ComparingArgs,
    gates: &[Gate],
) -> Result<bool, Failure> {
    let input = |error: &dyn std::fmt::Display| Failure::Input(anyhow!("failed to {error}"));
    let comparison = Comparison::of(runs, settings).map_err(|error| input(&error))?;
    match args.export.or(args.json.then_some(Format::Json)) {
        Some(format) => console::print(&export(&comparison, format).map_err(Failure::environment)?)?,
        None => console::print_untrusted(&text(&comparison, console::width()))?,
    }
    are_missed(runs, settings, gates)
}

/// Says which gates were missed by which runs; whether there are any.
pub(super) fn are_missed(runs: &[ComparedRun], settings: &Settings, gates: &[Gate]) -> Result<bool, Failure> {
    let mut missed = false;
    for gate in gates {
        for run in runs {
            let outcome = gate.check(run, &settings.bootstrap());
            let outcome = outcome.map_err(|error| Failure::Input(anyhow!("failed to {error}")))?;
            missed |= !outcome.passed;
            console::say(&format!("napsim: {outcome}"));
        }
    }
    Ok(missed)
}

/// The variants of an experiment as runs, their names after a prefix.
pub(super) fn runs_of(planned: &Planned, prefix: Option<&str>) -> Vec<ComparedRun> {
    let run = |(variant_idx, plan): (usize, &super::experiment::VariantPlan)| {
        let units: Vec<_> = planned
            .units
            .iter()
            .filter(|unit| unit.variant_idx == variant_idx)
            .collect();
        let repeat = |seed: &u64| {
            let of_seed = units.iter().filter(|unit| unit.seed == *seed);
            let result = |unit: &&&super::experiment::Unit| match &unit.state {
                State::Done(result) | State::Failed(result) => Some(result.as_ref().clone()),
                State::Missing => None,
            };
            of_seed.filter_map(|unit| result(&unit)).collect()
        };
        let digests = plan
            .trajectories()
            .iter()
            .map(|trajectory| (trajectory.name.clone(), trajectory.digest()));
        ComparedRun {
            name: prefix.map_or_else(|| plan.name.clone(), |prefix| format!("{prefix}/{}", plan.name)),
            setup: RunSetup {
                corpus: plan.corpus().to_owned(),
                ..plan.variant.setup.clone()
            },
            repeats: plan.seeds.iter().map(repeat).collect(),
            digests: digests.collect::<BTreeMap<_, _>>(),
            missing: units.iter().filter(|unit| matches!(unit.state, State::Missing)).count(),
        }
    };
    planned.variants.iter().enumerate().map(run).collect()
}

/// A recorded run (`napsim run --out`).
pub(super) fn recorded(path: &Path) -> Result<ComparedRun, Failure> {
    let (folder, manifest): (RunFolder, _) = records::open(path)?;
    let results = records::results(&folder, &manifest)?;
    Ok(ComparedRun {
        name: name_of(path),
        missing: manifest.units.len().saturating_sub(results.len()),
        digests: manifest
            .units
            .iter()
            .map(|unit| (unit.name.clone(), unit.digest.clone()))
            .collect(),
        setup: manifest.setup,
        repeats: vec![results],
    })
}

/// What a run is called in tables: its folder as it was given.
fn name_of(path: &Path) -> String {
    let text = path.display().to_string();
    let name = text.trim_end_matches('/');
    if name.is_empty() { text } else { name.to_owned() }
}

/// Whether a path is that of an experiment's file rather than of a run's folder.
pub(super) fn is_experiment(path: &Path) -> bool {
    !path.is_dir() && napsim_experiments::Syntax::of_file(path).is_some()
}

/// What a user wants to compare or export.
#[derive(Clone, Debug, Args)]
pub(super) struct SourceArgs {
    /// Runs and experiments: folders of `napsim run --out`, and files of experiments whose units are in the store.
    #[arg(required = true, value_name = "RUN|FILE")]
    pub(super) sources: Vec<PathBuf>,

    #[command(flatten)]
    pub(super) store: super::experiment::StoreArgs,
}

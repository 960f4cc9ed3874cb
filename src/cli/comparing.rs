//! Comparing runs and variants: what `napsim sweep` and `napsim compare` share.

use std::str::FromStr;

use anyhow::anyhow;
use clap::Args;
use napsim_experiments::nearest::hint;
use napsim_reports::comparison::export::{Format, export};
use napsim_reports::comparison::{ComparedRun, Comparison, ComparisonSettings, Metric, text};
use napsim_reports::gate::Gate;

use super::sources::Source;
use crate::console;
use crate::exit::Failure;

/// How runs are compared, and how that is printed.
#[derive(Clone, Debug, Args)]
pub(super) struct ComparingArgs {
    #[command(flatten)]
    pub(super) statistics: StatisticsArgs,

    /// Print the comparison as `csv`, `json`, `md` or `latex` instead of tables for a terminal.
    #[arg(long, value_name = "FORMAT", value_parser = Format::from_str, conflicts_with = "json", help_heading = "Comparison")]
    pub(super) export: Option<Format>,

    /// The same as --export json (schema napsim-comparison/1).
    #[arg(long, help_heading = "Comparison")]
    pub(super) json: bool,
}

/// How runs are compared.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Comparison")]
pub(super) struct StatisticsArgs {
    /// Run or variant that the others are compared with [default: that of the experiment, or else the best one].
    #[arg(long, value_name = "NAME", conflicts_with = "all_pairs")]
    pub(super) baseline: Option<String>,

    /// Compare each with each other one instead of with one of them.
    #[arg(long)]
    pub(super) all_pairs: bool,

    /// Figure to compare by.
    #[arg(long, value_name = "FIGURE", default_value = "uas", value_parser = Metric::from_str,
        help = format!("Figure to compare by: {} (`napsim explain`)", Metric::NAMES))]
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
}

/// How runs are compared, with the baseline that an experiment names.
pub(super) type Settings = ComparisonSettings;

impl StatisticsArgs {
    /// What is meant for an experiment, whose baseline must be one of its variants.
    pub(super) fn settings<'a>(
        &self,
        baseline: Option<String>,
        names: impl Iterator<Item = &'a str> + Clone,
    ) -> Result<Settings, Failure> {
        let mut settings = self.settings_of_runs();
        settings.baseline = settings.baseline.or(baseline.filter(|_| !self.all_pairs));
        match &settings.baseline {
            Some(name) if !names.clone().any(|known| known == name) => Err(Failure::Input(anyhow!(
                "failed to use --baseline {name}: there is no such variant{}",
                hint(name, names)
            ))),
            _ => Ok(settings),
        }
    }

    /// What is meant for these sources: where there is one experiment alone, its baseline has its own name.
    pub(super) fn settings_of(&self, sources: &[Source]) -> Result<Settings, Failure> {
        match sources {
            [source] if !source.experiment.is_empty() => {
                let names = source.variants.iter().map(|variant| variant.name.as_str());
                self.settings(source.baseline.clone(), names)
            }
            _ => Ok(self.settings_of_runs()),
        }
    }

    /// What is meant for runs of any kind.
    fn settings_of_runs(&self) -> Settings {
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

//! One trajectory of one run or variant, as commands name it that show a single record.

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use napsim_experiments::nearest::hint;
use napsim_reports::record::UnitRecord;

use super::experiment::StoreArgs;
use super::sources::{MeasuredUnit, MeasuredVariant, Source, SourceArgs};
use crate::exit::Failure;
use crate::signals::Interruption;

/// Which run.
#[derive(Clone, Debug, Args)]
pub(super) struct RunChoice {
    /// Folder of `napsim run --out`, file of an experiment, or plan that a store keeps.
    #[arg(value_name = "RUN|FILE")]
    pub(super) run: PathBuf,

    /// Variant of the experiment; without it, the only one.
    #[arg(long, value_name = "NAME")]
    variant: Option<String>,

    /// Seed of the repeat; without it, the first one.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Set a key of the experiment, as for `napsim sweep`. Repeatable.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    #[command(flatten)]
    store: StoreArgs,
}

impl RunChoice {
    /// The run or experiment.
    pub(super) fn source(&self, interruption: &Interruption) -> Result<Source, Failure> {
        let args = SourceArgs {
            sources: vec![self.run.clone()],
            set: self.set.clone(),
            store: self.store.clone(),
        };
        let source = args.read(interruption)?.pop();
        source.ok_or_else(|| Failure::Input(anyhow!("failed to find a run")))
    }

    /// The variant that is meant, and the seed.
    pub(super) fn variant<'a>(&self, source: &'a Source) -> Result<(&'a MeasuredVariant, u64), Failure> {
        let names = || source.variants.iter().map(|variant| variant.name.as_str());
        let variant = match (&self.variant, source.variants.as_slice()) {
            (None, [only]) => Some(only),
            (None, _) => {
                let names: Vec<&str> = names().collect();
                return Err(Failure::Input(anyhow!(
                    "failed to choose a variant: give --variant NAME, one of {}",
                    names.join(", ")
                )));
            }
            (Some(name), variants) => variants.iter().find(|variant| variant.name == *name),
        };
        let Some(variant) = variant else {
            let name = self.variant.as_deref().unwrap_or_default();
            return Err(Failure::Input(anyhow!(
                "failed to find a variant `{name}`{}",
                hint(name, names())
            )));
        };
        let seed = self.seed.or_else(|| variant.seeds.first().copied()).unwrap_or_default();
        if !variant.seeds.contains(&seed) {
            return Err(Failure::Input(anyhow!(
                "failed to find seed {seed} of `{}`: it was measured with {}",
                variant.name,
                variant.seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
            )));
        }
        Ok((variant, seed))
    }

    /// The units of the variant and seed that are meant.
    pub(super) fn units<'a>(&self, source: &'a Source) -> Result<Vec<&'a MeasuredUnit>, Failure> {
        let (variant, seed) = self.variant(source)?;
        Ok(variant.units.iter().filter(|unit| unit.seed == seed).collect())
    }

    /// The record of a trajectory, which may be named by the beginning of its name.
    pub(super) fn record(&self, source: &Source, trajectory: &str) -> Result<UnitRecord, Failure> {
        let units = self.units(source)?;
        let names = units.iter().map(|unit| unit.result.summary.name.as_str());
        let named = || units.iter().find(|unit| unit.result.summary.name == trajectory);
        // As much of a name as only one trajectory begins with is enough.
        let mut begun = units
            .iter()
            .filter(|unit| unit.result.summary.name.starts_with(trajectory));
        let only = begun
            .next()
            .filter(|_| begun.next().is_none() && !trajectory.is_empty());
        let Some(unit) = named().or(only) else {
            return Err(Failure::Input(anyhow!(
                "failed to find a trajectory `{trajectory}` that was measured in {}{}",
                self.run.display(),
                hint(trajectory, names)
            )));
        };
        unit.place.read()?.ok_or_else(|| {
            Failure::Input(anyhow!(
                "failed to show `{trajectory}`: it failed, so that there is no record of it"
            ))
        })
    }
}

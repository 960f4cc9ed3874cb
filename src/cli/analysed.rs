//! Reading the records of what was measured, one at a time, for figures that the ends of records do not hold.

use anyhow::anyhow;
use napsim_analysis::{RunAnalysis, UnitAnalysis};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::progress::Progress;
use super::sources::{self, MeasuredUnit, MeasuredVariant, Source};
use crate::exit::{Exit, Failure};
use crate::signals::Interruption;

/// A run or variant with its analysis.
pub(super) struct Analysed<'a> {
    pub(super) name: String,
    pub(super) variant: &'a MeasuredVariant,
    pub(super) analysis: RunAnalysis,
}

/// Analyses every variant of every source.
pub(super) fn all<'a>(
    sources: &'a [Source],
    quiet: bool,
    interruption: &Interruption,
) -> Result<Vec<Analysed<'a>>, Failure> {
    let several = sources.len() > 1;
    let n_units = sources
        .iter()
        .flat_map(|source| &source.variants)
        .map(|variant| variant.units.len())
        .sum();
    let progress = Progress::new(n_units, "records", quiet);
    let mut analysed = Vec::new();
    for source in sources {
        for variant in &source.variants {
            let analysis = one(variant, &progress, interruption)?;
            analysed.push(Analysed {
                name: sources::full_name(source, variant, several),
                variant,
                analysis,
            });
        }
    }
    progress.finish();
    Ok(analysed)
}

fn one(variant: &MeasuredVariant, progress: &Progress, interruption: &Interruption) -> Result<RunAnalysis, Failure> {
    let unit = |unit: &MeasuredUnit| -> Result<Option<UnitAnalysis>, Failure> {
        if interruption.signal().is_some() {
            return Err(Failure::Environment(anyhow!("interrupted")));
        }
        let analysis = unit.place.read()?.map(|record| UnitAnalysis::of(&record));
        progress.one_done();
        Ok(analysis)
    };
    let units = variant.units.par_iter().map(unit).collect::<Result<Vec<_>, _>>()?;
    let n_all = variant.n_missing + units.len();
    let units: Vec<UnitAnalysis> = units.into_iter().flatten().collect();
    let n_missing = u64::try_from(n_all - units.len()).unwrap_or(u64::MAX);
    Ok(RunAnalysis::new(units).with_missing(n_missing))
}

/// How a command ends that has shown what was measured of these sources.
pub(super) fn ending(sources: &[Source]) -> Exit {
    if sources.iter().all(Source::is_complete) {
        Exit::Complete
    } else {
        Exit::Incomplete
    }
}

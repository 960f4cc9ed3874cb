//! Reading the records of what was measured, one at a time, for figures that the ends of records do not hold.

use anyhow::anyhow;
use napsim_analysis::{CsvRows, RunAnalysis, UnitAnalysis};
use napsim_reports::record::UnitRecord;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
use serde::Serialize;

use super::progress::Progress;
use super::sources::{self, MeasuredUnit, MeasuredVariant, Source, SourceArgs};
use crate::console;
use crate::exit::{Exit, Failure};
use crate::signals::Interruption;

/// A run or variant with its analysis.
pub(super) struct Analysed<'a, T> {
    pub(super) name: String,
    pub(super) variant: &'a MeasuredVariant,
    pub(super) analysis: RunAnalysis,
    /// What else was taken from the records, in the order of the units.
    pub(super) taken: Vec<T>,
}

/// How figures are printed.
pub(super) enum Form<'a, F> {
    /// As text for a terminal of so many columns, under the name of the run where there are several.
    Text(fn(&F, u16) -> String),
    /// One object a run, one a line.
    Json,
    /// As one table of all runs.
    Csv(&'a dyn Fn(&F) -> CsvRows),
}

/// Prints the same figures of every variant of every source.
pub(super) fn show<F: Serialize>(
    args: &SourceArgs,
    quiet: bool,
    figures: impl Fn(&RunAnalysis) -> F,
    form: &Form<'_, F>,
) -> Result<Exit, Failure> {
    let interruption = Interruption::listen()?;
    let sources = match args.read(&interruption) {
        Ok(sources) => sources,
        Err(failure) => return interruption.or(failure),
    };
    let analysed = match with(&sources, quiet, &interruption, |_, _, _| Ok(())) {
        Ok(analysed) => analysed,
        Err(failure) => return interruption.or(failure),
    };
    let several = analysed.len() > 1;
    let of_runs = analysed.iter().map(|run| (run, figures(&run.analysis)));
    match form {
        Form::Text(text) => {
            for (run, figures) in of_runs {
                let text = text(&figures, console::width());
                console::print_untrusted(&headed(&run.name, several, &text))?;
            }
        }
        Form::Json => {
            for (run, figures) in of_runs {
                print_json(&run.name, &figures)?;
            }
        }
        Form::Csv(table) => print_csv(of_runs.map(|(run, figures)| table(&figures).under("run", &run.name)))?,
    }
    Ok(sources::ending(&sources))
}

/// Analyses every variant of every source, and takes from each record what else is wanted. `take` is told the place of the
/// variant among all, the place of the unit in it, and the record.
pub(super) fn with<'a, T: Send>(
    sources: &'a [Source],
    quiet: bool,
    interruption: &Interruption,
    take: impl Fn(usize, usize, &UnitRecord) -> Result<T, Failure> + Sync,
) -> Result<Vec<Analysed<'a, T>>, Failure> {
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
            let run_idx = analysed.len();
            let unit = |(unit_idx, unit): (usize, &MeasuredUnit)| -> Result<Option<(UnitAnalysis, T)>, Failure> {
                if interruption.signal().is_some() {
                    return Err(Failure::Environment(anyhow!("interrupted")));
                }
                let Some(record) = unit.place.read()? else {
                    return Ok(None);
                };
                let taken = take(run_idx, unit_idx, &record)?;
                progress.one_done();
                Ok(Some((UnitAnalysis::of(&record), taken)))
            };
            let units = variant.units.par_iter().enumerate().map(unit);
            let units = units.collect::<Result<Vec<_>, _>>()?;
            let n_all = variant.n_missing + units.len();
            let (units, taken): (Vec<_>, Vec<_>) = units.into_iter().flatten().unzip();
            let n_missing = u64::try_from(n_all - units.len()).unwrap_or(u64::MAX);
            analysed.push(Analysed {
                name: sources::full_name(source, variant, several),
                variant,
                analysis: RunAnalysis::new(units).with_missing(n_missing),
                taken,
            });
        }
    }
    progress.finish();
    Ok(analysed)
}

/// A text under the name of its run, where there are several.
fn headed(run: &str, several: bool, text: &str) -> String {
    if several {
        format!("{run}\n{text}\n")
    } else {
        text.to_owned()
    }
}

/// Prints the tables of all runs as one.
fn print_csv(tables: impl Iterator<Item = CsvRows>) -> Result<(), Failure> {
    let all = tables.reduce(|mut all, table| {
        all.rows.extend(table.rows);
        all
    });
    match all {
        Some(all) => console::print(&all.to_text().map_err(Failure::environment)?),
        None => Ok(()),
    }
}

/// Prints an object on a line, the name of its run before everything else.
fn print_json(run: &str, figures: &impl Serialize) -> Result<(), Failure> {
    #[derive(Serialize)]
    struct OfRun<'a, T> {
        run: &'a str,
        #[serde(flatten)]
        figures: &'a T,
    }
    let text = serde_json::to_string(&OfRun { run, figures }).map_err(Failure::environment)?;
    console::print(&format!("{text}\n"))
}

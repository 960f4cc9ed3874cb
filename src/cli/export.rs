//! `napsim export`: measured runs for data frames and experiment trackers.

mod to_mlflow;

use std::path::PathBuf;

use anyhow::anyhow;
use clap::{Args, Subcommand};
use napsim_reports::RunSetup;
use napsim_reports::csv_tables::{CsvTableError, Origin, PredictionTable, UnitTable};
use napsim_reports::store::LineFile;

use super::sources::{self, MeasuredUnit, MeasuredVariant, Source, SourceArgs};
use crate::console;
use crate::exit::{Exit, Failure};
use crate::signals::Interruption;

/// Hand measured runs to other programs.
#[derive(Debug, Subcommand)]
pub(super) enum ExportCommand {
    Csv(CsvArgs),
    Mlflow(MlflowArgs),
}

/// Write tables for pandas, polars or a spreadsheet: units.csv with a row a unit, and predictions.csv with a row a
/// prediction.
#[derive(Debug, Args)]
#[command(after_help = CSV_EXAMPLES)]
pub(super) struct CsvArgs {
    #[command(flatten)]
    sources: SourceArgs,

    /// Folder for the tables; files of these names in it are replaced.
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,

    /// Leave out predictions.csv.
    #[arg(long)]
    units_only: bool,
}

const CSV_EXAMPLES: &str = "\
Examples:
  napsim export csv experiments/paper/stride.toml -o tables
  napsim export csv runs/first runs/second -o tables --units-only";

/// Export runs to MLflow: a run a variant and seed, with its settings, figures and figures by trajectory.
///
/// Exporting again changes nothing, unless there are new results.
#[derive(Debug, Args)]
#[command(after_help = MLFLOW_EXAMPLES)]
pub(super) struct MlflowArgs {
    #[command(flatten)]
    sources: SourceArgs,

    /// Folder (`mlruns`) or address of a server.
    #[arg(long, value_name = "DIR|URL", env = "MLFLOW_TRACKING_URI", default_value = "mlruns")]
    to: String,
}

const MLFLOW_EXAMPLES: &str = "\
Examples:
  napsim export mlflow experiments/paper/stride.toml
  napsim export mlflow runs/first --to http://127.0.0.1:5000

A server may want MLFLOW_TRACKING_TOKEN, or MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD.";

/// Exports.
pub(super) fn export(command: &ExportCommand) -> Result<Exit, Failure> {
    match command {
        ExportCommand::Csv(args) => csv(args),
        ExportCommand::Mlflow(args) => to_mlflow::to_mlflow(args),
    }
}

/// What was measured with one set-up, seed included: a run of a tracker.
struct Repeat<'a> {
    /// Name of the experiment; empty where there is none.
    experiment: &'a str,
    variant: &'a MeasuredVariant,
    setup: RunSetup,
    /// The units that are done.
    units: Vec<&'a MeasuredUnit>,
}

impl<'a> Repeat<'a> {
    fn origin<'b>(&'b self, unit: &'b MeasuredUnit) -> Origin<'b> {
        Origin {
            experiment: self.experiment,
            variant: &self.variant.name,
            unit: &unit.id,
            setup: &self.setup,
        }
    }

    /// The repeats of all variants. Units of experiments that failed are no results, but trajectories of a run that did are.
    fn all(sources: &'a [Source]) -> Vec<Self> {
        let mut repeats = Vec::new();
        for source in sources {
            let is_run = source.experiment.is_empty();
            for variant in &source.variants {
                repeats.extend(variant.seeds.iter().map(|seed| {
                    Self {
                        experiment: &source.experiment,
                        variant,
                        setup: variant.setup_of(*seed),
                        units: variant
                            .units
                            .iter()
                            .filter(|unit| unit.seed == *seed && (is_run || !unit.is_failed()))
                            .collect(),
                    }
                }));
            }
        }
        repeats
    }
}

/// How an export ends; says what is not in it.
fn ending(sources: &[Source]) -> Exit {
    let n_missing: usize = sources
        .iter()
        .flat_map(|source| &source.variants)
        .map(|variant| variant.n_missing + variant.units.iter().filter(|unit| unit.is_failed()).count())
        .sum();
    if n_missing > 0 {
        let units = console::counted(n_missing, "unit", "units");
        console::say(&format!(
            "napsim: {units} missing or failed, so that the export is not complete"
        ));
    }
    sources::ending(sources)
}

fn csv(args: &CsvArgs) -> Result<Exit, Failure> {
    let interruption = Interruption::listen()?;
    let sources = match args.sources.read(&interruption) {
        Ok(sources) => sources,
        Err(failure) => return interruption.or(failure),
    };
    let repeats = Repeat::all(&sources);
    std::fs::create_dir_all(&args.out).map_err(|error| Failure::at_path("make", &args.out, &error))?;
    let failed = |error: CsvTableError| Failure::Environment(anyhow!("failed to {error}"));
    let units_path = args.out.join("units.csv");
    let mut file = LineFile::create(&units_path)?;
    let mut table = UnitTable::begin(&mut file).map_err(failed)?;
    for (repeat, unit) in units_of(&repeats) {
        table.add(repeat.origin(unit), &unit.result).map_err(failed)?;
    }
    table.finish().map_err(failed)?;
    file.finish()?;
    let mut written = units_path.display().to_string();
    if !args.units_only {
        let path = args.out.join("predictions.csv");
        let mut file = LineFile::create(&path)?;
        let mut table = PredictionTable::begin(&mut file).map_err(failed)?;
        for (repeat, unit) in units_of(&repeats) {
            let Some(record) = unit.place.read()? else { continue };
            for event in &record.events {
                let trajectory = &unit.result.summary.name;
                table.add(repeat.origin(unit), trajectory, event).map_err(failed)?;
            }
        }
        table.finish().map_err(failed)?;
        file.finish()?;
        written.push_str(&format!(" and {}", path.display()));
    }
    console::say(&format!("napsim: written {written}"));
    Ok(ending(&sources))
}

fn units_of<'a>(repeats: &'a [Repeat<'a>]) -> impl Iterator<Item = (&'a Repeat<'a>, &'a MeasuredUnit)> {
    repeats
        .iter()
        .flat_map(|repeat| repeat.units.iter().map(move |unit| (repeat, *unit)))
}

//! `napsim export`: measured runs for data frames and experiment trackers.

mod to_mlflow;

use std::path::PathBuf;

use anyhow::anyhow;
use clap::{Args, Subcommand};
use napsim_reports::csv_tables::{CsvTableError, Origin, PredictionTable, UnitTable};
use napsim_reports::record::UnitRecord;
use napsim_reports::store::{LineFile, UnitId, UnitStore, UnitTimes};
use napsim_reports::{RunSetup, UnitResult};

use super::comparing::{self, SourceArgs};
use super::experiment::{ExperimentArgs, Planned, State, Unit};
use super::plan::planned;
use super::records;
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

/// Everything measured with one set-up, seed included.
struct Source {
    /// Name of the experiment; empty where there is none.
    experiment: String,
    /// Name of the variant, or of the run.
    name: String,
    setup: RunSetup,
    units: Vec<Measured>,
}

/// A unit with its result, and where its record is.
struct Measured {
    /// Empty where it has none.
    id: String,
    result: UnitResult,
    times: Option<UnitTimes>,
    record: Place,
}

impl Source {
    fn origin<'a>(&'a self, unit: &'a Measured) -> Origin<'a> {
        Origin {
            experiment: &self.experiment,
            variant: &self.name,
            unit: &unit.id,
            setup: &self.setup,
        }
    }
}

enum Place {
    Store(UnitStore, UnitId),
    Folder(PathBuf),
    /// There are figures alone, as of units that failed.
    Nowhere,
}

impl Place {
    fn read(&self) -> Result<Option<UnitRecord>, Failure> {
        let record = match self {
            Self::Store(store, id) => store.record(id),
            Self::Folder(path) => napsim_reports::record::read(path).map(Some),
            Self::Nowhere => Ok(None),
        };
        record.map_err(|error| Failure::Input(anyhow!("failed to {error}")))
    }
}

fn sources(args: &SourceArgs, interruption: &Interruption) -> Result<Vec<Source>, Failure> {
    let mut sources = Vec::new();
    let mut n_missing = 0;
    for path in &args.sources {
        if comparing::is_experiment(path) {
            let experiment = ExperimentArgs {
                file: path.clone(),
                set: Vec::new(),
                store: args.store.clone(),
            };
            let planned = planned(&experiment, interruption)?;
            let store = args.store.open()?;
            n_missing += planned.units.iter().filter(|unit| !unit.state.is_done()).count();
            sources.extend(of_experiment(&planned, &store));
        } else {
            let (folder, manifest) = records::open(path)?;
            let results = records::results(&folder, &manifest)?;
            n_missing += manifest.units.len() - results.len();
            let file = |name: &str| manifest.units.iter().find(|entry| entry.name == name);
            let units = results.into_iter().map(|result| Measured {
                id: String::new(),
                record: file(&result.summary.name)
                    .map_or(Place::Nowhere, |entry| Place::Folder(folder.unit_path(&entry.file))),
                times: None,
                result,
            });
            sources.push(Source {
                experiment: String::new(),
                name: path.display().to_string(),
                units: units.collect(),
                setup: manifest.setup.clone(),
            });
        }
    }
    if n_missing > 0 {
        let units = console::counted(n_missing, "unit is", "units are");
        console::say(&format!("napsim: note: {units} not done, and not exported"));
    }
    Ok(sources)
}

fn of_experiment(planned: &Planned, store: &UnitStore) -> Vec<Source> {
    let mut sources = Vec::new();
    for (variant_idx, plan) in planned.variants.iter().enumerate() {
        for seed in &plan.seeds {
            let is_of = |unit: &&Unit| unit.variant_idx == variant_idx && unit.seed == *seed;
            let units = planned.units.iter().filter(is_of).filter_map(|unit| {
                let State::Done(result) = &unit.state else { return None };
                Some(Measured {
                    id: unit.id.to_string(),
                    result: result.as_ref().clone(),
                    times: store.times(&unit.id),
                    record: Place::Store(store.clone(), unit.id.clone()),
                })
            });
            sources.push(Source {
                experiment: planned.experiment.name.clone(),
                name: plan.name.clone(),
                setup: RunSetup {
                    corpus: plan.corpus().to_owned(),
                    ..plan.setup(*seed)
                },
                units: units.collect(),
            });
        }
    }
    sources
}

fn csv(args: &CsvArgs) -> Result<Exit, Failure> {
    let interruption = Interruption::listen()?;
    let sources = sources(&args.sources, &interruption)?;
    std::fs::create_dir_all(&args.out)
        .map_err(|error| Failure::Environment(anyhow!("failed to make {}: {error}", args.out.display())))?;
    let failed = |error: CsvTableError| Failure::Environment(anyhow!("failed to {error}"));
    let units_path = args.out.join("units.csv");
    let mut file = LineFile::create(&units_path)?;
    let mut table = UnitTable::begin(&mut file).map_err(failed)?;
    for (source, unit) in units_of(&sources) {
        table.add(source.origin(unit), &unit.result).map_err(failed)?;
    }
    table.finish().map_err(failed)?;
    file.finish()?;
    let mut written = units_path.display().to_string();
    if !args.units_only {
        let path = args.out.join("predictions.csv");
        let mut file = LineFile::create(&path)?;
        let mut table = PredictionTable::begin(&mut file).map_err(failed)?;
        for (source, unit) in units_of(&sources) {
            let Some(record) = unit.record.read()? else { continue };
            for event in &record.events {
                let trajectory = &unit.result.summary.name;
                table.add(source.origin(unit), trajectory, event).map_err(failed)?;
            }
        }
        table.finish().map_err(failed)?;
        file.finish()?;
        written.push_str(&format!(" and {}", path.display()));
    }
    console::say(&format!("napsim: written {written}"));
    Ok(Exit::Complete)
}

fn units_of(sources: &[Source]) -> impl Iterator<Item = (&Source, &Measured)> {
    sources
        .iter()
        .flat_map(|source| source.units.iter().map(move |unit| (source, unit)))
}

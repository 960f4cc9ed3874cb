//! The options of commands about experiments.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use napsim_experiments::{Experiment, Override, Syntax};
use napsim_reports::store::UnitStore;

use super::known::known_settings;
use super::selection::Partition;
use crate::cli::remote::ExchangeArgs;
use crate::console;
use crate::exit::Failure;

/// Which experiment, and where its units are.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct ExperimentArgs {
    /// Experiment: a file in TOML or YAML (docs/EXPERIMENTS.md).
    pub(in crate::cli) file: PathBuf,

    /// Set a key of the experiment; wins over the file, and over a sweep of that key. Repeatable.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(in crate::cli) set: Vec<String>,

    #[command(flatten)]
    pub(in crate::cli) store: StoreArgs,
}

/// Where units are kept.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct StoreArgs {
    /// Folder with the units of experiments, which share it.
    #[arg(long, value_name = "DIR", env = "NAPSIM_STORE", default_value = "napsim-store", value_parser = OsStringValueParser::new().try_map(store_path))]
    pub(in crate::cli) store: PathBuf,
}

/// Which units of an experiment.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct SelectionArgs {
    /// Only the K-th of N parts of the units: `slice:K/N` makes equal parts, `hash:K/N` parts that stay the same when
    /// variants or trajectories are added.
    #[arg(long, value_name = "HOW:K/N")]
    pub(in crate::cli) partition: Option<Partition>,

    /// Only the units whose ids stand in this file, one a line, or lines of `napsim plan --format jsonl`; `-` is the
    /// standard input.
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) units: Option<PathBuf>,
}

/// A file without an experiment would be read for nothing.
const FILE_BYTES_MAX: u64 = napsim_experiments::FILE_BYTES_MAX as u64;

impl ExperimentArgs {
    /// The experiment, read and checked as far as that goes without its corpora and predictors.
    pub(in crate::cli) fn experiment(&self) -> Result<Experiment, Failure> {
        let name = self.file.display().to_string();
        let input = |reason: String| Failure::Input(anyhow!("failed to read {name}: {reason}"));
        let syntax = Syntax::of_file(&self.file)
            .ok_or_else(|| input("expected a file whose name ends in .toml, .yaml or .yml".to_owned()))?;
        let metadata = std::fs::metadata(&self.file).map_err(|error| input(error.to_string()))?;
        // Reading a pipe would wait for whoever writes it, and for no signal.
        if !metadata.is_file() {
            return Err(input("expected a file".to_owned()));
        }
        if metadata.len() > FILE_BYTES_MAX {
            return Err(input(format!(
                "expected at most {FILE_BYTES_MAX} bytes, found {}",
                metadata.len()
            )));
        }
        let text = std::fs::read_to_string(&self.file).map_err(|error| input(error.to_string()))?;
        let overrides = self
            .set
            .iter()
            .map(|text| Override::parse(text))
            .collect::<Result<Vec<_>, _>>();
        let overrides = overrides.map_err(|error| Failure::Input(anyhow!("failed to {error}")))?;
        let experiment = Experiment::read(&text, &name, syntax, &known_settings(), &overrides)
            .map_err(|error| Failure::Input(anyhow!("failed to {error}")))?;
        for note in &experiment.notes {
            console::say(&format!("napsim: note: {note}"));
        }
        Ok(experiment)
    }

    /// The words that name the same experiment and store to another command.
    pub(in crate::cli) fn words(&self) -> Vec<String> {
        // What begins like an option is still a file.
        let file = self.file.display().to_string();
        let is_option = file.starts_with('-');
        let mut words = vec![if is_option { format!("./{file}") } else { file }];
        words.extend(self.set.iter().flat_map(|set| ["--set".to_owned(), set.clone()]));
        words.extend(["--store".to_owned(), self.store.store.display().to_string()]);
        words
    }
}

/// A folder, which has a name.
fn store_path(text: OsString) -> Result<PathBuf, &'static str> {
    if text.is_empty() {
        return Err("give the folder of a store; NAPSIM_STORE must not be empty either");
    }
    Ok(PathBuf::from(text))
}

impl StoreArgs {
    /// The store, if there is one yet.
    pub(in crate::cli) fn open_if_there(&self) -> Result<Option<UnitStore>, Failure> {
        if self.store.exists() {
            self.open().map(Some)
        } else {
            Ok(None)
        }
    }

    /// The store, which must be there.
    pub(in crate::cli) fn open(&self) -> Result<UnitStore, Failure> {
        Ok(UnitStore::open(&self.store)?)
    }

    /// The store, made if need be.
    pub(in crate::cli) fn begin(&self) -> Result<UnitStore, Failure> {
        Ok(UnitStore::begin(&self.store)?)
    }
}

/// Refuses options about language models where no variant asks any.
pub(in crate::cli) fn refuse_exchange(exchange: &ExchangeArgs) -> Result<(), Failure> {
    match exchange.given() {
        Some(name) => Err(Failure::Input(anyhow!(
            "failed to use {name}: no variant asks a language model over HTTP"
        ))),
        None => Ok(()),
    }
}

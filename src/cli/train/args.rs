//! What every training is told on the command line.

use std::num::NonZeroU32;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use napsim_training::Job;

use super::date::{self, Date};
use super::output;
use crate::exit::Failure;

/// Arguments that all trainings share.
#[derive(Debug, Args)]
pub(crate) struct DataArgs {
    /// Data to train on: a file of JSON lines (`.gz` or not), a folder that `napsim corpus` made, or any corpus; repeatable.
    #[arg(long, value_name = "PATH", required = true, num_args = 1..)]
    corpus: Vec<PathBuf>,

    /// Seed of the split, where the data have none, and of everything else that is random.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Day that the model's card names [default: that of `SOURCE_DATE_EPOCH`, or else today].
    #[arg(long, value_name = "YYYY-MM-DD")]
    date: Option<Date>,

    /// Threads [default: the number of cores]; makes no difference to the model.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroU32>,

    /// Show no progress.
    #[arg(long)]
    pub(super) quiet: bool,
}

/// Arguments that all models in a file share.
#[derive(Debug, Args)]
pub(crate) struct TrainingArgs {
    #[command(flatten)]
    pub(super) data: DataArgs,

    /// File that gets the model; a model that is there is replaced.
    #[arg(short, long, value_name = "MODEL")]
    pub(super) out: PathBuf,

    /// Most actions of the validation sequences that the model is asked to predict.
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    positions: u32,

    /// Print the risk–coverage curve: how many proposals remain, and how many of them are wrong, as the model is asked to be
    /// surer. The confidence is fitted in any case.
    #[arg(long, conflicts_with = "json")]
    pub(super) calibrate: bool,

    /// Print the card as JSON, schema `napsim-model-card/1`.
    #[arg(long)]
    pub(super) json: bool,
}

impl TrainingArgs {
    /// What the training is told, once it is sure that its outcome can be written.
    pub(super) fn job(&self) -> Result<Job, Failure> {
        output::check(&self.out)?;
        Ok(Job {
            positions_max: usize::try_from(self.positions).unwrap_or(usize::MAX),
            ..self.data.job()?
        })
    }
}

impl DataArgs {
    /// What the training is told of its data.
    pub(super) fn job(&self) -> Result<Job, Failure> {
        let date = match &self.date {
            Some(date) => date.clone(),
            None => date::default()?,
        };
        Ok(Job {
            corpora: self.corpus.clone(),
            seed: self.seed,
            date: date.to_string(),
            program: env!("CARGO_PKG_VERSION").to_owned(),
            positions_max: 0,
        })
    }

    /// As many threads as are asked for, or as there are cores.
    pub(super) fn threads(&self) -> Result<rayon::ThreadPool, Failure> {
        let n_threads = self
            .jobs
            .map_or(0, |jobs| usize::try_from(jobs.get()).unwrap_or(usize::MAX));
        rayon::ThreadPoolBuilder::new()
            .num_threads(n_threads)
            .build()
            .context("failed to start threads")
            .map_err(Failure::Environment)
    }
}

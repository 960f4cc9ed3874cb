//! From the command line to what is to be done.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use napsim_predictors::LlmSetup;
use napsim_remote::{Exchange, NoAnswer};
use napsim_trajectories::{Corpus, ReadError};

use super::args::RunArgs;
use crate::cli::corpus;
use crate::cli::measure::threads;
use crate::cli::measure::variant::{self, Variant};
use crate::console;
use crate::exit::Failure;
use crate::signals::Interruption;

/// Everything that a run needs, read and checked.
pub(super) struct Plan {
    pub(super) corpus: Corpus,
    pub(super) variant: Variant,
    /// Who asks language models over HTTP, where there are any.
    pub(super) exchange: Option<Arc<Exchange>>,
    /// Seconds that reading the corpus took.
    pub(super) load_s: f64,
}

impl Plan {
    /// Reads and checks; nothing has run yet when this fails.
    pub(super) fn new(args: &RunArgs, interruption: &Interruption) -> Result<Self, Failure> {
        let is_kept = args.out.is_some() || args.log_calls.is_some();
        let factory = variant::factory(args, interruption).map_err(|error| variant::failure(&error))?;
        Variant::check(args, &factory)?;
        let mut variant = Variant::new(args, factory, is_kept)?;
        let start = Instant::now();
        let corpus = threads::for_reading(args.jobs)?
            .install(|| read_corpus(&args.corpus, args.lenient))
            .map_err(|error| Failure::Input(anyhow::anyhow!("failed to {error}")))?;
        let load_s = start.elapsed().as_secs_f64();
        variant.setup.corpus.clone_from(&corpus.name);
        Ok(Self {
            corpus,
            variant,
            exchange: None,
            load_s,
        })
    }

    /// Opens the places where answers are kept, if models are asked over HTTP.
    pub(super) fn open_exchange(
        &mut self,
        open: impl FnOnce(&[LlmSetup]) -> Result<Exchange, Failure>,
        goes_on: bool,
    ) -> Result<(), Failure> {
        let models = self.variant.factory.remote_models();
        if !models.is_empty() {
            let exchange = Arc::new(open(&models)?);
            self.variant.factory.ask_through(&exchange, goes_on);
            self.exchange = Some(exchange);
        }
        Ok(())
    }

    /// Why nobody can be asked any more, if that is so.
    pub(super) fn halted(&self) -> Option<&NoAnswer> {
        self.exchange.as_ref()?.halted()
    }
}

/// The corpus that is meant; in lenient reading with a word about what was skipped.
pub(in crate::cli) fn read_corpus(spec: &Path, lenient: bool) -> Result<Corpus, ReadError> {
    let corpus = corpus::open(spec, lenient)?;
    if corpus.skipped_lines > 0 {
        for diagnostic in corpus.diagnostics.iter().take(DIAGNOSTICS_SHOWN_MAX) {
            console::say(&format!("napsim: skipped {diagnostic}"));
        }
        let n_skipped = usize::try_from(corpus.skipped_lines).unwrap_or(usize::MAX);
        let lines = console::counted(n_skipped, "malformed line", "malformed lines");
        console::say(&format!("napsim: note: {lines} skipped"));
    }
    Ok(corpus)
}

/// How many skipped lines are shown; more are only counted.
const DIAGNOSTICS_SHOWN_MAX: usize = 10;

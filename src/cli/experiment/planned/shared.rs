//! What the variants of an experiment have in common: corpora and predictors, which are read once.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::anyhow;
use napsim_experiments::Experiment;
use napsim_predictors::{PredictorFactory, SpecError};
use napsim_sim::engine::Engine;
use napsim_trajectories::Trajectory;

use super::{Digested, VariantPlan};
use crate::cli::measure::threads;
use crate::cli::measure::variant::{self, Variant};
use crate::cli::run::{RunArgs, read_corpus};
use crate::exit::Failure;
use crate::signals::Interruption;

/// What variants have in common and is read once.
#[derive(Default)]
pub(super) struct Shared {
    corpora: BTreeMap<(PathBuf, bool), Arc<Digested>>,
    factories: BTreeMap<String, Result<PredictorFactory, SpecError>>,
}

impl Shared {
    pub(super) fn variant(
        &mut self,
        name: &str,
        args: &RunArgs,
        factory: PredictorFactory,
        experiment: &Experiment,
        engine: Engine,
    ) -> Result<VariantPlan, Failure> {
        if args.remote.exchange.timeout.is_some() && !factory.remote_models().is_empty() {
            return Err(Failure::Input(anyhow!(
                "`timeout` of a language model over HTTP belongs to the command line: --timeout SECONDS"
            )));
        }
        let mut variant = Variant::new(args, factory, true)?;
        variant.engine = engine;
        let corpus = self.corpus(args)?;
        let n_all = corpus.corpus.trajectories.len();
        let last = args.seed.checked_add(u64::from(experiment.repeats.saturating_sub(1)));
        let last = last.ok_or_else(|| Failure::Input(anyhow!("the seeds of its repeats are too large")))?;
        Ok(VariantPlan {
            name: name.to_owned(),
            variant,
            corpus,
            corpus_name: args.corpus.display().to_string(),
            n_trajectories: experiment.first.map_or(n_all, |first| first.min(n_all)),
            seeds: (args.seed..=last).collect(),
        })
    }

    /// The predictor; variants that name it alike share its model or program, or that it does not start.
    pub(super) fn factory(
        &mut self,
        args: &RunArgs,
        interruption: &Interruption,
    ) -> Result<PredictorFactory, SpecError> {
        let key = format!(
            "{:?}",
            (
                &args.predictor,
                args.context,
                &args.values,
                &args.confidence,
                args.context_block,
                args.remote.prompts.options(),
                &args.external,
                args.remote.exchange.timeout,
            )
        );
        if let Some(factory) = self.factories.get(&key) {
            return factory.clone();
        }
        let factory = variant::factory(args, interruption);
        self.factories.insert(key, factory.clone());
        factory
    }

    fn corpus(&mut self, args: &RunArgs) -> Result<Arc<Digested>, Failure> {
        let key = (args.corpus.clone(), args.lenient);
        if let Some(corpus) = self.corpora.get(&key) {
            return Ok(Arc::clone(corpus));
        }
        let corpus = threads::for_reading(None)?
            .install(|| read_corpus(&args.corpus, args.lenient))
            .map_err(|error| Failure::Input(anyhow!("failed to {error}")))?;
        let digests = corpus.trajectories.iter().map(Trajectory::digest).collect();
        let corpus = Arc::new(Digested { corpus, digests });
        self.corpora.insert(key, Arc::clone(&corpus));
        Ok(corpus)
    }
}

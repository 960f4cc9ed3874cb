//! From the command line to what is to be done.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use napsim_acceptance::{Policy, parse_policy};
use napsim_external::{ExternalSetup, StderrMode};
use napsim_predictors::registry::Defaults;
use napsim_predictors::registry::PREDICTORS;
use napsim_predictors::{LlmSetup, PredictorFactory};
use napsim_remote::{Exchange, NoAnswer};
use napsim_reports::{ContextLength, RunSetup};
use napsim_sim::policy::AcceptancePolicy;
use napsim_sim::predictor::Seed;
use napsim_sim::protocol::Protocol;
use napsim_sim::settings::Settings;
use napsim_trajectories::{Corpus, ReadError};

use super::args::RunArgs;
use super::threads;
use crate::cli::corpus;
use crate::console;
use crate::exit::Failure;
use crate::signals::Interruption;

/// Everything that a run needs, read and checked.
pub(super) struct Plan {
    pub(super) corpus: Corpus,
    pub(super) setup: RunSetup,
    pub(super) protocol: Protocol,
    pub(super) policy: Policy,
    pub(super) factory: PredictorFactory,
    /// The programs and services among the predictors.
    pub(super) externals: Vec<ExternalSetup>,
    /// Who asks language models over HTTP, where there are any.
    pub(super) exchange: Option<Arc<Exchange>>,
    /// Seconds that reading the corpus took.
    pub(super) load_s: f64,
}

impl Plan {
    /// Reads and checks; nothing has run yet when this fails.
    pub(super) fn new(args: &RunArgs, interruption: &Interruption) -> Result<Self, Failure> {
        let defaults = Defaults {
            context: args.context,
            values: args.values.clone(),
            confidence: args.confidence.clone(),
            context_block: args.context_block.map(|block| block.to_string()),
            remote: args.remote.prompts.options(),
            external: args
                .external
                .settings(args.remote.timeout, StderrMode::Keep, interruption),
        };
        napsim_predictors::notice::listen(|text| console::say(&format!("napsim: note: {text}")));
        let factory = PredictorFactory::parse(&args.predictor, defaults)
            .map_err(|error| Failure::Input(anyhow::anyhow!("failed to {error}")))?;
        if factory.remote_models().is_empty() {
            args.remote.refuse(factory.id())?;
        }
        let externals = factory.externals();
        if let Some(option) = args.external.given().filter(|_| externals.is_empty()) {
            let id = factory.id();
            return Err(Failure::Input(anyhow::anyhow!(
                "failed to use {option}: `{id}` is no program or service of its own"
            )));
        }
        let policy = parse_policy(&args.policy).map_err(Failure::input)?;
        let start = Instant::now();
        let corpus = threads::for_reading(args.jobs)?
            .install(|| open(&args.corpus, args.lenient))
            .map_err(|error| Failure::Input(anyhow::anyhow!("failed to {error}")))?;
        let load_s = start.elapsed().as_secs_f64();
        // Several predictors share a context that is given for all, and say their own in their ids.
        let context = if factory.id().starts_with("best-of(") {
            args.context.map(|context| context_length(&context.to_string()))
        } else {
            context_of(factory.id())
        };
        if args.context.is_some() && context.is_none() {
            console::say(&format!(
                "napsim: note: `{}` has no context, so --context makes no difference",
                factory.id()
            ));
        }
        if let (Some(asked), Some(own)) = (args.context, context)
            && asked.to_string() != own.to_string()
        {
            let id = factory.id();
            return Err(Failure::Input(anyhow::anyhow!(
                "--context {asked} contradicts the context of `{id}`"
            )));
        }
        let mode = args.mode.mode();
        let setup = RunSetup {
            protocol: args.protocol.name().to_owned(),
            corpus: corpus.name.clone(),
            predictor: factory.id().to_owned(),
            fingerprint: factory.fingerprint(),
            policy: policy.id().to_owned(),
            mode,
            context,
            settings: Settings {
                stride: args.stride,
                triggers: args.trigger.clone(),
                actions_max: args.max_actions.map(u32::from).or(mode.settings().actions_max),
                step_limit: args.step_limit,
                undo_max: args.undo_max,
                chain_max: args.chain_max,
                seed: Seed(args.seed),
                // Worth its time only where the digests are kept.
                digest_future: args.out.is_some() || args.log_calls.is_some(),
                ..mode.settings()
            },
        };
        Ok(Self {
            corpus,
            setup,
            protocol: args.protocol,
            policy,
            factory,
            externals,
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
        let models = self.factory.remote_models();
        if !models.is_empty() {
            let exchange = Arc::new(open(&models)?);
            self.factory.ask_through(&exchange, goes_on);
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
fn open(spec: &Path, lenient: bool) -> Result<Corpus, ReadError> {
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

/// The context that a predictor of this canonical id has: as its id says, or else the default of its option.
fn context_of(id: &str) -> Option<ContextLength> {
    // Programs and services are told everything.
    if ["exec:", "http:", "https:"].iter().any(|prefix| id.starts_with(prefix)) {
        return Some(ContextLength::ALL);
    }
    let (name, query) = id.split_once('?').unwrap_or((id, ""));
    let given = query.split('&').find_map(|option| option.strip_prefix("context="));
    // Language models are named by their model: `smollm/tiny`, `smollm:PATH`.
    let name = name.split(['/', ':']).next().unwrap_or(name);
    let info = PREDICTORS.iter().find(|info| info.name == name);
    let default = || {
        info?
            .options
            .iter()
            .find(|option| option.name == "context")
            .map(|option| option.default)
    };
    let text = given.or_else(default)?;
    Some(context_length(text))
}

fn context_length(text: &str) -> ContextLength {
    text.parse().map_or(ContextLength::ALL, ContextLength::Last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn context_comes_from_the_id_or_the_default() {
        assert_eq!(context_of("online-ngram"), Some(ContextLength::ALL));
        assert_eq!(
            context_of("online-ngram?max_n=4&context=32"),
            Some(ContextLength::Last(32))
        );
        assert_eq!(context_of("none"), None);
        assert_eq!(context_of("exec:a b?context=8"), Some(ContextLength::ALL));
        assert_eq!(context_of("smollm/tiny"), Some(ContextLength::Last(47)));
        assert_eq!(context_of("smollm:a/b.gguf?context=8"), Some(ContextLength::Last(8)));
    }
}

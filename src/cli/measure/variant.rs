//! One choice of settings, read and checked: what is measured, apart from the trajectories.

use anyhow::anyhow;
use napsim_acceptance::{Policy, parse_policy};
use napsim_external::{ExternalSetup, StderrMode};
use napsim_predictors::registry::{Defaults, PREDICTORS};
use napsim_predictors::{PredictorFactory, SpecError};
use napsim_reports::{ContextLength, RunSetup};
use napsim_sim::engine::Engine;
use napsim_sim::policy::AcceptancePolicy;
use napsim_sim::predictor::Seed;
use napsim_sim::protocol::Protocol;
use napsim_sim::settings::Settings;

use crate::cli::run::RunArgs;
use crate::console;
use crate::exit::Failure;
use crate::signals::Interruption;

/// One choice of settings.
pub(in crate::cli) struct Variant {
    /// What is measured. It names no corpus.
    pub(in crate::cli) setup: RunSetup,
    pub(in crate::cli) protocol: Protocol,
    pub(in crate::cli) policy: Policy,
    pub(in crate::cli) factory: PredictorFactory,
    /// The programs and services among the predictors.
    pub(in crate::cli) externals: Vec<ExternalSetup>,
    /// Whether trajectories go on after a model's refusal and the like.
    pub(in crate::cli) goes_on: bool,
    /// Whether trajectories go on with a fresh program after a crash.
    pub(in crate::cli) resumes: bool,
    /// How proposals are judged, which makes no difference to any figure.
    pub(in crate::cli) engine: Engine,
}

/// The predictor that the options name; programs are started and models read.
pub(in crate::cli) fn factory(args: &RunArgs, interruption: &Interruption) -> Result<PredictorFactory, SpecError> {
    let timeout = args.remote.exchange.timeout;
    let defaults = Defaults {
        context: args.context,
        values: args.values.clone(),
        confidence: args.confidence.clone(),
        context_block: args.context_block.map(|block| block.to_string()),
        remote: args.remote.prompts.options(),
        external: args.external.settings(timeout, StderrMode::Keep, interruption),
    };
    napsim_predictors::notice::listen(|text| console::say(&format!("napsim: note: {text}")));
    PredictorFactory::parse(&args.predictor, defaults)
}

/// What it means that a predictor cannot be had: a service that cannot be reached is no mistake of the user.
pub(in crate::cli) fn failure(error: &SpecError) -> Failure {
    let message = anyhow!("failed to {error}");
    match error.start_failure() {
        Some(failure) if failure.is_unreachable() => Failure::Environment(message),
        _ => Failure::Input(message),
    }
}

impl Variant {
    /// Refuses options that mean nothing to the predictor.
    pub(in crate::cli) fn check(args: &RunArgs, factory: &PredictorFactory) -> Result<(), Failure> {
        if factory.remote_models().is_empty() {
            args.remote.refuse(factory.id())?;
        }
        match args.external.given() {
            Some(option) if factory.externals().is_empty() => Err(Failure::Input(anyhow!(
                "failed to use {option}: `{}` is no program or service of its own",
                factory.id()
            ))),
            _ => Ok(()),
        }
    }

    /// Checks the other options against each other. Where its record `is_kept`, it carries digests of rewritten futures.
    pub(in crate::cli) fn new(args: &RunArgs, factory: PredictorFactory, is_kept: bool) -> Result<Self, Failure> {
        let externals = factory.externals();
        let policy = parse_policy(&args.policy).map_err(Failure::input)?;
        let context = checked_context(args, &factory)?;
        let mode = args.mode.mode();
        let setup = RunSetup {
            protocol: args.protocol.name().to_owned(),
            corpus: String::new(),
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
                digest_future: is_kept,
                ..mode.settings()
            },
        };
        Ok(Self {
            setup,
            protocol: args.protocol,
            policy,
            factory,
            externals,
            goes_on: args.remote.goes_on(),
            resumes: args.external.given().is_some(),
            engine: args.engine.engine(),
        })
    }
}

/// The context that the predictor has, unless it contradicts the one that is asked for.
fn checked_context(args: &RunArgs, factory: &PredictorFactory) -> Result<Option<ContextLength>, Failure> {
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
        return Err(Failure::Input(anyhow!(
            "--context {asked} contradicts the context of `{id}`"
        )));
    }
    Ok(context)
}

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

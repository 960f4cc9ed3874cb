//! The predictor that is meant by commands that ask it directly.

use std::sync::Arc;

use anyhow::anyhow;
use clap::Args;
use napsim_external::{ExternalSettings, StderrMode};
use napsim_predictors::registry::Defaults;
use napsim_predictors::{Context, PredictorFactory};
use napsim_remote::transport::Stop;
use napsim_remote::{Exchange, ExchangeSettings};

use super::external::ExternalArgs;
use super::remote::{PromptArgs, cache_folder};
use crate::console;
use crate::exit::Failure;
use crate::signals::Interruption;

/// How a predictor is set up that is asked directly.
#[derive(Clone, Debug, Args)]
pub(super) struct ChosenArgs {
    /// Actions of the history that the predictor knows [default: the predictor's own].
    #[arg(long, value_name = "N|all")]
    context: Option<Context>,

    /// How the predictor finds values: `v1` as published, `v2` by value models [default: the predictor's own].
    #[arg(long, value_name = "v1|v2")]
    values: Option<String>,

    /// Least probability of being taken with which a trained predictor proposes, from 0 to 1 [default: its model's].
    #[arg(long, value_name = "P")]
    confidence: Option<String>,

    /// Seed of everything random in a predictor.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) seed: u64,

    /// Seconds that one call of a program or service may take [default: 60].
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    timeout: Option<u32>,

    #[command(flatten)]
    external: ExternalArgs,

    #[command(flatten)]
    prompts: PromptArgs,
}

impl ChosenArgs {
    /// How programs are treated. What they write to their standard error is said as it comes.
    pub(super) fn external_settings(&self, interruption: &Interruption) -> ExternalSettings {
        let stderr = StderrMode::PassOn(Arc::new(|line: &str| console::say(&format!("predictor: {line}"))));
        self.external.settings(self.timeout, stderr, interruption)
    }

    /// The predictor of that name. What programs write to their standard error is said as it comes.
    pub(super) fn factory(&self, name: &str, interruption: &Interruption) -> Result<PredictorFactory, Failure> {
        napsim_predictors::notice::listen(|text| console::say(&format!("napsim: note: {text}")));
        let defaults = Defaults {
            context: self.context,
            values: self.values.clone(),
            confidence: self.confidence.clone(),
            context_block: None,
            remote: self.prompts.options(),
            external: self.external_settings(interruption),
        };
        let mut factory =
            PredictorFactory::parse(name, defaults).map_err(|error| Failure::Input(anyhow!("failed to {error}")))?;
        if !factory.remote_models().is_empty() {
            let settings = ExchangeSettings {
                cache: Some(cache_folder()?),
                ..ExchangeSettings::default()
            };
            let (exchange, notes) = Exchange::open(settings, Stop::new(interruption.question()))?;
            for note in notes {
                console::say(&format!("napsim: note: {note}"));
            }
            factory.ask_through(&Arc::new(exchange), true);
        }
        Ok(factory)
    }
}

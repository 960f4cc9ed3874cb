//! Llama models by their names: `smollm/tiny`, `smollm/135m`, `smollm:PATH`.

use std::num::NonZeroU32;
use std::sync::Arc;

use napsim_llama::Choice;

use super::in_use::InUse;
use super::options::Options;
use super::{Kind, SpecError};
use crate::language::{CompletionTemplate, ContextSettings, Quirks, ResponseRules, Shortening};
use crate::smollm::{LanguageModel, SmollmConfig, TINY, Window};

/// The predictor's name in the catalogue.
pub(super) const SMOLLM: &str = "smollm";

/// The model that a text names, if it names one.
pub(super) fn name(text: &str) -> Option<&str> {
    match text.strip_prefix(SMOLLM)? {
        "" => Some(TINY),
        rest => rest.starts_with(['/', ':']).then_some(text),
    }
}

static IN_USE: InUse<LanguageModel> = InUse::new();

/// Reads the model and the options.
pub(super) fn read(options: &Options) -> Result<Kind, SpecError> {
    let config = config(options)?;
    let named = |name: &str| LanguageModel::named(name).map_err(|error| SpecError::LanguageModel(Arc::new(error)));
    let model = IN_USE.get(options.name(), || named(options.name()))?;
    Ok(Kind::Smollm(model, Box::new(config)))
}

fn config(options: &Options) -> Result<SmollmConfig, SpecError> {
    let least = options.probability("confidence")?;
    let quirks = options.choose(
        "reading",
        &[("corrected", Quirks::NONE), ("published", Quirks::PUBLISHED)],
    )?;
    let rules = ResponseRules {
        quirks,
        log_probability_min: (least > 0.0).then(|| least.ln()),
        ..ResponseRules::corrected()
    };
    Ok(SmollmConfig {
        window: Window {
            context: options.context("context")?,
            block: NonZeroU32::new(u32::try_from(options.number("context_block")?).unwrap_or(u32::MAX))
                .unwrap_or(NonZeroU32::MIN),
        },
        context: ContextSettings {
            shorten: options.flag("shorten")?.then(Shortening::default),
            ..ContextSettings::default()
        },
        template: CompletionTemplate {
            stop_sentence: options.flag("stop_sentence")?,
        },
        choice: Choice {
            temperature: options.decimal("temperature", 0.0..=10.0)?,
            top_p: options.decimal("top_p", 0.0..=1.0)?,
        },
        tokens_max: options.number("max_tokens")?,
        actions_max: options.number("max_actions")?,
        grammar: options.flag("grammar")?,
        rules,
    })
}

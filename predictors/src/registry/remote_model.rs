//! Language models that others serve by their names: `openai/gpt-5-mini`, `local/MODEL`.

use std::num::NonZeroU32;
use std::sync::Arc;

use napsim_remote::{Api, Endpoint, Exchange, ExchangeSettings, Generation, Provider};

use super::options::Options;
use super::{Kind, SpecError};
use crate::language::{ContextSettings, PromptTemplates, ResponseRules, SheetView, Shortening, TemplateSource};
use crate::llm::{LlmConfig, LlmSetup};
use crate::notice::notice_once;
use crate::smollm::Window;

/// The option that holds an address, and with it perhaps a key.
pub(super) const BASE_URL: &str = "base_url";

/// Tokens of an answer at most unless others are asked for: as published, and less where a model that continues a text
/// would write until it is stopped.
const TOKENS_MAX: (u32, u32) = (4096, 256);

/// The provider that a text names before its slash, if it names one, and the model behind it.
pub(super) fn name(text: &str) -> Option<(Provider, &str)> {
    let (provider, model) = text.split_once('/').unwrap_or((text, ""));
    Some((Provider::from_name(provider)?, model))
}

/// Reads the model and the options.
pub(super) fn read(options: &Options) -> Result<Kind, SpecError> {
    let (provider, model) = name(options.name()).unwrap_or((Provider::Local, options.name()));
    if model.is_empty() {
        return Err(SpecError::NoModel {
            provider: provider.name(),
        });
    }
    let api = match options.text("api")? {
        "auto" => None,
        _ => Some(options.choose("api", &Api::ALL.map(|api| (api.name(), api)))?),
    };
    let base_url = Some(options.text(BASE_URL)?).filter(|url| !url.is_empty());
    let variable = |name: &str| std::env::var(name).ok();
    let endpoint = Endpoint::new(provider, model, api, base_url, &variable)?;
    let config = config(options, &endpoint)?;
    Ok(Kind::Llm(LlmSetup {
        endpoint: Arc::new(endpoint),
        exchange: exchange()?,
        config: Arc::new(config),
        goes_on: false,
    }))
}

/// Asks without keeping anything, until somebody says where answers are to be kept.
fn exchange() -> Result<Arc<Exchange>, SpecError> {
    let opened = Exchange::open(ExchangeSettings::default(), napsim_remote::transport::Stop::never());
    let (exchange, _) = opened.map_err(|error| SpecError::Exchange(Arc::new(error)))?;
    Ok(Arc::new(exchange))
}

fn config(options: &Options, endpoint: &Endpoint) -> Result<LlmConfig, SpecError> {
    let least = options.probability("confidence")?;
    let (structured, intent) = (options.flag("structured")?, options.flag("intent")?);
    let effort = Some(options.text("effort")?).filter(|effort| *effort != "default");
    let continues = endpoint.api.continues_text();
    let has_effort = matches!(endpoint.api, Api::Chat | Api::Responses);
    for (option, is_unfit, why) in [
        (
            "structured",
            structured && continues,
            "a model that continues a text is held to no schema",
        ),
        (
            "intent",
            intent && continues,
            "a model that continues a text is asked for lines alone",
        ),
        (
            "effort",
            effort.is_some() && !has_effort,
            "only the apis chat and responses have it",
        ),
        (
            "confidence",
            least > 0.0 && structured,
            "the tokens of a JSON object are not those of its actions",
        ),
        (
            "confidence",
            least > 0.0 && endpoint.api == Api::Messages,
            "the api messages tells no probabilities",
        ),
    ] {
        if is_unfit {
            let predictor = options.predictor();
            return Err(SpecError::Unfit { predictor, option, why });
        }
    }
    let decimal = |name| match options.text(name)? {
        "default" => Ok(None),
        _ => options.decimal(name, 0.0..=2.0).map(|value| Some(rounded(value))),
    };
    let (for_messages, for_texts) = TOKENS_MAX;
    let tokens_max = match options.text("max_tokens")? {
        "auto" if continues => for_texts,
        "auto" => for_messages,
        _ => options.whole("max_tokens", 1..=1_000_000)?,
    };
    Ok(LlmConfig {
        window: Window {
            context: options.context("context")?,
            block: NonZeroU32::new(options.whole("context_block", 1..=1000)?).unwrap_or(NonZeroU32::MIN),
        },
        context: ContextSettings {
            shorten: options.flag("shorten")?.then(Shortening::default),
            ..ContextSettings::default()
        },
        templates: templates(options)?,
        sheet_view: options.parsed::<SheetView>("sheet_view")?,
        intent,
        stop_sentence: options.flag("stop_sentence")?,
        structured,
        actions_max: match options.text("max_actions")? {
            "none" => None,
            _ => Some(options.whole("max_actions", 1..=1000)?),
        },
        generation: Generation {
            tokens_max,
            temperature: decimal("temperature")?,
            top_p: decimal("top_p")?,
            effort: effort.map(str::to_owned),
            log_probabilities: least > 0.0,
            ..Generation::default()
        },
        rules: ResponseRules {
            expects_intent: intent,
            log_probability_min: (least > 0.0).then(|| least.ln()),
            ..options.choose(
                "reading",
                &[
                    ("corrected", ResponseRules::corrected()),
                    ("published", ResponseRules::published()),
                ],
            )?
        },
    })
}

/// The number that was typed, where the nearest of single precision would be sent as another one.
fn rounded(value: f32) -> f64 {
    value.to_string().parse().unwrap_or_else(|_| f64::from(value))
}

/// The templates in the files that are named, and the built-in ones for the others.
fn templates(options: &Options) -> Result<PromptTemplates, SpecError> {
    let text = |name| -> Result<Option<(&str, String)>, SpecError> {
        let path = options.text(name)?;
        if path.is_empty() {
            return Ok(None);
        }
        let read = std::fs::read_to_string(path).map_err(|error| SpecError::PromptFile {
            path: path.to_owned(),
            reason: error.to_string(),
        })?;
        Ok(Some((path, read)))
    };
    let files = [text("system_prompt")?, text("user_prompt")?, text("completion_prompt")?];
    let [system, user, completion] = files
        .each_ref()
        .map(|file| file.as_ref().map(|(what, text)| TemplateSource { what, text }));
    let is_own = system.is_some() || user.is_some() || completion.is_some();
    let templates = PromptTemplates::with(system, user, completion)?;
    if is_own && !templates.show_history() {
        notice_once("no prompt template shows the `history`, so that the model never learns what was done");
    }
    Ok(templates)
}

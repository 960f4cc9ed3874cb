//! From a history to a question.

use napsim_remote::{Prompt, Question};
use napsim_sim::predictor::{Budget, PredictError, Seed, View};

use super::LlmSetup;
use crate::language::written::WrittenHistory;
use crate::language::{PromptFacts, ViewSize, structured};

/// Before what a model ends that continues a text, besides the word that it is told to write (spec chapter 03, 8.4).
const STOP_WORD: &str = "STOP";

/// What a model is asked after a history.
pub(super) fn question(
    setup: &LlmSetup,
    written: &WrittenHistory,
    seed: Seed,
    view: View<'_>,
    budget: Budget,
) -> Result<Question, PredictError> {
    let config = &setup.config;
    let lines = written
        .lines()
        .map_err(|error| PredictError::Fatal(format!("failed to {error}")))?;
    let seen = lines.get(config.window.start(lines.len())..).unwrap_or_default();
    let active = view.history.last().map(napsim_trajectories::Action::range);
    let sheet_view = (config.sheet_view != crate::language::SheetView::None)
        .then(|| {
            let workbook = view.workbook();
            config
                .sheet_view
                .show(&workbook, written.sheet(), active, ViewSize::default())
        })
        .flatten();
    let facts = PromptFacts {
        lines: seen,
        actions_max: budget.actions_max,
        intent: config.intent,
        stop_sentence: config.stop_sentence,
        sheet: config
            .context
            .remove_sheet_name
            .then_some(written.sheet())
            .filter(|sheet| !sheet.is_empty()),
        sheet_view: sheet_view.as_deref(),
        structured: config.structured,
    };
    let mut generation = config.generation.clone();
    if generation.temperature.is_some_and(|temperature| temperature > 0.0) {
        generation.seed = Some(seed.0);
    }
    if config.structured {
        generation.schema = Some(structured::schema(None, config.intent));
    }
    let failed = |error: crate::language::TemplateError| PredictError::Fatal(format!("failed to {error}"));
    let prompt = if setup.endpoint.api.continues_text() {
        let mut text = config.templates.completion(&facts).map_err(failed)?;
        generation.stop = vec![STOP_WORD.to_owned()];
        if !config.rules.quirks.takes_lines_literally {
            // The answer then begins with a line and can end with it, where the published prompt leaves the line break to
            // the model, so that no line break can end an answer and every one is as long as it may be.
            text.push('\n');
            let end = if budget.actions_max == Some(1) { "\n" } else { "\n\n" };
            generation.stop.push(end.to_owned());
        }
        Prompt::Text(text)
    } else {
        let chat = config.templates.chat(&facts).map_err(failed)?;
        Prompt::Chat {
            system: chat.system,
            user: chat.user,
        }
    };
    Ok(Question { prompt, generation })
}

//! From an answer to proposals, and to remarks about the rest of it.

use std::borrow::Cow;

use napsim_remote::{Answer, Ending, Exchanged};
use napsim_sim::predictor::{Budget, DroppedText, Proposals, Remarks};

use super::LlmConfig;
use crate::language::response::WhyDropped;
use crate::language::structured::{self, StructuredError};
use crate::language::{Answer as ReadAnswer, ScoredToken, without_thoughts};
use crate::notice::notice_once;

/// Whether an answer has the form that was asked for.
pub(super) fn check(config: &LlmConfig, answer: &Answer) -> Result<(), StructuredError> {
    if !config.structured {
        return Ok(());
    }
    let meant = meant(config, answer);
    match structured::lines(&meant) {
        // Its first actions are whole, as the first lines of other answers are.
        Err(_) if answer.ending == Ending::Length && structured::whole_actions(&meant).is_some() => Ok(()),
        result => result.map(|_| ()),
    }
}

/// Proposes the actions of an answer.
pub(super) fn read(config: &LlmConfig, exchanged: &Exchanged, sheet: &str, budget: Budget, out: &mut Proposals) {
    let answer = &exchanged.answer;
    let meant = meant(config, answer);
    // A structured answer was checked before it was kept.
    let mut lines = if config.structured {
        let lines = structured::lines(&meant).ok();
        Cow::Owned(lines.or_else(|| structured::whole_actions(&meant)).unwrap_or_default())
    } else {
        meant
    };
    let truncated = answer.ending == Ending::Length;
    let mut remarks = Remarks {
        truncated,
        source: Some(exchanged.key.to_string()),
        ..Remarks::default()
    };
    if truncated && !config.structured && !config.rules.quirks.takes_lines_literally {
        // Half a line can read as another action than the one that was meant.
        let (whole, rest) = lines.rsplit_once('\n').unwrap_or(("", &lines));
        if !rest.trim().is_empty() {
            remarks.dropped.push(DroppedText {
                text: rest.trim().to_owned(),
                why: "cut off".to_owned(),
            });
        }
        lines = Cow::Owned(whole.to_owned());
    }
    if config.rules.log_probability_min.is_some() && answer.tokens.is_empty() && !lines.trim().is_empty() {
        notice_once("a server tells no probabilities of its tokens, so that confidence makes no difference there");
    }
    let tokens = answer.tokens.iter().map(|token| ScoredToken {
        bytes: token.text.as_bytes(),
        log_probability: token.log_probability,
    });
    let tokens: Vec<ScoredToken<'_>> = tokens.collect();
    let to_read = ReadAnswer {
        text: &lines,
        tokens: &tokens,
    };
    let reading = config.rules.read(to_read, Some(sheet), budget, out);
    let dropped = reading.dropped.into_iter();
    // The intent has a place of its own.
    let dropped = dropped.filter(|line| !(line.why == WhyDropped::Intent && reading.intent.is_some()));
    remarks.dropped.extend(dropped.map(|line| DroppedText {
        text: line.text,
        why: line.why.name().to_owned(),
    }));
    remarks.intent = reading.intent;
    if truncated || lines != answer.text.as_str() {
        remarks.raw = Some(answer.text.clone());
    }
    out.remark(remarks);
}

/// The answer without what a model thought before it, unless answers are read as the published system reads them.
fn meant<'a>(config: &LlmConfig, answer: &'a Answer) -> Cow<'a, str> {
    if config.rules.quirks.takes_lines_literally {
        Cow::Borrowed(&answer.text)
    } else {
        Cow::Borrowed(without_thoughts(&answer.text))
    }
}

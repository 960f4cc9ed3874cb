//! `shorten.jsonl` and `llm_parse.jsonl`: what language models are shown and what is read from their answers.

use napsim_predictors::Context;
use napsim_predictors::language::response::estimated_tokens;
use napsim_predictors::language::sheet::without_sheet;
use napsim_predictors::language::{
    Answer, CompletionTemplate, ContextSettings, Cycle, Reading, Repetition, ResponseRules, ScoredToken, Shortening,
};
use napsim_sim::predictor::{Budget, Proposals};
use napsim_trajectories::Value;

use super::{flag, number};
use crate::vectors::{Vector, check_same, for_each_vector, int, object, texts};

const SHORTENED: &str = "shorten.jsonl";
const ANSWERS: &str = "llm_parse.jsonl";

#[test]
fn golden_shortened_lines() {
    for_each_vector(SHORTENED, "shorten", |vector| {
        let shortening = Shortening {
            chars_max: number(vector.find("max_value_length"))?,
            corner: number(vector.find("corner_cells_dim"))?,
            cells_max: cells_max(vector.find("max_cells_2d"))?,
        };
        let lines = vector.lines("ops")?;
        let got: Vec<_> = lines.iter().map(|line| shortening.line(line)).collect();
        check_same(texts(&got), vector.get("expect")?)
    });
}

#[test]
fn golden_lines_without_sheet() {
    for_each_vector(SHORTENED, "strip_sheet", |vector| {
        let lines = vector.lines("ops")?;
        let got: Result<Vec<_>, _> = lines.iter().map(|line| without_sheet(line)).collect();
        check_same(texts(&got.map_err(|error| error.to_string())?), vector.get("expect")?)
    });
}

#[test]
fn golden_contexts() {
    for_each_vector(SHORTENED, "context", |vector| {
        let settings = context_settings(vector.get("config")?)?;
        let lines = settings.lines(&vector.lines("history")?);
        let lines = lines.map_err(|error| error.to_string())?;
        check_same(int(lines.len()), vector.get("expect_num_actions")?)?;
        let prompt = CompletionTemplate::default().prompt(&lines);
        let body = prompt.strip_prefix(&CompletionTemplate::default().preamble());
        match vector.get("expect_lines")? {
            Value::Null if lines.is_empty() && body.is_some_and(|body| body.starts_with('(')) => Ok(()),
            expected => {
                check_same(texts(&lines), expected)?;
                check_same(lines.join("\n").as_str(), &body.unwrap_or_default().into())
            }
        }
    });
}

fn context_settings(config: &Value) -> Result<ContextSettings, String> {
    let shortening = Shortening {
        chars_max: number(config.get("context_shortening_max_chars"))?,
        corner: number(config.get("context_shortening_corner_cells_dim"))?,
        cells_max: cells_max(config.get("context_shortening_max_cells_2d"))?,
    };
    let n_actions: u32 = number(config.get("max_context_ops"))?;
    Ok(ContextSettings {
        context: n_actions.to_string().parse().unwrap_or(Context::All),
        shorten: flag(config.get("enable_context_shortening"))?.then_some(shortening),
        remove_sheet_name: flag(config.get("remove_sheet_name"))?,
    })
}

fn cells_max(value: Option<&Value>) -> Result<Option<usize>, String> {
    match value {
        None | Some(Value::Null) => Ok(None),
        given => number(given).map(Some),
    }
}

#[test]
fn golden_answers() {
    for_each_vector(ANSWERS, "response", |vector| {
        let config = vector.get("config")?;
        let rules = rules(config)?;
        let scored = scored_tokens(vector)?;
        let tokens = scored.iter().map(|(text, log_probability)| ScoredToken {
            bytes: text.as_bytes(),
            log_probability: *log_probability,
        });
        let tokens: Vec<_> = tokens.collect();
        let text = vector.text("response")?;
        let answer = Answer { text, tokens: &tokens };
        let sheet = vector.get("sheet_name")?.as_text();
        let actions_max = match config.get("num_op_to_pred") {
            Some(Value::Null) | None => None,
            given => Some(number(given)?),
        };
        let mut out = Proposals::default();
        let reading = rules.read(answer, sheet, Budget { actions_max }, &mut out);
        check_proposals(&out, vector)?;
        check_reading(reading, vector)?;
        check_same(int(estimated_tokens(text)), vector.get("output_tokens")?)
    });
}

fn rules(config: &Value) -> Result<ResponseRules, String> {
    let repetition = Repetition {
        cycle_max: number(config.get("max_cycle_len"))?,
        repeats_max: number(config.get("max_repeats"))?,
    };
    Ok(ResponseRules {
        expects_intent: flag(config.get("emit_intent"))?,
        repetition: flag(config.get("detect_repetition"))?.then_some(repetition),
        log_probability_min: config.get("confidence_threshold").and_then(Value::as_number),
        restores_sheet: flag(config.get("remove_sheet_name"))?,
        ..ResponseRules::published()
    })
}

/// The tokens that have a log-probability.
fn scored_tokens(vector: &Vector) -> Result<Vec<(&str, f64)>, String> {
    if matches!(vector.get("tokens")?, Value::Null) {
        return Ok(Vec::new());
    }
    let tokens = vector.lines("tokens")?;
    let log_probabilities = vector.list("logprobs")?.iter().filter_map(Value::as_number);
    Ok(tokens.into_iter().zip(log_probabilities).collect())
}

fn check_proposals(out: &Proposals, vector: &Vector) -> Result<(), String> {
    let proposed: Vec<_> = out
        .actions()
        .iter()
        .filter_map(|proposal| proposal.line.clone())
        .collect();
    check_same(texts(&proposed), vector.get("predicted")?)?;
    let actions: Vec<_> = out
        .actions()
        .iter()
        .map(|proposal| proposal.action.to_string())
        .collect();
    check_same(texts(&actions), vector.get("canonical")?)?;
    let failed: Vec<_> = out.rejected().iter().map(|rejected| &rejected.text).collect();
    check_same(texts(&failed), vector.get("failed")?)
}

fn check_reading(reading: Reading, vector: &Vector) -> Result<(), String> {
    check_same(texts(&reading.candidates), vector.get("lines")?)?;
    check_same(reading.intent.map_or(Value::Null, Value::text), vector.get("intent")?)?;
    let n_lines = reading.candidates.len();
    check_same(described(reading.cycle, n_lines), vector.get("repetition")?)
}

/// A cycle under the names of the vectors.
fn described(cycle: Option<Cycle>, n_lines: usize) -> Value {
    let Some(cycle) = cycle else {
        return object([("repetition_detected", Value::Bool(false))]);
    };
    object([
        ("repetition_detected", Value::Bool(true)),
        ("cycle_length", int(cycle.length)),
        ("cycle_count", int(cycle.count)),
        ("cycle_start_index", int(cycle.start)),
        ("ops_before_cycle", int(cycle.start)),
        ("ops_kept", int(cycle.n_kept)),
        ("ops_removed", int(n_lines - cycle.n_kept)),
        ("cycle_signatures", texts(&cycle.signatures)),
    ])
}

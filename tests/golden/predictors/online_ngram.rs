//! `online_ngram.jsonl`: answers of the online n-gram, alone and call after call.

use napsim_predictors::online_ngram::{Answer, Strategy};
use napsim_predictors::{Context, OnlineNgram, OnlineNgramConfig};
use napsim_sim::predictor::{Budget, CurrentWorkbook, Predictor, Proposals, View};
use napsim_trajectories::{Action, Value};

use super::{flag, number, numbers, range_mode};
use crate::vectors::{Vector, check_same, for_each_vector, texts};

const FILE: &str = "online_ngram.jsonl";

#[test]
fn golden_online_ngram_answers() {
    for_each_vector(FILE, "predict", |vector| {
        let mut predictor = predictor(vector)?;
        for text in vector.lines("history")? {
            predictor.learn(text);
        }
        let answer = predictor.answer();
        check_same(texts(&answer.texts), vector.get("raw")?)?;
        let (strategy, matched) = explained(&answer);
        check_same(strategy, vector.get("strategy")?)?;
        check_same(matched, vector.get("match")?)?;
        check_proposals(&mut predictor, vector.get("predicted")?)
    });
}

/// The same answers when the history comes as actions, for the histories that are canonical.
#[test]
fn golden_online_ngram_answers_to_actions() {
    for_each_vector(FILE, "predict", |vector| {
        let history = vector.lines("history")?;
        let actions: Result<Vec<_>, _> = history.iter().map(|text| Action::parse(text)).collect();
        let actions = actions.map_err(|error| error.to_string())?;
        if actions
            .iter()
            .zip(&history)
            .any(|(action, text)| action.to_string() != *text)
        {
            return Ok(());
        }
        let mut predictor = predictor(vector)?;
        predictor.observe(&actions);
        check_same(texts(&predictor.answer().texts), vector.get("raw")?)
    });
}

#[test]
fn golden_online_ngram_streams() {
    for_each_vector(FILE, "stream", |vector| {
        let mut frozen = FedByLength {
            predictor: predictor(vector)?,
            count: 0,
            n_learnt: 0,
        };
        for (idx, call) in vector.list("calls")?.iter().enumerate() {
            check_call(&mut frozen, call).map_err(|reason| format!("call {idx}: {reason}"))?;
        }
        Ok(())
    });
}

fn check_call(frozen: &mut FedByLength, call: &Value) -> Result<(), String> {
    let Some(Value::List(window)) = call.get("window") else {
        return Err("no `window`".to_owned());
    };
    let window: Vec<_> = window.iter().filter_map(Value::as_text).collect();
    frozen.feed(&window);
    let n_learnt = call.get("featurised_len").ok_or("no `featurised_len`")?;
    check_same(Value::Int(i64::try_from(frozen.n_learnt).unwrap_or(i64::MAX)), n_learnt)?;
    let answer = frozen.predictor.answer();
    check_same(texts(&answer.texts), call.get("raw").ok_or("no `raw`")?)?;
    check_proposals(&mut frozen.predictor, call.get("predicted").ok_or("no `predicted`")?)
}

/// The published feed (spec 03, 3.1): new actions are told by the length of the history alone, so that learning ends
/// for ever once a window of fixed length is full (Q1).
struct FedByLength {
    predictor: OnlineNgram,
    /// Length of the history at the last call.
    count: usize,
    n_learnt: usize,
}

impl FedByLength {
    fn feed(&mut self, history: &[&str]) {
        if history.len() < self.count {
            self.predictor.forget();
            (self.count, self.n_learnt) = (0, 0);
        }
        for text in history.iter().skip(self.count) {
            self.predictor.learn(text);
            self.n_learnt += 1;
        }
        self.count = history.len();
    }
}

/// Predicts, and compares the proposals with the expected texts, both as actions.
fn check_proposals(predictor: &mut OnlineNgram, expected: &Value) -> Result<(), String> {
    let current = CurrentWorkbook::default();
    let view = View {
        history: &[],
        current: &current,
        user_steps: 0,
        call_idx: 0,
    };
    let mut out = Proposals::default();
    let usage = predictor.predict(view, Budget { actions_max: None }, &mut out);
    usage.map_err(|error| error.to_string())?;
    let got: Vec<_> = out
        .actions()
        .iter()
        .map(|proposal| proposal.action.to_string())
        .collect();
    let Value::List(lines) = expected else {
        return Err(format!("{expected:?} is no list"));
    };
    let lines = lines.iter().filter_map(Value::as_text);
    let expected: Result<Vec<_>, _> = lines
        .map(|line| Action::parse(line).map(|action| action.to_string()))
        .collect();
    check_same(texts(&got), &texts(&expected.map_err(|error| error.to_string())?))
}

fn predictor(vector: &Vector) -> Result<OnlineNgram, String> {
    let config = vector.get("config")?;
    Ok(OnlineNgram::new(OnlineNgramConfig {
        range_mode: range_mode(config.get("range_mode"))?,
        max_n: number(config.get("max_ngram_n"))?,
        min_match: number(config.get("min_match_length"))?,
        max_actions: number(config.get("max_predictions"))?,
        stop_on_type_change: flag(config.get("stop_on_type_change"))?,
        context: Context::All,
    }))
}

/// The explanation under the names of the vectors: strategy, and start and length of the match.
fn explained(answer: &Answer) -> (&'static str, Value) {
    match answer.strategy {
        Strategy::TooShort => ("too_short", Value::Null),
        Strategy::Suffix { start, length } => {
            let matched = [start, length].map(|number| i64::try_from(number).unwrap_or(i64::MAX));
            ("suffix", numbers(matched))
        }
        Strategy::Progression => ("progression", Value::Null),
        Strategy::Table => ("ngram", Value::Null),
        Strategy::None => ("none", Value::Null),
    }
}

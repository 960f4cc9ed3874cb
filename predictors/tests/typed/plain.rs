//! The online n-gram straight from the spec (chapter 03, section 5): it reads texts, writes texts, and searches the
//! whole history at each answer. The measure of the fast one.

use napsim_predictors::OnlineNgramConfig;
use napsim_predictors::decode::{Limits, decode};
use napsim_predictors::feature::{Feature, Movement, RangeMode, ValueType};
use napsim_predictors::history::{Continuation, History};
use napsim_predictors::online_ngram::{Answer, Strategy};
use napsim_predictors::reconstruct::{Area, action_text};

/// Keyword, kind of value, and either movement or shape.
type Symbol = (String, ValueType, Option<Movement>, Option<(i64, i64)>);

/// The answer after the actions of these texts, all of them within the context.
pub(crate) fn answer(features: &[Feature], config: &OnlineNgramConfig) -> Answer {
    let mut history = History::default();
    features.iter().cloned().for_each(|feature| history.push(feature));
    let n_actions = features.len();
    if n_actions < 2 {
        return explained(Strategy::TooShort, Vec::new());
    }
    let symbol = |feature: &Feature| symbol(feature, config.range_mode);
    let symbols: Vec<_> = history.features().iter().map(symbol).collect();
    for length in (config.min_match..=config.max_n.min(n_actions - 1)).rev() {
        if let Some(start) = earlier_occurrence(&symbols, length) {
            let texts = replay(&history, start + length, config.max_actions);
            return explained(Strategy::Suffix { start, length }, texts);
        }
    }
    if let Some(texts) = progression(&history, config.max_actions) {
        return explained(Strategy::Progression, texts);
    }
    let limits = Limits {
        actions_max: config.max_actions,
        stop_on_type_change: config.stop_on_type_change,
    };
    let texts = decode(&history, limits, |continuation| {
        let mut query: Vec<_> = continuation.latest().take(config.max_n).map(symbol).collect();
        query.reverse();
        place(&successor(&symbols, &query)?, continuation)
    });
    let strategy = if texts.is_empty() {
        Strategy::None
    } else {
        Strategy::Table
    };
    explained(strategy, texts)
}

fn explained(strategy: Strategy, texts: Vec<String>) -> Answer {
    Answer { strategy, texts }
}

fn symbol(feature: &Feature, mode: RangeMode) -> Symbol {
    let (movement, shape) = match mode {
        RangeMode::Relative => (Some(feature.step.movement()), None),
        RangeMode::Absolute => (None, Some((feature.height, feature.width))),
    };
    (feature.keyword.to_string(), feature.value_type, movement, shape)
}

fn earlier_occurrence(symbols: &[Symbol], length: usize) -> Option<usize> {
    let begin = symbols.len() - length;
    let (earlier, query) = symbols.split_at(begin);
    (0..=begin.checked_sub(length)?)
        .rev()
        .find(|start| &earlier[*start..start + length] == query)
}

fn successor(symbols: &[Symbol], query: &[Symbol]) -> Option<Symbol> {
    (0..query.len()).find_map(|skipped| {
        let context = &query[skipped..];
        let mut counts: Vec<(&Symbol, usize)> = Vec::new();
        for window in symbols.windows(context.len() + 1) {
            let (symbol, before) = window.split_last()?;
            if before == context {
                match counts.iter_mut().find(|(known, _)| *known == symbol) {
                    Some((_, count)) => *count += 1,
                    None => counts.push((symbol, 1)),
                }
            }
        }
        let most = counts.iter().map(|(_, count)| *count).max()?;
        let first = counts.iter().find(|(_, count)| *count == most);
        first.map(|(symbol, _)| (*symbol).clone())
    })
}

fn replay(history: &History, from: usize, actions_max: usize) -> Vec<String> {
    let mut continuation = Continuation::of(history);
    let mut texts = Vec::new();
    for source in history.features().iter().skip(from).take(actions_max) {
        let Some(last) = continuation.last() else { break };
        let step = source.step;
        let area = Area::of(last)
            .moved(step.rows, step.cols)
            .grown(step.height, step.width);
        let sheet = if step.sheet_changed { &source.sheet } else { &last.sheet };
        let text = action_text(&source.keyword, source.value_type, sheet, area, &continuation);
        continuation.push(&text);
        texts.push(text);
    }
    texts
}

fn progression(history: &History, actions_max: usize) -> Option<Vec<String>> {
    let last = history.last()?;
    let starts: Vec<_> = history
        .latest_of(&last.keyword)
        .take(4)
        .map(|feature| feature.start)
        .collect();
    let steps: Vec<_> = starts
        .windows(2)
        .map(|pair| (pair[0].row - pair[1].row, pair[0].col - pair[1].col))
        .collect();
    let (rows, cols) = *steps.first().filter(|step| **step != (0, 0))?;
    if steps.iter().any(|step| *step != (rows, cols)) {
        return None;
    }
    let mut continuation = Continuation::of(history);
    let mut texts = Vec::new();
    for _ in 0..actions_max {
        let latest = continuation.last()?;
        let area = Area::of(latest).moved(rows, cols);
        let text = action_text(&last.keyword, last.value_type, &latest.sheet, area, &continuation);
        continuation.push(&text);
        texts.push(text);
    }
    Some(texts).filter(|texts| !texts.is_empty())
}

fn place((keyword, value_type, movement, shape): &Symbol, continuation: &Continuation<'_>) -> Option<String> {
    let last = continuation.last()?;
    let (rows, cols) = movement.map_or((1, 0), Movement::canonical_step);
    let moved = Area::of(last).moved(rows, cols);
    let (height, width) = shape.unwrap_or((moved.height, moved.width));
    let area = Area { height, width, ..moved };
    Some(action_text(keyword, *value_type, &last.sheet, area, continuation))
}

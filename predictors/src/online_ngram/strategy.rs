//! The three strategies of the online n-gram: where the next action goes (spec chapter 03, section 5).

use super::symbol::{Place, Symbol};
use crate::history::{Continuation, History};
use crate::reconstruct::{Area, action_text};

/// Actions of one keyword that a progression looks at.
const PROGRESSION_ACTIONS: usize = 4;

/// An answer with its explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Where the answer comes from.
    pub strategy: Strategy,
    /// Texts of the predicted actions, in order of execution; not all of them need be actions.
    pub texts: Vec<String>,
}

/// Where an answer of the online n-gram comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// There are fewer than two actions to learn from.
    TooShort,
    /// What followed an earlier occurrence of the latest actions.
    Suffix {
        /// Index of the earlier occurrence's first action.
        start: usize,
        /// How many actions match.
        length: usize,
    },
    /// The last actions of one keyword follow each other in equal steps.
    Progression,
    /// The most frequent successors.
    Table,
    /// No strategy has an answer.
    None,
}

/// What followed an earlier occurrence: the actions from index `from`, each placed relative to the one before it.
pub(super) fn replay(history: &History, from: usize, actions_max: usize) -> Vec<String> {
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

/// The last action's keyword again and again, if its last occurrences lie in equal steps other than none.
pub(super) fn progression(history: &History, actions_max: usize) -> Option<Vec<String>> {
    let last = history.last()?;
    let starts: Vec<_> = history
        .latest_of(&last.keyword)
        .take(PROGRESSION_ACTIONS)
        .map(|feature| feature.start)
        .collect();
    // Starts come latest first.
    let mut steps = starts
        .iter()
        .zip(starts.iter().skip(1))
        .map(|(later, earlier)| (later.row - earlier.row, later.col - earlier.col));
    let step = steps.next().filter(|step| *step != (0, 0))?;
    if steps.any(|other| other != step) {
        return None;
    }
    let mut continuation = Continuation::of(history);
    let mut texts = Vec::new();
    for _ in 0..actions_max {
        let latest = continuation.last()?;
        let area = Area::of(latest).moved(step.0, step.1);
        let text = action_text(&last.keyword, last.value_type, &latest.sheet, area, &continuation);
        continuation.push(&text);
        texts.push(text);
    }
    Some(texts).filter(|texts| !texts.is_empty())
}

/// The action of a symbol after the last one, on its sheet.
///
/// A movement becomes its canonical step, with the last action's size; a shape goes one row down.
pub(super) fn place(symbol: &Symbol, continuation: &Continuation<'_>) -> Option<String> {
    let last = continuation.last()?;
    let area = match symbol.place {
        Place::Movement(movement) => {
            let (rows, cols) = movement.canonical_step();
            Area::of(last).moved(rows, cols)
        }
        Place::Shape { height, width } => Area {
            height,
            width,
            ..Area::of(last).moved(1, 0)
        },
    };
    Some(action_text(
        &symbol.keyword,
        symbol.value_type,
        &last.sheet,
        area,
        continuation,
    ))
}

//! The three strategies of the online n-gram: where the next action goes (spec chapter 03, section 5).

use super::imagination::Imagination;
use super::memory::Memory;
use super::symbol::Symbol;
use crate::feature::Place;
use crate::reconstruct::Area;

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
pub(super) fn replay(imagination: &mut Imagination<'_>, from: usize, actions_max: usize) {
    let until = imagination.memory().len().min(from.saturating_add(actions_max));
    for idx in from..until {
        let Some(source) = imagination.memory().get(idx).copied() else {
            break;
        };
        let Some(last) = imagination.last() else { break };
        let step = imagination.memory().step(idx);
        let area = last.area.moved(step.rows, step.cols).grown(step.height, step.width);
        let sheet = if step.sheet_changed { source.sheet } else { last.sheet };
        imagination.push(source.keyword, source.value_type, sheet, area);
    }
}

/// The last action's keyword again and again, if its last occurrences lie in equal steps other than none.
pub(super) fn progression(imagination: &mut Imagination<'_>, actions_max: usize) {
    let memory = imagination.memory();
    let Some((last, step)) = memory.last().copied().zip(regular_step(memory)) else {
        return;
    };
    for _ in 0..actions_max {
        let Some(latest) = imagination.last().copied() else {
            break;
        };
        imagination.push(
            last.keyword,
            last.value_type,
            latest.sheet,
            latest.area.moved(step.0, step.1),
        );
    }
}

/// The step between the last actions of the last one's keyword, if it is always the same and not none.
fn regular_step(memory: &Memory) -> Option<(i64, i64)> {
    // Starts come latest first.
    let starts = || memory.like_last().take(PROGRESSION_ACTIONS).map(|seen| seen.area.start);
    let mut steps = starts()
        .zip(starts().skip(1))
        .map(|(later, earlier)| (later.row - earlier.row, later.col - earlier.col));
    let step = steps.next().filter(|step| *step != (0, 0))?;
    steps.all(|other| other == step).then_some(step)
}

/// The action of a symbol after the last one, on its sheet.
///
/// A movement becomes its canonical step, with the last action's size; a shape goes one row down.
pub(super) fn place(symbol: Symbol, imagination: &mut Imagination<'_>) {
    let Some(last) = imagination.last().copied() else {
        return;
    };
    let area = match symbol.place {
        Place::Movement(movement) => {
            let (rows, cols) = movement.canonical_step();
            last.area.moved(rows, cols)
        }
        Place::Shape { height, width } => Area {
            height,
            width,
            ..last.area.moved(1, 0)
        },
    };
    imagination.push(symbol.keyword, symbol.value_type, last.sheet, area);
}

//! What has happened and what the sheets look like: everything that candidates are made from.

use std::sync::Arc;

use napsim_trajectories::{Action, Edit, Keyword, Range};
use rustc_hash::FxHashMap;

use super::edits::{ContentKind, EditId, Edits};
use super::place::Place;
use super::sketch::{Look, Sketch};

/// One action of the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// What it did.
    pub edit: EditId,
    /// Where.
    pub place: Place,
    /// Position of its keyword among all.
    pub keyword_idx: usize,
    /// Whether it typed content, and which kind.
    pub content: ContentKind,
}

/// The history with the sketch of the sheets that it made.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Edits by number.
    pub edits: Edits,
    /// The sheets.
    pub sketch: Sketch,
    sheets: Vec<Arc<str>>,
    sheet_numbers: FxHashMap<Arc<str>, u16>,
    steps: Vec<Step>,
    by_keyword: Vec<Vec<usize>>,
    used: FxHashMap<EditId, Used>,
    n_observed: usize,
    /// Numbers of edits that are tried everywhere, once they were asked for.
    pub(super) common: Vec<EditId>,
}

/// How often an edit was done, and when last.
#[derive(Clone, Copy, Debug, Default)]
pub struct Used {
    /// Times.
    pub times: u32,
    /// Position after the last time.
    pub until: usize,
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            edits: Edits::default(),
            sketch: Sketch::default(),
            sheets: Vec::new(),
            sheet_numbers: FxHashMap::default(),
            steps: Vec::new(),
            by_keyword: vec![Vec::new(); Keyword::ALL.len()],
            used: FxHashMap::default(),
            n_observed: 0,
            common: Vec::new(),
        }
    }
}

impl Scene {
    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Forgets the history and the sheets, but not the numbers of edits and sheets.
    pub fn rewind(&mut self) {
        self.wake();
        self.sketch.clear();
        self.steps.clear();
        self.by_keyword.iter_mut().for_each(Vec::clear);
        self.used.clear();
        self.n_observed = 0;
    }

    /// Sees an action.
    pub fn observe(&mut self, action: &Action) {
        let (edit, place) = self.number(action);
        self.push(edit, place);
        self.n_observed = self.steps.len();
    }

    /// An action by numbers.
    pub fn number(&mut self, action: &Action) -> (EditId, Place) {
        let edit = self.edits.intern(action.edit());
        let sheet = self.sheet_number(action.range().sheet());
        (edit, Place::of_range(sheet, action.range()))
    }

    /// How many actions are history; what comes after them is imagined.
    pub fn n_observed(&self) -> usize {
        self.n_observed
    }

    fn sheet_number(&mut self, name: &Arc<str>) -> u16 {
        if let Some(number) = self.sheet_numbers.get(name) {
            return *number;
        }
        let number = u16::try_from(self.sheets.len()).unwrap_or(u16::MAX);
        self.sheets.push(name.clone());
        self.sheet_numbers.insert(name.clone(), number);
        number
    }

    fn push(&mut self, edit: EditId, place: Place) {
        let known = self.edits.get(edit);
        let step = Step {
            edit,
            place,
            keyword_idx: known.keyword_idx,
            content: known.content,
        };
        if let Some(positions) = self.by_keyword.get_mut(step.keyword_idx) {
            positions.push(self.steps.len());
        }
        self.steps.push(step);
        let used = self.used.entry(edit).or_default();
        used.times += 1;
        // An imagined action does not move the last use: taking it back need not know the use before.
        if self.n_observed + 1 == self.steps.len() {
            used.until = self.steps.len();
        }
        self.sketch.apply(&mut self.edits, edit, place);
    }

    /// Imagines that a candidate was carried out, until [`wake`](Self::wake).
    pub fn imagine(&mut self, edit: EditId, place: Place) {
        self.sketch.imagine();
        self.push(edit, place);
    }

    /// Takes back everything imagined.
    pub fn wake(&mut self) {
        while self.steps.len() > self.n_observed {
            let Some(step) = self.steps.pop() else { break };
            if let Some(positions) = self.by_keyword.get_mut(step.keyword_idx) {
                positions.pop();
            }
            if let Some(used) = self.used.get_mut(&step.edit) {
                used.times = used.times.saturating_sub(1);
            }
        }
        self.sketch.wake();
    }

    /// All actions, oldest first, imagined ones last.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The last action.
    pub fn last(&self) -> Option<&Step> {
        self.steps.last()
    }

    /// The last action but so many.
    pub fn back(&self, n: usize) -> Option<&Step> {
        self.steps.iter().rev().nth(n)
    }

    /// Positions of the actions with a keyword, oldest first.
    pub fn positions(&self, keyword_idx: usize) -> &[usize] {
        self.by_keyword.get(keyword_idx).map(Vec::as_slice).unwrap_or_default()
    }

    /// The actions with a keyword, latest first.
    pub fn latest_of(&self, keyword_idx: usize) -> impl Iterator<Item = &Step> {
        self.positions(keyword_idx)
            .iter()
            .rev()
            .filter_map(|position| self.steps.get(*position))
    }

    /// How often an edit was done.
    pub fn used(&self, edit: EditId) -> Used {
        self.used.get(&edit).copied().unwrap_or_default()
    }

    /// A cell of the sheets.
    pub fn look(&self, sheet: u16, row: i32, col: i32) -> Look {
        self.sketch.look(sheet, row, col)
    }

    /// How many cells next to one another have content, from a cell on, without that cell; at most so many.
    pub fn run(&self, sheet: u16, from: (i32, i32), by: (i32, i32), max: i32) -> i32 {
        let filled = |n: &i32| self.sketch.is_filled(sheet, from.0 + by.0 * n, from.1 + by.1 * n);
        i32::try_from((1..=max).take_while(filled).count()).unwrap_or(max)
    }

    /// The action that a candidate stands for.
    pub fn action(&self, edit: EditId, place: Place) -> Option<Action> {
        let sheet = self.sheets.get(usize::from(place.sheet))?.clone();
        let known = self.edits.get(edit);
        // Cleared content, borders and sources are marked as resetting, as reading their text would do.
        let inverse = match &known.edit {
            Edit::Value { .. } | Edit::Input { .. } | Edit::Formula { .. } => known.content == ContentKind::None,
            Edit::Border { line, .. } => line.weight.is_none(),
            _ => false,
        };
        let edit = match &known.edit {
            Edit::Autofill { source } => Edit::Autofill {
                source: on_sheet(source, &sheet)?,
            },
            edit => edit.clone(),
        };
        Some(Action::new(Range::from_bounds(sheet, place.bounds()), edit).with_inverse(inverse))
    }
}

/// The source of a fill on a sheet, which has to be named unless it is the one that is meant where none is; none where
/// the source is on another sheet, from which nothing can be filled.
fn on_sheet(source: &Arc<str>, sheet: &str) -> Option<Arc<str>> {
    let is_there = Range::parse(source).is_ok_and(|source| &**source.sheet() == sheet);
    match (is_there, source.contains('!')) {
        (true, _) => Some(Arc::clone(source)),
        (false, false) => Some(format!("{sheet}!{source}").into()),
        (false, true) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_of_fills_are_on_the_sheet_of_the_fill() {
        for (source, sheet, expected) in [
            ("A1:A2", "Sheet1", Some("A1:A2")),
            ("Sheet1!A1", "Sheet1", Some("Sheet1!A1")),
            ("A1:A2", "Depot", Some("Depot!A1:A2")),
            ("Depot!A1", "Depot", Some("Depot!A1")),
            ("A1", "'Stock 2'", Some("'Stock 2'!A1")),
            ("Depot!A1", "Sheet1", None),
        ] {
            assert_eq!(
                on_sheet(&source.into(), sheet).as_deref(),
                expected,
                "{source} on {sheet}"
            );
        }
    }
}

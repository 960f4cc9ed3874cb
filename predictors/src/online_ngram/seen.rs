//! An action as the online n-gram sees it: the features that count, in numbers.

use std::sync::Arc;

use napsim_trajectories::range::{DEFAULT_SHEET, ROW_MAX};
use napsim_trajectories::{Action, CellAddress, Edit, Keyword, Range};

use super::names::{NameId, Names};
use crate::feature::{Feature, Step, ValueType};
use crate::reading::{is_plain_sheet, value_type};
use crate::reconstruct::Area;

/// The features of one action, without its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) keyword: NameId,
    pub(super) sheet: NameId,
    pub(super) area: Area,
    pub(super) value_type: ValueType,
}

impl Seen {
    /// How this action lies relative to the one before.
    pub(super) fn step_from(&self, previous: &Seen) -> Step {
        let (from, to) = (previous.area, self.area);
        Step {
            rows: to.start.row - from.start.row,
            cols: to.start.col - from.start.col,
            height: to.height - from.height,
            width: to.width - from.width,
            sheet_changed: previous.sheet != self.sheet,
        }
    }
}

/// The value of an action, as a text or as the edit whose text holds it.
#[derive(Clone, Debug)]
pub(super) enum Content {
    /// The value is what follows the range in the text of the edit, with its inverse flag.
    Edit(Edit, bool),
    /// The value itself.
    Text(Arc<str>),
}

impl Content {
    /// The text of the value.
    pub(super) fn text(&self) -> Arc<str> {
        match self {
            Self::Edit(edit, inverse) => {
                let anywhere = Range::of_cell(DEFAULT_SHEET.into(), CellAddress::new(1, 1));
                let action = Action::new(anywhere, edit.clone()).with_inverse(*inverse);
                Feature::of_first(&action.to_string()).value
            }
            Self::Text(text) => text.clone(),
        }
    }
}

/// The keywords and sheets that have been seen.
#[derive(Clone, Debug)]
pub(super) struct Vocabulary {
    pub(super) keywords: Names,
    pub(super) sheets: Names,
    /// Whether a sheet's name is found again in a text, by its number.
    plain: Vec<bool>,
}

impl Default for Vocabulary {
    fn default() -> Self {
        Self {
            keywords: Names::of_keywords(),
            sheets: Names::default(),
            plain: Vec::new(),
        }
    }
}

impl Vocabulary {
    pub(super) fn clear(&mut self) {
        self.sheets.clear();
        self.plain.clear();
        // The keywords of the notation stay; there are others only where texts were learnt that are no actions.
        if self.keywords.len() > Keyword::ALL.len() {
            self.keywords = Names::of_keywords();
        }
    }

    /// Whether texts on that sheet read back as on that sheet.
    pub(super) fn is_plain(&self, sheet: NameId) -> bool {
        self.plain.get(sheet.position()).copied().unwrap_or_default()
    }

    /// What is seen of an action: the features of its text.
    pub(super) fn see(&mut self, action: &Action) -> (Seen, Content) {
        match self.see_typed(action) {
            Some(seen) => (seen, Content::Edit(action.edit().clone(), action.is_inverse())),
            None => self.see_text(&action.to_string()),
        }
    }

    /// What is seen of a text that should be an action.
    pub(super) fn see_text(&mut self, text: &str) -> (Seen, Content) {
        let feature = Feature::of_first(text);
        let seen = Seen {
            keyword: self.keywords.intern(&feature.keyword),
            sheet: self.sheet(&feature.sheet),
            area: Area::of(&feature),
            value_type: feature.value_type,
        };
        (seen, Content::Text(feature.value))
    }

    /// The same without the text, where it is known what the text would give.
    pub(super) fn see_typed(&mut self, action: &Action) -> Option<Seen> {
        let area = read_area(action.range())?;
        let value_type = value_type(action)?;
        let sheet = self.sheet(action.range().sheet());
        self.is_plain(sheet).then_some(Seen {
            keyword: NameId::of_keyword(action.keyword()),
            sheet,
            area,
            value_type,
        })
    }

    fn sheet(&mut self, name: &str) -> NameId {
        let id = self.sheets.intern(name);
        if id.position() == self.plain.len() {
            self.plain.push(is_plain_sheet(name));
        }
        id
    }
}

/// The area that the features read from a range's text, unless they read another one than the notation.
fn read_area(range: &Range) -> Option<Area> {
    let bounds = range.walk().ok()?;
    let read = |row: i64, col: i64| (0..=ROW_MAX).contains(&row) && (1..=ROW_MAX).contains(&col);
    let plain = read(bounds.first_row, bounds.first_col) && read(bounds.last_row, bounds.last_col);
    plain.then(|| Area {
        start: CellAddress::new(bounds.first_row, bounds.first_col),
        height: bounds.height().max(1),
        width: bounds.width().max(1),
    })
}

#[cfg(test)]
#[path = "../../tests/typed/actions.rs"]
mod actions;

#[cfg(test)]
mod tests {
    use napsim_trajectories::Corpus;
    use proptest::prelude::*;

    use super::*;

    /// Whether an action is seen without its text, and if so, as its text is.
    fn is_typed(vocabulary: &mut Vocabulary, action: &Action) -> bool {
        let (expect, content) = vocabulary.see_text(&action.to_string());
        let seen = vocabulary.see_typed(action);
        if let Some(seen) = seen {
            assert_eq!(seen, expect, "{action}");
            let edit = Content::Edit(action.edit().clone(), action.is_inverse());
            assert_eq!(edit.text(), content.text(), "{action}");
        }
        seen.is_some()
    }

    #[test]
    fn the_embedded_actions_need_no_text() {
        let mut vocabulary = Vocabulary::default();
        for trajectory in Corpus::embedded().unwrap().trajectories {
            for action in &trajectory.actions {
                assert!(is_typed(&mut vocabulary, action), "{action}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn any_action_is_seen_as_its_text_is(history in actions::history()) {
            for action in &history {
                is_typed(&mut Vocabulary::default(), action);
            }
        }
    }
}

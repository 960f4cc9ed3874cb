//! Dictionaries: whatever a film names over and over is kept once and named by a number.

use std::hash::Hash;

use napsim_trajectories::kind::Group;
use napsim_trajectories::{Action, Bounds};
use rustc_hash::FxHashMap;
use serde::{Serialize, Serializer};

use super::look::Look;
use crate::display::{ContentKind, Display};

/// Values by number, in the order in which they were first named.
#[derive(Clone, Debug)]
pub(crate) struct Dictionary<T> {
    values: Vec<T>,
    numbers: FxHashMap<T, u32>,
}

impl<T: Clone + Eq + Hash> Dictionary<T> {
    /// A dictionary of these values.
    pub(crate) fn with(values: impl IntoIterator<Item = T>) -> Self {
        let mut dictionary = Self {
            values: Vec::new(),
            numbers: FxHashMap::default(),
        };
        for value in values {
            dictionary.number(value);
        }
        dictionary
    }

    /// The number of a value.
    pub(crate) fn number(&mut self, value: T) -> u32 {
        if let Some(number) = self.numbers.get(&value) {
            return *number;
        }
        let number = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
        self.values.push(value.clone());
        self.numbers.insert(value, number);
        number
    }

    /// The value of that number.
    pub(crate) fn get(&self, number: u32) -> Option<&T> {
        usize::try_from(number).ok().and_then(|idx| self.values.get(idx))
    }

    /// All values in order.
    pub(crate) fn values(&self) -> &[T] {
        &self.values
    }
}

impl<T: Serialize> Serialize for Dictionary<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.values.serialize(serializer)
    }
}

/// Characters of a text in a cell, or of the content behind it, that a film keeps.
const TEXT_CHARS_MAX: usize = 2000;

/// What a cell shows, as a film keeps it: text, kind, content (0 where it is the text), colour.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Shown {
    pub(crate) display: Option<Display>,
}

impl Shown {
    pub(crate) fn of(display: Option<Display>) -> Self {
        let display = display.map(|display| Display {
            text: cut(display.text),
            raw: display.raw.map(cut),
            ..display
        });
        Self { display }
    }
}

/// A text of a bearable length.
pub(crate) fn cut(text: String) -> String {
    match text.char_indices().nth(TEXT_CHARS_MAX) {
        Some((end, _)) => format!("{} …", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

impl Serialize for Shown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Some(display) = &self.display else {
            return [""; 0].serialize(serializer);
        };
        let kind = match display.kind {
            ContentKind::Number => "n",
            ContentKind::Text => "t",
            ContentKind::Truth => "b",
            ContentKind::Formula => "f",
        };
        match (&display.raw, display.color) {
            (None, None) => (&display.text, kind).serialize(serializer),
            (Some(raw), None) => (&display.text, kind, raw).serialize(serializer),
            (raw, Some(color)) => {
                (&display.text, kind, raw.as_deref().unwrap_or(&display.text), color).serialize(serializer)
            }
        }
    }
}

/// An action as a film shows it: canonical text, number of its kind, number of its sheet, and its range.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ShownAction(pub(crate) String, pub(crate) usize, pub(crate) u32, pub(crate) [u32; 4]);

/// The actions of a film by their canonical texts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Actions {
    shown: Vec<ShownAction>,
    numbers: FxHashMap<String, u32>,
}

impl Actions {
    /// The number of an action, whose text is known already.
    pub(crate) fn number(&mut self, action: &Action, text: &str, sheets: &mut Dictionary<std::sync::Arc<str>>) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = u32::try_from(self.shown.len()).unwrap_or(u32::MAX);
        let group = action.group();
        let kind = Group::ALL.iter().position(|known| *known == group).unwrap_or(0);
        let sheet = sheets.number(action.range().sheet().clone());
        let range = clamped(&action.range().bounds());
        self.shown.push(ShownAction(text.to_owned(), kind, sheet, range));
        self.numbers.insert(text.to_owned(), number);
        number
    }

    /// The action of that number.
    pub(crate) fn get(&self, number: u32) -> Option<&ShownAction> {
        usize::try_from(number).ok().and_then(|idx| self.shown.get(idx))
    }
}

impl Serialize for Actions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.shown.serialize(serializer)
    }
}

/// The last row of a sheet in spreadsheet programs.
pub(crate) const ROW_MAX: i64 = 1_048_576;
/// The last column.
pub(crate) const COL_MAX: i64 = 16_384;

/// First row and column and last row and column, each within a sheet and in order.
fn clamped(bounds: &Bounds) -> [u32; 4] {
    let within = |value: i64, max: i64| u32::try_from(value.clamp(1, max)).unwrap_or(1);
    let (row, last_row) = (within(bounds.first_row, ROW_MAX), within(bounds.last_row, ROW_MAX));
    let (col, last_col) = (within(bounds.first_col, COL_MAX), within(bounds.last_col, COL_MAX));
    [
        row.min(last_row),
        col.min(last_col),
        row.max(last_row),
        col.max(last_col),
    ]
}

/// The dictionaries of a film.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Dictionaries {
    pub(crate) sheets: Dictionary<std::sync::Arc<str>>,
    pub(crate) looks: Dictionary<Look>,
    pub(crate) shown: Dictionary<Shown>,
    pub(crate) actions: Actions,
}

impl Dictionaries {
    /// Number 0 is the look, and the content, of an empty cell.
    pub(crate) fn new() -> Self {
        Self {
            sheets: Dictionary::with([]),
            looks: Dictionary::with([Look::default()]),
            shown: Dictionary::with([Shown { display: None }]),
            actions: Actions::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_equal_has_one_number() {
        let mut words = Dictionary::with(["a"]);
        assert_eq!([words.number("b"), words.number("a"), words.number("b")], [1, 0, 1]);
        assert_eq!((words.get(1), words.get(2)), (Some(&"b"), None));
        assert_eq!(serde_json::to_string(&words).unwrap(), "[\"a\",\"b\"]");
    }

    #[test]
    fn ranges_lie_within_a_sheet() {
        let action = Action::parse("MERGE | B3:A1 | true").unwrap();
        assert_eq!(clamped(&action.range().bounds()), [1, 1, 3, 2]);
        let action = Action::parse("VALUE | ZZZ99999999 | 1").unwrap();
        assert_eq!(
            clamped(&action.range().bounds()),
            [1_048_576, 16_384, 1_048_576, 16_384]
        );
    }

    #[test]
    fn what_is_shown_is_as_short_as_it_can_be() {
        let display = |raw: Option<&str>, color| Shown {
            display: Some(Display {
                text: "1%".to_owned(),
                raw: raw.map(str::to_owned),
                kind: ContentKind::Number,
                color,
            }),
        };
        for (shown, json) in [
            (Shown { display: None }, "[]"),
            (display(None, None), "[\"1%\",\"n\"]"),
            (display(Some("0.01"), None), "[\"1%\",\"n\",\"0.01\"]"),
            (display(None, Some("#FF0000")), "[\"1%\",\"n\",\"1%\",\"#FF0000\"]"),
        ] {
            assert_eq!(serde_json::to_string(&shown).unwrap(), json);
        }
        assert_eq!(cut("é".repeat(2001)).chars().count(), 2002);
    }
}

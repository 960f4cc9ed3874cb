//! Edits by number: each edit that was seen or thought of is kept once.

use std::fmt::Write as _;
use std::sync::Arc;

use napsim_trajectories::action::{BorderLine, FontProperty};
use napsim_trajectories::parse::SEPARATOR;
use napsim_trajectories::{Action, CellAddress, Edit, Keyword, Range, Value};
use rustc_hash::FxHashMap;

use crate::feature::{ValueType, keyword_id};

/// The number of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EditId(u32);

/// The number of a value's text, the same for every keyword; 0 is the value that a fresh cell has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TextId(pub(super) u32);

impl TextId {
    /// What a fresh cell has.
    pub const FRESH: TextId = TextId(0);
}

/// What kind of content an edit types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ContentKind {
    /// Nothing: a format, or a clearing.
    #[default]
    None,
    /// A number or a truth value.
    Number,
    /// A text.
    Text,
    /// A formula.
    Formula,
    /// A table of values.
    Grid,
}

/// An edit with what is asked of it again and again.
#[derive(Clone, Debug)]
pub struct KnownEdit {
    /// The edit.
    pub edit: Edit,
    /// The keyword that it is written with.
    pub keyword: Keyword,
    /// Position of that keyword among all.
    pub keyword_idx: usize,
    /// Id of the keyword as trained models know it.
    pub keyword_id: u8,
    /// Type of the value as trained models know it.
    pub value_type: ValueType,
    /// What kind of content it types.
    pub content: ContentKind,
    /// The value's text, or the fresh one where the edit sets what a fresh cell has.
    pub text: TextId,
}

/// All edits known in one trajectory.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    edits: Vec<KnownEdit>,
    by_text: FxHashMap<Box<str>, EditId>,
    texts: FxHashMap<Box<str>, TextId>,
    spelling: String,
}

impl Edits {
    /// The number of an edit, given when it is first met.
    pub fn intern(&mut self, edit: &Edit) -> EditId {
        let mut spelling = std::mem::take(&mut self.spelling);
        spelling.clear();
        // The range is the same for all, so that the line names the edit.
        let cell = Range::of_cell(Arc::clone(sheet()), CellAddress::new(1, 1));
        let action = Action::new(cell, edit.clone());
        let _ = write!(spelling, "{action}");
        let id = match self.by_text.get(spelling.as_str()) {
            Some(id) => *id,
            None => self.add(edit, action.keyword(), &spelling),
        };
        self.spelling = spelling;
        id
    }

    fn add(&mut self, edit: &Edit, keyword: Keyword, spelling: &str) -> EditId {
        let id = EditId(u32::try_from(self.edits.len()).unwrap_or(u32::MAX));
        let value = spelling.splitn(3, SEPARATOR).nth(2).unwrap_or_default();
        let text = if is_fresh(edit) {
            TextId::FRESH
        } else {
            let next = TextId(u32::try_from(self.texts.len() + 1).unwrap_or(u32::MAX));
            *self.texts.entry(value.into()).or_insert(next)
        };
        self.edits.push(KnownEdit {
            edit: edit.clone(),
            keyword,
            keyword_idx: keyword_idx(keyword),
            keyword_id: keyword_id(keyword.text()),
            value_type: ValueType::of(keyword.text(), value),
            content: content_kind(edit),
            text,
        });
        self.by_text.insert(spelling.into(), id);
        id
    }

    /// The number of the edit that types a value.
    pub fn input(&mut self, value: Value) -> EditId {
        self.intern(&Edit::Input { value })
    }

    /// The edit under a number.
    #[expect(
        clippy::indexing_slicing,
        reason = "numbers are given out here alone, and nothing is removed"
    )]
    pub fn get(&self, id: EditId) -> &KnownEdit {
        &self.edits[id.0 as usize]
    }

    /// The typed value, if the edit types a single one.
    pub fn value(&self, id: EditId) -> Option<&Value> {
        match &self.get(id).edit {
            Edit::Input { value } | Edit::Value { value, .. } => Some(value),
            _ => None,
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.edits.clear();
        self.by_text.clear();
        self.texts.clear();
    }
}

fn sheet() -> &'static Arc<str> {
    static SHEET: std::sync::OnceLock<Arc<str>> = std::sync::OnceLock::new();
    SHEET.get_or_init(|| "S".into())
}

/// Position of a keyword in [`Keyword::ALL`].
pub fn keyword_idx(keyword: Keyword) -> usize {
    // The registry lists the variants in the order of their declaration.
    keyword as usize
}

fn content_kind(edit: &Edit) -> ContentKind {
    match edit {
        Edit::Formula { text } => text.as_ref().map_or(ContentKind::None, |_| ContentKind::Formula),
        Edit::Input { value } | Edit::Value { value, .. } => match value {
            Value::Null => ContentKind::None,
            Value::Text(text) if text.starts_with('=') => ContentKind::Formula,
            Value::Text(_) => ContentKind::Text,
            Value::List(_) | Value::Object(_) => ContentKind::Grid,
            Value::Bool(_) | Value::Int(_) | Value::BigInt(_) | Value::Float(_) => ContentKind::Number,
        },
        _ => ContentKind::None,
    }
}

/// Whether an edit gives a cell what it has when nothing was done to it.
fn is_fresh(edit: &Edit) -> bool {
    match edit {
        Edit::Value { value, .. } | Edit::Input { value } => matches!(value, Value::Null),
        Edit::Formula { text } => text.is_none(),
        Edit::NumberFormat { format } => &**format == "General",
        Edit::Fill { color } => color.is_none(),
        Edit::Font { property, value } => match (property, value) {
            (FontProperty::Bold | FontProperty::Italic, Value::Bool(on)) => !on,
            _ => value.loosely_equals(&property.default_value()),
        },
        Edit::Align { axis, value } => value.eq_ignore_ascii_case(axis.default_alignment()),
        Edit::Wrap { on } => !on,
        Edit::Orientation { degrees } => degrees.as_number() == Some(0.0),
        Edit::Border { line, .. } => line.clears() || *line == BorderLine::cleared(),
        Edit::Merge { .. } | Edit::Paste { .. } | Edit::Autofill { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(text: &str) -> Edit {
        Action::parse(text).unwrap().edit().clone()
    }

    #[test]
    fn the_same_edit_has_the_same_number_wherever_it_was_made() {
        let mut edits = Edits::default();
        let bold = edits.intern(&edit("FONT_BOLD | Sheet1!A1 | true"));
        let again = edits.intern(&edit("FONT_BOLD | Depot!B7:C9 | true"));
        let wrap = edits.intern(&edit("WRAP_TEXT | Sheet1!A1 | true"));
        assert_eq!(bold, again);
        assert_ne!(bold, wrap);
        assert_eq!(edits.get(bold).text, edits.get(wrap).text);
    }

    #[test]
    fn keywords_are_counted_as_they_are_listed() {
        for (idx, keyword) in Keyword::ALL.iter().enumerate() {
            assert_eq!(keyword_idx(*keyword), idx);
        }
    }

    #[test]
    fn what_a_fresh_cell_has_is_told_apart() {
        let mut edits = Edits::default();
        for (text, fresh) in [
            ("FONT_BOLD | A1 | false", true),
            ("FONT_SIZE | A1 | 11", true),
            ("ALIGN_VERTICAL | A1 | bottom", true),
            ("ALIGN_HORIZONTAL | A1 | center", false),
            ("BORDER_TOP | A1 | clear", true),
            ("FILL_COLOR | A1 | #FFFFFF", false),
            ("INPUT | A1 | clear", true),
            ("INPUT | A1 | 0", false),
        ] {
            let id = edits.intern(&edit(text));
            assert_eq!(edits.get(id).text == TextId::FRESH, fresh, "{text}");
        }
    }
}

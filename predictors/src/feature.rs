//! What the classical predictors see of an action: features of its text (spec chapter 03, section 1).
//!
//! Everything is read from the canonical text, since that is what the published predictors were given. Reading is
//! total: a text that is no action has features too.

mod bucket;
mod cell;
mod movement;
mod value_type;
mod vocabulary;

use std::sync::Arc;

use napsim_trajectories::CellAddress;
use napsim_trajectories::parse::SEPARATOR;
use napsim_trajectories::range::DEFAULT_SHEET;
use napsim_trajectories::text::trim;

pub use bucket::{BUCKETS, absolute_bucket, absolute_of_bucket, delta_bucket, delta_of_bucket};
pub use movement::Movement;
pub use value_type::ValueType;
pub use vocabulary::{KEYWORDS, UNKNOWN_KEYWORD, keyword_id};

/// The features of one action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feature {
    /// The text before the first separator, trimmed; usually an action's keyword.
    pub keyword: Arc<str>,
    /// Position of the keyword in [`KEYWORDS`], or [`UNKNOWN_KEYWORD`].
    pub keyword_id: u8,
    /// Sheet name as written, quotes included.
    pub sheet: Arc<str>,
    /// First cell as written.
    pub start: CellAddress,
    /// Last cell as written.
    pub end: CellAddress,
    /// Rows, at least 1.
    pub height: i64,
    /// Columns, at least 1.
    pub width: i64,
    /// Everything after the range, trimmed; empty where there is nothing.
    pub value: Arc<str>,
    /// What kind of value that is.
    pub value_type: ValueType,
    /// How the action lies relative to the one before.
    pub step: Step,
}

impl Feature {
    /// The features of an action's text, seen as the first action of a history.
    pub fn of_first(text: &str) -> Self {
        let mut pieces = text.splitn(3, SEPARATOR).map(trim);
        let keyword = pieces.next().unwrap_or_default();
        let reference = pieces.next().unwrap_or("Sheet1!A1");
        let value = pieces.next().unwrap_or_default();
        let (sheet, range) = reference.rsplit_once('!').unwrap_or((DEFAULT_SHEET, reference));
        let (start, end) = cell::corners(range);
        Self {
            keyword: keyword.into(),
            keyword_id: keyword_id(keyword),
            sheet: sheet.into(),
            start,
            end,
            height: (end.row - start.row + 1).max(1),
            width: (end.col - start.col + 1).max(1),
            value: value.into(),
            value_type: ValueType::of(keyword, value),
            step: Step::default(),
        }
    }

    /// The features of an action's text, seen as the action after `previous`.
    pub fn of_next(text: &str, previous: Option<&Feature>) -> Self {
        Self::of_first(text).following(previous)
    }

    /// The same action, seen as the one after `previous`.
    #[must_use]
    pub fn following(mut self, previous: Option<&Feature>) -> Self {
        self.step = previous
            .map(|previous| Step::between(previous, &self))
            .unwrap_or_default();
        self
    }
}

/// How an action lies relative to the one before; all zero for the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// Rows from start cell to start cell.
    pub rows: i64,
    /// Columns from start cell to start cell.
    pub cols: i64,
    /// Growth in rows.
    pub height: i64,
    /// Growth in columns.
    pub width: i64,
    /// Whether the sheet names differ as texts.
    pub sheet_changed: bool,
}

impl Step {
    fn between(previous: &Feature, next: &Feature) -> Self {
        Self {
            rows: next.start.row - previous.start.row,
            cols: next.start.col - previous.start.col,
            height: next.height - previous.height,
            width: next.width - previous.width,
            sheet_changed: next.sheet != previous.sheet,
        }
    }

    /// The class of the step.
    pub fn movement(&self) -> Movement {
        Movement::of(self.rows, self.cols, self.sheet_changed)
    }
}

/// Whether ranges are described relative to the action before or by themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RangeMode {
    /// By the step from the action before.
    #[default]
    Relative,
    /// By position and size.
    Absolute,
}

impl RangeMode {
    /// The name that a user types.
    pub fn name(self) -> &'static str {
        match self {
            Self::Relative => "relative",
            Self::Absolute => "absolute",
        }
    }

    /// The mode of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Relative, Self::Absolute]
            .into_iter()
            .find(|mode| mode.name() == name)
    }

    /// The four numbers `[row, column, height, width]` that describe an action's range in this mode.
    pub fn range_numbers(self, feature: &Feature) -> [i64; 4] {
        match self {
            Self::Relative => [
                feature.step.rows,
                feature.step.cols,
                feature.step.height,
                feature.step.width,
            ],
            Self::Absolute => [feature.start.row, feature.start.col, feature.height, feature.width],
        }
    }
}

/// The part of an abstract symbol (spec 4.2) that tells where an action goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Relative mode: the class of the step to it.
    Movement(Movement),
    /// Absolute mode: rows and columns.
    Shape {
        /// Rows.
        height: i64,
        /// Columns.
        width: i64,
    },
}

impl Place {
    /// The place of an action of that size that lies so relative to the one before.
    pub fn of(step: Step, height: i64, width: i64, mode: RangeMode) -> Self {
        match mode {
            RangeMode::Relative => Self::Movement(step.movement()),
            RangeMode::Absolute => Self::Shape { height, width },
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, sheet: &str, start: (i64, i64), size: (i64, i64), value: &str) {
        let feature = Feature::of_first(text);
        assert_eq!(&*feature.sheet, sheet, "{text:?}");
        assert_eq!((feature.start.row, feature.start.col), start, "{text:?}");
        assert_eq!((feature.height, feature.width), size, "{text:?}");
        assert_eq!(&*feature.value, value, "{text:?}");
    }

    #[test]
    fn reads_the_fields_of_an_action() {
        check("FONT_BOLD | Sheet1!B2:C4 | true", "Sheet1", (2, 2), (3, 2), "true");
        check(
            "PASTE_FROM | 'My list'!B2 | Sheet1!A1 | all",
            "'My list'",
            (2, 2),
            (1, 1),
            "Sheet1!A1 | all",
        );
        check("FONT_BOLD | b7", "Sheet1", (7, 2), (1, 1), "");
    }

    #[test]
    fn a_reversed_range_keeps_its_first_corner() {
        check("INPUT | Sheet1!C5:A2 | 1", "Sheet1", (5, 3), (1, 1), "1");
    }

    #[test]
    fn steps_run_from_start_to_start() {
        let first = Feature::of_first("INPUT | Sheet1!B2 | 1");
        let next = Feature::of_next("FONT_BOLD | Depot!B3:C3 | true", Some(&first));
        let expect = Step {
            rows: 1,
            cols: 0,
            height: 0,
            width: 1,
            sheet_changed: true,
        };
        assert_eq!(next.step, expect);
        assert_eq!(RangeMode::Relative.range_numbers(&next), [1, 0, 0, 1]);
        assert_eq!(RangeMode::Absolute.range_numbers(&next), [3, 2, 1, 2]);
    }

    proptest! {
        #[test]
        fn any_text_has_features(first in ".*", next in ".*") {
            let previous = Feature::of_first(&first);
            let feature = Feature::of_next(&next, Some(&previous));
            prop_assert!(feature.height >= 1 && feature.width >= 1);
        }
    }
}

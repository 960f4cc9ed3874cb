//! Corrections: actions that turn a predicted state towards the true one, property by property (spec 01, 10).
//!
//! The published system exports this and never calls it: its evaluation undoes and synthesizes by other rules
//! ([`crate::synthesis`]). It is kept for those who want the plain corrections of a comparison. Its option to merge
//! actions does nothing there and is left out here.

use std::sync::Arc;

use napsim_trajectories::action::{Axis, BorderLine, BorderSide, FontProperty};
use napsim_trajectories::{Action, Edit, Range, RangeError, Value, json};

use crate::compare::Match;

/// One property on which a predicted and the true state were compared, by path.
#[derive(Clone, Debug)]
pub struct PathDifference {
    /// Sheet.
    pub sheet: Arc<str>,
    /// The cell, or the range of a merge.
    pub cell: Arc<str>,
    /// The property, such as `Format.borders.left.color` or `merged_cells`.
    pub path: Arc<str>,
    /// Its value in the predicted state, null where it has none.
    pub predicted: Value,
    /// Its value in the true state, null where it has none.
    pub truth: Value,
    /// How the two agree.
    pub outcome: Match,
}

/// Which corrections are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CorrectionOptions {
    /// Reset what is wrong or superfluous.
    pub resets: bool,
    /// Unmerge ranges that are wrong, once more than the resets do.
    pub mismatch_fixes: bool,
    /// Set what is wrong or missing.
    pub settings: bool,
}

impl Default for CorrectionOptions {
    fn default() -> Self {
        Self {
            resets: true,
            mismatch_fixes: true,
            settings: true,
        }
    }
}

/// The actions that correct the differences: all resets, then merges again, then all settings, each in the order given.
///
/// Paths that no action writes, such as diagonals or the pattern of a fill, give nothing.
///
/// # Errors
/// [`RangeError`] when the cell of a difference is not a range.
pub fn corrections(differences: &[PathDifference], options: CorrectionOptions) -> Result<Vec<Action>, RangeError> {
    let wrong = |difference: &&PathDifference| matches!(difference.outcome, Match::FalsePositive | Match::Mismatch);
    let lacking = |difference: &&PathDifference| matches!(difference.outcome, Match::FalseNegative | Match::Mismatch);
    let mut actions = Vec::new();
    if options.resets {
        for difference in differences.iter().filter(wrong) {
            actions.extend(reset(difference)?);
        }
    }
    if options.mismatch_fixes {
        // A mismatching merge is thus unmerged twice.
        let mismatches = |at: &PathDifference| {
            let same_place = |other: &PathDifference| other.sheet == at.sheet && other.cell == at.cell;
            differences
                .iter()
                .any(|other| other.outcome == Match::Mismatch && same_place(other))
        };
        let merges = differences
            .iter()
            .filter(wrong)
            .filter(|difference| &*difference.path == MERGED);
        for difference in merges.filter(|difference| mismatches(difference)) {
            actions.extend(reset(difference)?);
        }
    }
    if options.settings {
        for difference in differences.iter().filter(lacking) {
            actions.extend(set(difference)?);
        }
    }
    Ok(actions)
}

const MERGED: &str = "merged_cells";

/// The action that resets a property to its default; none for paths that no action writes.
pub fn reset(difference: &PathDifference) -> Result<Option<Action>, RangeError> {
    let range = Range::new(&difference.sheet, &difference.cell)?;
    Ok(match target_of(&difference.path) {
        Some(Target::Merge) => Some(Action::new(range, Edit::Merge { on: false }).with_inverse(true)),
        Some(target) => {
            let default = target.default_value();
            Some(write(range, target, &default))
        }
        None => None,
    })
}

/// The action that sets a property to its true value; none for paths that no action writes and for absent merges.
pub fn set(difference: &PathDifference) -> Result<Option<Action>, RangeError> {
    let range = Range::new(&difference.sheet, &difference.cell)?;
    Ok(match target_of(&difference.path) {
        Some(Target::Merge) => difference
            .truth
            .is_truthy()
            .then(|| Action::new(range, Edit::Merge { on: true })),
        Some(target) => Some(write(range, target, &difference.truth)),
        None => None,
    })
}

/// What a path names, in the terms of actions.
#[derive(Clone, Copy)]
enum Target {
    Value,
    Formula,
    NumberFormat,
    Font(FontProperty),
    Fill,
    Align(Axis),
    Wrap,
    Orientation,
    BorderStyle(BorderSide),
    BorderColor(BorderSide),
    Merge,
}

impl Target {
    fn default_value(self) -> Value {
        match self {
            Self::NumberFormat => Value::text(GENERAL),
            Self::Font(property) => property.default_value(),
            Self::Align(axis) => Value::text(axis.default_alignment()),
            Self::Wrap => Value::Bool(false),
            Self::Orientation => Value::Int(0),
            Self::Value | Self::Formula | Self::Fill | Self::BorderStyle(_) | Self::BorderColor(_) | Self::Merge => {
                Value::Null
            }
        }
    }
}

const GENERAL: &str = "General";

fn target_of(path: &str) -> Option<Target> {
    Some(match path {
        "value" => Target::Value,
        "formula" => Target::Formula,
        "number_format" => Target::NumberFormat,
        "Format.fill.fgColor" => Target::Fill,
        "Format.horizontalAlignment" => Target::Align(Axis::Horizontal),
        "Format.verticalAlignment" => Target::Align(Axis::Vertical),
        "Format.wrapText" => Target::Wrap,
        "Format.textOrientation" => Target::Orientation,
        MERGED => Target::Merge,
        _ => return font_target(path).or_else(|| border_target(path)),
    })
}

fn font_target(path: &str) -> Option<Target> {
    let name = path.strip_prefix("Format.font.")?;
    let properties = [
        FontProperty::Bold,
        FontProperty::Italic,
        FontProperty::Size,
        FontProperty::Color,
        FontProperty::Name,
        FontProperty::Underline,
    ];
    let property = properties.into_iter().find(|property| property.name() == name)?;
    Some(Target::Font(property))
}

fn border_target(path: &str) -> Option<Target> {
    let (side, part) = path.strip_prefix("Format.borders.")?.split_once('.')?;
    let sides = [BorderSide::Left, BorderSide::Right, BorderSide::Top, BorderSide::Bottom];
    let side = sides.into_iter().find(|known| known.name() == side)?;
    match part {
        "lineStyle" => Some(Target::BorderStyle(side)),
        "color" => Some(Target::BorderColor(side)),
        _ => None,
    }
}

/// The action that writes a value; it is flagged as an inverse when the value is the default.
fn write(range: Range, target: Target, value: &Value) -> Action {
    let flagged = match (target, value.as_text()) {
        // These two compare the text as it stands, the others loosely.
        (Target::NumberFormat, text) => text == Some(GENERAL),
        (Target::Align(axis), text) => text == Some(axis.default_alignment()),
        _ => value.loosely_equals(&target.default_value()),
    };
    let edit = match target {
        Target::Value => Edit::Value {
            value: value.clone(),
            datatype: None,
        },
        Target::Formula => Edit::Formula { text: text_of(value) },
        Target::NumberFormat => Edit::NumberFormat {
            format: non_empty(value).unwrap_or_else(|| GENERAL.into()),
        },
        Target::Font(property) => Edit::Font {
            property,
            value: value.clone(),
        },
        Target::Fill => Edit::Fill { color: text_of(value) },
        Target::Align(axis) => Edit::Align {
            axis,
            value: text_of(value).unwrap_or_default(),
        },
        Target::Wrap => Edit::Wrap { on: value.is_truthy() },
        Target::Orientation => Edit::Orientation {
            degrees: if value.is_truthy() {
                value.clone()
            } else {
                Value::Int(0)
            },
        },
        // A reset has no style instead of the text `None`: it prints as clearing, but draws a thin line.
        Target::BorderStyle(side) => border(side, value, text_of(value), None),
        Target::BorderColor(side) => border(side, value, Some("Continuous".into()), text_of(value)),
        Target::Merge => Edit::Merge { on: value.is_truthy() },
    };
    Action::new(range, edit).with_inverse(flagged)
}

fn border(side: BorderSide, value: &Value, style: Option<Arc<str>>, color: Option<Arc<str>>) -> Edit {
    let weight = value.is_truthy().then(|| "Thin".into());
    Edit::Border {
        side,
        line: BorderLine { weight, style, color },
    }
}

fn non_empty(value: &Value) -> Option<Arc<str>> {
    text_of(value).filter(|_| value.is_truthy())
}

/// The text of a value, none for null.
fn text_of(value: &Value) -> Option<Arc<str>> {
    match value {
        Value::Null => None,
        Value::Text(text) => Some(text.clone()),
        other => Some(json::write(other).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(cell: &str, path: &str, outcome: Match, truth: Value) -> PathDifference {
        PathDifference {
            sheet: "S".into(),
            cell: cell.into(),
            path: path.into(),
            predicted: Value::Null,
            truth,
            outcome,
        }
    }

    fn check(differences: &[PathDifference], options: CorrectionOptions, expect: &[&str]) {
        let actions = corrections(differences, options).unwrap();
        let texts: Vec<_> = actions.iter().map(ToString::to_string).collect();
        assert_eq!(texts, expect);
    }

    #[test]
    fn resets_come_before_settings() {
        let differences = [
            difference("A1:B1", "merged_cells", Match::Mismatch, Value::Bool(true)),
            difference("A1", "Format.font.size", Match::FalsePositive, Value::Null),
            difference("A1", "value", Match::FalseNegative, Value::Int(5)),
            difference("A1", "number_format", Match::TruePositive, Value::text("0%")),
            difference(
                "A1",
                "Format.borders.diagonal_up.color",
                Match::FalseNegative,
                Value::text("red"),
            ),
        ];
        check(
            &differences,
            CorrectionOptions::default(),
            &[
                "MERGE | S!A1:B1 | false",
                "FONT_SIZE | S!A1 | 11",
                "MERGE | S!A1:B1 | false",
                "MERGE | S!A1:B1 | true",
                "VALUE | S!A1 | 5",
            ],
        );
        let settings_alone = CorrectionOptions {
            resets: false,
            mismatch_fixes: false,
            settings: true,
        };
        check(
            &differences,
            settings_alone,
            &["MERGE | S!A1:B1 | true", "VALUE | S!A1 | 5"],
        );
    }

    #[test]
    fn places_must_be_ranges() {
        let differences = [difference("A:B", "value", Match::FalsePositive, Value::Null)];
        let got = corrections(&differences, CorrectionOptions::default());
        assert_eq!(got, Err(RangeError::Incomplete));
    }
}

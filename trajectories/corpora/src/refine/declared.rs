//! Differences from the target that an editor makes on purpose.

use std::sync::Arc;

use napsim_sim::state::{CellKey, Property, Workbook};
use napsim_trajectories::action::FontProperty;
use napsim_trajectories::{Keyword, Range, Value, json};
use serde::{Deserialize, Serialize};

use super::difference::{Place, StateDifference, same_value};

/// Formats that need not be reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ignore {
    /// The kind of action whose effect is left out, such as `FILL_COLOR`; content cannot be left out.
    pub operation: String,
    /// Where, with or without the name of a sheet.
    pub ranges: Vec<String>,
}

/// An error in the sheet that the sequence puts right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Correction {
    /// The cell, with or without the name of a sheet.
    pub cell: String,
    /// The property by its path, such as `value`, `number_format` or `Format.font.color`.
    #[serde(default = "value_path")]
    pub property: String,
    /// What the target has; null for nothing.
    pub from: serde_json::Value,
    /// What it should have; null for nothing.
    pub to: serde_json::Value,
    /// Why, for people.
    #[serde(default)]
    pub reason: String,
}

fn value_path() -> String {
    Property::Value.path().to_owned()
}

/// All declared differences of a sequence.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declared {
    /// Formats left out.
    pub ignore: Vec<Ignore>,
    /// Errors put right.
    pub corrections: Vec<Correction>,
}

impl Declared {
    /// Whether nothing is declared.
    pub fn is_empty(&self) -> bool {
        self.ignore.is_empty() && self.corrections.is_empty()
    }

    /// Declarations that cannot be honoured, in words.
    pub(super) fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        for ignore in &self.ignore {
            let keyword = Keyword::from_text(&ignore.operation);
            if keyword.is_none_or(|keyword| properties_of(keyword).is_none()) {
                problems.push(format!(
                    "`{}` cannot be ignored: only kinds of action that format or merge can, and content can only be corrected",
                    ignore.operation
                ));
            }
            let bad = ignore.ranges.iter().filter(|text| Range::parse(text).is_err());
            problems.extend(bad.map(|text| format!("`{text}` under `ignore` is not a range such as A1 or B2:C9")));
        }
        problems
    }

    /// The target with every correction made, or what is wrong with the corrections.
    pub(super) fn correct(&self, target: &Workbook) -> Result<Workbook, Vec<String>> {
        let (mut corrected, mut problems) = (target.clone(), Vec::new());
        for correction in &self.corrections {
            if let Err(problem) = correction.apply(&mut corrected) {
                problems.push(format!("the correction of {}: {problem}", correction.cell));
            }
        }
        if problems.is_empty() {
            Ok(corrected)
        } else {
            Err(problems)
        }
    }

    /// Whether a difference is one that may stay.
    pub(super) fn covers(&self, difference: &StateDifference) -> bool {
        self.ignore.iter().any(|ignore| {
            let keyword = Keyword::from_text(&ignore.operation);
            let properties = keyword.and_then(properties_of).unwrap_or_default();
            let of_kind = match (difference.place, difference.property) {
                (Place::Merge(_), _) => keyword.is_some_and(is_merge),
                (Place::Cell(_), property) => property.is_some_and(|property| properties.contains(&property)),
            };
            of_kind
                && ignore
                    .ranges
                    .iter()
                    .filter_map(|text| Range::parse(text).ok())
                    .any(|range| {
                        range.sheet() == &difference.sheet && range.bounds().contains(&difference.place.bounds())
                    })
        })
    }
}

impl Correction {
    fn apply(&self, target: &mut Workbook) -> Result<(), String> {
        let range = Range::parse(&self.cell).map_err(|error| error.to_string())?;
        if !range.is_single_cell() {
            return Err("it names more than one cell".to_owned());
        }
        let property = Property::from_path(&self.property)
            .filter(|property| !property.is_container() && *property != Property::Unknown)
            .ok_or_else(|| format!("`{}` is not a property", self.property))?;
        let (from, to) = (stored(property, &self.from)?, stored(property, &self.to)?);
        let key = CellKey::Address(range.bounds().first_cell());
        let sheet: &Arc<str> = range.sheet();
        let found = target.cell(sheet, &key).and_then(|cell| cell.get(property)).cloned();
        let found = found.unwrap_or(Value::Null);
        if !same_value(&found, &from) {
            return Err(format!(
                "the target has {} there, not {}",
                json::write(&found),
                self.from
            ));
        }
        if let Some(cells) = target.touch_sheet(sheet).cells.as_mut() {
            let cell = cells.touch(key);
            if matches!(to, Value::Null) {
                cell.remove(property);
            } else {
                cell.set(property, to);
            }
        }
        Ok(())
    }
}

/// A value as a state stores it; a fill can be given by its colour alone.
fn stored(property: Property, value: &serde_json::Value) -> Result<Value, String> {
    let value = json::read(&value.to_string()).map_err(|error| error.to_string())?;
    Ok(match (property, value) {
        (Property::Fill, Value::Text(color)) => Value::Object(
            [
                (Arc::from("patternType"), Value::text("solid")),
                (Arc::from("fgColor"), Value::Text(color)),
            ]
            .into(),
        ),
        (_, value) => value,
    })
}

fn is_merge(keyword: Keyword) -> bool {
    matches!(keyword, Keyword::Merge | Keyword::Unmerge)
}

/// The properties that a kind of format action sets; none for kinds that write content.
fn properties_of(keyword: Keyword) -> Option<Vec<Property>> {
    let font = |property: FontProperty| vec![Property::of_font(property)];
    Some(match keyword {
        Keyword::NumberFormat => vec![Property::NumberFormat],
        Keyword::FillColor => vec![Property::Fill],
        Keyword::TextOrientation => vec![Property::TextOrientation],
        Keyword::WrapText => vec![Property::WrapText],
        Keyword::AlignHorizontal => vec![Property::HorizontalAlignment],
        Keyword::AlignVertical => vec![Property::VerticalAlignment],
        Keyword::BorderLeft => vec![Property::BorderLeft],
        Keyword::BorderRight => vec![Property::BorderRight],
        Keyword::BorderTop => vec![Property::BorderTop],
        Keyword::BorderBottom => vec![Property::BorderBottom],
        Keyword::BorderDiagonalDown => vec![Property::BorderDiagonalDown],
        Keyword::BorderDiagonalUp => vec![Property::BorderDiagonalUp],
        Keyword::BorderAll
        | Keyword::BorderOutside
        | Keyword::BorderInsideHorizontal
        | Keyword::BorderInsideVertical => Property::BOX_SIDES.to_vec(),
        Keyword::Merge | Keyword::Unmerge => Vec::new(),
        Keyword::Value | Keyword::Formula | Keyword::Input | Keyword::PasteFrom | Keyword::Autofill => return None,
        font_keyword => font(font_keyword.font_property()?),
    })
}

//! From a state to the actions that would make it (spec chapter 02, section 5).

use std::sync::Arc;

use napsim_trajectories::action::{Axis, BorderLine, BorderSide, FontProperty};
use napsim_trajectories::{Action, Bounds, Edit, ParseError, Range, RangeError, Value, input};

use crate::state::{Cell, CellKey, Property, Workbook};

/// Why a state cannot be described by actions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DescribeError {
    /// A cell key that is no range.
    #[error("the cell key is {0}")]
    Range(#[from] RangeError),
    /// A content that cannot be typed into its cell.
    #[error(transparent)]
    Content(#[from] ParseError),
}

/// The actions that make a state from nothing, cell by cell in order of insertion; no flag is set.
///
/// Contents are typed, so clock texts that came in without coercion come back changed (Q23). Some formats make no
/// action at all (Q24).
///
/// # Errors
/// [`DescribeError`] for cells whose key or content no action can reproduce.
pub fn actions_of(state: &Workbook) -> Result<Vec<Action>, DescribeError> {
    let mut actions = Vec::new();
    for (name, sheet) in state.sheets() {
        // The separator cannot be part of a sheet name in the notation.
        let name: Arc<str> = if name.contains(" | ") {
            name.replace(" | ", "_|_").into()
        } else {
            name.clone()
        };
        for merge in sheet.merges() {
            actions.push(Action::new(
                Range::from_bounds(name.clone(), *merge),
                Edit::Merge { on: true },
            ));
        }
        let Some(cells) = &sheet.cells else { continue };
        for (key, cell) in cells.in_insertion_order() {
            if !cell.is_empty() {
                Description {
                    sheet: &name,
                    key,
                    cell,
                    merges: sheet.merges(),
                }
                .push_actions(&mut actions)?;
            }
        }
    }
    Ok(actions)
}

/// One cell on its way into actions.
struct Description<'a> {
    sheet: &'a Arc<str>,
    key: &'a CellKey,
    cell: &'a Cell,
    merges: &'a [Bounds],
}

impl Description<'_> {
    fn push_actions(&self, actions: &mut Vec<Action>) -> Result<(), DescribeError> {
        let range = match self.key {
            CellKey::Address(address) => Range::of_cell(self.sheet.clone(), *address),
            CellKey::Text(text) => Range::new(self.sheet, text)?,
        };
        if let Some(content) = self.content() {
            actions.push(input::typed(range.clone(), content.clone())?);
        }
        let mut push = |edit: Edit| actions.push(Action::new(range.clone(), edit));
        if let Some(format) = self.text_other_than(Property::NumberFormat, "General") {
            push(Edit::NumberFormat { format });
        }
        self.push_fonts(&mut push);
        if self
            .get(Property::WrapText)
            .is_some_and(|wrap| !wrap.loosely_equals(&Value::Bool(false)))
        {
            push(Edit::Wrap { on: true });
        }
        if let Some(color) = self.fill_color() {
            push(Edit::Fill { color: Some(color) });
        }
        for axis in [Axis::Horizontal, Axis::Vertical] {
            if let Some(Value::Text(value)) = self.get(Property::of_axis(axis))
                && &**value != axis.default_alignment()
            {
                push(Edit::Align {
                    axis,
                    value: value.clone(),
                });
            }
        }
        if let Some(degrees) = self.get(Property::TextOrientation)
            && !degrees.loosely_equals(&Value::Int(0))
        {
            push(Edit::Orientation {
                degrees: degrees.clone(),
            });
        }
        self.push_borders(&range, actions);
        Ok(())
    }

    fn get(&self, property: Property) -> Option<&Value> {
        self.cell.get(property).filter(|value| !matches!(value, Value::Null))
    }

    /// A formula key wins over the value, even when it holds nothing.
    fn content(&self) -> Option<&Value> {
        self.cell.get(Property::Formula).or_else(|| self.get(Property::Value))
    }

    fn text_other_than(&self, property: Property, default: &str) -> Option<Arc<str>> {
        match self.get(property) {
            Some(Value::Text(text)) if !text.is_empty() && &**text != default => Some(text.clone()),
            _ => None,
        }
    }

    fn push_fonts(&self, push: &mut impl FnMut(Edit)) {
        if let Some(Value::Text(name)) = self.get(Property::FontName) {
            let bare = name.trim_matches('"').trim_matches('\'');
            if !name.is_empty() && bare.to_lowercase() != "calibri" {
                push(Edit::Font {
                    property: FontProperty::Name,
                    value: Value::text(bare),
                });
            }
        }
        for property in [FontProperty::Bold, FontProperty::Italic] {
            if self.get(Property::of_font(property)).is_some_and(Value::is_truthy) {
                push(Edit::Font {
                    property,
                    value: Value::Bool(true),
                });
            }
        }
        if let Some(size) = self.get(Property::FontSize)
            && !size.loosely_equals(&Value::Int(11))
        {
            push(Edit::Font {
                property: FontProperty::Size,
                value: size.clone(),
            });
        }
        if let Some(color) = self.get(Property::FontColor).and_then(text_or_rgb)
            && !color.is_empty()
            && color.to_uppercase() != "#000000"
        {
            push(Edit::Font {
                property: FontProperty::Color,
                value: Value::Text(color),
            });
        }
        if let Some(underline) = self.text_other_than(Property::FontUnderline, "none") {
            push(Edit::Font {
                property: FontProperty::Underline,
                value: Value::Text(underline),
            });
        }
    }

    /// The fill's colour, where it has a pattern.
    fn fill_color(&self) -> Option<Arc<str>> {
        let fill = self.get(Property::Fill)?;
        fill.get("patternType").filter(|pattern| pattern.is_truthy())?;
        match fill.get("fgColor").or_else(|| fill.get("bgColor"))? {
            Value::Text(color) => Some(color.clone()),
            _ => None,
        }
    }

    /// Borders of a merge's first cell are drawn around the merge.
    fn push_borders(&self, range: &Range, actions: &mut Vec<Action>) {
        let anchored = self
            .key
            .address()
            .and_then(|at| self.merges.iter().rfind(|merge| merge.first_cell() == at));
        let range = anchored.map_or_else(|| range.clone(), |merge| Range::from_bounds(self.sheet.clone(), *merge));
        for (property, stored) in self.cell.borders() {
            let (Some(side), Some(style)) = (side_of(property), stored.get("lineStyle")) else {
                continue;
            };
            let (weight, style) = weight_and_style(style.as_text().unwrap_or_default());
            let line = BorderLine {
                weight: Some(weight.into()),
                style: Some(style.into()),
                color: stored.get("color").and_then(text_or_rgb),
            };
            actions.push(Action::new(range.clone(), Edit::Border { side, line }));
        }
    }
}

fn text_or_rgb(value: &Value) -> Option<Arc<str>> {
    match value {
        Value::Text(text) => Some(text.clone()),
        Value::Object(_) => match value.get("rgb") {
            Some(Value::Text(text)) => Some(text.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// The border side that a property stores; none for any other property.
pub fn side_of(property: Property) -> Option<BorderSide> {
    match property {
        Property::BorderLeft => Some(BorderSide::Left),
        Property::BorderRight => Some(BorderSide::Right),
        Property::BorderTop => Some(BorderSide::Top),
        Property::BorderBottom => Some(BorderSide::Bottom),
        Property::BorderDiagonalDown => Some(BorderSide::DiagonalDown),
        Property::BorderDiagonalUp => Some(BorderSide::DiagonalUp),
        _ => None,
    }
}

/// Weight and style of a stored line style; exact, so an upper-case style is unknown and thin (spec 04, 1.5).
pub fn weight_and_style(line_style: &str) -> (&'static str, &'static str) {
    match line_style {
        "hair" => ("Hairline", "Continuous"),
        "medium" => ("Medium", "Continuous"),
        "thick" => ("Thick", "Continuous"),
        "dotted" => ("Thin", "Dot"),
        "dashed" => ("Thin", "Dash"),
        "dashdot" => ("Thin", "DashDot"),
        "dashdotdot" => ("Thin", "DashDotDot"),
        "double" => ("Thin", "Double"),
        "mediumdashed" => ("Medium", "Dash"),
        "mediumdashdot" => ("Medium", "DashDot"),
        "mediumdashdotdot" => ("Medium", "DashDotDot"),
        "slantdashdot" => ("Thin", "SlantDashDot"),
        _ => ("Thin", "Continuous"),
    }
}

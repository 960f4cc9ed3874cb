//! Normalisation, defaults and equality of single properties (spec chapter 02, sections 4.2 to 4.5).

use std::borrow::Cow;
use std::sync::Arc;

use napsim_trajectories::Value;

use super::{Compared, Match};
use crate::protocol::Protocol;
use crate::state::{Cell, Property};

/// Which raw values a record shows. Composite properties show nothing on the absent side of an FP or FN.
#[derive(Clone, Copy)]
pub(super) struct Side {
    composite: bool,
    hidden_in: Match,
}

impl Side {
    pub(super) fn for_predicted(property: Property) -> Self {
        Self {
            composite: is_composite(property),
            hidden_in: Match::FalseNegative,
        }
    }

    pub(super) fn for_target(property: Property) -> Self {
        Self {
            composite: is_composite(property),
            hidden_in: Match::FalsePositive,
        }
    }

    pub(super) fn is_shown(self, outcome: Match) -> bool {
        !(self.composite && self.hidden_in == outcome)
    }
}

/// The outcome of comparing one property, or none when it is default on both sides.
pub(crate) fn outcome(
    protocol: &Protocol,
    property: Property,
    predicted: Option<&Value>,
    target: Option<&Value>,
) -> Option<Match> {
    let (parts, path) = (parts_of(property), Path::of(property));
    let (predicted, target) = (raw(predicted), raw(target));
    if predicted.is_none() != target.is_none() {
        // With one side missing, the other one either shows or it does not.
        let shown = shows(protocol, property, predicted.or(target));
        return shown.then(|| by_presence(predicted.is_some(), target.is_some()));
    }
    if parts.is_empty() {
        simple(protocol, path, predicted, target)
    } else {
        composite(protocol, parts, predicted, target)
    }
}

/// The properties of a cell that show, as bits; content counts as showing whenever it is there, since what counts as
/// empty content is the protocol's business.
pub(super) fn shown_bits(cell: &Cell) -> u32 {
    cell.shown_bits(|property, value| {
        Path::of(property) == Path::Content && !is_composite(property)
            || shows(&Protocol::NAPE_1, property, Some(value))
    })
}

/// Whether a value shows at all: neither missing nor default in every part.
pub(crate) fn shows(protocol: &Protocol, property: Property, value: Option<&Value>) -> bool {
    let parts = parts_of(property);
    if parts.is_empty() {
        return !is_default(protocol, Path::of(property), raw(value));
    }
    parts
        .iter()
        .any(|(key, path)| !is_default(protocol, *path, raw(part(value, key))))
}

/// A null counts as missing.
fn raw(value: Option<&Value>) -> Option<&Value> {
    value.filter(|value| !matches!(value, Value::Null))
}

fn is_composite(property: Property) -> bool {
    !parts_of(property).is_empty()
}

/// What a path's normalisation, default and equality depend on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Path {
    Content,
    NumberFormat,
    FontName,
    FontSize,
    Flag,
    FontColor,
    Underline,
    HorizontalAlignment,
    VerticalAlignment,
    Orientation,
    FillColor,
    FillPattern,
    BorderColor,
    BorderStyle,
}

const FILL_PARTS: &[(&str, Path)] = &[("fgColor", Path::FillColor), ("patternType", Path::FillPattern)];
const BORDER_PARTS: &[(&str, Path)] = &[("lineStyle", Path::BorderStyle), ("color", Path::BorderColor)];

fn parts_of(property: Property) -> &'static [(&'static str, Path)] {
    match property {
        Property::Fill => FILL_PARTS,
        _ if property.container() == Some(Property::Borders) => BORDER_PARTS,
        _ => &[],
    }
}

impl Path {
    fn of(property: Property) -> Self {
        match property {
            Property::NumberFormat => Self::NumberFormat,
            Property::FontName => Self::FontName,
            Property::FontSize => Self::FontSize,
            Property::FontBold | Property::FontItalic | Property::WrapText => Self::Flag,
            Property::FontColor => Self::FontColor,
            Property::FontUnderline => Self::Underline,
            Property::HorizontalAlignment => Self::HorizontalAlignment,
            Property::VerticalAlignment => Self::VerticalAlignment,
            Property::TextOrientation => Self::Orientation,
            _ => Self::Content,
        }
    }

    fn is_color(self) -> bool {
        matches!(self, Self::FontColor | Self::FillColor | Self::BorderColor)
    }

    /// Paths whose name holds "color", "style" or "alignment" compare texts without regard to case.
    fn ignores_case(self) -> bool {
        self.is_color()
            || matches!(
                self,
                Self::BorderStyle | Self::HorizontalAlignment | Self::VerticalAlignment
            )
    }
}

/// The normalised value: colours and line styles as texts or nothing, everything else as it is.
enum Normal<'a> {
    Text(Cow<'a, str>),
    Other(&'a Value),
}

fn normalise(path: Path, value: Option<&Value>) -> Option<Normal<'_>> {
    let value = value?;
    if path.is_color() {
        return color_text(value).map(Normal::Text);
    }
    if path == Path::BorderStyle {
        return style_text(value).map(Normal::Text);
    }
    match value {
        Value::Text(text) => Some(Normal::Text(Cow::Borrowed(text))),
        other => Some(Normal::Other(other)),
    }
}

fn color_text(value: &Value) -> Option<Cow<'_, str>> {
    let text = match value {
        Value::Text(text) => text,
        Value::Object(_) if value.get("meta").and_then(Value::as_text) == Some("auto") => return None,
        Value::Object(_) => value.get("rgb").and_then(Value::as_text)?,
        _ => return None,
    };
    let needs_upper = text.starts_with('#') && !text.bytes().all(|b| b.is_ascii() && !b.is_ascii_lowercase());
    Some(if needs_upper {
        Cow::Owned(text.to_uppercase())
    } else {
        Cow::Borrowed(text)
    })
}

fn style_text(value: &Value) -> Option<Cow<'_, str>> {
    let text = value.as_text()?;
    let plain = text.bytes().all(|b| b.is_ascii() && !b.is_ascii_uppercase());
    let lower = if plain {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.to_lowercase())
    };
    match &*lower {
        "none" | "" => None,
        "continuous" => Some(Cow::Borrowed("thin")),
        "hairline" => Some(Cow::Borrowed("hair")),
        _ => Some(lower),
    }
}

/// Whether a value is what a cell has anyway (spec 02, 4.3).
fn is_default(protocol: &Protocol, path: Path, value: Option<&Value>) -> bool {
    let Some(value) = value else { return true };
    let text = value.as_text();
    let same = |expected: &str| text == Some(expected);
    let same_in_any_case =
        |expected: &str| text.is_some_and(|text| text == expected || text.to_lowercase() == expected);
    match path {
        Path::Content => protocol.content_is_default(value),
        Path::NumberFormat => same("General"),
        Path::FontName => same("Calibri"),
        Path::FontSize => value.loosely_equals(&Value::Int(11)),
        Path::Flag => matches!(value, Value::Bool(false)),
        Path::FontColor | Path::FillColor => color_text(value).is_none_or(|color| color == "#000000"),
        Path::BorderColor => color_text(value).is_none(),
        Path::Underline => same("none") || matches!(value, Value::Bool(false)),
        Path::HorizontalAlignment => same_in_any_case("general"),
        Path::VerticalAlignment => same_in_any_case("bottom"),
        Path::Orientation => value.loosely_equals(&Value::Int(0)),
        Path::FillPattern => same("none"),
        Path::BorderStyle => style_text(value).is_none(),
    }
}

/// Whether two values count as equal (spec 02, 4.4).
fn equal(protocol: &Protocol, path: Path, a: Option<&Value>, b: Option<&Value>) -> bool {
    match (normalise(path, a), normalise(path, b)) {
        (None, None) => true,
        (None, Some(_)) => is_default(protocol, path, b),
        (Some(_), None) => is_default(protocol, path, a),
        (Some(Normal::Text(a)), Some(Normal::Text(b))) => {
            a == b || (path.ignores_case() && a.to_lowercase() == b.to_lowercase())
        }
        (Some(Normal::Other(a)), Some(Normal::Other(b))) => match (a.as_number(), b.as_number()) {
            (Some(a), Some(b)) => (a - b).abs() < 1e-9,
            _ => a.loosely_equals(b),
        },
        _ => false,
    }
}

fn simple(protocol: &Protocol, path: Path, predicted: Option<&Value>, target: Option<&Value>) -> Option<Match> {
    let (mine, wanted) = (
        !is_default(protocol, path, predicted),
        !is_default(protocol, path, target),
    );
    if !mine && !wanted {
        return None;
    }
    if predicted.zip(target).is_some_and(|(a, b)| a.is_same(b)) || equal(protocol, path, predicted, target) {
        return Some(Match::TruePositive);
    }
    Some(by_presence(mine, wanted))
}

fn by_presence(mine: bool, wanted: bool) -> Match {
    match (mine, wanted) {
        (true, true) => Match::Mismatch,
        (true, false) => Match::FalsePositive,
        _ => Match::FalseNegative,
    }
}

fn composite(
    protocol: &Protocol,
    parts: &[(&str, Path)],
    predicted: Option<&Value>,
    target: Option<&Value>,
) -> Option<Match> {
    if let Some((a, b)) = predicted.zip(target)
        && a.is_same(b)
    {
        let shown = parts
            .iter()
            .any(|(key, path)| !is_default(protocol, *path, raw(part(predicted, key))));
        return shown.then_some(Match::TruePositive);
    }
    let (mut mine, mut wanted, mut disagree) = (false, false, false);
    for (key, path) in parts {
        let (a, b) = (raw(part(predicted, key)), raw(part(target, key)));
        let (a_shows, b_shows) = (!is_default(protocol, *path, a), !is_default(protocol, *path, b));
        mine |= a_shows;
        wanted |= b_shows;
        disagree |= (a_shows || b_shows) && !equal(protocol, *path, a, b);
    }
    match (mine || wanted, disagree) {
        (false, _) => None,
        (true, false) => Some(Match::TruePositive),
        (true, true) => Some(by_presence(mine, wanted)),
    }
}

fn part<'a>(value: Option<&'a Value>, key: &str) -> Option<&'a Value> {
    value.and_then(|value| value.get(key))
}

/// The value that a record keeps: of composites the present, compared parts only.
pub(super) fn recorded(compared: Compared, value: &Value) -> Value {
    let parts = match compared {
        Compared::Cell(property) => parts_of(property),
        Compared::Merge => &[],
    };
    if parts.is_empty() {
        return value.clone();
    }
    if let Value::Object(entries) = value
        && entries.len() == parts.len()
        && entries
            .iter()
            .all(|(key, part)| !matches!(part, Value::Null) && parts.iter().any(|(known, _)| **key == **known))
    {
        return value.clone();
    }
    let present: Vec<(Arc<str>, Value)> = parts
        .iter()
        .filter_map(|(key, _)| raw(value.get(key)).map(|part| (Arc::from(*key), part.clone())))
        .collect();
    Value::Object(present.into())
}

//! Formats in words, and where they are.

use std::collections::BTreeSet;

use napsim_sim::state::{Cell, Property};
use napsim_trajectories::{Bounds, CellAddress, Value, json};

use super::grid::Grid;
use crate::language::shorten::cut;

/// The most kinds of format that a legend names.
const KINDS_MAX: usize = 16;

/// The most ranges that a legend names for one kind.
const RANGES_MAX: usize = 12;

/// The most characters of a font's name, a number format or a colour.
const NAME_CHARACTERS_MAX: usize = 48;

/// The properties that show as formats, in the order in which they are named.
const NAMED: [Property; 12] = [
    Property::FontBold,
    Property::FontItalic,
    Property::FontUnderline,
    Property::FontName,
    Property::FontSize,
    Property::FontColor,
    Property::Fill,
    Property::NumberFormat,
    Property::HorizontalAlignment,
    Property::VerticalAlignment,
    Property::TextOrientation,
    Property::WrapText,
];

/// The formats of a window and the ranges that have them.
pub(super) struct Legend {
    kinds: Vec<(String, Vec<Bounds>)>,
}

impl Legend {
    /// Gathers the formats of a window beside its merges.
    pub(super) fn new(grid: &Grid<'_>, merges: Vec<Bounds>) -> Self {
        let mut kinds: Vec<(usize, String, Vec<CellAddress>)> = Vec::new();
        for (address, cell) in grid.cells() {
            for (rank, name) in ranked(cell) {
                match kinds.iter_mut().find(|(_, known, _)| *known == name) {
                    Some((_, _, places)) => places.push(address),
                    None => kinds.push((rank, name, vec![address])),
                }
            }
        }
        // Kinds of one rank stay in the order of their first cells.
        kinds.sort_by_key(|(rank, _, _)| *rank);
        let mut kinds: Vec<_> = kinds
            .into_iter()
            .map(|(_, name, places)| (name, rectangles(grid.bounds(), &places)))
            .collect();
        if !merges.is_empty() {
            kinds.push(("merged".to_owned(), merges));
        }
        Self { kinds }
    }

    /// One line a kind: `bold: A1:F1, A9`.
    pub(super) fn lines(&self) -> impl Iterator<Item = String> {
        let n_left_out = self.kinds.len().saturating_sub(KINDS_MAX);
        let kinds = self.kinds.iter().take(KINDS_MAX).map(|(name, ranges)| {
            let mut named: Vec<String> = ranges.iter().take(RANGES_MAX).map(Bounds::to_string).collect();
            if let Some(n_more) = ranges.len().checked_sub(RANGES_MAX).filter(|n_more| *n_more > 0) {
                named.push(format!("and {n_more} more"));
            }
            format!("{name}: {}", named.join(", "))
        });
        kinds.chain((n_left_out > 0).then(|| format!("and {n_left_out} more formats")))
    }
}

/// The formats of a cell in words.
pub(super) fn of_cell(cell: &Cell) -> Vec<String> {
    ranked(cell).into_iter().map(|(_, name)| name).collect()
}

/// The formats of a cell in words, each with its place in the order.
fn ranked(cell: &Cell) -> Vec<(usize, String)> {
    let mut names: Vec<(usize, String)> = NAMED
        .into_iter()
        .enumerate()
        .filter_map(|(rank, property)| Some((rank, name_of(property, cell.get(property)?)?)))
        .collect();
    let sides = Property::BOX_SIDES.map(|side| cell.get(side));
    let [left, others @ ..] = &sides;
    if let Some(left) = left
        && others
            .iter()
            .all(|side| side.is_some_and(|side| side.loosely_equals(left)))
    {
        names.push((NAMED.len(), format!("borders {}", line_text(left))));
        return names;
    }
    for (idx, (side, line)) in Property::BOX_SIDES.into_iter().zip(sides).enumerate() {
        names.extend(line.map(|line| {
            let name = format!("{} border {}", side.key(), line_text(line));
            (NAMED.len() + 1 + idx, name)
        }));
    }
    names
}

/// A format in words; nothing where the value says that there is none.
fn name_of(property: Property, value: &Value) -> Option<String> {
    let text = plain(value);
    let with = |word: &str| Some(format!("{word} {text}"));
    match property {
        Property::FontBold => value.is_truthy().then(|| "bold".to_owned()),
        Property::FontItalic => value.is_truthy().then(|| "italic".to_owned()),
        Property::WrapText => value.is_truthy().then(|| "wrapped".to_owned()),
        Property::FontUnderline => with("underline"),
        Property::FontName => with("font"),
        Property::FontSize => with("size"),
        Property::FontColor => with("font color"),
        Property::Fill => Some(format!(
            "fill {}",
            value.get("fgColor").map_or_else(|| "solid".to_owned(), plain)
        )),
        Property::NumberFormat => with("number format"),
        Property::HorizontalAlignment => with("align"),
        Property::VerticalAlignment => with("vertical"),
        Property::TextOrientation => with("orientation"),
        _ => None,
    }
}

/// The style and the colour of a side of a border.
fn line_text(line: &Value) -> String {
    let parts = ["lineStyle", "color"].into_iter().filter_map(|key| line.get(key));
    let known = parts.filter(|part| !matches!(part, Value::Null)).map(plain);
    known.collect::<Vec<_>>().join(" ")
}

/// A value without the quotes of a text and, for whole numbers, without decimals; on one line.
fn plain(value: &Value) -> String {
    let text = match value {
        Value::Text(text) => text.to_string(),
        other => {
            let number = json::write(other);
            number.strip_suffix(".0").map(str::to_owned).unwrap_or(number)
        }
    };
    if text.len() <= NAME_CHARACTERS_MAX && !text.contains(['\n', '\r']) {
        return text;
    }
    let cut = cut(&text, NAME_CHARACTERS_MAX).unwrap_or(text);
    cut.replace(['\n', '\r'], " ")
}

/// The places as rectangles: each as wide as the first row that is left allows, then as high.
fn rectangles(window: Bounds, places: &[CellAddress]) -> Vec<Bounds> {
    let mut left: BTreeSet<CellAddress> = places.iter().copied().collect();
    let mut found = Vec::new();
    while let Some(start) = left.first().copied() {
        let mut bounds = Bounds::of_cell(start);
        while bounds.last_col < window.last_col && left.contains(&CellAddress::new(start.row, bounds.last_col + 1)) {
            bounds.last_col += 1;
        }
        let row_is_left = |row: i64, bounds: &Bounds| {
            (bounds.first_col..=bounds.last_col).all(|col| left.contains(&CellAddress::new(row, col)))
        };
        while bounds.last_row < window.last_row && row_is_left(bounds.last_row + 1, &bounds) {
            bounds.last_row += 1;
        }
        for address in bounds.cells() {
            left.remove(&address);
        }
        found.push(bounds);
    }
    found
}

//! TOML as a tree.

use toml::de::{DeInteger, DeTable, DeValue};

use super::{At, Entry, Kind, Node, decimal};
use crate::error::{Fault, Limit, Problem};
use crate::limits::DEPTH_MAX;

/// Reads a whole document.
pub(super) fn read(text: &str) -> Result<Node, Fault> {
    let lines = Lines::of(text);
    let table = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(At::File, |span| lines.at(span.start));
        let reason = error.message().trim_end().replace('\n', ", ");
        Fault::new(at, Problem::Syntax { syntax: "TOML", reason })
    })?;
    let kind = Kind::Table(entries(table.get_ref(), &lines, 1)?);
    Ok(Node { at: At::Line(1), kind })
}

/// Reads a single value; none if it is not one, or one that experiment files do not know. Its lines mean nothing.
pub(crate) fn toml_value(text: &str) -> Option<Kind> {
    let value = DeValue::parse(text).ok()?;
    let lines = Lines::of("");
    kind(value.get_ref(), At::File, &lines, 1).ok()
}

/// Where lines begin.
struct Lines {
    /// Byte offsets of line feeds.
    ends: Vec<usize>,
}

impl Lines {
    fn of(text: &str) -> Self {
        let ends = text
            .bytes()
            .enumerate()
            .filter(|(_, byte)| *byte == b'\n')
            .map(|(offset, _)| offset);
        Self { ends: ends.collect() }
    }

    fn at(&self, offset: usize) -> At {
        At::Line(self.ends.partition_point(|end| *end < offset) as u64 + 1)
    }
}

/// The entries of a table in the order of the file.
fn entries(table: &DeTable<'_>, lines: &Lines, depth: usize) -> Result<Vec<Entry>, Fault> {
    let mut sorted: Vec<_> = table.iter().collect();
    sorted.sort_by_key(|(key, _)| key.span().start);
    sorted
        .into_iter()
        .map(|(key, value)| {
            let at = lines.at(key.span().start);
            let kind = kind(value.get_ref(), at, lines, depth + 1)?;
            let key = key.get_ref().clone().into_owned();
            Ok(Entry {
                key,
                at,
                value: Node { at, kind },
            })
        })
        .collect()
}

fn kind(value: &DeValue<'_>, at: At, lines: &Lines, depth: usize) -> Result<Kind, Fault> {
    if depth > DEPTH_MAX {
        return Err(Fault::new(at, Problem::Limit(Limit::Depth)));
    }
    match value {
        DeValue::String(text) => Ok(Kind::Text(text.clone().into_owned())),
        DeValue::Boolean(flag) => Ok(Kind::Flag(*flag)),
        DeValue::Integer(number) => integer(number).map(Kind::Number).ok_or_else(|| {
            let what = "a whole number of more than 128 bits";
            unsupported(at, what, "write a smaller one, or text in quotes")
        }),
        DeValue::Float(number) => {
            let text = number.as_str();
            if text.parse::<f64>().is_ok_and(f64::is_finite) {
                return Ok(Kind::Number(text.to_owned()));
            }
            Err(unsupported(
                at,
                "infinity or no number",
                "write a finite number, or text in quotes",
            ))
        }
        DeValue::Datetime(_) => Err(unsupported(at, "a date or time", "write it as text in quotes")),
        DeValue::Table(table) => Ok(Kind::Table(entries(table, lines, depth)?)),
        DeValue::Array(items) => {
            let nodes = items.iter().map(|item| {
                let at = lines.at(item.span().start);
                let kind = kind(item.get_ref(), at, lines, depth + 1)?;
                Ok(Node { at, kind })
            });
            Ok(Kind::List(nodes.collect::<Result<_, Fault>>()?))
        }
    }
}

/// A whole number in decimal digits.
fn integer(number: &DeInteger<'_>) -> Option<String> {
    let text = number.as_str();
    if number.radix() != 10 {
        return decimal("", text, number.radix());
    }
    Some(text.strip_prefix('+').unwrap_or(text).to_owned())
}

fn unsupported(at: At, what: &'static str, instead: &'static str) -> Fault {
    Fault::new(at, Problem::Unsupported { what, instead })
}

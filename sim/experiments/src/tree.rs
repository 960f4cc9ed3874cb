//! What a file says, before it means anything: names, lists and single values with their lines.

mod from_toml;
mod from_yaml;

use std::path::Path;

pub(crate) use self::from_toml::toml_value;
use crate::error::{Fault, Limit, Problem};
use crate::limits::FILE_BYTES_MAX;

/// How an experiment file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// TOML 1.1.
    Toml,
    /// YAML 1.2, without tags.
    Yaml,
}

impl Syntax {
    /// The syntax that the ending of a file's name stands for: `.toml`, `.yaml` or `.yml`.
    pub fn of_file(file: &Path) -> Option<Self> {
        match file.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "toml" => Some(Self::Toml),
            "yaml" | "yml" => Some(Self::Yaml),
            _ => None,
        }
    }
}

/// Where something stands; small, so that every node can have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    /// Nowhere in particular.
    File,
    /// A line of the file, from 1.
    Line(u64),
    /// An override, counted from 0.
    Override(usize),
}

impl At {
    /// The line, if it is one.
    pub(crate) fn line(self) -> Option<u64> {
        match self {
            Self::Line(line) => Some(line),
            Self::File | Self::Override(_) => None,
        }
    }
}

/// Something that a file says.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) at: At,
    pub(crate) kind: Kind,
}

/// What it is.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// YAML's `null`, or nothing at all.
    Nothing,
    Flag(bool),
    /// A finite number as it is spelt, without separators; other bases than ten are written out in ten.
    Number(String),
    Text(String),
    List(Vec<Node>),
    Table(Vec<Entry>),
}

/// A name and what it stands for.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) at: At,
    pub(crate) value: Node,
}

impl Node {
    /// What it is in words, for messages.
    pub(crate) fn describe(&self) -> String {
        match &self.kind {
            Kind::Nothing => "nothing".to_owned(),
            Kind::Flag(flag) => format!("`{flag}`"),
            Kind::Number(text) | Kind::Text(text) => format!("`{}`", shortened(text)),
            Kind::List(_) => "a list".to_owned(),
            Kind::Table(_) => "a table".to_owned(),
        }
    }

    /// Says that it and all in it stand there.
    pub(crate) fn stand_at(&mut self, at: At) {
        self.at = at;
        match &mut self.kind {
            Kind::List(items) => items.iter_mut().for_each(|item| item.stand_at(at)),
            Kind::Table(entries) => entries.iter_mut().for_each(|entry| {
                entry.at = at;
                entry.value.stand_at(at);
            }),
            Kind::Nothing | Kind::Flag(_) | Kind::Number(_) | Kind::Text(_) => {}
        }
    }
}

/// Text that fits into a message.
pub(crate) fn shortened(text: &str) -> String {
    const CHARS_MAX: usize = 60;
    let text = text.escape_debug().to_string();
    if text.chars().count() <= CHARS_MAX {
        return text;
    }
    text.chars().take(CHARS_MAX).chain(std::iter::once('…')).collect()
}

/// Reads a whole file; its top is a table.
pub(crate) fn read(text: &str, syntax: Syntax) -> Result<Vec<Entry>, Fault> {
    if text.len() > FILE_BYTES_MAX {
        return Err(Fault::new(At::File, Problem::Limit(Limit::FileBytes(text.len()))));
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let node = match syntax {
        Syntax::Toml => from_toml::read(text)?,
        Syntax::Yaml => from_yaml::read(text)?,
    };
    match node.kind {
        Kind::Table(entries) => Ok(entries),
        Kind::Nothing => Ok(Vec::new()),
        _ => Err(Fault::new(node.at, Problem::NoTable { found: node.describe() })),
    }
}

/// A whole number of that base in decimal digits; none if it is too large for 128 bits.
fn decimal(sign: &str, digits: &str, base: u32) -> Option<String> {
    let value = u128::from_str_radix(digits, base).ok()?;
    Some(format!("{sign}{value}"))
}

#[cfg(test)]
mod tests;

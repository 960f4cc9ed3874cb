//! Settings: their names, and values that are given or left away.

use std::collections::HashMap;

use indexmap::IndexMap;

use super::{PARTS, kind_fault};
use crate::error::{Fault, Problem};
use crate::known::KnownSettings;
use crate::nearest::hint;
use crate::tree::{At, Entry, Kind, Node, shortened};

/// Names the corpus, as if it were an option.
pub(super) const CORPUS: &str = "corpus";

/// Leaves any setting away.
const DEFAULT: &str = "default";

/// Settings without which there is no limit, so that `none` leaves them away.
const UNLIMITED_BY_NONE: [&str; 1] = ["max-actions"];

/// Settings by their names with `-`.
pub(super) type Settings = IndexMap<String, Choice>;

/// One value of a setting.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    /// What names of variants call it.
    pub(super) label: String,
    /// None leaves the option away; no value gives a flag.
    pub(super) values: Option<Vec<String>>,
    pub(super) at: At,
}

impl Choice {
    /// Reads a value that has no name of its own.
    pub(super) fn read(key: &str, name: &str, node: &Node, known: &KnownSettings) -> Result<Self, Fault> {
        let setting = known.setting(name);
        let (is_flag, is_list) = setting.map_or((false, false), |setting| (setting.is_flag, setting.is_list));
        let expected = match (is_flag, is_list) {
            (true, _) => "`true` or `false`",
            (_, true) => "a value or a list of values",
            _ => "a single value",
        };
        let fault = || kind_fault(key, node, expected);
        let (label, values) = match &node.kind {
            Kind::Nothing => (DEFAULT.to_owned(), None),
            Kind::Text(text) if text.is_empty() => {
                let key = shortened(key);
                return Err(Fault::new(node.at, Problem::Empty { key }));
            }
            Kind::Text(text) if text == DEFAULT => (text.clone(), None),
            Kind::Text(text) if text == "none" && UNLIMITED_BY_NONE.contains(&name) => (text.clone(), None),
            Kind::Flag(flag) if is_flag => (flag.to_string(), flag.then(Vec::new)),
            Kind::Text(text) | Kind::Number(text) if !is_flag => (text.clone(), Some(vec![text.clone()])),
            Kind::List(items) if is_list => {
                let values = items.iter().map(|item| match single(item) {
                    Some(text) if text.is_empty() => {
                        let key = shortened(key);
                        Err(Fault::new(item.at, Problem::Empty { key }))
                    }
                    Some(text) => Ok(text),
                    None => Err(fault()),
                });
                let values: Vec<String> = values.collect::<Result<_, _>>()?;
                let label = if values.is_empty() {
                    "none".to_owned()
                } else {
                    values.join("+")
                };
                (label, Some(values).filter(|values| !values.is_empty()))
            }
            _ => return Err(fault()),
        };
        Ok(Self {
            label,
            values,
            at: node.at,
        })
    }

    /// Reads a value of a sweep, which may be a table of a name and a value.
    pub(super) fn read_named(key: &str, name: &str, node: &Node, known: &KnownSettings) -> Result<Self, Fault> {
        let Kind::Table(entries) = &node.kind else {
            return Self::read(key, name, node, known);
        };
        let (mut label, mut choice) = (None, None);
        for entry in entries {
            match entry.key.as_str() {
                "name" => label = Some(super::text("name", &entry.value)?),
                "value" => choice = Some(Self::read(key, name, &entry.value, known)?),
                other => {
                    let what = "part of a named value";
                    let problem = Problem::UnknownKey {
                        what,
                        key: shortened(other),
                        hint: hint(other, ["name", "value"]),
                    };
                    return Err(Fault::new(entry.at, problem));
                }
            }
        }
        let place = "a named value";
        let missing = |key: &'static str| Fault::new(node.at, Problem::Missing { key, place });
        let choice = choice.ok_or_else(|| missing("value"))?;
        Ok(Self {
            label: label.ok_or_else(|| missing("name"))?,
            ..choice
        })
    }
}

fn single(node: &Node) -> Option<String> {
    match &node.kind {
        Kind::Text(text) | Kind::Number(text) => Some(text.clone()),
        _ => None,
    }
}

/// A key with `-` for `_`.
pub(super) fn normalised(key: &str) -> String {
    key.replace('_', "-")
}

/// The setting that a key names.
pub(super) fn known_name(key: &str, at: At, known: &KnownSettings, others: &[&str]) -> Result<String, Fault> {
    let name = normalised(key);
    if name == CORPUS || known.setting(&name).is_some() {
        return Ok(name);
    }
    let key = shortened(key);
    if known.is_command_line_only(&name) {
        return Err(Fault::new(at, Problem::CommandLineOnly { key }));
    }
    let settings = known.settings.iter().map(|setting| setting.name.as_str());
    let hint = hint(&name, settings.chain([CORPUS]).chain(others.iter().copied()));
    Err(Fault::new(
        at,
        Problem::UnknownKey {
            what: "setting",
            key,
            hint,
        },
    ))
}

/// The setting that a key of a table of settings names.
pub(super) fn known_key(entry: &Entry, known: &KnownSettings) -> Result<String, Fault> {
    let name = normalised(&entry.key);
    if known.setting(&name).is_none() && PARTS.contains(&name.as_str()) {
        let key = shortened(&entry.key);
        return Err(Fault::new(entry.at, Problem::PartAmongSettings { key }));
    }
    known_name(&entry.key, entry.at, known, &[])
}

/// Reads a table of settings with single values.
pub(super) fn read(entries: &[Entry], known: &KnownSettings) -> Result<Settings, Fault> {
    let mut seen = Seen::default();
    let mut settings = Settings::new();
    for entry in entries {
        seen.name(entry)?;
        let name = known_key(entry, known)?;
        let choice = Choice::read(&entry.key, &name, &entry.value, known)?;
        settings.insert(name, choice);
    }
    Ok(settings)
}

/// Finds names that stand twice in one table, be it once with `_` and once with `-`.
#[derive(Default)]
pub(super) struct Seen {
    lines: HashMap<String, At>,
}

impl Seen {
    /// The name of an entry, with `-`.
    pub(super) fn name(&mut self, entry: &Entry) -> Result<String, Fault> {
        let name = normalised(&entry.key);
        match self.lines.insert(name.clone(), entry.at) {
            Some(first) => {
                let key = shortened(&entry.key);
                Err(Fault::new(
                    entry.at,
                    Problem::Twice {
                        key,
                        first: first.line(),
                    },
                ))
            }
            None => Ok(name),
        }
    }
}

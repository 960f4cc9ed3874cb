//! A published configuration as keys with dots and their values.

use indexmap::IndexMap;

use super::keys::{self, Fate, KEYS, TABLES};
use super::notes::Notes;
use crate::limits::NAME_CHARS_MAX;
use crate::nearest::hint;
use crate::tree::{At, Entry, Kind, Node, shortened};

/// A value as the file has it.
pub(super) type Value = Node;

/// Values by key.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    values: IndexMap<String, Value>,
    /// Whether some variant asks again after an acceptance.
    pub(super) may_ask_again: bool,
}

/// A key and the values that are tried.
pub(super) struct Swept {
    pub(super) key: String,
    pub(super) at: At,
    pub(super) values: Vec<Value>,
}

/// A whole configuration.
#[derive(Default)]
pub(super) struct Config {
    pub(super) base: Values,
    /// By name, the last one fastest.
    pub(super) product: Vec<Swept>,
    pub(super) zip: Vec<Swept>,
    pub(super) independent: Vec<Swept>,
}

impl Config {
    /// Reads what the published loader would; everything else becomes a note.
    pub(super) fn read(entries: &[Entry], notes: &mut Notes) -> Self {
        let mut config = Self::default();
        for entry in entries {
            match entry.key.as_str() {
                "sweep" => config.product = swept(entry, notes),
                "sweep_zip" => config.zip = swept(entry, notes),
                "sweep_independent" => config.independent = swept(entry, notes),
                table if TABLES.contains(&table) => config.take_table(entry, notes),
                "trajectories" => config.take("trajectory_paths", &entry.key, entry, notes),
                key => config.take(key, key, entry, notes),
            }
        }
        config.product.sort_by(|one, other| one.key.cmp(&other.key));
        const AGAIN: &str = "repredict_after_accept";
        let mut swept = config.product.iter().chain(&config.zip).chain(&config.independent);
        config.base.may_ask_again = config.base.flag(AGAIN, false, notes) || swept.any(|swept| swept.key == AGAIN);
        config
    }

    fn take_table(&mut self, entry: &Entry, notes: &mut Notes) {
        match &entry.value.kind {
            Kind::Table(entries) => {
                for inner in entries {
                    let shown = format!("{}.{}", entry.key, inner.key);
                    let key = match entry.key.as_str() {
                        "context_shortening" => format!("context_shortening_{}", inner.key),
                        _ => shown.clone(),
                    };
                    self.take(&key, &shown, inner, notes);
                }
            }
            Kind::Nothing => {}
            _ => notes.add(entry.at.line(), &entry.key, "expected a table of settings here"),
        }
    }

    fn take(&mut self, key: &str, shown: &str, entry: &Entry, notes: &mut Notes) {
        let line = entry.at.line();
        match keys::fate(key) {
            Some(Fate::Converted) => {
                let mut value = entry.value.clone();
                value.at = entry.at;
                self.base.values.insert(key.to_owned(), value);
            }
            Some(Fate::NotLoaded) => notes.add(
                line,
                shown,
                "the published system does not read it from its files and takes its default, and so does this experiment",
            ),
            Some(Fate::Without(why)) => notes.add(line, shown, why),
            None => notes.add(line, shown, unknown(shown)),
        }
    }

    /// A name that an experiment may have.
    pub(super) fn name(&self, stem: &str, notes: &mut Notes) -> String {
        let Some(text) = self.base.text("name", notes) else {
            return stem.to_owned();
        };
        let character = |one: char| {
            if one.is_ascii_alphanumeric() || one == '_' {
                one
            } else {
                '-'
            }
        };
        let name: String = text.chars().map(character).collect();
        let name: String = name.trim_matches(['-', '_']).chars().take(NAME_CHARS_MAX).collect();
        if name == text {
            return name;
        }
        let name = if name.is_empty() { stem.to_owned() } else { name };
        notes.about(
            "name",
            self.base.get("name"),
            format!("names have only letters, digits, `-` and `_`; it became `{name}`"),
        );
        name
    }
}

/// Why a key means nothing.
pub(super) fn unknown(key: &str) -> String {
    let known = KEYS.iter().map(|(known, _)| *known).chain(TABLES);
    format!(
        "the published system knows no such key and would not have said so{}",
        hint(key, known)
    )
}

/// The keys and lists of a sweep.
fn swept(entry: &Entry, notes: &mut Notes) -> Vec<Swept> {
    let entries = match &entry.value.kind {
        Kind::Table(entries) => entries.as_slice(),
        Kind::Nothing => &[],
        _ => {
            notes.add(
                entry.at.line(),
                &entry.key,
                "expected a table of keys with lists of values",
            );
            &[]
        }
    };
    let mut all = Vec::new();
    for inner in entries {
        let key = match inner.key.as_str() {
            "trajectories" => "trajectory_paths".to_owned(),
            key => key.replace("context_shortening.", "context_shortening_"),
        };
        let shown = format!("{}.{}", entry.key, inner.key);
        let Kind::List(values) = &inner.value.kind else {
            notes.add(inner.at.line(), &shown, "expected a list of values to try");
            continue;
        };
        if key != inner.key && key.starts_with("context") {
            notes.add(
                inner.at.line(),
                &shown,
                "the published system stops at this spelling; it is read as it was meant",
            );
        }
        if !values.is_empty() {
            all.push(Swept {
                key,
                at: inner.at,
                values: values.clone(),
            });
        }
    }
    all
}

impl Values {
    /// The value of that key, unless it is not there or nothing.
    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        self.values
            .get(key)
            .filter(|value| !matches!(value.kind, Kind::Nothing))
    }

    /// What the file says, `null` included.
    pub(super) fn given(&self, key: &str) -> Option<&Value> {
        self.values.get(key)
    }

    /// The same with other values.
    pub(super) fn with(&self, changes: &[(&str, &Value)]) -> Self {
        let mut values = self.clone();
        for (key, value) in changes {
            values.values.insert((*key).to_owned(), (*value).clone());
        }
        values
    }

    pub(super) fn text(&self, key: &str, notes: &mut Notes) -> Option<String> {
        let value = self.get(key)?;
        match &value.kind {
            Kind::Text(text) | Kind::Number(text) => Some(text.clone()),
            _ => wrong(key, value, "text", notes),
        }
    }

    pub(super) fn number(&self, key: &str, notes: &mut Notes) -> Option<f64> {
        let value = self.get(key)?;
        let number = match &value.kind {
            Kind::Number(text) => text.parse().ok(),
            _ => None,
        };
        number.or_else(|| wrong(key, value, "a number", notes))
    }

    /// A whole number that is not negative.
    pub(super) fn count(&self, key: &str, notes: &mut Notes) -> Option<u32> {
        let value = self.get(key)?;
        let count = match &value.kind {
            Kind::Number(text) => text.parse().ok(),
            _ => None,
        };
        count.or_else(|| wrong(key, value, "a whole number", notes))
    }

    /// A truth value, in the spellings of YAML 1.1 that the published system reads.
    pub(super) fn flag(&self, key: &str, default: bool, notes: &mut Notes) -> bool {
        let Some(value) = self.get(key) else {
            return default;
        };
        let flag = match &value.kind {
            Kind::Flag(flag) => Some(*flag),
            Kind::Text(text) => match text.to_ascii_lowercase().as_str() {
                "yes" | "on" => Some(true),
                "no" | "off" => Some(false),
                _ => None,
            },
            _ => None,
        };
        flag.or_else(|| wrong(key, value, "true or false", notes))
            .unwrap_or(default)
    }

    /// Texts, or a single one.
    pub(super) fn texts(&self, key: &str, notes: &mut Notes) -> Option<Vec<String>> {
        let value = self.get(key)?;
        let one = |node: &Node| match &node.kind {
            Kind::Text(text) | Kind::Number(text) => Some(text.clone()),
            _ => None,
        };
        let texts = match &value.kind {
            Kind::List(items) => items.iter().map(one).collect(),
            _ => one(value).map(|text| vec![text]),
        };
        texts.or_else(|| wrong(key, value, "a list of texts", notes))
    }
}

/// Notes a value of the wrong kind.
fn wrong<T>(key: &str, value: &Value, expected: &str, notes: &mut Notes) -> Option<T> {
    let found = shortened(&value.describe());
    notes.about(
        key,
        Some(value),
        format!("expected {expected}, found {found}; the published default stands for it"),
    );
    None
}

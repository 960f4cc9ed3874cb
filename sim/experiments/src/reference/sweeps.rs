//! Published sweeps as grids, lists in step and single changes.

use super::config::{Config, Swept, Value, Values, unknown};
use super::keys::{self, Fate};
use super::notes::Notes;
use super::settings::Family;
use crate::tree::Kind;

/// Values of one sweep, above which a combination of keys is not written out.
const VALUES_MAX: usize = 1_000;

/// All sweeps in our words.
pub(super) struct Sweeps {
    pub(super) grid: Vec<Axis>,
    pub(super) zip: Vec<Axis>,
    pub(super) one_at_a_time: Vec<Axis>,
}

/// One setting and its values.
pub(super) struct Axis {
    pub(super) setting: &'static str,
    pub(super) values: Vec<Item>,
}

/// A value, and what it was called.
pub(super) struct Item {
    pub(super) name: String,
    pub(super) value: String,
}

/// The keys of one family, in the order in which they are swept.
struct Group<'a> {
    family: Family,
    swept: Vec<&'a Swept>,
}

pub(super) fn convert(config: &Config, notes: &mut Notes) -> Sweeps {
    let product = groups(&config.product, "sweep", notes);
    let grid: Vec<Axis> = product
        .iter()
        .filter_map(|group| combined(group, &config.base, notes))
        .collect();
    let mut zip = Vec::new();
    for group in even(groups(&config.zip, "sweep_zip", notes), notes) {
        if grid.iter().any(|axis| axis.setting == group.family.setting()) {
            for swept in &group.swept {
                let why = "`sweep` changes the same setting here; write the variants that are meant as [[variant]]";
                notes.add(swept.at.line(), &swept.key, why);
            }
            continue;
        }
        zip.push(in_step(&group, &config.base, notes));
    }
    let independent = groups(&config.independent, "sweep_independent", notes);
    let one_at_a_time: Vec<Axis> = independent
        .iter()
        .map(|group| one_by_one(group, &config.base, notes))
        .collect();
    if let Some(first) = config.independent.first().filter(|_| !one_at_a_time.is_empty()) {
        let why = "the base itself is measured, too, and a value that equals it is not measured twice";
        notes.add(first.at.line(), "sweep_independent", why);
    }
    Sweeps {
        grid,
        zip,
        one_at_a_time,
    }
}

/// Keys by family; those without a meaning become notes.
fn groups<'a>(all: &'a [Swept], place: &str, notes: &mut Notes) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    for swept in all {
        let shown = format!("{place}.{}", swept.key);
        let line = swept.at.line();
        let why = match (keys::fate(&swept.key), Family::of(&swept.key)) {
            (Some(Fate::Converted | Fate::NotLoaded), Some(family)) => {
                match groups.iter_mut().find(|group| group.family == family) {
                    Some(group) => group.swept.push(swept),
                    None => groups.push(Group {
                        family,
                        swept: vec![swept],
                    }),
                }
                continue;
            }
            (Some(Fate::Converted | Fate::NotLoaded), None) => "it cannot be swept here".to_owned(),
            (Some(Fate::Without(why)), _) => why.to_owned(),
            (None, _) => unknown(&swept.key),
        };
        notes.add(line, &shown, why);
    }
    groups
}

/// Groups whose lists are as long as the first one's; the published system stops at others.
fn even<'a>(groups: Vec<Group<'a>>, notes: &mut Notes) -> Vec<Group<'a>> {
    let n_rows = groups
        .first()
        .and_then(|group| group.swept.first())
        .map_or(0, |swept| swept.values.len());
    let is_even = |swept: &&Swept| swept.values.len() == n_rows;
    if groups.iter().flat_map(|group| &group.swept).all(is_even) {
        return groups;
    }
    for swept in groups.iter().flat_map(|group| &group.swept) {
        let why = "the lists of `sweep_zip` are not equally long, and so none of them was converted";
        notes.add(swept.at.line(), &swept.key, why);
    }
    Vec::new()
}

/// Every combination of the keys of a group, the last one fastest.
fn combined(group: &Group<'_>, base: &Values, notes: &mut Notes) -> Option<Axis> {
    let mut rows: Vec<Vec<(&str, &Value)>> = vec![Vec::new()];
    for swept in &group.swept {
        if rows.len().saturating_mul(swept.values.len()) > VALUES_MAX {
            notes.add(
                swept.at.line(),
                &swept.key,
                format!("these are more than {VALUES_MAX} combinations for one setting"),
            );
            return None;
        }
        let mut longer = Vec::with_capacity(rows.len() * swept.values.len());
        for row in &rows {
            for value in &swept.values {
                let mut row = row.clone();
                row.push((swept.key.as_str(), value));
                longer.push(row);
            }
        }
        rows = longer;
    }
    Some(axis(group.family, base, &rows, notes))
}

/// Row for row.
fn in_step(group: &Group<'_>, base: &Values, notes: &mut Notes) -> Axis {
    let n_rows = group.swept.first().map_or(0, |swept| swept.values.len());
    let row = |idx| {
        group
            .swept
            .iter()
            .filter_map(|swept| Some((swept.key.as_str(), swept.values.get(idx)?)))
            .collect()
    };
    let rows: Vec<Vec<(&str, &Value)>> = (0..n_rows).map(row).collect();
    axis(group.family, base, &rows, notes)
}

/// One key after the other.
fn one_by_one(group: &Group<'_>, base: &Values, notes: &mut Notes) -> Axis {
    let rows = group
        .swept
        .iter()
        .flat_map(|swept| swept.values.iter().map(|value| vec![(swept.key.as_str(), value)]));
    let rows: Vec<Vec<(&str, &Value)>> = rows.collect();
    let mut axis = axis(group.family, base, &rows, notes);
    axis.drop_repeated();
    axis
}

fn axis(family: Family, base: &Values, rows: &[Vec<(&str, &Value)>], notes: &mut Notes) -> Axis {
    let first = rows.first().and_then(|row| row.first()).map(|(key, _)| *key);
    let is_alone = rows.iter().flatten().all(|(key, _)| Some(*key) == first);
    let values = rows.iter().map(|row| Item {
        name: name(row, is_alone),
        value: family.value(&base.with(row), notes),
    });
    let mut axis = Axis {
        setting: family.setting(),
        values: values.collect(),
    };
    axis.name_apart();
    axis
}

impl Axis {
    /// Gives numbers to names that stand twice.
    fn name_apart(&mut self) {
        for idx in 1..self.values.len() {
            let (before, rest) = self.values.split_at_mut(idx);
            if let Some(item) = rest.first_mut()
                && before
                    .iter()
                    .any(|other| other.name == item.name && other.value != item.value)
            {
                item.name = format!("{} #{}", item.name, idx + 1);
            }
        }
    }

    /// Leaves the first of several values that are the same.
    fn drop_repeated(&mut self) {
        let mut seen = Vec::new();
        self.values.retain(|item| {
            let is_new = !seen.contains(&item.name);
            seen.push(item.name.clone());
            is_new
        });
    }
}

/// What a combination is called: the value if there is only one key, or each key with its value.
fn name(row: &[(&str, &Value)], is_alone: bool) -> String {
    if let ([(_, value)], true) = (row, is_alone) {
        return shown(value);
    }
    let leaf = |key: &str| key.rsplit('.').next().unwrap_or_default().to_owned();
    let parts: Vec<String> = row
        .iter()
        .map(|(key, value)| format!("{}={}", leaf(key), shown(value)))
        .collect();
    parts.join(" ")
}

fn shown(value: &Value) -> String {
    const CHARS_MAX: usize = 60;
    let text = match &value.kind {
        Kind::Nothing => "none".to_owned(),
        Kind::Flag(flag) => flag.to_string(),
        Kind::Number(text) | Kind::Text(text) => text.escape_debug().to_string(),
        Kind::List(items) => items.iter().map(shown).collect::<Vec<_>>().join(" or "),
        Kind::Table(_) => "a table".to_owned(),
    };
    text.chars().take(CHARS_MAX).collect()
}

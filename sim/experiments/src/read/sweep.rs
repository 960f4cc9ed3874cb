//! Sweeps: what is varied, and the variants that come of it.

use std::collections::HashMap;

use indexmap::IndexMap;

use super::names::{self, Template};
use super::same::is_same;
use super::settings::{self, CORPUS, Choice, Seen, Settings};
use crate::error::{Fault, Limit, Problem};
use crate::experiment::{CORPUS_DEFAULT, Variant};
use crate::known::KnownSettings;
use crate::limits::VARIANTS_MAX;
use crate::tree::{At, Entry, Kind, Node, shortened};

/// The base and everything that is varied around it.
#[derive(Default)]
pub(super) struct Sweeps {
    base: Settings,
    base_line: Option<u64>,
    grid: Vec<Axis>,
    zip: Vec<Axis>,
    one_at_a_time: Vec<Axis>,
    singles: Vec<Single>,
    /// Whether the file varies settings around the base one at a time, even if all of them are overridden.
    has_one_at_a_time: bool,
    /// Settings that overrides have set, each with the text of the last one.
    pub(super) overridden: IndexMap<String, String>,
}

/// One setting and its values.
pub(super) struct Axis {
    /// As it stands in the file.
    key: String,
    /// With `-`.
    name: String,
    at: At,
    choices: Vec<Choice>,
}

/// A variant that is written out.
pub(super) struct Single {
    name: String,
    at: At,
    settings: Settings,
}

/// What comes of sweeps.
pub(super) struct Expanded {
    pub(super) variants: Vec<Variant>,
    /// Names that variants would have that equal the base.
    pub(super) same_as_base: Vec<String>,
}

impl Sweeps {
    pub(super) fn take_base(&mut self, entries: &[Entry], at: At, known: &KnownSettings) -> Result<(), Fault> {
        self.base = settings::read(entries, known)?;
        self.base_line = at.line();
        Ok(())
    }

    pub(super) fn take_grid(&mut self, entries: Vec<Entry>, known: &KnownSettings) -> Result<(), Fault> {
        self.grid = axes(entries, known, true)?;
        Ok(())
    }

    pub(super) fn take_zip(&mut self, entries: Vec<Entry>, known: &KnownSettings) -> Result<(), Fault> {
        self.zip = axes(entries, known, false)?;
        Ok(())
    }

    pub(super) fn take_one_at_a_time(&mut self, entries: Vec<Entry>, known: &KnownSettings) -> Result<(), Fault> {
        self.one_at_a_time = axes(entries, known, true)?;
        self.has_one_at_a_time = !self.one_at_a_time.is_empty();
        Ok(())
    }

    pub(super) fn take_singles(&mut self, key: &str, node: Node, known: &KnownSettings) -> Result<(), Fault> {
        let expected = "a list of tables, each with a `name`";
        let Kind::List(items) = node.kind else {
            return Err(super::kind_fault(key, &node, expected));
        };
        self.singles = items
            .into_iter()
            .map(|item| Single::read(super::table(key, item.clone(), expected)?, item.at, known))
            .collect::<Result<_, Fault>>()?;
        Ok(())
    }

    /// Finds what only shows when the whole file is known.
    pub(super) fn check(&self) -> Result<(), Fault> {
        if let Some(first) = self.zip.first()
            && let Some(uneven) = self.zip.iter().find(|axis| axis.choices.len() != first.choices.len())
        {
            let problem = Problem::UnevenZip {
                key: uneven.key.clone(),
                found: uneven.choices.len(),
                other: first.key.clone(),
                expected: first.choices.len(),
            };
            return Err(Fault::new(uneven.at, problem));
        }
        for axis in &self.zip {
            if let Some(first) = self.grid.iter().find(|other| other.name == axis.name) {
                let problem = Problem::Twice {
                    key: axis.key.clone(),
                    first: first.at.line(),
                };
                return Err(Fault::new(axis.at, problem));
            }
        }
        Ok(())
    }

    /// Sets a setting in all variants, as the text of an override says; whether the file varies it.
    pub(super) fn replace(&mut self, name: &str, choice: &Choice, text: &str) -> bool {
        let is_varied = |axes: &[Axis]| axes.iter().any(|axis| axis.name == name);
        let in_zip = is_varied(&self.zip);
        let mut replaced = in_zip || is_varied(&self.grid) || is_varied(&self.one_at_a_time);
        for axes in [&mut self.grid, &mut self.zip, &mut self.one_at_a_time] {
            axes.retain(|axis| axis.name != name);
        }
        if in_zip {
            drop_repeated_rows(&mut self.zip);
        }
        for single in &mut self.singles {
            if single.settings.shift_remove(name).is_some() {
                replaced = true;
            }
        }
        self.base.insert(name.to_owned(), choice.clone());
        self.overridden.insert(name.to_owned(), text.to_owned());
        replaced
    }

    /// Writes all variants out.
    pub(super) fn variants(&self, template: Option<&Template>) -> Result<Expanded, Fault> {
        self.check_count()?;
        let mut variants = Vec::new();
        let mut same_as_base = Vec::new();
        if !self.grid.is_empty() || !self.zip.is_empty() {
            self.combine(template, &mut variants)?;
        }
        let is_only_base = variants.is_empty() && self.singles.is_empty();
        let base = variant(names::BASE.to_owned(), &self.base, self.base_line);
        if self.has_one_at_a_time || is_only_base {
            variants.push(base.clone());
        }
        for axis in &self.one_at_a_time {
            for choice in &axis.choices {
                let mut settings = self.base.clone();
                settings.insert(axis.name.clone(), choice.clone());
                let name = name(template, &settings, &[(axis, choice)], choice.at)?;
                let variant = variant(name, &settings, choice.at.line());
                if is_same(&variant, &base) {
                    same_as_base.push(variant.name);
                } else {
                    variants.push(variant);
                }
            }
        }
        for single in &self.singles {
            let mut settings = self.base.clone();
            settings.extend(single.settings.clone());
            variants.push(variant(single.name.clone(), &settings, single.at.line()));
        }
        check_unique(&variants)?;
        Ok(Expanded { variants, same_as_base })
    }

    fn check_count(&self) -> Result<(), Fault> {
        let product = self
            .grid
            .iter()
            .try_fold(1_usize, |product, axis| product.checked_mul(axis.choices.len()));
        let n_rows = self.zip.first().map_or(1, |axis| axis.choices.len());
        let n_others = self.one_at_a_time.iter().map(|axis| axis.choices.len()).sum::<usize>() + self.singles.len();
        let count = product.and_then(|product| product.checked_mul(n_rows)?.checked_add(n_others));
        if count.is_some_and(|count| count <= VARIANTS_MAX) {
            return Ok(());
        }
        let at = self.grid.first().or(self.zip.first()).map_or(At::File, |axis| axis.at);
        Err(Fault::new(at, Problem::Limit(Limit::Variants)))
    }

    /// Every combination of the grid, its first setting slowest, with every row of the lists in step.
    fn combine(&self, template: Option<&Template>, variants: &mut Vec<Variant>) -> Result<(), Fault> {
        let n_rows = self.zip.first().map_or(1, |axis| axis.choices.len());
        let n_combinations: usize = self.grid.iter().map(|axis| axis.choices.len()).product();
        for combination in 0..n_combinations {
            let mut chosen = Vec::new();
            let mut rest = combination;
            for axis in self.grid.iter().rev() {
                chosen.extend(axis.choices.get(rest % axis.choices.len()).map(|choice| (axis, choice)));
                rest /= axis.choices.len();
            }
            chosen.reverse();
            for row in 0..n_rows {
                let of_row = self.zip.iter().filter_map(|axis| Some((axis, axis.choices.get(row)?)));
                let chosen: Vec<(&Axis, &Choice)> = chosen.iter().copied().chain(of_row).collect();
                let mut settings = self.base.clone();
                settings.extend(
                    chosen
                        .iter()
                        .map(|(axis, choice)| (axis.name.clone(), (*choice).clone())),
                );
                let at = chosen.first().map_or(At::File, |(axis, _)| axis.at);
                let name = name(template, &settings, &chosen, at)?;
                variants.push(variant(name, &settings, at.line()));
            }
        }
        Ok(())
    }
}

impl Single {
    fn read(mut entries: Vec<Entry>, at: At, known: &KnownSettings) -> Result<Self, Fault> {
        let Some(idx) = entries.iter().position(|entry| entry.key == "name") else {
            return Err(Fault::new(
                at,
                Problem::Missing {
                    key: "name",
                    place: "a variant",
                },
            ));
        };
        let entry = entries.remove(idx);
        let name = super::text("name", &entry.value)?;
        names::check_variant(&name, entry.at)?;
        let settings = settings::read(&entries, known)?;
        Ok(Self {
            name,
            at: entry.at,
            settings,
        })
    }
}

/// Reads a table of settings with lists of values.
fn axes(entries: Vec<Entry>, known: &KnownSettings, differ: bool) -> Result<Vec<Axis>, Fault> {
    let mut seen = Seen::default();
    let mut axes = Vec::new();
    for entry in entries {
        seen.name(&entry)?;
        let name = settings::known_key(&entry, known)?;
        let Kind::List(items) = &entry.value.kind else {
            return Err(super::kind_fault(&entry.key, &entry.value, "a list of values"));
        };
        let choices = items
            .iter()
            .map(|item| Choice::read_named(&entry.key, &name, item, known));
        let choices: Vec<Choice> = choices.collect::<Result<_, Fault>>()?;
        if choices.is_empty() {
            return Err(Fault::new(entry.at, Problem::NoValues { key: entry.key }));
        }
        if differ {
            check_different(&entry.key, &choices)?;
        }
        axes.push(Axis {
            key: entry.key,
            name,
            at: entry.at,
            choices,
        });
    }
    Ok(axes)
}

fn check_different(key: &str, choices: &[Choice]) -> Result<(), Fault> {
    let mut labels = HashMap::new();
    for choice in choices {
        if labels.insert(choice.label.as_str(), ()).is_some() {
            let problem = Problem::ValueTwice {
                key: key.to_owned(),
                value: shortened(&choice.label),
            };
            return Err(Fault::new(choice.at, problem));
        }
    }
    Ok(())
}

/// Leaves of rows that no longer differ only the first.
fn drop_repeated_rows(axes: &mut [Axis]) {
    let n_rows = axes.first().map_or(0, |axis| axis.choices.len());
    let mut rows = HashMap::new();
    let kept: Vec<bool> = (0..n_rows)
        .map(|row| {
            let labels: Vec<String> = axes
                .iter()
                .filter_map(|axis| axis.choices.get(row))
                .map(|choice| choice.label.clone())
                .collect();
            rows.insert(labels, ()).is_none()
        })
        .collect();
    for axis in axes {
        let mut kept = kept.iter();
        axis.choices.retain(|_| kept.next().copied().unwrap_or(true));
    }
}

/// The name of a variant that sweeps make.
fn name(
    template: Option<&Template>,
    settings: &Settings,
    chosen: &[(&Axis, &Choice)],
    at: At,
) -> Result<String, Fault> {
    let name = match template {
        Some(template) => template.fill(settings),
        None => {
            let parts: Vec<String> = chosen
                .iter()
                .map(|(axis, choice)| format!("{}={}", axis.key, choice.label))
                .collect();
            parts.join(",")
        }
    };
    names::check_variant(&name, at)?;
    Ok(name)
}

fn variant(name: String, settings: &Settings, line: Option<u64>) -> Variant {
    let corpus = settings
        .get(CORPUS)
        .and_then(|choice| choice.values.as_ref()?.first().cloned());
    let given = settings.iter().filter(|(name, _)| *name != CORPUS);
    Variant {
        name,
        corpus: corpus.unwrap_or_else(|| CORPUS_DEFAULT.to_owned()),
        settings: given
            .filter_map(|(name, choice)| Some((name.clone(), choice.values.clone()?)))
            .collect(),
        line,
    }
}

fn check_unique(variants: &[Variant]) -> Result<(), Fault> {
    let mut lines: HashMap<&str, Option<u64>> = HashMap::new();
    for variant in variants {
        if let Some(first) = lines.insert(&variant.name, variant.line) {
            let at = variant.line.map_or(At::File, At::Line);
            let lines = first.zip(variant.line).filter(|(first, second)| first != second);
            let name = shortened(&variant.name);
            return Err(Fault::new(at, Problem::SameName { name, lines }));
        }
    }
    Ok(())
}

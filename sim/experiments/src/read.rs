//! From text to variants.

mod names;
mod same;
mod settings;
mod sweep;

use std::path::Path;

use self::names::Template;
pub(crate) use self::names::of_file as file_name;
use self::settings::Choice;
use self::sweep::Sweeps;
use crate::error::{ExperimentError, Fault, Limit, Problem};
use crate::experiment::Experiment;
use crate::known::KnownSettings;
use crate::limits::REPEATS_MAX;
use crate::nearest::hint;
use crate::overrides::Override;
use crate::tree::{self, At, Entry, Kind, Node, Syntax};

/// What may stand at the top of a file, with `-`.
const PARTS: [&str; 11] = [
    "name",
    "description",
    "repeats",
    "baseline",
    "first",
    "names",
    "base",
    "grid",
    "zip",
    "one-at-a-time",
    "variant",
];

impl Experiment {
    /// Reads the text of an experiment file. `file` is what messages call it, and an experiment without a name is called
    /// after it. Overrides win over the file, later ones over earlier ones.
    pub fn read(
        text: &str,
        file: &str,
        syntax: Syntax,
        known: &KnownSettings,
        overrides: &[Override],
    ) -> Result<Self, ExperimentError> {
        experiment(text, file, syntax, known, overrides).map_err(|fault| fault.in_file(file, overrides))
    }
}

fn experiment(
    text: &str,
    file: &str,
    syntax: Syntax,
    known: &KnownSettings,
    overrides: &[Override],
) -> Result<Experiment, Fault> {
    let mut draft = Draft::default();
    let mut seen = settings::Seen::default();
    for entry in tree::read(text, syntax)? {
        let part = seen.name(&entry)?;
        draft.take(&part, entry, known)?;
    }
    draft.sweeps.check()?;
    let mut notes = Vec::new();
    for (idx, one) in overrides.iter().enumerate() {
        draft.set(one, At::Override(idx), known, &mut notes)?;
    }
    let expanded = draft.sweeps.variants(draft.names.as_ref())?;
    let (variants, replaced) = (expanded.variants, expanded.same_as_base);
    notes.extend(same_as_base(&replaced));
    let baseline = match draft.baseline {
        Some((name, at)) => {
            let found = names::find(&name, &variants, &replaced);
            let is_left_by_the_file = !draft.sweeps.overridden.is_empty() && !matches!(at, At::Override(_));
            if found.is_none() && is_left_by_the_file {
                notes.push(format!(
                    "With these settings there is no variant `{name}` to compare with."
                ));
            } else if found.is_none() {
                let hint = hint(&name, variants.iter().map(|variant| variant.name.as_str()));
                return Err(Fault::new(at, Problem::UnknownBaseline { baseline: name, hint }));
            }
            found
        }
        None => None,
    };
    Ok(Experiment {
        name: draft.name.unwrap_or_else(|| names::of_file(Path::new(file))),
        description: draft.description,
        repeats: draft.repeats.unwrap_or(1),
        baseline,
        first: draft.first,
        variants,
        overridden: draft.sweeps.overridden,
        notes,
    })
}

/// What is said of variants that are the base under another name.
fn same_as_base(names: &[String]) -> Option<String> {
    const SHOWN_MAX: usize = 5;
    let quoted = |name: &String| format!("`{name}`");
    let shown: Vec<String> = names.iter().take(SHOWN_MAX).map(quoted).collect();
    let list = match (names.len() - shown.len(), shown.split_last()) {
        (_, None) => return None,
        (0, Some((one, []))) => return Some(format!("{one} equals the base and is measured once, as `base`.")),
        (0, Some((last, others))) => format!("{} and {last}", others.join(", ")),
        (more, _) => format!("{} and {more} more", shown.join(", ")),
    };
    Some(format!("{list} equal the base, which is measured once, as `base`."))
}

/// An experiment before its sweeps are written out.
#[derive(Default)]
struct Draft {
    name: Option<String>,
    description: Option<String>,
    repeats: Option<u32>,
    baseline: Option<(String, At)>,
    first: Option<usize>,
    names: Option<Template>,
    sweeps: Sweeps,
}

impl Draft {
    /// Takes over one part of the file.
    fn take(&mut self, part: &str, entry: Entry, known: &KnownSettings) -> Result<(), Fault> {
        let key = &entry.key;
        match part {
            "base" => self
                .sweeps
                .take_base(&table(key, entry.value, "a table of settings")?, entry.at, known),
            "grid" => self.sweeps.take_grid(table(key, entry.value, LISTS)?, known),
            "zip" => self.sweeps.take_zip(table(key, entry.value, LISTS)?, known),
            "one-at-a-time" => self.sweeps.take_one_at_a_time(table(key, entry.value, LISTS)?, known),
            "variant" => self.sweeps.take_singles(key, entry.value, known),
            _ if self.take_value(part, key, &entry.value, known)? => Ok(()),
            _ => Err(Fault::new(entry.at, unknown_part(&entry.key, part, known))),
        }
    }

    /// Takes over a single value of the top of the file; false if there is none of that name.
    fn take_value(&mut self, part: &str, key: &str, node: &Node, known: &KnownSettings) -> Result<bool, Fault> {
        match part {
            "name" => {
                let name = text(key, node)?;
                names::check_experiment(&name).map_err(|reason| {
                    let name = tree::shortened(&name);
                    Fault::new(node.at, Problem::Name { name, reason })
                })?;
                self.name = Some(name);
            }
            "description" => self.description = Some(text(key, node)?),
            "baseline" => self.baseline = Some((text(key, node)?, node.at)),
            "names" => self.names = Some(Template::read(&text(key, node)?, node.at, known)?),
            "repeats" => {
                let repeats = count(key, node)?;
                let repeats = u32::try_from(repeats).ok().filter(|repeats| *repeats <= REPEATS_MAX);
                let too_many = || Fault::new(node.at, Problem::Limit(Limit::Repeats));
                self.repeats = Some(repeats.ok_or_else(too_many)?);
            }
            "first" => self.first = Some(count(key, node)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Carries out an override.
    fn set(&mut self, one: &Override, at: At, known: &KnownSettings, notes: &mut Vec<String>) -> Result<(), Fault> {
        let node = one.node(at);
        let name = settings::normalised(&one.key);
        if self.take_value(&name, &one.key, &node, known)? {
            return Ok(());
        }
        if PARTS.contains(&name.as_str()) {
            let expected = "a setting or a single value of the top of the file";
            return Err(Fault::new(
                at,
                Problem::Kind {
                    key: one.key.clone(),
                    expected,
                    found: "a part of it".to_owned(),
                },
            ));
        }
        let name = settings::known_name(
            &one.key,
            at,
            known,
            &["name", "description", "repeats", "baseline", "first"],
        )?;
        let choice = Choice::read(&one.key, &name, &node, known)?;
        if self.sweeps.replace(&name, &choice, &one.text) {
            notes.push(format!(
                "`--set {}` takes the place of the values of `{name}` in the file.",
                one.text
            ));
        }
        Ok(())
    }
}

const LISTS: &str = "a table with a list of values for each setting";

fn unknown_part(key: &str, part: &str, known: &KnownSettings) -> Problem {
    let key = tree::shortened(key);
    if known.setting(part).is_some() || part == settings::CORPUS {
        return Problem::SettingAtTop { key };
    }
    if known.is_command_line_only(part) {
        return Problem::CommandLineOnly { key };
    }
    let what = "part of an experiment";
    Problem::UnknownKey {
        what,
        hint: hint(part, PARTS),
        key,
    }
}

/// The entries of a table.
fn table(key: &str, node: Node, expected: &'static str) -> Result<Vec<Entry>, Fault> {
    match node.kind {
        Kind::Table(entries) => Ok(entries),
        Kind::Nothing => Ok(Vec::new()),
        _ => Err(kind_fault(key, &node, expected)),
    }
}

fn text(key: &str, node: &Node) -> Result<String, Fault> {
    match &node.kind {
        Kind::Text(text) | Kind::Number(text) => Ok(text.clone()),
        _ => Err(kind_fault(key, node, "text")),
    }
}

/// A whole number above 0.
fn count(key: &str, node: &Node) -> Result<usize, Fault> {
    let number = match &node.kind {
        Kind::Number(text) => text.parse().ok().filter(|number| *number > 0),
        _ => None,
    };
    number.ok_or_else(|| kind_fault(key, node, "a whole number from 1"))
}

fn kind_fault(key: &str, node: &Node, expected: &'static str) -> Fault {
    let key = tree::shortened(key);
    Fault::new(
        node.at,
        Problem::Kind {
            key,
            expected,
            found: node.describe(),
        },
    )
}

#[cfg(test)]
pub(crate) mod tests;

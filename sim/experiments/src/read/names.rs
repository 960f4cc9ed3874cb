//! Names of experiments and variants.

use std::path::Path;

use super::settings::{self, Settings};
use crate::error::{Fault, NameFault, Problem};
use crate::experiment::Variant;
use crate::known::KnownSettings;
use crate::limits::{NAME_CHARS_MAX, VARIANT_NAME_CHARS_MAX};
use crate::tree::{At, shortened};

/// The variant that is the base itself.
pub(super) const BASE: &str = "base";

/// Whether an experiment may be called so.
pub(super) fn check_experiment(name: &str) -> Result<(), NameFault> {
    if name.is_empty() {
        return Err(NameFault::Empty);
    }
    if !name.chars().all(is_name_character) {
        return Err(NameFault::Characters);
    }
    if name.starts_with(['-', '_']) {
        return Err(NameFault::Start);
    }
    if name.len() > NAME_CHARS_MAX {
        return Err(NameFault::Long);
    }
    Ok(())
}

fn is_name_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '-' | '_')
}

/// Whether a variant may be called so.
pub(super) fn check_variant(name: &str, at: At) -> Result<(), Fault> {
    let reason = if name.trim().is_empty() {
        NameFault::Empty
    } else if name.chars().any(char::is_control) {
        NameFault::Control
    } else if name.chars().count() > VARIANT_NAME_CHARS_MAX {
        NameFault::VariantLong
    } else {
        return Ok(());
    };
    let name = shortened(name);
    Err(Fault::new(at, Problem::Name { name, reason }))
}

/// The name of an experiment whose file names none.
pub(crate) fn of_file(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let name: String = stem
        .chars()
        .map(|one| if is_name_character(one) { one } else { '-' })
        .collect();
    let name: String = name.trim_matches(['-', '_']).chars().take(NAME_CHARS_MAX).collect();
    if name.is_empty() { "experiment".to_owned() } else { name }
}

/// The variant of that name; a value that equals the base is the base.
pub(super) fn find(name: &str, variants: &[Variant], same_as_base: &[String]) -> Option<String> {
    if variants.iter().any(|variant| variant.name == name) {
        return Some(name.to_owned());
    }
    same_as_base.iter().any(|other| other == name).then(|| BASE.to_owned())
}

/// How the variants of sweeps are called: text with settings in braces.
#[derive(Debug)]
pub(super) struct Template {
    pieces: Vec<Piece>,
}

#[derive(Debug)]
enum Piece {
    Text(String),
    /// A setting by its name with `-`.
    Setting(String),
}

impl Template {
    pub(super) fn read(template: &str, at: At, known: &KnownSettings) -> Result<Self, Fault> {
        let fault = || {
            Fault::new(
                at,
                Problem::Template {
                    template: shortened(template),
                },
            )
        };
        let mut pieces = Vec::new();
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            let (key, after) = after.split_once('}').ok_or_else(fault)?;
            if before.contains('}') || key.is_empty() {
                return Err(fault());
            }
            pieces.push(Piece::Text(before.to_owned()));
            pieces.push(Piece::Setting(settings::known_name(key, at, known, &[])?));
            rest = after;
        }
        if rest.contains('}') {
            return Err(fault());
        }
        pieces.push(Piece::Text(rest.to_owned()));
        Ok(Self { pieces })
    }

    /// The name of a variant with these settings.
    pub(super) fn fill(&self, settings: &Settings) -> String {
        let pieces = self.pieces.iter().map(|piece| match piece {
            Piece::Text(text) => text.as_str(),
            Piece::Setting(name) => settings.get(name).map_or("default", |choice| choice.label.as_str()),
        });
        pieces.collect()
    }
}

//! Names of models, and the aliases of well-known repositories.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::HubError;

/// A short name of a repository on the hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Alias {
    /// What a user types.
    pub name: &'static str,
    /// The repository, `OWNER/REPO`.
    pub repository: &'static str,
}

/// The aliases, smallest model first. Those without `instruct` are the base models, which are the ones to fine-tune.
pub const ALIASES: [Alias; 6] = [
    Alias::new("smollm/135m", "HuggingFaceTB/SmolLM2-135M"),
    Alias::new("smollm/135m-instruct", "HuggingFaceTB/SmolLM2-135M-Instruct"),
    Alias::new("smollm/360m", "HuggingFaceTB/SmolLM2-360M"),
    Alias::new("smollm/360m-instruct", "HuggingFaceTB/SmolLM2-360M-Instruct"),
    Alias::new("smollm/1.7b", "HuggingFaceTB/SmolLM2-1.7B"),
    Alias::new("smollm/1.7b-instruct", "HuggingFaceTB/SmolLM2-1.7B-Instruct"),
];

/// The first word of every alias; no owner on the hub is meant by it.
const ALIAS_OWNER: &str = "smollm";

/// Longest word of a name, in bytes.
const WORD_BYTES_MAX: usize = 96;

impl Alias {
    const fn new(name: &'static str, repository: &'static str) -> Self {
        Self { name, repository }
    }

    /// Whether a weight file of that name holds this model: `SmolLM2-135M-Instruct.Q4_1.gguf` does, `SmolLM2-135M-mine.gguf`
    /// does not.
    fn is_named_by(&self, file: &str) -> bool {
        let (_, model) = self.repository.split_once('/').unwrap_or(("", self.repository));
        let (file, model) = (file.to_lowercase(), model.to_lowercase());
        let Some(rest) = file.strip_prefix(&model) else {
            return false;
        };
        let is_quantisation = |rest: &str| {
            let mut letters = rest.chars();
            letters.next().is_some_and(|letter| letter == 'q' || letter == 'f')
                && letters.next().is_some_and(|letter| letter.is_ascii_digit())
        };
        rest.starts_with('.') || rest.strip_prefix(['-', '_']).is_some_and(is_quantisation)
    }
}

/// A model's name: two words with a slash between.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ModelName(String);

impl ModelName {
    /// Reads a name.
    ///
    /// # Errors
    /// [`HubError::Name`] where it is not two words of letters, digits, `.`, `_` and `-` (none of them first, `.` not last).
    pub fn parse(name: &str) -> Result<Self, HubError> {
        let refused = || HubError::Name { name: name.to_owned() };
        let (owner, model) = name.split_once('/').ok_or_else(refused)?;
        if is_word(owner) && is_word(model) {
            Ok(Self(name.to_owned()))
        } else {
            Err(refused())
        }
    }

    /// The alias that names the model in a weight file of that name, if it names one.
    pub fn of_weights(file: &str) -> Option<Self> {
        let alias = ALIASES.iter().find(|alias| alias.is_named_by(file))?;
        Some(Self(alias.name.to_owned()))
    }

    /// The name as a user types it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the name is one of [`ALIASES`].
    pub fn is_alias(&self) -> bool {
        ALIASES.iter().any(|alias| alias.name == self.0)
    }

    /// The repository of that name: an alias's, or else the one that has the name itself.
    ///
    /// # Errors
    /// [`HubError::UnknownAlias`] where the name begins like an alias and is none.
    pub fn repository(&self) -> Result<&str, HubError> {
        if let Some(alias) = ALIASES.iter().find(|alias| alias.name == self.0) {
            return Ok(alias.repository);
        }
        if self.0.split('/').next() == Some(ALIAS_OWNER) {
            return Err(HubError::UnknownAlias {
                name: self.0.clone(),
                known: ALIASES.map(|alias| alias.name).join(", "),
            });
        }
        Ok(&self.0)
    }

    /// Where the model lies within the model folder.
    pub fn path_in(&self, folder: &Path) -> PathBuf {
        self.0.split('/').fold(folder.to_owned(), |path, word| path.join(word))
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether a word can be part of a name, and so name a folder or a file on every system.
pub(crate) fn is_word(word: &str) -> bool {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_' | '-');
    word.len() <= WORD_BYTES_MAX
        && word.starts_with(|letter: char| letter.is_ascii_alphanumeric())
        && !word.ends_with('.')
        && word.chars().all(is_letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_within_the_folder() {
        for name in ["smollm/135m", "HuggingFaceTB/SmolLM2-1.7B", "a/b_c.d"] {
            assert_eq!(ModelName::parse(name).unwrap().as_str(), name);
        }
        let long = format!("a/{}", "b".repeat(97));
        for name in [
            "", "a", "/", "a/", "/a", "../a", "a/..", "a/.b", "a/b/c", "a\\b", "a/b c", "a/b.", "a/-b", "ä/b", "C:/b",
            &long,
        ] {
            assert!(matches!(ModelName::parse(name), Err(HubError::Name { .. })), "{name}");
        }
        let name = ModelName::parse("smollm/135m").unwrap();
        assert_eq!(name.path_in(Path::new("m")), Path::new("m").join("smollm").join("135m"));
    }

    #[test]
    fn aliases_stand_for_repositories() {
        let repository = |name: &str| Ok::<_, HubError>(ModelName::parse(name)?.repository()?.to_owned());
        assert_eq!(repository("smollm/135m").unwrap(), "HuggingFaceTB/SmolLM2-135M");
        assert_eq!(
            repository("smollm/1.7b-instruct").unwrap(),
            "HuggingFaceTB/SmolLM2-1.7B-Instruct"
        );
        assert_eq!(repository("somebody/thing").unwrap(), "somebody/thing");
        let error = repository("smollm/136m").unwrap_err().to_string();
        assert!(
            error.contains("smollm/136m") && error.contains("smollm/135m, "),
            "{error}"
        );
    }

    #[test]
    fn weight_files_name_their_model() {
        let name = |file: &str| ModelName::of_weights(file).map(|name| name.as_str().to_owned());
        assert_eq!(
            name("SmolLM2-135M-Instruct.Q4_1.gguf").as_deref(),
            Some("smollm/135m-instruct")
        );
        assert_eq!(
            name("smollm2-360m-instruct-q8_0.gguf").as_deref(),
            Some("smollm/360m-instruct")
        );
        assert_eq!(name("SmolLM2-1.7B.gguf").as_deref(), Some("smollm/1.7b"));
        assert_eq!(name("SmolLM2-135M-F16.gguf").as_deref(), Some("smollm/135m"));
        assert_eq!(name("SmolLM2-135M-mine.gguf"), None);
        assert_eq!(name("gemma.gguf"), None);
    }
}

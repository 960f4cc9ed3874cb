//! Why an experiment file cannot be used.

use std::fmt;

use crate::limits::{
    DEPTH_MAX, FILE_BYTES_MAX, NAME_CHARS_MAX, NODES_MAX, REPEATS_MAX, VARIANT_NAME_CHARS_MAX, VARIANTS_MAX,
};
use crate::overrides::Override;
use crate::tree::At;

/// Why an experiment file cannot be used: where, and what is wrong there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("read {file}{place}: {problem}")]
#[non_exhaustive]
pub struct ExperimentError {
    /// The file, as it was named to [`crate::Experiment::read`].
    pub file: String,
    /// Where in it, or which part of the command line.
    pub place: Place,
    /// What is wrong.
    pub problem: Problem,
}

/// Where something stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The whole file.
    File,
    /// A line of the file, from 1.
    Line(u64),
    /// A setting of the command line, such as `stride=4`.
    Override(String),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => Ok(()),
            Self::Line(line) => write!(f, ":{line}"),
            Self::Override(text) => write!(f, " with `--set {text}`"),
        }
    }
}

/// What is wrong with an experiment file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The text is not of the syntax that the name of the file promises.
    #[error("expected {syntax}: {reason}")]
    Syntax {
        /// `TOML` or `YAML`.
        syntax: &'static str,
        /// What its reader says.
        reason: String,
    },
    /// The file has no table at its top.
    #[error("expected names with values, found {found}")]
    NoTable {
        /// What stands there instead.
        found: String,
    },
    /// Something that YAML has and experiment files do not.
    #[error("found {what}, which experiment files do not have: {instead}")]
    Unsupported {
        /// What was found.
        what: &'static str,
        /// What to write instead.
        instead: &'static str,
    },
    /// A key that nobody knows.
    #[error("`{key}` is no {what}{hint}")]
    UnknownKey {
        /// What was expected: `setting`, `part of an experiment`, …
        what: &'static str,
        /// The key as it stands there.
        key: String,
        /// The nearest name as a question, or nothing.
        hint: String,
    },
    /// An option that belongs to the command line.
    #[error("`{key}` belongs to the command line: it says how a command is carried out, not what is measured")]
    CommandLineOnly {
        /// The key as it stands there.
        key: String,
    },
    /// A setting at the top of the file.
    #[error("the setting `{key}` belongs into [base], or with a list of values into [grid], [zip] or [one-at-a-time]")]
    SettingAtTop {
        /// The key as it stands there.
        key: String,
    },
    /// A part of the experiment among settings.
    #[error("`{key}` is no setting but a part of the experiment: it belongs to the top of the file")]
    PartAmongSettings {
        /// The key as it stands there.
        key: String,
    },
    /// A setting whose value is empty text.
    #[error("expected a value of `{key}`, found empty text; write `default` to leave the setting away")]
    Empty {
        /// The key as it stands there.
        key: String,
    },
    /// A key twice in one place.
    #[error("`{key}` is given twice{}", first.map_or_else(String::new, |line| format!(", first in line {line}")))]
    Twice {
        /// The key as it stands there.
        key: String,
        /// Line of the first one.
        first: Option<u64>,
    },
    /// A value of the wrong kind.
    #[error("expected {expected} as `{key}`, found {found}")]
    Kind {
        /// The key as it stands there.
        key: String,
        /// What belongs there.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// A key that has to be there and is not.
    #[error("expected a `{key}` in {place}")]
    Missing {
        /// The key.
        key: &'static str,
        /// What it is missing in.
        place: &'static str,
    },
    /// A sweep over nothing.
    #[error("expected at least one value of `{key}`")]
    NoValues {
        /// The key as it stands there.
        key: String,
    },
    /// A value that stands twice in the list of a sweep.
    #[error("`{value}` stands twice among the values of `{key}`")]
    ValueTwice {
        /// The key as it stands there.
        key: String,
        /// The value or its name.
        value: String,
    },
    /// Lists in step that are not equally long.
    #[error("expected as many values of `{key}` as of `{other}` ({expected}), found {found}")]
    UnevenZip {
        /// The shorter or longer list.
        key: String,
        /// How many values it has.
        found: usize,
        /// The first list.
        other: String,
        /// How many values that has.
        expected: usize,
    },
    /// A name that cannot be one.
    #[error("the name `{name}` {reason}")]
    Name {
        /// The name.
        name: String,
        /// What is wrong with it.
        reason: NameFault,
    },
    /// Two variants of one name.
    #[error("two variants have the name `{name}`{}; give values, or variants, names of their own",
        lines.map_or_else(String::new, |(first, second)| format!(" (from lines {first} and {second})")))]
    SameName {
        /// The name.
        name: String,
        /// Where the two come from.
        lines: Option<(u64, u64)>,
    },
    /// A baseline that is no variant.
    #[error("there is no variant `{baseline}` to compare with{hint}")]
    UnknownBaseline {
        /// The name that was given.
        baseline: String,
        /// The nearest name as a question, or nothing.
        hint: String,
    },
    /// A template of names that cannot be read.
    #[error("expected names in braces as in `{{predictor}} every {{stride}}`, found `{template}`")]
    Template {
        /// The template.
        template: String,
    },
    /// More than a file may have.
    #[error("{0}")]
    Limit(Limit),
}

/// What is wrong with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameFault {
    /// Nothing is left of it.
    #[error("is empty")]
    Empty,
    /// An experiment's name becomes part of file names.
    #[error("has other characters than letters, digits, `-` and `_`")]
    Characters,
    /// A name that begins or ends in the wrong way.
    #[error("begins with `-` or `_`")]
    Start,
    /// A variant's name stands on one line of a table.
    #[error("has line breaks or other control characters")]
    Control,
    /// Too many characters for an experiment's name.
    #[error("is longer than {NAME_CHARS_MAX} characters (name_chars_max)")]
    Long,
    /// Too many characters for a variant's name.
    #[error("is longer than {VARIANT_NAME_CHARS_MAX} characters (variant_name_chars_max); give it a short one")]
    VariantLong,
}

/// The bound that was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Limit {
    /// See [`FILE_BYTES_MAX`].
    #[error("expected at most {FILE_BYTES_MAX} bytes (file_bytes_max), found {0}")]
    FileBytes(usize),
    /// See [`DEPTH_MAX`].
    #[error("expected at most {DEPTH_MAX} lists and tables inside of each other (depth_max), found more")]
    Depth,
    /// See [`NODES_MAX`].
    #[error("expected at most {NODES_MAX} values, aliases written out (nodes_max), found more")]
    Nodes,
    /// See [`VARIANTS_MAX`].
    #[error("expected at most {VARIANTS_MAX} variants (variants_max), found more")]
    Variants,
    /// See [`REPEATS_MAX`].
    #[error("expected at most {REPEATS_MAX} repeats (repeats_max), found more")]
    Repeats,
}

/// A problem and the place of what it is about.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) at: At,
    pub(crate) problem: Problem,
}

impl Fault {
    pub(crate) fn new(at: At, problem: Problem) -> Self {
        Self { at, problem }
    }

    /// The error that callers see.
    pub(crate) fn in_file(self, file: &str, overrides: &[Override]) -> ExperimentError {
        ExperimentError {
            file: file.to_owned(),
            place: match self.at {
                At::File => Place::File,
                At::Line(line) => Place::Line(line),
                At::Override(idx) => overrides
                    .get(idx)
                    .map_or(Place::File, |one| Place::Override(one.text.clone())),
            },
            problem: self.problem,
        }
    }
}

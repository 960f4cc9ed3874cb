//! An experiment and its variants.

use indexmap::IndexMap;

use crate::error::Place;

/// The corpus of a variant that names none.
pub const CORPUS_DEFAULT: &str = "napsim-52";

/// What is to be measured.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Experiment {
    /// Letters, digits, `-` and `_`; part of file names.
    pub name: String,
    /// What it is for, in words.
    pub description: Option<String>,
    /// How often each variant is measured, with seeds that count up from its own.
    pub repeats: u32,
    /// Name of the variant that others are compared with.
    pub baseline: Option<String>,
    /// How many trajectories of a corpus are measured, from its first on; none for all.
    pub first: Option<usize>,
    /// At least one, in the order in which tables show them, with names that differ.
    pub variants: Vec<Variant>,
    /// The settings that `--set` gave to all variants, each with the text of it: `stride` with `stride=4`.
    pub overridden: IndexMap<String, String>,
    /// What whoever gave the command ought to be told, in whole sentences.
    pub notes: Vec<String>,
}

/// One choice of settings, named.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Variant {
    /// Its name, unique in the experiment.
    pub name: String,
    /// File, folder, glob pattern or built-in name of the corpus.
    pub corpus: String,
    /// Options of `napsim run` that are given, by their names with `-`; a flag has no value, a list may have several.
    pub settings: IndexMap<String, Vec<String>>,
    /// The line of the file that it comes from.
    pub line: Option<u64>,
}

impl Experiment {
    /// Where the value of a setting of a variant was given: by an override, or else where the variant stands.
    pub fn place(&self, variant: &Variant, setting: &str) -> Place {
        match (self.overridden.get(setting), variant.line) {
            (Some(text), _) => Place::Override(text.clone()),
            (None, Some(line)) => Place::Line(line),
            (None, None) => Place::File,
        }
    }
}

impl Variant {
    /// The words that follow `napsim run` to measure this variant: the corpus first, then its options.
    pub fn arguments(&self) -> Vec<String> {
        let corpus = if self.corpus.starts_with('-') {
            format!("./{}", self.corpus)
        } else {
            self.corpus.clone()
        };
        let mut arguments = vec![corpus];
        for (name, values) in &self.settings {
            if values.is_empty() {
                arguments.push(format!("--{name}"));
            }
            arguments.extend(values.iter().map(|value| format!("--{name}={value}")));
        }
        arguments
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_can_be_read_by_a_command_line() {
        let settings = [
            ("stride", vec!["4"]),
            ("lenient", vec![]),
            ("trigger", vec!["after:merge", "run:3"]),
        ];
        let variant = Variant {
            name: "x".to_owned(),
            corpus: "-odd".to_owned(),
            settings: settings
                .into_iter()
                .map(|(name, values)| (name.to_owned(), values.into_iter().map(str::to_owned).collect()))
                .collect(),
            line: None,
        };
        assert_eq!(
            variant.arguments(),
            [
                "./-odd",
                "--stride=4",
                "--lenient",
                "--trigger=after:merge",
                "--trigger=run:3"
            ]
        );
    }
}

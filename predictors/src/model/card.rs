//! What a model is and how it came about.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::hash::hex;
use super::section::Section;

/// Name and version of the features that models are trained on ([`crate::feature`]): their vocabularies and ids.
pub const FEATURES: &str = "napsim-features/1";

/// The kinds of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ModelKind {
    /// Tables of contexts and their successors.
    Ngram,
    /// Boosted trees.
    Xgboost,
    /// A recurrent network.
    Lstm,
}

impl ModelKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Ngram, Self::Xgboost, Self::Lstm];

    /// The name, which is that of the predictor and of the command that trains it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ngram => "ngram",
            Self::Xgboost => "xgboost",
            Self::Lstm => "lstm",
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for ModelKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A model's card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Card {
    /// What kind of model it is.
    pub kind: ModelKind,
    /// The version of that kind's sections.
    pub kind_version: u32,
    /// The features that it was trained on; [`FEATURES`].
    pub features: String,
    /// The version of the program that trained it.
    pub program: String,
    /// The day of the training, `YYYY-MM-DD`, as the caller gave it.
    pub date: String,
    /// The seed of everything random in the training.
    pub seed: u64,
    /// What it was trained on, in the order of reading.
    pub data: Vec<DataSource>,
    /// How the data were split.
    pub split: SplitSizes,
    /// The settings of the training.
    pub settings: Map<String, Value>,
    /// What was measured on the validation sequences.
    pub metrics: Map<String, Value>,
    /// SHA-256 over kind, version, features, settings and sections, in hexadecimal digits: equal fingerprints mean models
    /// that predict the same. Worked out by [`Model::new`](super::Model::new).
    pub fingerprint: String,
}

impl Card {
    /// A card of the program's own features that says nothing of data, settings and metrics yet.
    pub fn new(kind: ModelKind, kind_version: u32, program: &str, date: &str, seed: u64) -> Self {
        Self {
            kind,
            kind_version,
            features: FEATURES.to_owned(),
            program: program.to_owned(),
            date: date.to_owned(),
            seed,
            data: Vec::new(),
            split: SplitSizes::default(),
            settings: Map::new(),
            metrics: Map::new(),
            fingerprint: String::new(),
        }
    }
}

/// A file or corpus that a model was trained on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataSource {
    /// Its name, without the folders that it lay in.
    pub name: String,
    /// SHA-256 of its content, in hexadecimal digits.
    pub sha256: String,
    /// Sequences of actions in it, of all parts.
    pub n_sequences: u64,
    /// Actions in them.
    pub n_actions: u64,
    /// Lines that were left out since they are no sequences of actions.
    pub n_bad_lines: u64,
}

/// Sequences in each part of the data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SplitSizes {
    /// Trained on.
    pub train: u64,
    /// Measured on.
    pub valid: u64,
    /// Left alone.
    pub test: u64,
}

/// The fingerprint of a model with this card and these sections.
///
/// Date, program, seed, data and metrics do not count.
pub(super) fn fingerprint(card: &Card, sections: &[Section]) -> String {
    let mut hash = Sha256::new();
    let mut settings = String::new();
    write_sorted(&Value::Object(card.settings.clone()), &mut settings);
    let mut add = |name: &str, content: &[u8]| {
        hash.update(format!("{name} {}\n", content.len()));
        hash.update(content);
    };
    add("kind", card.kind.name().as_bytes());
    add("kind_version", card.kind_version.to_string().as_bytes());
    add("features", card.features.as_bytes());
    add("settings", settings.as_bytes());
    for section in sections {
        add("section", section.name.as_bytes());
        add("content", &section.content);
    }
    hex(&hash.finalize())
}

/// JSON with the members of every object in the order of their names.
fn write_sorted(value: &Value, out: &mut String) {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(name, _)| *name);
            out.push('{');
            for (name, member) in members {
                out.push_str(&Value::from(name.as_str()).to_string());
                out.push(':');
                write_sorted(member, out);
                out.push(',');
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for item in items {
                write_sorted(item, out);
                out.push(',');
            }
            out.push(']');
        }
        plain => out.push_str(&plain.to_string()),
    }
}

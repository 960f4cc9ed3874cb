//! Settings of the command line, which win over those of the file.

use crate::tree::{At, Kind, Node, toml_value};

/// One `--set KEY=VALUE`.
#[derive(Clone, Debug)]
pub struct Override {
    /// As it was given: `stride=4`.
    pub(crate) text: String,
    pub(crate) key: String,
    pub(crate) value: Kind,
}

/// Why an override cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("read `--set {text}`: expected KEY=VALUE, such as `--set stride=4`")]
#[non_exhaustive]
pub struct OverrideError {
    /// What was given.
    pub text: String,
}

impl Override {
    /// Reads `KEY=VALUE`. The value is read as in TOML where it can be (`4`, `true`, `"text"`, `["a", "b"]`), and is text
    /// otherwise.
    pub fn parse(text: &str) -> Result<Self, OverrideError> {
        let error = || OverrideError { text: text.to_owned() };
        let (key, value) = text.split_once('=').ok_or_else(error)?;
        let (key, value) = (key.trim(), value.trim());
        if key.is_empty() || value.is_empty() {
            return Err(error());
        }
        Ok(Self {
            text: text.to_owned(),
            key: key.to_owned(),
            value: toml_value(value).unwrap_or_else(|| Kind::Text(value.to_owned())),
        })
    }

    /// The value as a node that stands at that place.
    pub(crate) fn node(&self, at: At) -> Node {
        let mut node = Node {
            at,
            kind: self.value.clone(),
        };
        node.stand_at(at);
        node
    }
}

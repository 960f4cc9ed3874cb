//! File names of unit records that are safe on every system.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The file name of a unit's record: `0007-garden-plan.jsonl`.
///
/// The number is the trajectory's place in the corpus, from 1; it keeps names apart that differ in case alone or in
/// characters that a file name cannot have, and no name with it is one of those that some systems reserve. The rest
/// is the trajectory's name, of which ASCII letters, digits, `-` and `_` stay. A name can therefore never lead out of
/// its folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct UnitName(String);

/// A text that is no [`UnitName`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no file name of a unit")]
pub struct UnitNameError(String);

const EXTENSION: &str = ".jsonl";
const STDERR_EXTENSION: &str = ".txt";

/// At most so many characters of a trajectory's name stand in a file name.
const NAME_CHARS_MAX: usize = 80;

impl UnitName {
    /// The file name for the trajectory at that index, from 0, of its corpus.
    pub fn new(unit_idx: usize, trajectory: &str) -> Self {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let name: String = trajectory
            .chars()
            .take(NAME_CHARS_MAX)
            .map(|c| if is_plain(c) { c } else { '_' })
            .collect();
        Self(format!("{:04}-{name}{EXTENSION}", unit_idx.saturating_add(1)))
    }

    /// The name of the file with what programs wrote to their standard error: `0007-garden-plan.txt`.
    pub fn stderr(&self) -> String {
        format!(
            "{}{STDERR_EXTENSION}",
            self.0.strip_suffix(EXTENSION).unwrap_or(&self.0)
        )
    }

    /// The unit of which a file of that name holds what programs wrote to their standard error.
    pub fn of_stderr(name: &str) -> Option<Self> {
        let stem = name.strip_suffix(STDERR_EXTENSION)?;
        Self::try_from(format!("{stem}{EXTENSION}")).ok()
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for UnitName {
    type Error = UnitNameError;

    fn try_from(text: String) -> Result<Self, UnitNameError> {
        let parts = text.strip_suffix(EXTENSION).and_then(|stem| stem.split_once('-'));
        let number = parts.and_then(|(number, _)| number.parse::<usize>().ok());
        let is_own = match (parts, number.and_then(|number| number.checked_sub(1))) {
            (Some((_, name)), Some(unit_idx)) => Self::new(unit_idx, name).0 == text,
            _ => false,
        };
        if is_own {
            Ok(Self(text))
        } else {
            Err(UnitNameError(text))
        }
    }
}

impl From<UnitName> for String {
    fn from(name: UnitName) -> Self {
        name.0
    }
}

impl fmt::Display for UnitName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_name_makes_a_safe_one() {
        let of = |name: &str| UnitName::new(6, name).0;
        assert_eq!(of("garden-plan"), "0007-garden-plan.jsonl");
        assert_eq!(of("../../etc/passwd"), "0007-______etc_passwd.jsonl");
        assert_eq!(of("a\0b\\c:d"), "0007-a_b_c_d.jsonl");
        assert_eq!(of(""), "0007-.jsonl");
        assert_eq!(of("CON"), "0007-CON.jsonl");
        assert_eq!(of("Gärten 表"), "0007-G_rten__.jsonl");
        assert!(of(&"x".repeat(300)).len() < 100);
        assert_ne!(UnitName::new(0, "Plan"), UnitName::new(1, "plan"));
    }

    #[test]
    fn only_such_names_are_read() {
        for name in ["0001-a.jsonl", "0012-.jsonl", "12345-x_y.jsonl"] {
            assert_eq!(
                UnitName::try_from(name.to_owned()).map(String::from),
                Ok(name.to_owned())
            );
        }
        let others = [
            "",
            "a.jsonl",
            "0000-a.jsonl",
            "1-a.jsonl",
            "0001-a",
            "0001-a/../b.jsonl",
            "../0001-a.jsonl",
        ];
        for name in others {
            assert!(UnitName::try_from(name.to_owned()).is_err(), "{name}");
        }
    }
}

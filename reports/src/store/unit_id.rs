//! Names of units that say what they are of.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::record::{UnitHeader, hex};

/// The id of a unit: SHA-256 over the first line of its record, in 64 lower-case hexadecimal digits.
///
/// That line holds everything that decides the result: the versions of record and program, protocol, predictor with
/// its fingerprint, policy, settings with the seed, and the trajectory with all its actions. So equal ids mean equal
/// results, and whatever changes makes another unit. Names of variants and corpora are not part of it, so that
/// experiments share units.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct UnitId(String);

/// A text that is no [`UnitId`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no id of a unit; expected 64 hexadecimal digits")]
pub struct UnitIdError(String);

const N_DIGITS: usize = 64;

/// Digits that are told to people.
const N_DIGITS_SHORT: usize = 12;

impl UnitId {
    /// The id of the unit that starts from this.
    ///
    /// # Errors
    /// Where the header cannot be written as JSON, which no header of a rollout is.
    pub fn of(header: &UnitHeader) -> Result<Self, serde_json::Error> {
        let line = serde_json::to_vec(header)?;
        Ok(Self(hex(&Sha256::digest(&line))))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The first digits, enough to tell units apart by eye.
    pub fn short(&self) -> &str {
        self.0.get(..N_DIGITS_SHORT).unwrap_or(&self.0)
    }

    /// The folder that files of the unit are in: the first two digits.
    pub(super) fn folder(&self) -> &str {
        self.0.get(..2).unwrap_or_default()
    }

    /// The first 64 bits as a number, spread evenly over units.
    pub fn number(&self) -> u64 {
        self.0
            .get(..16)
            .and_then(|digits| u64::from_str_radix(digits, 16).ok())
            .unwrap_or(0)
    }
}

impl TryFrom<String> for UnitId {
    type Error = UnitIdError;

    fn try_from(text: String) -> Result<Self, UnitIdError> {
        let is_id = text.len() == N_DIGITS && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if is_id { Ok(Self(text)) } else { Err(UnitIdError(text)) }
    }
}

impl From<UnitId> for String {
    fn from(id: UnitId) -> Self {
        id.0
    }
}

impl fmt::Display for UnitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_digests_are_ids() {
        let digest = "0123456789abcdef".repeat(4);
        assert!(UnitId::try_from(digest.clone()).is_ok());
        for text in [
            String::new(),
            "../../etc/passwd".to_owned(),
            digest.to_uppercase(),
            format!("{digest}0"),
            digest.replace('f', "g"),
        ] {
            assert_eq!(UnitId::try_from(text.clone()), Err(UnitIdError(text)));
        }
        assert_eq!(UnitId(digest).number(), 0x0123_4567_89ab_cdef);
    }
}

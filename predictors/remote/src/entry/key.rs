//! The content address of an answer.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest as _, Sha256};
use thiserror::Error;

/// SHA-256 of the exact request in its canonical spelling (provider, endpoint, body and all else that the answer hangs
/// on): the content address of its answer. Printed and stored as 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key([u8; 32]);

impl Key {
    /// How many hexadecimal digits spell a key.
    pub const HEX_LEN: usize = 64;

    /// The key of a request.
    pub fn of(request: &str) -> Self {
        Self(Sha256::digest(request).into())
    }

    /// The key of these 32 bytes, the first one spelled first.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The 32 bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: [u8; 16] = *b"0123456789abcdef";
        let mut hex = [0; Self::HEX_LEN];
        for (pair, byte) in hex.chunks_exact_mut(2).zip(self.0) {
            for (digit, nibble) in pair.iter_mut().zip([byte >> 4, byte & 15]) {
                *digit = DIGITS.get(usize::from(nibble)).copied().unwrap_or_default();
            }
        }
        f.pad(std::str::from_utf8(&hex).unwrap_or_default())
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({self})")
    }
}

/// A text that is not 64 lower-case hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("read the key `{found}`: expected 64 lower-case hexadecimal digits")]
pub struct KeyError {
    found: String,
}

impl FromStr for Key {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let nibble = |digit: &u8| match digit {
            b'0'..=b'9' => Some(digit - b'0'),
            b'a'..=b'f' => Some(digit - b'a' + 10),
            _ => None,
        };
        let parse = || {
            let (pairs, rest) = text.as_bytes().as_chunks::<2>();
            let mut bytes = [0; 32];
            if pairs.len() != bytes.len() || !rest.is_empty() {
                return None;
            }
            for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
                *byte = nibble(high)? << 4 | nibble(low)?;
            }
            Some(Self(bytes))
        };
        parse().ok_or_else(|| KeyError {
            found: text.chars().take(80).collect(),
        })
    }
}

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_spelled_as_sha256sum_spells_them() {
        let hex = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";
        assert_eq!(Key::of("{}").to_string(), hex);
        assert_eq!(hex.parse(), Ok(Key::of("{}")));
        assert_eq!(serde_json::to_string(&Key::of("{}")).unwrap(), format!("\"{hex}\""));
        assert_eq!(
            serde_json::from_str::<Key>(&format!("\"{hex}\"")).unwrap(),
            Key::of("{}")
        );
        for wrong in [
            "",
            &hex[1..],
            &hex.to_uppercase(),
            &format!("{hex}0"),
            &hex.replace('f', "g"),
        ] {
            assert!(wrong.parse::<Key>().is_err(), "{wrong}");
        }
    }
}

//! Zip archives read part by part within limits.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use super::{ImportError, Limits};

/// Parts below this size may be packed as tightly as they like: blank forms are.
const RATIO_EXEMPT_BYTES: u64 = 8 << 20;

/// An archive whose parts are found by name without regard to case or the direction of slashes.
pub(super) struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    names: BTreeMap<String, usize>,
    limits: &'a Limits,
    unpacked: u64,
}

impl<'a> Archive<'a> {
    /// Opens an archive without unpacking anything.
    ///
    /// Of entries with equal names the last counts. Names that leave the archive are harmless, since nothing is ever
    /// written; nested archives are never opened.
    pub(super) fn open(bytes: &'a [u8], limits: &'a Limits) -> Result<Self, ImportError> {
        limits.check("entries in the archive", declared_entries(bytes), limits.entries_max)?;
        let zip =
            ZipArchive::new(Cursor::new(bytes)).map_err(|error| ImportError::damaged("the zip archive", error))?;
        limits.check("entries in the archive", zip.len() as u64, limits.entries_max)?;
        let mut names = BTreeMap::new();
        for (idx, name) in zip.file_names_raw().enumerate() {
            names.insert(plain(&String::from_utf8_lossy(name)), idx);
        }
        Ok(Self {
            zip,
            names,
            limits,
            unpacked: 0,
        })
    }

    /// Whether there is a part of that name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.names.contains_key(&plain(name))
    }

    /// The names of all parts in lower case, sorted.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(String::as_str)
    }

    /// Unpacks a part; none if there is none of that name.
    pub(super) fn bytes(&mut self, name: &str) -> Result<Option<Vec<u8>>, ImportError> {
        let Some(idx) = self.names.get(&plain(name)) else {
            return Ok(None);
        };
        let limits = self.limits;
        let mut file = match self.zip.by_index(*idx) {
            Ok(file) => file,
            Err(ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED)) => return Err(ImportError::Encrypted),
            Err(error) => return Err(ImportError::damaged(name, error)),
        };
        // What the directory declares is checked first and what really comes out again, as the two may differ.
        let allowed = limits
            .part_bytes_max
            .min(limits.unpacked_bytes_max.saturating_sub(self.unpacked));
        limits.check("unpacked bytes in the archive", file.size(), allowed)?;
        let tight = file
            .compressed_size()
            .saturating_mul(limits.ratio_max)
            .max(RATIO_EXEMPT_BYTES);
        if file.size() > tight {
            let limit = limits.ratio_max;
            return Err(ImportError::TooLarge {
                what: "unpacked bytes per packed byte",
                limit,
            });
        }
        let mut bytes = Vec::with_capacity(usize::try_from(file.size()).unwrap_or(0));
        let read = file
            .by_ref()
            .take(allowed.min(tight).saturating_add(1))
            .read_to_end(&mut bytes);
        read.map_err(|error| ImportError::damaged(name, error))?;
        limits.check("unpacked bytes in the archive", bytes.len() as u64, allowed.min(tight))?;
        self.unpacked += bytes.len() as u64;
        Ok(Some(bytes))
    }

    /// Unpacks a part of text; none if there is none of that name.
    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>, ImportError> {
        self.bytes(name)?.map(|bytes| decode(bytes, name)).transpose()
    }

    /// Unpacks every part once and throws it away, for readers that unpack without limits.
    pub(super) fn check_all(&mut self) -> Result<(), ImportError> {
        let names: Vec<String> = self.names.keys().cloned().collect();
        names.iter().try_for_each(|name| self.bytes(name).map(|_| ()))
    }
}

/// The spelling under which parts are compared.
fn plain(name: &str) -> String {
    name.replace('\\', "/").trim_start_matches('/').to_lowercase()
}

/// The text of a part in UTF-8 or, with a byte order mark or as an XML declaration shows, UTF-16.
fn decode(bytes: Vec<u8>, name: &str) -> Result<String, ImportError> {
    let wide = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units = bytes.chunks_exact(2).filter_map(|pair| pair.try_into().ok()).map(unit);
        char::decode_utf16(units)
            .map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect()
    };
    match bytes.as_slice() {
        [0xFE, 0xFF, rest @ ..] => Ok(wide(rest, u16::from_be_bytes)),
        [0xFF, 0xFE, rest @ ..] => Ok(wide(rest, u16::from_le_bytes)),
        [0, b'<', 0, _, ..] => Ok(wide(&bytes, u16::from_be_bytes)),
        [b'<', 0, _, 0, ..] => Ok(wide(&bytes, u16::from_le_bytes)),
        [0xEF, 0xBB, 0xBF, rest @ ..] => Ok(String::from_utf8_lossy(rest).into_owned()),
        _ => match String::from_utf8(bytes) {
            Ok(text) => Ok(text),
            Err(error) if declares_latin(error.as_bytes()) => {
                Ok(error.as_bytes().iter().map(|byte| char::from(*byte)).collect())
            }
            Err(_) => Err(ImportError::damaged(name, "it is neither UTF-8 nor UTF-16")),
        },
    }
}

/// Whether an XML declaration names one of the single-byte Western encodings.
fn declares_latin(bytes: &[u8]) -> bool {
    let head: Cow<'_, str> = String::from_utf8_lossy(bytes.get(..100).unwrap_or(bytes));
    let head = head.to_lowercase();
    head.contains("iso-8859-1") || head.contains("windows-1252")
}

/// How many entries the end of the central directory declares; 0 where there is no such record.
fn declared_entries(bytes: &[u8]) -> u64 {
    const END: &[u8] = b"PK\x05\x06";
    const END_64: &[u8] = b"PK\x06\x06";
    let tail = bytes.len().saturating_sub(66_000);
    let rest = bytes.get(tail..).unwrap_or_default();
    let number = |at: usize, length: usize| {
        let field = rest.get(at..at + length).unwrap_or_default();
        field
            .iter()
            .rev()
            .fold(0_u64, |number, byte| (number << 8) | u64::from(*byte))
    };
    let last = |mark: &[u8]| rest.windows(mark.len()).rposition(|window| window == mark);
    let plain = last(END).map_or(0, |at| number(at + 10, 2));
    let wide = last(END_64).map_or(0, |at| number(at + 32, 8));
    plain.max(wide)
}

//! The file of a trained model, whatever its kind: `napsim-model/1` (docs/FORMATS.md).
//!
//! A file has a first line with the length and the hash of its header, the header as JSON, and then sections of bytes. The
//! header holds the model's [`Card`] and says of each section how long it is, how it is packed and what its hash is. So
//! whatever is cut off, changed or made for another program is refused before anybody reads a number from it.

mod built_in;
mod card;
mod error;
mod hash;
mod section;

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

pub use card::{Card, DataSource, FEATURES, ModelKind, SplitSizes};
pub use error::{LoadError, ModelError};
pub use hash::hex_sha256;
pub use section::{Packing, Section};

use section::SectionInfo;

/// What the first line of a model file begins with, up to the version.
const MAGIC: &str = "napsim-model/";

/// The version of the container that is written and read.
const VERSION: &str = "1";

/// Longest first line that is looked at.
const FIRST_LINE_BYTES_MAX: usize = 256;

/// A trained model: its card and its sections.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    card: Card,
    sections: Vec<Section>,
}

/// The JSON between the first line and the sections.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    card: Card,
    sections: Vec<SectionInfo>,
}

/// The parts of a header that decide whether the rest can be understood.
#[derive(Debug, Deserialize)]
struct Beginning {
    card: CardBeginning,
}

#[derive(Debug, Deserialize)]
struct CardBeginning {
    kind: String,
    features: String,
}

impl Model {
    /// A model of these sections; the card's fingerprint is worked out here.
    pub fn new(card: Card, sections: Vec<Section>) -> Self {
        let fingerprint = card::fingerprint(&card, &sections);
        let card = Card { fingerprint, ..card };
        Self { card, sections }
    }

    /// What the model is and how it came about.
    pub fn card(&self) -> &Card {
        &self.card
    }

    /// The sections in the order of the file.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// The content of a section.
    ///
    /// # Errors
    /// [`ModelError::MissingSection`].
    pub fn section(&self, name: &str) -> Result<&[u8], ModelError> {
        let section = self.sections.iter().find(|section| section.name == name);
        section
            .map(|section| section.content.as_slice())
            .ok_or_else(|| ModelError::MissingSection { name: name.to_owned() })
    }

    /// Refuses a model of another kind, or of another version of it.
    ///
    /// # Errors
    /// [`ModelError::OtherKind`] and [`ModelError::OtherKindVersion`].
    pub fn expect(&self, kind: ModelKind, kind_version: u32) -> Result<(), ModelError> {
        if self.card.kind != kind {
            return Err(ModelError::OtherKind {
                wanted: kind,
                found: self.card.kind,
            });
        }
        if self.card.kind_version != kind_version {
            return Err(ModelError::OtherKindVersion {
                kind,
                known: kind_version,
                found: self.card.kind_version,
            });
        }
        Ok(())
    }

    /// Writes the file; the same model gives the same bytes.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let packed = self
            .sections
            .iter()
            .map(Section::pack)
            .collect::<io::Result<Vec<_>>>()?;
        let header = Header {
            card: self.card.clone(),
            sections: packed.iter().map(|(info, _)| info.clone()).collect(),
        };
        let header = serde_json::to_vec(&header)?;
        writeln!(out, "{MAGIC}{VERSION} {} {}", header.len(), hex_sha256(&header))?;
        out.write_all(&header)?;
        for (_, bytes) in &packed {
            out.write_all(bytes)?;
        }
        Ok(())
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// What packing says.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.write(&mut bytes)?;
        Ok(bytes)
    }

    /// Whether bytes begin as a model file of any version does.
    pub fn is_model(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC.as_bytes())
    }

    /// Reads a file; every byte of it is checked.
    ///
    /// # Errors
    /// [`ModelError`], whatever the bytes are.
    pub fn read(bytes: &[u8]) -> Result<Self, ModelError> {
        let first = FirstLine::read(bytes)?;
        let there = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let sections_from = first.length.checked_add(first.header_bytes);
        let header_end = sections_from.and_then(|end| usize::try_from(end).ok());
        let header = header_end
            .zip(usize::try_from(first.length).ok())
            .and_then(|(end, begin)| bytes.get(begin..end))
            .ok_or(ModelError::Length {
                expected: first.length.saturating_add(first.header_bytes),
                found: there,
            })?;
        if hex_sha256(header) != first.header_sha256 {
            return Err(ModelError::DamagedHeader);
        }
        let header = read_header(header)?;
        let stored: u64 = header
            .sections
            .iter()
            .fold(0_u64, |sum, info| sum.saturating_add(info.bytes));
        let expected = sections_from.unwrap_or(u64::MAX).saturating_add(stored);
        if expected != there {
            return Err(ModelError::Length { expected, found: there });
        }
        let mut rest = header_end.and_then(|end| bytes.get(end..)).unwrap_or_default();
        let mut sections = Vec::new();
        for info in &header.sections {
            let length = usize::try_from(info.bytes).unwrap_or(usize::MAX);
            let (stored, after) = rest
                .split_at_checked(length)
                .ok_or(ModelError::Length { expected, found: there })?;
            sections.push(Section::unpack(info, stored)?);
            rest = after;
        }
        if card::fingerprint(&header.card, &sections) != header.card.fingerprint {
            return Err(ModelError::DamagedHeader);
        }
        Ok(Self {
            card: header.card,
            sections,
        })
    }

    /// Reads the file at a path.
    ///
    /// # Errors
    /// [`LoadError`] with the path and the reason.
    pub fn load(path: &Path) -> Result<Self, LoadError> {
        let failed = |reason| LoadError::new(path, reason);
        let bytes = fs::read(path).map_err(|error| failed(ModelError::Io(error.to_string())))?;
        Self::read(&bytes).map_err(failed)
    }
}

/// The first line: magic, version, length and hash of the header.
struct FirstLine {
    /// Bytes of the line with its line feed.
    length: u64,
    header_bytes: u64,
    header_sha256: String,
}

impl FirstLine {
    fn read(bytes: &[u8]) -> Result<Self, ModelError> {
        let beginning = bytes.get(..FIRST_LINE_BYTES_MAX).unwrap_or(bytes);
        if !Model::is_model(bytes) {
            return Err(ModelError::NotAModel);
        }
        let line = beginning.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let is_whole = line.len() < beginning.len();
        let text = String::from_utf8_lossy(line);
        let mut words = text.strip_prefix(MAGIC).unwrap_or_default().split(' ');
        let version = words.next().unwrap_or_default();
        if version != VERSION && (is_whole || words.next().is_some()) {
            return Err(ModelError::OtherVersion {
                found: version.chars().take(20).collect(),
                known: VERSION,
            });
        }
        if !is_whole {
            return Err(ModelError::DamagedHeader);
        }
        let header_bytes = words.next().and_then(|word| word.parse().ok());
        let header_sha256 = words.next().map(str::to_owned);
        match (header_bytes, header_sha256, words.next()) {
            (Some(header_bytes), Some(header_sha256), None) => Ok(Self {
                length: u64::try_from(line.len()).unwrap_or(u64::MAX).saturating_add(1),
                header_bytes,
                header_sha256,
            }),
            _ => Err(ModelError::DamagedHeader),
        }
    }
}

/// The header, unless it is that of a kind or of features that the program does not know.
fn read_header(bytes: &[u8]) -> Result<Header, ModelError> {
    let unreadable = |error: serde_json::Error| ModelError::UnreadableHeader {
        reason: error.to_string(),
    };
    let beginning: Beginning = serde_json::from_slice(bytes).map_err(unreadable)?;
    let CardBeginning { kind, features } = beginning.card;
    if ModelKind::from_name(&kind).is_none() {
        return Err(ModelError::UnknownKind { found: kind });
    }
    if features != FEATURES {
        return Err(ModelError::OtherFeatures {
            found: features,
            known: FEATURES,
        });
    }
    serde_json::from_slice(bytes).map_err(unreadable)
}

#[cfg(test)]
mod tests;

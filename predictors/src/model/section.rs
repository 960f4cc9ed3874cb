//! The sections of a model file.

use std::io::{self, Read as _, Write as _};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::{Deserialize, Serialize};

use super::error::ModelError;
use super::hash::hex_sha256;

/// A named stretch of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The name, by which it is found.
    pub name: String,
    /// The bytes as the model's kind understands them.
    pub content: Vec<u8>,
    /// How they lie in the file.
    pub packing: Packing,
}

/// How a section lies in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Packing {
    /// As it is.
    #[default]
    Plain,
    /// Compressed (RFC 1951).
    Deflate,
}

/// What the header says of a section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SectionInfo {
    pub(super) name: String,
    pub(super) packing: Packing,
    /// Bytes in the file.
    pub(super) bytes: u64,
    /// Bytes of the content.
    pub(super) content_bytes: u64,
    /// SHA-256 of the bytes in the file.
    pub(super) sha256: String,
}

impl Section {
    /// A section that is compressed in the file.
    pub fn compressed(name: &str, content: Vec<u8>) -> Self {
        Self {
            name: name.to_owned(),
            content,
            packing: Packing::Deflate,
        }
    }

    /// A section that lies in the file as it is.
    pub fn plain(name: &str, content: Vec<u8>) -> Self {
        Self {
            name: name.to_owned(),
            content,
            packing: Packing::Plain,
        }
    }

    /// The bytes for the file, and what the header says of them.
    pub(super) fn pack(&self) -> io::Result<(SectionInfo, Vec<u8>)> {
        let bytes = match self.packing {
            Packing::Plain => self.content.clone(),
            Packing::Deflate => {
                let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
                encoder.write_all(&self.content)?;
                encoder.finish()?
            }
        };
        let info = SectionInfo {
            name: self.name.clone(),
            packing: self.packing,
            bytes: u64::try_from(bytes.len()).unwrap_or(u64::MAX),
            content_bytes: u64::try_from(self.content.len()).unwrap_or(u64::MAX),
            sha256: hex_sha256(&bytes),
        };
        Ok((info, bytes))
    }

    /// The section whose bytes lie in the file, if they are what the header says.
    pub(super) fn unpack(info: &SectionInfo, stored: &[u8]) -> Result<Self, ModelError> {
        let damaged = || ModelError::DamagedSection {
            name: info.name.clone(),
        };
        // Of the bytes in the file, since compressed ones may differ and unpack to the same.
        if hex_sha256(stored) != info.sha256 {
            return Err(damaged());
        }
        let content = match info.packing {
            Packing::Plain => stored.to_vec(),
            Packing::Deflate => {
                let mut content = Vec::new();
                // One byte more than there should be is enough to notice, however much a damaged section unpacks to.
                let limit = info.content_bytes.saturating_add(1);
                let mut decoder = DeflateDecoder::new(stored).take(limit);
                decoder.read_to_end(&mut content).map_err(|_| damaged())?;
                content
            }
        };
        let length = u64::try_from(content.len()).unwrap_or(u64::MAX);
        if length != info.content_bytes {
            return Err(damaged());
        }
        Ok(Self {
            name: info.name.clone(),
            content,
            packing: info.packing,
        })
    }
}

//! Reading a record, with a clear word about what is wrong with one.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use napsim_sim::event::{Event, Summary};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use super::error::RecordError;
use super::write::{hex, is_compressed};
use super::{SCHEMA, Seal, SealLine, UnitHeader};
use crate::aggregate::UnitResult;

/// A record as read.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitRecord {
    /// What the rollout started from.
    pub header: UnitHeader,
    /// What happened, the end last.
    pub events: Vec<Event>,
    /// The end of the rollout.
    pub summary: Summary,
    /// The last line.
    pub seal: Seal,
    /// Whether the seal fits the lines before it.
    pub intact: bool,
}

impl UnitRecord {
    /// What the rollout came to.
    pub fn result(&self) -> UnitResult {
        UnitResult {
            summary: self.summary.clone(),
            coverage: self.seal.coverage,
        }
    }

    /// The record, unless it was changed after it was written.
    ///
    /// # Errors
    /// [`RecordError::Edited`].
    pub fn intact(self, path: &Path) -> Result<Self, RecordError> {
        if self.intact {
            return Ok(self);
        }
        let line_no = u64::try_from(self.events.len()).unwrap_or(u64::MAX).saturating_add(2);
        Err(RecordError::Edited {
            path: path.to_owned(),
            line_no,
        })
    }
}

/// Reads a record. One that was changed is read as well and says so ([`UnitRecord::intact`]).
///
/// # Errors
/// [`RecordError`] for what cannot be read, is torn or has another schema.
pub fn read(path: &Path) -> Result<UnitRecord, RecordError> {
    let mut lines = Lines::open(path)?;
    let mut hasher = Sha256::new();
    if !lines.next()? {
        return Err(lines.torn("its first line"));
    }
    let header = read_header(&lines)?;
    hasher.update(&lines.line);
    let mut events = Vec::new();
    let seal = loop {
        if !lines.next()? {
            return Err(lines.torn(if events.is_empty() {
                "the first event"
            } else {
                "its seal"
            }));
        }
        if lines.line.starts_with(SEAL) {
            break lines.parse::<SealLine<Seal>>()?.seal;
        }
        hasher.update(&lines.line);
        events.push(lines.parse::<Event>()?);
    };
    let seal_line_no = lines.line_no;
    if lines.next()? {
        return Err(lines.malformed("there is more after the seal".to_owned()));
    }
    let Some(Event::End(summary)) = events.last() else {
        lines.line_no = seal_line_no;
        return Err(lines.malformed(NO_END.to_owned()));
    };
    let summary = (**summary).clone();
    let intact = seal.sha256 == hex(&hasher.finalize()) && u64::try_from(events.len()) == Ok(seal.events);
    Ok(UnitRecord {
        header,
        events,
        summary,
        seal,
        intact,
    })
}

/// The end of a record, which is all that figures need of it.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitEnd {
    /// SHA-256 over the first line without its line feed, in hex.
    pub header_sha256: String,
    /// The end of the rollout.
    pub summary: Summary,
    /// The last line.
    pub seal: Seal,
}

impl UnitEnd {
    /// What the rollout came to.
    pub fn result(&self) -> UnitResult {
        UnitResult {
            summary: self.summary.clone(),
            coverage: self.seal.coverage,
        }
    }
}

/// Reads the end of a record and makes sure that the whole of it is as it was written, without looking at every event.
///
/// # Errors
/// [`RecordError`] as for [`read`], and [`RecordError::Edited`] where the seal does not fit.
pub fn read_end(path: &Path) -> Result<UnitEnd, RecordError> {
    let mut lines = Lines::open(path)?;
    let mut hasher = Sha256::new();
    if !lines.next()? {
        return Err(lines.torn("its first line"));
    }
    hasher.update(&lines.line);
    let header = lines.line.strip_suffix(b"\n").unwrap_or(&lines.line);
    let header_sha256 = hex(&Sha256::digest(header));
    let (mut last, mut n_events) = (Vec::new(), 0_u64);
    let seal = loop {
        if !lines.next()? {
            return Err(lines.torn(if n_events == 0 { "the first event" } else { "its seal" }));
        }
        if lines.line.starts_with(SEAL) {
            break lines.parse::<SealLine<Seal>>()?.seal;
        }
        hasher.update(&lines.line);
        n_events += 1;
        std::mem::swap(&mut last, &mut lines.line);
    };
    let seal_line_no = lines.line_no;
    if lines.next()? {
        return Err(lines.malformed("there is more after the seal".to_owned()));
    }
    lines.line_no = seal_line_no;
    if seal.sha256 != hex(&hasher.finalize()) || seal.events != n_events {
        return Err(RecordError::Edited {
            path: path.to_owned(),
            line_no: seal_line_no,
        });
    }
    match serde_json::from_slice(&last) {
        Ok(Event::End(summary)) => Ok(UnitEnd {
            header_sha256,
            summary: *summary,
            seal,
        }),
        _ => Err(lines.malformed(NO_END.to_owned())),
    }
}

/// How every file of gzip begins. What follows says how and when it was made, which is no part of the record.
const GZIP_HEAD: [u8; 3] = [0x1f, 0x8b, 8];

/// How the last line begins.
const SEAL: &[u8] = b"{\"seal\":";
const NO_END: &str = "the end of the rollout does not stand before the seal";

fn read_header(lines: &Lines<'_>) -> Result<UnitHeader, RecordError> {
    /// As much as every version has.
    #[derive(Deserialize)]
    struct Versioned {
        schema: String,
    }
    let found = lines.parse::<Versioned>()?.schema;
    if found != SCHEMA {
        return Err(RecordError::Schema {
            path: lines.path.to_owned(),
            found,
        });
    }
    lines.parse()
}

/// The lines of a file, each with its line feed.
struct Lines<'a> {
    path: &'a Path,
    file: Box<dyn BufRead>,
    line_no: u64,
    line: Vec<u8>,
}

impl<'a> Lines<'a> {
    fn open(path: &'a Path) -> Result<Self, RecordError> {
        let file = File::open(path).map_err(|reason| RecordError::Io {
            path: path.to_owned(),
            reason,
        })?;
        let mut lines = Self {
            path,
            file: Box::new(BufReader::new(file)),
            line_no: 0,
            line: Vec::new(),
        };
        if is_compressed(path) {
            lines.decompress()?;
        }
        Ok(lines)
    }

    /// Goes on with what the compressed bytes stand for. Nothing may stand before or behind them.
    fn decompress(&mut self) -> Result<(), RecordError> {
        let path = || self.path.to_owned();
        let head = self.file.fill_buf();
        let head = head.map_err(|reason| RecordError::Io { path: path(), reason })?;
        // An empty file, and one cut short in these bytes, is torn and will be found so.
        if !head.iter().zip(&GZIP_HEAD).all(|(found, expected)| found == expected) {
            return Err(RecordError::NotCompressed { path: path() });
        }
        let compressed = std::mem::replace(&mut self.file, Box::new(io::empty()));
        self.file = Box::new(BufReader::new(MultiGzDecoder::new(compressed)));
        Ok(())
    }

    /// Goes to the next line; there is none at the end of the file.
    fn next(&mut self) -> Result<bool, RecordError> {
        self.line.clear();
        let n_bytes = self
            .file
            .read_until(b'\n', &mut self.line)
            .map_err(|reason| match reason.kind() {
                // This is what a compressed file that was cut short or changed looks like.
                io::ErrorKind::UnexpectedEof => self.torn("the end of the compressed file"),
                io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => RecordError::Compression {
                    path: self.path.to_owned(),
                    reason,
                },
                _ => RecordError::Io {
                    path: self.path.to_owned(),
                    reason,
                },
            })?;
        if n_bytes == 0 {
            return Ok(false);
        }
        self.line_no += 1;
        if self.line.ends_with(b"\n") {
            Ok(true)
        } else {
            Err(self.torn("the end of this line"))
        }
    }

    fn parse<T: DeserializeOwned>(&self) -> Result<T, RecordError> {
        serde_json::from_slice(&self.line).map_err(|error| self.malformed(error.to_string()))
    }

    fn malformed(&self, reason: String) -> RecordError {
        RecordError::Malformed {
            path: self.path.to_owned(),
            line_no: self.line_no,
            reason,
        }
    }

    fn torn(&self, missing: &'static str) -> RecordError {
        RecordError::Torn {
            path: self.path.to_owned(),
            line_no: self.line_no,
            missing,
        }
    }
}

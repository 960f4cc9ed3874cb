//! Compound files (OLE 2), as far as it takes to look at what they hold before a library reads them.

use std::borrow::Cow;

use super::ImportError;

/// Sector numbers from here on have special meanings.
const SPECIAL: u32 = 0xFFFF_FFFA;

/// Streams shorter than this live in the small sectors.
const SMALL_MAX: usize = 4096;

/// A compound file whose directory has been read.
pub(super) struct Ole<'a> {
    bytes: &'a [u8],
    sector_bytes: usize,
    fat: Vec<u32>,
    small_fat: Vec<u32>,
    small: Vec<u8>,
    /// Name, first sector and length of each stream.
    streams: Vec<(String, u32, usize)>,
}

fn damaged(reason: &str) -> ImportError {
    ImportError::damaged("the compound file", reason)
}

/// The little-endian number of `length` bytes at a place; zero past the end.
fn number(bytes: &[u8], at: usize, length: usize) -> u32 {
    let field = bytes.get(at..at.saturating_add(length)).unwrap_or_default();
    field
        .iter()
        .rev()
        .fold(0, |number, byte| (number << 8) | u32::from(*byte))
}

fn numbers(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.chunks_exact(4).map(|chunk| number(chunk, 0, 4))
}

impl<'a> Ole<'a> {
    /// Reads the allocation tables and the directory. Every chain of sectors is bounded by the size of the file.
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, ImportError> {
        if bytes.len() < 512 {
            return Err(damaged("it ends too early"));
        }
        let sector_bytes = match number(bytes, 30, 2) {
            9 => 512,
            12 => 4096,
            _ => return Err(damaged("it has sectors of an unknown size")),
        };
        let mut ole = Self {
            bytes,
            sector_bytes,
            fat: Vec::new(),
            small_fat: Vec::new(),
            small: Vec::new(),
            streams: Vec::new(),
        };
        for sector in ole.fat_sectors()? {
            let part: Vec<u32> = numbers(ole.sector(sector)?).collect();
            ole.fat.extend(part);
        }
        let directory = ole.chain(number(bytes, 48, 4), usize::MAX)?;
        let entries = directory
            .chunks_exact(128)
            .filter(|entry| entry.get(66).is_some_and(|kind| *kind != 0));
        ole.streams = entries.map(stream_of).collect();
        let Some((_, start, length)) = ole.streams.first().cloned() else {
            return Err(damaged("it has no directory"));
        };
        if number(bytes, 64, 4) > 0 {
            let table = ole.chain(number(bytes, 60, 4), usize::MAX)?;
            ole.small_fat = numbers(&table).collect();
            ole.small = ole.chain(start, length)?;
        }
        Ok(ole)
    }

    /// The sectors that hold the allocation table.
    fn fat_sectors(&self) -> Result<Vec<u32>, ImportError> {
        let head = self.bytes.get(76..512).unwrap_or_default();
        let mut sectors: Vec<u32> = numbers(head).filter(|sector| *sector < SPECIAL).collect();
        let (mut next, mut n_read) = (number(self.bytes, 68, 4), 0);
        while next < SPECIAL {
            n_read += 1;
            if n_read > self.n_sectors() {
                return Err(damaged("its sectors run in a circle"));
            }
            let mut list: Vec<u32> = numbers(self.sector(next)?).collect();
            next = list.pop().unwrap_or(SPECIAL);
            sectors.extend(list.into_iter().filter(|sector| *sector < SPECIAL));
        }
        if sectors.len() > self.n_sectors() {
            return Err(damaged("its sectors run in a circle"));
        }
        Ok(sectors)
    }

    fn n_sectors(&self) -> usize {
        self.bytes.len() / self.sector_bytes + 1
    }

    /// A sector; the last one of a file may be cut short.
    fn sector(&self, sector: u32) -> Result<&'a [u8], ImportError> {
        let start = (sector as usize).saturating_add(1).saturating_mul(self.sector_bytes);
        let end = start.saturating_add(self.sector_bytes).min(self.bytes.len());
        self.bytes
            .get(start..end)
            .filter(|sector| !sector.is_empty())
            .ok_or_else(|| damaged("a sector lies past its end"))
    }

    /// The bytes of a chain of sectors, cut to a length.
    fn chain(&self, start: u32, length: usize) -> Result<Vec<u8>, ImportError> {
        let mut bytes = Vec::new();
        let (mut next, mut n_read) = (start, 0);
        while next < SPECIAL && bytes.len() < length {
            n_read += 1;
            if n_read > self.n_sectors() {
                return Err(damaged("its sectors run in a circle"));
            }
            bytes.extend_from_slice(self.sector(next)?);
            next = self.fat.get(next as usize).copied().unwrap_or(SPECIAL);
        }
        bytes.truncate(length);
        Ok(bytes)
    }

    fn find(&self, name: &str) -> Option<&(String, u32, usize)> {
        self.streams
            .iter()
            .find(|(known, _, _)| known.eq_ignore_ascii_case(name))
    }

    /// Whether there is a stream of that name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// The bytes of the stream of that name; none if there is none.
    pub(super) fn stream(&self, name: &str) -> Result<Option<Cow<'a, [u8]>>, ImportError> {
        let Some((_, start, length)) = self.find(name) else {
            return Ok(None);
        };
        if *length >= SMALL_MAX {
            return self.chain(*start, *length).map(|bytes| Some(bytes.into()));
        }
        let mut bytes = Vec::new();
        let (mut next, mut n_read) = (*start, 0);
        while next < SPECIAL && bytes.len() < *length {
            n_read += 1;
            if n_read > self.small_fat.len() + 1 {
                return Err(damaged("its sectors run in a circle"));
            }
            let at = (next as usize).saturating_mul(64);
            let end = at.saturating_add(64).min(self.small.len());
            bytes.extend_from_slice(self.small.get(at..end).unwrap_or_default());
            next = self.small_fat.get(next as usize).copied().unwrap_or(SPECIAL);
        }
        bytes.truncate(*length);
        Ok(Some(bytes.into()))
    }
}

/// Name, first sector and length of a directory entry.
fn stream_of(entry: &[u8]) -> (String, u32, usize) {
    let units = entry
        .get(..64)
        .unwrap_or_default()
        .chunks_exact(2)
        .map(|pair| number(pair, 0, 2));
    let units: Vec<u16> = units
        .take_while(|unit| *unit != 0)
        .filter_map(|unit| u16::try_from(unit).ok())
        .collect();
    (
        String::from_utf16_lossy(&units),
        number(entry, 116, 4),
        number(entry, 120, 4) as usize,
    )
}

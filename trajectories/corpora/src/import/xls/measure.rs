//! How large a library's picture of an `.xls` workbook would become.
//!
//! calamine lays the cells of every sheet out as a grid, reserves room as the sheet declares, and copies a shared text
//! into every cell that shows it. A small file can ask for any amount that way, so the same records are walked before.

use crate::import::{ImportError, Limits};

/// Grid cells over all sheets.
const GRID_MAX: u64 = 2_000_000;

/// Records over all sheets; sheets may be listed more than once.
const RECORDS_MAX: u64 = 8_000_000;

const BOF: u16 = 0x0809;
const END: u16 = 0x000A;

/// One record with its continuations left apart.
struct Record<'a> {
    kind: u16,
    data: &'a [u8],
}

fn short(data: &[u8], at: usize) -> u16 {
    data.get(at..at + 2)
        .and_then(|pair| pair.try_into().ok())
        .map_or(0, u16::from_le_bytes)
}

fn long(data: &[u8], at: usize) -> u32 {
    u32::from(short(data, at)) | (u32::from(short(data, at + 2)) << 16)
}

/// The records from a place in the stream on, up to the first that is cut short.
fn records(stream: &[u8], start: usize) -> impl Iterator<Item = Record<'_>> {
    let mut rest = stream.get(start..).unwrap_or_default();
    std::iter::from_fn(move || {
        let (kind, length) = (short(rest, 0), usize::from(short(rest, 2)));
        let data = rest.get(4..4 + length)?;
        rest = rest.get(4 + length..)?;
        Some(Record { kind, data })
    })
}

/// Refuses a workbook stream that would unfold too far.
pub(super) fn check(stream: &[u8], limits: &Limits) -> Result<(), ImportError> {
    let mut positions = Vec::new();
    let mut texts = Texts::default();
    for record in records(stream, 0) {
        match record.kind {
            0x002F if short(record.data, 0) != 0 => return Err(ImportError::Encrypted),
            0x0085 => positions.push(long(record.data, 0) as usize),
            0x00FC => texts.begin(record.data),
            0x003C => texts.go_on(record.data),
            END => break,
            _ => texts.end(),
        }
    }
    texts.end();
    let mut totals = Totals::default();
    for position in positions {
        totals.add_sheet(stream, position, &texts, limits)?;
    }
    Ok(())
}

#[derive(Default)]
struct Totals {
    n_records: u64,
    n_grid: u64,
    n_text_bytes: u64,
}

impl Totals {
    fn add_sheet(&mut self, stream: &[u8], at: usize, texts: &Texts<'_>, limits: &Limits) -> Result<(), ImportError> {
        let mut area: Option<[u64; 4]> = None;
        let mut grow = |row: u16, first: u16, last: u16| {
            let (row, first, last) = (u64::from(row), u64::from(first.min(last)), u64::from(first.max(last)));
            area = Some(match area {
                None => [row, row, first, last],
                Some([top, bottom, left, right]) => [top.min(row), bottom.max(row), left.min(first), right.max(last)],
            });
        };
        for (idx, record) in records(stream, at).enumerate() {
            self.n_records += 1;
            let data = record.data;
            match record.kind {
                BOF if idx > 0 => {}
                END => break,
                0x0200 => check_dimensions(data)?,
                0x00BD => grow(
                    short(data, 0),
                    short(data, 2),
                    short(data, data.len().saturating_sub(2)),
                ),
                0x0006 | 0x0203 | 0x0204 | 0x0205 | 0x027E | 0x00FD | 0x00D6 => {
                    grow(short(data, 0), short(data, 2), short(data, 2));
                    if record.kind == 0x00FD {
                        self.n_text_bytes += u64::from(texts.length(long(data, 6)));
                    }
                }
                _ => {}
            }
        }
        if let Some([top, bottom, left, right]) = area {
            self.n_grid += (bottom - top + 1) * (right - left + 1);
        }
        limits.check("records in the workbook", self.n_records, RECORDS_MAX)?;
        limits.check("bytes of expanded texts", self.n_text_bytes, limits.text_bytes_max)?;
        limits.check("cells between the corners of all sheets", self.n_grid, GRID_MAX)
    }
}

/// Refuses declared dimensions that lie outside the grid of the format or stand upside down.
fn check_dimensions(data: &[u8]) -> Result<(), ImportError> {
    let (first_row, last_row, first_col, last_col) = match data.len() {
        10 => (
            u32::from(short(data, 0)),
            u32::from(short(data, 2)),
            short(data, 4),
            short(data, 6),
        ),
        14 | 16 => (long(data, 0), long(data, 4), short(data, 8), short(data, 10)),
        _ => return Ok(()),
    };
    let upside_down = last_row > 0 && last_col > 0 && first_row > last_row;
    if upside_down || last_row > 65_536 || last_col > 256 || first_row > 65_536 || first_col > 256 {
        return Err(ImportError::damaged(
            "a worksheet",
            "it declares dimensions that no sheet has",
        ));
    }
    Ok(())
}

/// Lengths in characters of the shared texts.
#[derive(Default)]
struct Texts<'a> {
    /// The record of the texts and its continuations.
    segments: Vec<&'a [u8]>,
    open: bool,
    lengths: Vec<u16>,
}

impl<'a> Texts<'a> {
    fn begin(&mut self, data: &'a [u8]) {
        self.open = true;
        self.segments = vec![data];
    }

    fn go_on(&mut self, data: &'a [u8]) {
        if self.open {
            self.segments.push(data);
        }
    }

    /// Walks the texts once all their records are there.
    fn end(&mut self) {
        if std::mem::take(&mut self.open) {
            let mut walk = Walk {
                segments: std::mem::take(&mut self.segments),
                segment: 0,
                at: 8,
            };
            self.lengths = std::iter::from_fn(|| walk.text()).collect();
        }
    }

    /// Characters of a text; the most there could be where it was not found.
    fn length(&self, index: u32) -> u16 {
        self.lengths.get(index as usize).copied().unwrap_or(u16::MAX)
    }
}

/// A place in the records of the shared texts.
struct Walk<'a> {
    segments: Vec<&'a [u8]>,
    segment: usize,
    at: usize,
}

impl Walk<'_> {
    fn left(&self) -> usize {
        self.segments
            .get(self.segment)
            .map_or(0, |segment| segment.len().saturating_sub(self.at))
    }

    /// Goes to the next record if this one is used up; none at the end.
    fn settle(&mut self) -> Option<()> {
        while self.left() == 0 {
            self.segments.get(self.segment)?;
            self.segment += 1;
            self.at = 0;
        }
        Some(())
    }

    fn byte(&mut self) -> Option<u8> {
        self.settle()?;
        let byte = self.segments.get(self.segment)?.get(self.at).copied();
        self.at += 1;
        byte
    }

    fn number(&mut self, length: u32) -> Option<usize> {
        (0..length).try_fold(0, |number, idx| Some(number | (usize::from(self.byte()?) << (8 * idx))))
    }

    fn skip(&mut self, mut length: usize) -> Option<()> {
        while length > 0 {
            self.settle()?;
            let step = length.min(self.left());
            self.at += step;
            length -= step;
        }
        Some(())
    }

    /// Passes over one text; its length in characters.
    fn text(&mut self) -> Option<u16> {
        let length = self.number(2)?;
        let flags = self.byte()?;
        let n_runs = if flags & 8 != 0 { self.number(2)? } else { 0 };
        let extra = if flags & 4 != 0 { self.number(4)? } else { 0 };
        let (mut left, mut flags) = (length, flags);
        while left > 0 {
            if self.left() == 0 {
                // A text that goes on in the next record says anew how wide its characters are.
                self.settle()?;
                flags = self.byte()?;
            }
            let width = if flags & 1 != 0 { 2 } else { 1 };
            let n_here = left.min(self.left() / width);
            // Half a character at the end of a record is malformed; go past it.
            self.at += if n_here == 0 { self.left() } else { n_here * width };
            left -= n_here;
        }
        self.skip(n_runs * 4)?;
        self.skip(extra)?;
        u16::try_from(length).ok()
    }
}

#[cfg(test)]
mod tests;

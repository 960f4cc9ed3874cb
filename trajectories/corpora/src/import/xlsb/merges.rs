//! Merged ranges of `.xlsb` sheets ([MS-XLSB] 2.4.706).

use napsim_trajectories::Bounds;

use crate::import::archive::Archive;
use crate::import::links::Links;
use crate::import::{ImportError, binary};

const WORKBOOK: &str = "xl/workbook.bin";

/// The record of a sheet in the list of sheets.
const BUNDLE_SHEET: u32 = 0x9C;

/// The record of a merged range.
const MERGE_CELL: u32 = 0xB0;

/// The records of a part, as kind and data, up to the first that is cut short.
fn records(part: &[u8]) -> impl Iterator<Item = (u32, &[u8])> {
    let mut rest = part;
    std::iter::from_fn(move || {
        let kind = variable(&mut rest, 2)?;
        let length = variable(&mut rest, 4)? as usize;
        let data = rest.get(..length)?;
        rest = rest.get(length..)?;
        Some((kind, data))
    })
}

/// A number of up to so many bytes of seven bits each, lowest first.
fn variable(rest: &mut &[u8], bytes_max: u32) -> Option<u32> {
    let mut number = 0;
    for idx in 0..bytes_max {
        let (byte, after) = rest.split_first()?;
        *rest = after;
        number |= u32::from(byte & 0x7F) << (7 * idx);
        if byte & 0x80 == 0 {
            break;
        }
    }
    Some(number)
}

fn long(data: &[u8], at: usize) -> Option<u32> {
    data.get(at..at + 4)?.try_into().ok().map(u32::from_le_bytes)
}

/// A text of 16-bit units behind its length, and where it ends.
fn text(data: &[u8], at: usize) -> Option<(String, usize)> {
    let length = long(data, at)? as usize;
    let end = (at + 4).checked_add(length.checked_mul(2)?)?;
    let units = data
        .get(at + 4..end)?
        .chunks_exact(2)
        .filter_map(|pair| pair.try_into().ok());
    let units: Vec<u16> = units.map(u16::from_le_bytes).collect();
    Some((String::from_utf16_lossy(&units), end))
}

/// Names of the sheets with the names of their parts.
pub(super) fn sheet_parts(archive: &mut Archive<'_>) -> Result<Vec<(String, String)>, ImportError> {
    let links = Links::of(archive, WORKBOOK)?;
    let workbook = archive.bytes(WORKBOOK)?.unwrap_or_default();
    let sheets = records(&workbook)
        .filter(|(kind, _)| *kind == BUNDLE_SHEET)
        .filter_map(|(_, data)| {
            let (id, end) = text(data, 8)?;
            let (name, _) = text(data, end)?;
            Some((name, links.by_id(&id)?.target.clone()))
        });
    Ok(sheets.collect())
}

/// The merged ranges of a sheet's part.
pub(super) fn read(archive: &mut Archive<'_>, part: &str) -> Result<Vec<Bounds>, ImportError> {
    let bytes = archive.bytes(part)?.unwrap_or_default();
    let merges = records(&bytes)
        .filter(|(kind, _)| *kind == MERGE_CELL)
        .filter_map(|(_, data)| {
            let [first_row, last_row, first_col, last_col] = [0, 4, 8, 12].map(|at| long(data, at));
            let (first, last) = ((first_row?, first_col?), (last_row?, last_col?));
            (first.0 <= last.0 && first.1 <= last.1).then(|| binary::merge(first, last))
        });
    Ok(merges.collect())
}

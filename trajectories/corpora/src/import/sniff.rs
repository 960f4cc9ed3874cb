//! What a file is, going by its content.

use super::archive::Archive;
use super::ole::Ole;
use super::{ImportError, Limits};

/// A kind of workbook that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Xlsx,
    Xlsb,
    Xls,
    Ods,
}

impl Format {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Xlsx => "an .xlsx workbook",
            Self::Xlsb => "an .xlsb workbook",
            Self::Xls => "an .xls workbook",
            Self::Ods => "an .ods workbook",
        }
    }

    /// Whether files of this kind carry that extension.
    pub(super) fn has_extension(self, extension: &str) -> bool {
        match self {
            Self::Xlsx => matches!(extension, "xlsx" | "xlsm" | "xltx" | "xltm" | "xlam"),
            Self::Xlsb => extension == "xlsb",
            Self::Xls => matches!(extension, "xls" | "xlt" | "xla" | "xlw"),
            Self::Ods => matches!(extension, "ods" | "ots"),
        }
    }
}

/// The kind of workbook that the bytes of a file are.
///
/// # Errors
/// [`ImportError::NotAWorkbook`], [`ImportError::Unsupported`] or [`ImportError::Encrypted`] saying what they are
/// instead, and whatever opening an archive may raise.
pub(super) fn format(bytes: &[u8], limits: &Limits) -> Result<Format, ImportError> {
    match bytes {
        [] => Err(found("an empty file")),
        [b'P', b'K', 3 | 5 | 7, ..] => zipped(&mut Archive::open(bytes, limits)?),
        [0xD0, 0xCF, 0x11, 0xE0, ..] => compound(bytes),
        // The first record of Excel 2, 3 and 4.
        [9, 0 | 2 | 4, length @ 4..=8, 0, ..] if bytes.len() > usize::from(*length) + 4 => {
            Err(ImportError::Unsupported {
                found: "a workbook of Excel 2 to 4",
            })
        }
        _ => Err(unpacked(bytes)),
    }
}

fn found(found: &'static str) -> ImportError {
    ImportError::NotAWorkbook { found }
}

fn zipped(archive: &mut Archive<'_>) -> Result<Format, ImportError> {
    if archive.has("xl/workbook.bin") {
        return Ok(Format::Xlsb);
    }
    if archive.has("mimetype") || (archive.has("content.xml") && archive.has("META-INF/manifest.xml")) {
        let kind = archive.bytes("mimetype")?.unwrap_or_default();
        let kind = String::from_utf8_lossy(&kind);
        let spreadsheet = [
            "application/vnd.oasis.opendocument.spreadsheet",
            "application/vnd.sun.xml.calc",
        ];
        return match spreadsheet.iter().any(|known| kind.starts_with(known)) {
            true => Ok(Format::Ods),
            false if kind.is_empty() && archive.has("content.xml") => Ok(Format::Ods),
            false => Err(found("a zip archive or document of another kind")),
        };
    }
    let others = [
        ("word/document.xml", "a Word document"),
        ("ppt/presentation.xml", "a PowerPoint presentation"),
        ("index/document.iwa", "an iWork document"),
    ];
    if let Some((_, kind)) = others.iter().find(|(part, _)| archive.has(part)) {
        return Err(found(kind));
    }
    let folder = |name: &str| name.starts_with("xl/") || name.ends_with("workbook.xml") || name == "_rels/.rels";
    if archive.names().any(folder) {
        return Ok(Format::Xlsx);
    }
    match archive.names().next() {
        None => Err(found("an empty zip archive")),
        Some(_) => Err(found("a zip archive without a workbook")),
    }
}

fn compound(bytes: &[u8]) -> Result<Format, ImportError> {
    let ole = Ole::open(bytes)?;
    if ole.has("EncryptedPackage") || ole.has("EncryptionInfo") {
        return Err(ImportError::Encrypted);
    }
    if ole.has("Workbook") || ole.has("Book") {
        return Ok(Format::Xls);
    }
    Err(found(if ole.has("WordDocument") {
        "a Word document"
    } else if ole.has("PowerPoint Document") {
        "a PowerPoint presentation"
    } else {
        "a compound file without a workbook"
    }))
}

/// What a file that is neither a zip archive nor a compound file is.
fn unpacked(bytes: &[u8]) -> ImportError {
    let head = bytes.get(..4096).unwrap_or(bytes);
    let text = String::from_utf8_lossy(head).to_lowercase();
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let unsupported = |found| ImportError::Unsupported { found };
    if text.contains("opendocument") && text.contains("<office:document") {
        return unsupported("a flat OpenDocument file (.fods): save it as .ods");
    }
    if text.contains("urn:schemas-microsoft-com:office:spreadsheet") {
        return unsupported("an XML spreadsheet of Excel 2003: save it as .xlsx");
    }
    if text.starts_with("%pdf") {
        return found("a PDF document");
    }
    if text.starts_with("id;p") {
        return unsupported("a SYLK file");
    }
    if text.starts_with('<') {
        let html = text.contains("<html") || text.contains("<table") || text.starts_with("<!doctype html");
        return found(if html { "an HTML page" } else { "an XML document" });
    }
    let strange = |byte: &&u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    let binary = head.contains(&0) || head.iter().filter(strange).count() > head.len() / 8;
    if binary || std::str::from_utf8(head).is_err_and(|error| error.error_len().is_some()) {
        return found("binary data of an unknown kind");
    }
    let separated = text.lines().take(5).any(|line| line.contains([',', ';', '\t']));
    found(if separated {
        "separated values (a .csv file): open and save them as .xlsx"
    } else {
        "plain text"
    })
}

//! Why a file is not imported.

use std::path::PathBuf;

/// Why a file is not imported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The file cannot be read at all.
    #[error("read {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The content is that of something else.
    #[error("expected a workbook (.xlsx, .xlsm, .xlsb, .xls or .ods), found {found}")]
    NotAWorkbook {
        /// What the content looks like.
        found: &'static str,
    },
    /// A workbook of a kind that is not read.
    #[error("expected a workbook in .xlsx, .xlsm, .xlsb, .xls (from Excel 5 on) or .ods, found {found}")]
    Unsupported {
        /// The kind.
        found: &'static str,
    },
    /// The workbook is protected by a password.
    #[error("expected a workbook without a password, found an encrypted one")]
    Encrypted,
    /// A part of the file does not have the form that it must have.
    #[error("{part} is damaged: {reason}")]
    Damaged {
        /// The part, such as `xl/workbook.xml`.
        part: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Reading the file would cost too much.
    #[error("more than {limit} {what}")]
    TooLarge {
        /// What there is too much of.
        what: &'static str,
        /// How much of it is read.
        limit: u64,
    },
}

impl ImportError {
    /// A damaged part.
    pub(super) fn damaged(part: &str, reason: impl std::fmt::Display) -> Self {
        // Reasons come from reading libraries, some of which quote the file: keep them to a line of sane length.
        let reason: String = reason
            .to_string()
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .take(200)
            .collect();
        Self::Damaged {
            part: part.to_owned(),
            reason,
        }
    }
}

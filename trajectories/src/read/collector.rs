//! Turning lines into actions and diagnostics, whatever the format of the file.

use std::path::Path;

use super::{
    ACTIONS_PER_TRAJECTORY_MAX, CELLS_PER_TRAJECTORY_MAX, DIAGNOSTICS_PER_FILE_MAX, Diagnostic, LINE_BYTES_MAX,
    ReadError, ReadFile, ReadOptions,
};
use crate::Action;
use crate::parse::is_skipped;
use crate::text::trim;
use crate::trajectory::{SourceLine, Trajectory};

/// How many characters of a malformed line a diagnostic shows.
const SHOWN_CHARS_MAX: usize = 100;

/// What has been read of one file.
pub(super) struct Collector<'a> {
    path: &'a Path,
    options: ReadOptions,
    actions: Vec<Action>,
    lines: Vec<SourceLine>,
    n_cells: u64,
    n_malformed: u64,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Collector<'a> {
    pub(super) fn new(path: &'a Path, options: ReadOptions) -> Self {
        Self {
            path,
            options,
            actions: Vec::new(),
            lines: Vec::new(),
            n_cells: 0,
            n_malformed: 0,
            diagnostics: Vec::new(),
        }
    }

    /// Reads one line; blank lines and comments give nothing, malformed ones a diagnostic.
    pub(super) fn push(&mut self, line: &str, line_no: u64, operation_idx: Option<usize>) -> Result<(), ReadError> {
        if line.len() as u64 > LINE_BYTES_MAX {
            return Err(ReadError::LineTooLong {
                path: self.path.to_owned(),
                line_no,
            });
        }
        if is_skipped(line) {
            return Ok(());
        }
        let text = trim(line);
        match Action::parse(text) {
            Ok(action) => self.keep(action, text, line_no),
            Err(reason) => {
                self.n_malformed += 1;
                if self.diagnostics.len() < DIAGNOSTICS_PER_FILE_MAX {
                    self.diagnostics.push(Diagnostic {
                        path: self.path.to_owned(),
                        line_no,
                        operation_idx,
                        text: abbreviate(text),
                        reason,
                    });
                }
                Ok(())
            }
        }
    }

    fn keep(&mut self, action: Action, text: &str, line_no: u64) -> Result<(), ReadError> {
        if self.actions.len() >= ACTIONS_PER_TRAJECTORY_MAX {
            return Err(ReadError::TooManyActions {
                path: self.path.to_owned(),
            });
        }
        self.n_cells = self.n_cells.saturating_add(action.range().bounds().n_cells());
        if self.n_cells > CELLS_PER_TRAJECTORY_MAX {
            return Err(ReadError::TooManyCells {
                path: self.path.to_owned(),
                line_no,
            });
        }
        self.actions.push(action);
        self.lines.push(SourceLine {
            text: text.to_owned(),
            line_no,
        });
        Ok(())
    }

    /// The trajectory of what was read, unless there is none or malformed lines refuse it.
    pub(super) fn finish(
        self,
        name: String,
        title: Option<String>,
        description: Option<String>,
    ) -> Result<ReadFile, ReadError> {
        let path = || self.path.to_owned();
        if self.n_malformed > 0 && !self.options.lenient {
            return Err(ReadError::Malformed {
                path: path(),
                n_malformed: self.n_malformed,
                diagnostics: self.diagnostics,
            });
        }
        if self.actions.is_empty() {
            return Err(ReadError::NoActions { path: path() });
        }
        Ok(ReadFile {
            trajectory: Trajectory {
                name,
                title,
                description,
                actions: self.actions,
                lines: self.lines,
                predictable: None,
            },
            n_skipped: self.n_malformed,
            diagnostics: self.diagnostics,
        })
    }
}

fn abbreviate(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARS_MAX) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

//! The shorthand in which trajectories are written by hand.
//!
//! A draft is a text with one step a line, carried out from top to bottom; each step becomes one action or more. It
//! begins with its title and its plot:
//!
//! ```text
//! # title: Seed bank germination log
//! # plot: A keeper types the lots, drags the rates and dresses the head last.
//! A1 = Seed bank germination log
//! A3 > Lot | Species | Sown | Germinated
//! A4 >> LN-001 | Foxglove | 50 | 41 / LN-002 | Teasel | 40 | 22
//! E4 = =D4/C4
//! E4:E5 autofill E4
//! A3:E3 bold, fill #DDEBF7, border bottom
//! ```
//!
//! Typing lines are `cell = value`, `cell > a | b` (rightwards), `cell v a | b` (downwards), `cell >> a | b / c | d`
//! (row by row), `cell vv a | b / c | d` (column by column), `cell @ a | b / c | d` (one pasted block) and
//! `range clear`. Every other line is a range, or several after ` / `, with formatting steps after it.

mod effect;
mod items;
mod line;
mod steps;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use napsim_trajectories::text::trim;
use napsim_trajectories::{SourceLine, Trajectory};

pub use effect::actions_without_effect;
use line::Context;

/// Why a draft cannot be expanded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expand {}:{line_no}: {message}", .path.display())]
pub struct DraftError {
    /// The draft.
    pub path: PathBuf,
    /// The number of the line, from 1.
    pub line_no: u64,
    /// What is wrong with the line and what was expected.
    pub message: String,
}

/// Something in a draft that its author may not have meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftWarning {
    /// The number of the line, from 1.
    pub line_no: u64,
    /// What the line leads to.
    pub message: String,
}

/// A draft as a trajectory.
#[derive(Clone, Debug)]
pub struct Expanded {
    /// The trajectory; its source lines are those of the draft, and its description is the plot.
    pub trajectory: Trajectory,
    /// What the author may not have meant, in the order of the lines.
    pub warnings: Vec<DraftWarning>,
}

/// Expands a draft; the name of the trajectory is that of the file without its ending.
///
/// # Errors
/// [`DraftError`] for the first line that is no step, or whose values do not fit its range, and where title, plot or
/// steps are missing. [`check`] finds the others as well.
pub fn expand(text: &str, path: &Path) -> Result<Expanded, DraftError> {
    let (expanded, errors) = check(text, path);
    match errors.into_iter().next() {
        Some(error) => Err(error),
        None => Ok(expanded),
    }
}

/// Expands the lines of a draft that are well-formed and says what is wrong with the others.
pub fn check(text: &str, path: &Path) -> (Expanded, Vec<DraftError>) {
    let mut reader = Reader::new(path);
    for (line_no, line) in (1..).zip(text.strip_prefix('\u{FEFF}').unwrap_or(text).lines()) {
        if let Err(message) = reader.read(line_no, trim(line)) {
            reader.fail(line_no, message);
        }
    }
    let n_lines = u64::try_from(text.lines().count()).unwrap_or(u64::MAX);
    reader.finish(n_lines)
}

/// A draft that is being read.
struct Reader<'path> {
    path: &'path Path,
    context: Context,
    expanded: Expanded,
    errors: Vec<DraftError>,
    has_steps: bool,
}

impl<'path> Reader<'path> {
    fn new(path: &'path Path) -> Self {
        let trajectory = Trajectory {
            name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            title: None,
            description: None,
            actions: Vec::new(),
            lines: Vec::new(),
            predictable: None,
        };
        Self {
            path,
            context: Context::default(),
            expanded: Expanded {
                trajectory,
                warnings: Vec::new(),
            },
            errors: Vec::new(),
            has_steps: false,
        }
    }

    fn fail(&mut self, line_no: u64, message: String) {
        self.errors.push(DraftError {
            path: self.path.to_owned(),
            line_no,
            message,
        });
    }

    fn read(&mut self, line_no: u64, line: &str) -> Result<(), String> {
        let trajectory = &mut self.expanded.trajectory;
        if line.is_empty() {
            return Ok(());
        }
        if let Some(comment) = line.strip_prefix('#') {
            return read_comment(comment, trajectory, &mut self.context);
        }
        if !self.has_steps {
            // Said once, at the first step.
            self.has_steps = true;
            if let Err(message) = require_head(trajectory) {
                self.fail(line_no, message);
            }
        }
        let step = line::expand(line, &self.context)?;
        let trajectory = &mut self.expanded.trajectory;
        for action in step.actions {
            trajectory.actions.push(action);
            trajectory.lines.push(SourceLine {
                text: line.to_owned(),
                line_no,
            });
        }
        let warnings = step.warnings.into_iter();
        self.expanded
            .warnings
            .extend(warnings.map(|message| DraftWarning { line_no, message }));
        Ok(())
    }

    fn finish(mut self, n_lines: u64) -> (Expanded, Vec<DraftError>) {
        if !self.has_steps {
            self.fail(n_lines.max(1), "the draft ends without a step".to_owned());
        }
        (self.expanded, self.errors)
    }
}

/// Takes what a comment line says, without its mark; comments without a label say nothing.
fn read_comment(comment: &str, trajectory: &mut Trajectory, context: &mut Context) -> Result<(), String> {
    if !comment.is_empty() && !comment.starts_with(' ') {
        return Err(format!("expected `# ` before a comment, found `#{comment}`"));
    }
    let Some((label, text)) = trim(comment).split_once(':') else {
        return Ok(());
    };
    let text = trim(text);
    let place = match label {
        "title" => &mut trajectory.title,
        "plot" => &mut trajectory.description,
        "sheet" => return context.use_sheet(text),
        _ => return Ok(()),
    };
    if text.is_empty() {
        return Err(format!("expected a text after `# {label}:`"));
    }
    if place.is_some() {
        return Err(format!("expected one line `# {label}:`, found a second one"));
    }
    *place = Some(text.to_owned());
    Ok(())
}

fn require_head(trajectory: &Trajectory) -> Result<(), String> {
    for (label, text) in [("title", &trajectory.title), ("plot", &trajectory.description)] {
        if text.is_none() {
            return Err(format!("expected a line `# {label}: …` before the first step"));
        }
    }
    Ok(())
}

/// Writes a trajectory as plain text: title and description as comments, then the actions in canonical notation.
pub fn write(trajectory: &Trajectory) -> String {
    let mut text = String::new();
    let head = [("title", &trajectory.title), ("description", &trajectory.description)];
    for (label, value) in head {
        if let Some(value) = value {
            // Within a comment a line break would begin an action.
            let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
            let _ = writeln!(text, "# {label}: {value}");
        }
    }
    for action in &trajectory.actions {
        let _ = writeln!(text, "{action}");
    }
    text
}

#[cfg(test)]
mod tests;

//! The history as a language model sees it.

use napsim_sim::predictor::TrajectoryHead;
use napsim_trajectories::Action;

use super::prompt::ContextSettings;

/// The lines of a history, written as its actions come in.
#[derive(Clone, Debug, Default)]
pub struct WrittenHistory {
    lines: Vec<String>,
    sheet: String,
    /// Why a line cannot be written.
    unwritable: Option<String>,
}

impl WrittenHistory {
    /// Forgets everything and begins a trajectory.
    pub fn begin(&mut self, head: TrajectoryHead<'_>) {
        self.lines.clear();
        self.unwritable = None;
        head.sheet.clone_into(&mut self.sheet);
    }

    /// Writes further actions, oldest first.
    pub fn observe(&mut self, actions: &[Action], settings: &ContextSettings) {
        for action in actions {
            match settings.line(&action.to_string()) {
                Ok(line) => self.lines.push(line),
                Err(error) => self.unwritable = Some(error.to_string()),
            }
            action.range().sheet().as_ref().clone_into(&mut self.sheet);
        }
    }

    /// All lines, oldest first.
    ///
    /// # Errors
    /// What is wrong with a line that cannot be written; it fits "failed to …".
    pub fn lines(&self) -> Result<&[String], &str> {
        match &self.unwritable {
            Some(error) => Err(error),
            None => Ok(&self.lines),
        }
    }

    /// The sheet of the last action, which lines without one are about.
    pub fn sheet(&self) -> &str {
        &self.sheet
    }
}

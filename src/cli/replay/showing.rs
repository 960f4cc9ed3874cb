//! One trajectory of a run to look at: a page, or an animated picture.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use napsim_reports::store::LineFile;
use napsim_viewer::{AnimationOptions, Film, animated_svg, standalone_page};

use super::rules;
use crate::cli::chosen_unit::RunChoice;
use crate::console;
use crate::exit::{Exit, Failure};
use crate::signals::Interruption;

/// How a trajectory is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Picture {
    Page,
    Animation,
}

impl Picture {
    fn extension(self) -> &'static str {
        match self {
            Self::Page => "html",
            Self::Animation => "svg",
        }
    }

    /// Writes the page or picture of a trajectory.
    pub(super) fn write(self, choice: &RunChoice, trajectory: &str, out: Option<&Path>) -> Result<Exit, Failure> {
        let interruption = Interruption::listen()?;
        let source = match choice.source(&interruption) {
            Ok(source) => source,
            Err(failure) => return interruption.or(failure),
        };
        let record = choice.record(&source, trajectory)?;
        let (policy, protocol) = rules(&record.header.setup)?;
        let film = Film::of(&record, &policy, &protocol)
            .map_err(|error| Failure::Input(anyhow!("failed to {error} (trajectory `{trajectory}`)")))?;
        let text = match self {
            Self::Page => standalone_page(&film),
            Self::Animation => animated_svg(&film, AnimationOptions::default()),
        };
        let path = out.map_or_else(|| self.usual_path(trajectory), Path::to_owned);
        let mut file = LineFile::create(&path)?;
        file.write_all(text.as_bytes())
            .map_err(|error| Failure::at_path("write", &path, &error))?;
        file.finish()?;
        console::say(&format!(
            "napsim: written {} ({} kB); open it in a browser",
            path.display(),
            text.len().div_ceil(1000)
        ));
        Ok(Exit::Complete)
    }

    /// The name of the trajectory as that of a file in this folder.
    fn usual_path(self, trajectory: &str) -> PathBuf {
        const CHARS_MAX: usize = 100;
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
        let name = trajectory.chars().map(|c| if is_plain(c) { c } else { '_' });
        let name: String = name.take(CHARS_MAX).collect();
        PathBuf::from(format!("{name}.{}", self.extension()))
    }
}

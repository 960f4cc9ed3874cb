//! Reports of runs as one HTML page.
//!
//! The page needs no network, no server and no other file. Charts are drawn here ([`napsim_charts`]); one small script sorts,
//! hides and copies what is there, and replays trajectories ([`napsim_viewer`]). A content security policy with the hashes of
//! that script and of the style lets nothing else run. The same runs give the same bytes.

mod choice;
mod data_block;
mod document;
mod figure;
mod markup;
mod sections;
mod words;

use std::io;

use napsim_analysis::{Progress, RunAnalysis, UserModel};
use napsim_reports::store::Timings;
use napsim_reports::{ComparedRun, Comparison, RunReport};

/// All that a page is made of.
#[derive(Clone, Debug)]
pub struct Report {
    /// Its title.
    pub title: String,
    /// Name and version of the program.
    pub program: String,
    /// The runs.
    pub runs: Vec<ReportRun>,
    /// The runs compared with one another, in the same order.
    pub comparison: Comparison,
    /// The user whose time is reckoned with, where that is asked for.
    pub user_model: Option<UserModel>,
}

/// One run, with all its repeats.
#[derive(Clone, Debug)]
pub struct ReportRun {
    /// The run as it is compared: its name, set-up and results.
    pub compared: ComparedRun,
    /// The figures as `napsim show --json` has them, one a repeat.
    pub figures: Vec<RunReport>,
    /// What lies behind the figures.
    pub analysis: RunAnalysis,
    /// How each rollout went on, in the order of the units; it may be left out for some.
    pub progress: Vec<Progress>,
    /// Wall times, where they were kept.
    pub times: Option<Timings>,
    /// What the replay viewer shows.
    pub films: Films,
}

/// What the replay viewer shows of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Films {
    /// Films of some or all trajectories.
    Present(Vec<FilmBlock>),
    /// None, and a sentence that says why.
    Absent(String),
}

/// The film of one rollout, compressed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilmBlock {
    /// Name of the trajectory.
    pub trajectory: String,
    /// The unit in links into the replay: letters, digits, `-` and `_`, and the same for no two films of the page.
    pub unit: String,
    /// The film as [`napsim_viewer`] packs it: base64, which is safe anywhere.
    pub packed: String,
}

impl Report {
    /// Writes the page.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        document::write(self, out)
    }
}

//! `napsim trajectory`: looking at trajectories without measuring anything.

mod stats;

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::{Args, Subcommand};
use napsim_reports::printable::printable;
use napsim_sim::state::Workbook;
use napsim_trajectories::{Corpus, Trajectory};

use super::corpus;
use crate::console;
use crate::exit::{Exit, Failure};

/// Show, count or check trajectories.
#[derive(Debug, Subcommand)]
pub(super) enum TrajectoryCommand {
    /// Print the actions in the canonical notation.
    Show(Files),
    /// Count actions by kind.
    Stats(Files),
    /// Check that every line can be read and every action carried out.
    Validate(Files),
}

/// Files, folders or patterns.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Files {
    /// Files, folders or glob patterns; `napsim-52` is the built-in corpus.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  napsim trajectory show my/trajectories/plan.txt
  napsim trajectory stats napsim-52
  napsim trajectory validate my/trajectories 'more/*.json'";

/// Does what is asked with every file.
pub(super) fn trajectory(command: &TrajectoryCommand) -> Result<Exit, Failure> {
    match command {
        TrajectoryCommand::Show(files) => show(files),
        TrajectoryCommand::Stats(files) => {
            let corpora = files
                .files
                .iter()
                .map(|spec| read(spec, false))
                .collect::<Result<Vec<_>, _>>()?;
            let trajectories: Vec<&Trajectory> = corpora.iter().flat_map(|corpus| &corpus.trajectories).collect();
            console::print(&stats::table(&trajectories, console::width()))?;
            Ok(Exit::Complete)
        }
        TrajectoryCommand::Validate(files) => validate(files),
    }
}

fn read(spec: &Path, lenient: bool) -> Result<Corpus, Failure> {
    corpus::open(spec, lenient).map_err(|error| Failure::Input(anyhow!("failed to {error}")))
}

fn show(files: &Files) -> Result<Exit, Failure> {
    for spec in &files.files {
        for trajectory in &read(spec, false)?.trajectories {
            let mut text = format!("# {}\n", printable(&trajectory.name, false));
            for line in [&trajectory.title, &trajectory.description].into_iter().flatten() {
                line.lines()
                    .for_each(|line| text.push_str(&format!("# {}\n", printable(line, false))));
            }
            for action in &trajectory.actions {
                text.push_str(&printable(&action.to_string(), false));
                text.push('\n');
            }
            console::print(&text)?;
        }
    }
    Ok(Exit::Complete)
}

/// Goes through everything before it ends, so that one call shows all that is wrong.
fn validate(files: &Files) -> Result<Exit, Failure> {
    let (mut n_checked, mut n_wrong) = (0_usize, 0_usize);
    for spec in &files.files {
        // Read strictly, a file without a single good line shows what is wrong with each of them.
        let read = corpus::open(spec, true).map_err(|error| corpus::open(spec, false).err().unwrap_or(error));
        let corpus = match read {
            Ok(corpus) => corpus,
            Err(error) => {
                n_wrong += 1;
                console::print_untrusted(&format!("failed to {error}\n"))?;
                continue;
            }
        };
        for diagnostic in &corpus.diagnostics {
            console::print_untrusted(&format!("{diagnostic}\n"))?;
        }
        n_wrong += usize::try_from(corpus.skipped_lines).unwrap_or(usize::MAX);
        for trajectory in &corpus.trajectories {
            n_checked += 1;
            if let Err(error) = Workbook::default().apply_strict(&trajectory.actions) {
                n_wrong += 1;
                console::print_untrusted(&format!("{}: {error}\n", trajectory.name))?;
            }
        }
    }
    if n_wrong > 0 {
        let mistakes = console::counted(n_wrong, "mistake", "mistakes");
        console::say(&format!(
            "napsim: {} checked, {mistakes} found",
            trajectories(n_checked)
        ));
        return Ok(Exit::BadInput);
    }
    console::print(&format!("{} checked, no mistake found\n", trajectories(n_checked)))?;
    Ok(Exit::Complete)
}

fn trajectories(n: usize) -> String {
    console::counted(n, "trajectory", "trajectories")
}

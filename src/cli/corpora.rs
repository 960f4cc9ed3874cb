//! `napsim corpus`: corpora written, made, checked and described.

mod extent;
mod shares;
mod write;

use clap::Subcommand;

use crate::exit::{Exit, Failure};

/// Write, make, check and describe corpora of trajectories.
#[derive(Debug, Subcommand)]
pub(super) enum CorpusCommand {
    Write(write::WriteArgs),
}

/// Does what is asked with corpora.
pub(super) fn corpus(command: &CorpusCommand) -> Result<Exit, Failure> {
    match command {
        CorpusCommand::Write(args) => write::write(args),
    }
}

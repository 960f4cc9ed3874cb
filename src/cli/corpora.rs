//! `napsim corpus`: corpora written, made, checked and described.

mod build;
mod export;
mod extent;
mod generate;
mod jsonl;
mod lint;
mod names;
mod open;
mod outputs;
mod picture;
mod refine;
mod sequence;
mod shares;
mod shell;
mod show;
mod split;
mod stats;
mod validate;
mod values;
mod write;

use clap::Subcommand;

use crate::exit::{Exit, Failure};

/// Write, make, check and describe corpora of trajectories.
#[derive(Debug, Subcommand)]
pub(super) enum CorpusCommand {
    Build(Box<build::BuildArgs>),
    Export(export::ExportArgs),
    Generate(Box<generate::GenerateArgs>),
    Lint(lint::LintArgs),
    Refine(refine::RefineArgs),
    Show(show::ShowArgs),
    Split(split::SplitArgs),
    Stats(stats::StatsArgs),
    Validate(validate::ValidateArgs),
    Write(write::WriteArgs),
}

/// Does what is asked with corpora.
pub(super) fn corpus(command: &CorpusCommand) -> Result<Exit, Failure> {
    match command {
        CorpusCommand::Build(args) => build::build(args),
        CorpusCommand::Export(args) => export::export(args),
        CorpusCommand::Generate(args) => generate::generate(args),
        CorpusCommand::Lint(args) => lint::lint(args),
        CorpusCommand::Refine(args) => refine::refine(args),
        CorpusCommand::Split(args) => split::split(args),
        CorpusCommand::Show(args) => show::show(args),
        CorpusCommand::Stats(args) => stats::stats(args),
        CorpusCommand::Validate(args) => validate::validate(args),
        CorpusCommand::Write(args) => write::write(args),
    }
}

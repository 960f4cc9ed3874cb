//! `napsim corpus build`: a corpus out of workbooks.

mod benchmark;
mod inputs;
mod make;
mod report;
mod work;

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::{Args, ValueEnum};
use napsim_corpora::split::Shares;
use napsim_reports::store::{BuildOptions, CorpusFolder, CorpusManifest, Refusal};

use make::Maker;
use work::Work;

use super::shell::shell_word;
use super::{jsonl, names, outputs, values};
use crate::console;
use crate::exit::{Exit, Failure};
use crate::signals::Interruption;

/// Make a corpus out of workbooks.
///
/// Every visible sheet of every workbook becomes a trajectory: a natural sequence of actions that builds it, verified by
/// carrying it out. A file that cannot be read, and a sheet that cannot be reached exactly, are refused with the reason;
/// the others go on. The same command goes on where an interrupted one stopped, and does again only what has changed.
#[derive(Debug, Args)]
#[command(about = "Make a corpus out of workbooks", after_help = EXAMPLES, after_long_help = EXAMPLES)]
pub(crate) struct BuildArgs {
    /// Workbooks (.xlsx, .xlsm, .xlsb, .xls, .ods), folders with workbooks, or glob patterns.
    #[arg(required = true, value_name = "WORKBOOK")]
    workbooks: Vec<PathBuf>,

    /// Folder that gets the corpus.
    #[arg(short, long, value_name = "DIR", default_value = "napsim-corpus")]
    out: PathBuf,

    /// How the user works: a name (see `napsim list profiles`), `sampled` for habits drawn a sheet, `all`; repeatable.
    #[arg(long, value_name = "NAME", default_value = values::PROFILE_DEFAULT, value_parser = values::profile)]
    profile: Vec<String>,

    /// Seed of everything random in a profile.
    #[arg(long, value_name = "N", default_value_t = 0)]
    profile_seed: u64,

    /// Only the sheets of these names, hidden ones included; repeatable.
    #[arg(long, value_name = "NAME")]
    sheets: Vec<String>,

    /// Have each sequence looked over and, where the judge finds it odd, edited: by `rules`.
    #[arg(long, value_name = "WHO")]
    refine: Option<RefineBy>,

    /// Also write the sequences of actions as JSON lines to this file, for training.
    #[arg(long, value_name = "FILE")]
    jsonl: Option<PathBuf>,

    /// Say in manifest and JSON lines which workbooks are for training, validation and test, in these shares.
    #[arg(long, value_name = "A,B,C", value_parser = values::shares)]
    split: Option<Shares>,

    /// Seed of the split.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "split")]
    split_seed: u64,

    /// Refuse workbooks whose content overlaps this benchmark: a corpus of trajectories, or workbooks.
    #[arg(long, value_name = "BENCHMARK")]
    against: Option<PathBuf>,

    /// Exit with code 20 if anything was refused.
    #[arg(long)]
    strict: bool,

    /// Workbooks at a time [default: the number of cores]; makes no difference to any trajectory.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroU32>,

    /// Print the manifest as one JSON object (schema napsim-corpus/1) instead of lines and a table.
    #[arg(long)]
    json: bool,

    /// Show neither progress nor a line a file.
    #[arg(long)]
    quiet: bool,
}

/// Who looks over the sequences of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RefineBy {
    /// The judge and the editor made of rules.
    Rules,
}

impl RefineBy {
    /// The name in the manifest.
    fn name(self) -> &'static str {
        match self {
            Self::Rules => "rules",
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  napsim corpus build plan.xlsx && napsim run napsim-corpus
  napsim corpus build workbooks/ -o my/corpus --profile typist --profile dragger
  napsim corpus build 'archive/**/*.xlsx' -o my/corpus --profile sampled --jsonl train.jsonl --split 0.9,0.05,0.05
  napsim corpus build workbooks/ -o my/corpus --refine rules
  napsim corpus build workbooks/ -o train --against benchmark/ --strict

Exit codes: 0 complete, 2 nothing imported or bad input, 20 refused files under --strict, 130 and 143 interrupted.";

/// Version of the program, part of the manifest.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Makes the corpus, prints what became of each file, and says how to measure it.
pub(super) fn build(args: &BuildArgs) -> Result<Exit, Failure> {
    let files = inputs::files(&args.workbooks)?;
    if let Some(path) = &args.jsonl {
        outputs::check_sequences(path, &args.out, &files)?;
    }
    let maker = Maker::new(args)?;
    let options = BuildOptions {
        profiles: maker.profiles().to_vec(),
        profile_seed: args.profile_seed,
        sheets: (!args.sheets.is_empty()).then(|| args.sheets.clone()),
        against: maker.against(),
        refine: args.refine.map(|by| by.name().to_owned()),
        generated: None,
    };
    let interruption = Interruption::listen()?;
    let (folder, kept) = CorpusFolder::begin(&args.out)?;
    if kept.as_ref().is_some_and(|kept| kept.options.generated.is_some()) {
        return Err(another_kind(&args.out, "generated workbooks"));
    }
    let manifest = CorpusManifest::new(VERSION, options);
    if kept.is_none() {
        // From now on the folder is known as that of a corpus, however the work ends.
        folder.write_manifest(&manifest)?;
    }
    let mut work = Work {
        args,
        maker: &maker,
        folder: &folder,
        interruption: &interruption,
        kept,
        manifest,
        names: names::Names::default(),
    };
    let n_files = files.len();
    work.all(&files)?;
    let manifest = work.manifest;
    if let Some(signal) = interruption.signal() {
        let n_done = manifest.files.len();
        console::say(&format!(
            "napsim: interrupted; {n_done} of {n_files} files are done; the same command goes on from there"
        ));
        return Ok(Exit::Signal(signal));
    }
    if let Some(path) = &args.jsonl {
        jsonl::write(path, &folder, &manifest)?;
    }
    report::print(args, &manifest)?;
    Ok(conclude(args, &manifest))
}

/// Workbooks that somebody made and workbooks that were made up do not go into one folder, lest one replace the other.
pub(super) fn another_kind(folder: &Path, what: &str) -> Failure {
    let folder = folder.display();
    Failure::Input(anyhow!(
        "failed to keep a corpus in {folder}: it holds one of {what}; give another folder"
    ))
}

/// Says how to go on, and finds the exit code.
fn conclude(args: &BuildArgs, manifest: &CorpusManifest) -> Exit {
    for name in make::in_no_workbook(&args.sheets, &manifest.files) {
        console::say(&format!("napsim: warning: no workbook has a sheet `{name}`"));
    }
    if manifest.trajectories().next().is_none() {
        console::say("napsim: no sheet could be imported");
        return Exit::BadInput;
    }
    console::say(&format!(
        "napsim: measure it with `napsim run {}`",
        shell_word(&args.out)
    ));
    let mut refused = manifest.files.iter().flat_map(|file| &file.refused);
    let is_bug = |refusal: &Refusal| refusal.kind == make::BUG;
    let is_incomplete = if args.strict {
        refused.next().is_some()
    } else {
        refused.any(is_bug)
    };
    if is_incomplete {
        Exit::Incomplete
    } else {
        Exit::Complete
    }
}

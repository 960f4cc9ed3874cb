//! `napsim corpus generate`: made-up workbooks with trajectories, without end.

use std::num::NonZeroU32;
use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use clap::Args;
use napsim_corpora::export::{ExportOptions, write_xlsx};
use napsim_corpora::generate::{Generated, workbook};
use napsim_corpora::reconstruct::SHEET_NAME;
use napsim_corpora::split::Shares;
use napsim_reports::store::{BuildOptions, CorpusFolder, CorpusManifest, GeneratedSeries, SourceFile};
use napsim_reports::table::count;
use napsim_sim::state::Workbook;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::build::another_kind;
use super::sequence::{Outcome, Source};
use super::shell::shell_word;
use super::{jsonl, outputs, split, values};
use crate::cli::progress::Progress;
use crate::console;
use crate::exit::{Exit, Failure};
use crate::signals::Interruption;

/// Make up workbooks and trajectories that build them.
///
/// Sheets of many trades and languages, put together at random but from parts that belong together. The same seed gives
/// the same series everywhere, so a part of it can be made anew at any time. Whatever the folder holds of another series
/// is replaced.
#[derive(Debug, Args)]
#[command(
    about = "Make up workbooks and trajectories that build them",
    after_help = EXAMPLES,
    after_long_help = EXAMPLES
)]
pub(crate) struct GenerateArgs {
    /// Seed of the series.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// How many workbooks.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,

    /// Index of the first one in the series.
    #[arg(long, value_name = "N", default_value_t = 0)]
    first: u64,

    /// Folder that gets the corpus.
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,

    /// How the user works: a name (see `napsim list profiles`), `sampled` for habits drawn a sheet, `all`; repeatable.
    #[arg(long, value_name = "NAME", default_value = "sampled", value_parser = values::profile)]
    profile: Vec<String>,

    /// Also write the workbooks themselves as .xlsx files.
    #[arg(long)]
    xlsx: bool,

    /// Also write the sequences of actions as JSON lines to this file, for training.
    #[arg(long, value_name = "FILE")]
    jsonl: Option<PathBuf>,

    /// Say in manifest and JSON lines which workbooks are for training, validation and test, in these shares.
    #[arg(long, value_name = "A,B,C", value_parser = values::shares)]
    split: Option<Shares>,

    /// Seed of the split.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "split")]
    split_seed: u64,

    /// Workbooks at a time [default: the number of cores]; makes no difference to any trajectory.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroU32>,

    /// Show no progress.
    #[arg(long)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  napsim corpus generate --seed 1 --count 50 -o made-up && napsim run made-up
  napsim corpus generate --seed 1 --count 10000 -o train --jsonl train.jsonl --split 0.9,0.05,0.05
  napsim corpus generate --seed 1 --first 50 --count 5 --xlsx --profile all -o samples";

/// How many workbooks are held in memory at a time.
const CHUNK: u64 = 64;

/// Makes up the workbooks and writes what was asked for.
pub(super) fn generate(args: &GenerateArgs) -> Result<Exit, Failure> {
    let end = end(args)?;
    if let Some(path) = &args.jsonl {
        outputs::check_sequences(path, &args.out, &[])?;
    }
    let profiles = values::profiles(&args.profile);
    let interruption = Interruption::listen()?;
    let (folder, kept) = CorpusFolder::begin(&args.out)?;
    if kept.as_ref().is_some_and(|kept| kept.options.generated.is_none()) {
        return Err(another_kind(&args.out, "workbook files"));
    }
    let mut manifest = CorpusManifest::new(
        env!("CARGO_PKG_VERSION"),
        BuildOptions {
            profiles: profiles.clone(),
            generated: Some(GeneratedSeries {
                seed: args.seed,
                first: args.first,
                count: args.count,
            }),
            ..BuildOptions::default()
        },
    );
    if kept.is_none() {
        folder.write_manifest(&manifest)?;
    }
    let pool = threads(args.jobs)?;
    let progress = Progress::new(
        usize::try_from(args.count).unwrap_or(usize::MAX),
        "workbooks",
        args.quiet,
    );
    let mut next = args.first;
    while next < end && interruption.signal().is_none() {
        let chunk = next..end.min(next.saturating_add(CHUNK));
        next = chunk.end;
        let made: Vec<Made> = pool.install(|| {
            let made = chunk.into_par_iter().map(|index| {
                let made = Made::new(args, index, &profiles);
                progress.one_done();
                made
            });
            made.collect()
        });
        for made in made {
            made.write(&folder, &mut manifest, profiles.len())?;
        }
    }
    progress.finish();
    if let Some(shares) = &args.split {
        split::assign(&mut manifest, shares, args.split_seed);
    }
    folder.write_manifest(&manifest)?;
    folder.remove_others(kept.as_ref(), &manifest)?;
    if next >= end {
        folder.remove_strays(&manifest)?;
    }
    if let Some(signal) = interruption.signal() {
        let n_done = manifest.files.len();
        console::say(&format!(
            "napsim: interrupted; the first {n_done} workbooks of {} are there",
            args.count
        ));
        return Ok(Exit::Signal(signal));
    }
    if let Some(path) = &args.jsonl {
        jsonl::write(path, &folder, &manifest)?;
    }
    conclude(args, &manifest)
}

/// The index behind the last workbook.
fn end(args: &GenerateArgs) -> Result<u64, Failure> {
    let GenerateArgs { first, count, .. } = args;
    first.checked_add(*count).ok_or_else(|| {
        Failure::Input(anyhow!(
            "--first {first} and --count {count} together are beyond the end of the series, {}",
            u64::MAX
        ))
    })
}

/// As many threads as are asked for, or as there are cores.
fn threads(jobs: Option<NonZeroU32>) -> Result<rayon::ThreadPool, Failure> {
    let n_threads = jobs.map_or(0, |jobs| usize::try_from(jobs.get()).unwrap_or(usize::MAX));
    rayon::ThreadPoolBuilder::new()
        .num_threads(n_threads)
        .build()
        .context("failed to start threads")
        .map_err(Failure::Environment)
}

/// Prints how much there is, and names what is missing.
fn conclude(args: &GenerateArgs, manifest: &CorpusManifest) -> Result<Exit, Failure> {
    let mut n_refused = 0;
    for file in &manifest.files {
        for refusal in &file.refused {
            n_refused += 1;
            console::say(&format!("napsim: refused {}: {}", file.id, refusal.reason));
        }
    }
    let n_actions: u64 = manifest.trajectories().map(|built| built.n_actions).sum();
    console::print(&format!(
        "{} with {} {}\n",
        console::counted(manifest.trajectories().count(), "trajectory", "trajectories"),
        count(n_actions),
        if n_actions == 1 { "action" } else { "actions" }
    ))?;
    console::say(&format!(
        "napsim: measure it with `napsim run {}`",
        shell_word(&args.out)
    ));
    Ok(if n_refused > 0 {
        Exit::Incomplete
    } else {
        Exit::Complete
    })
}

/// A workbook that was made up, with what was made of it.
struct Made {
    generated: Generated,
    outcome: Outcome,
    /// The file, if it was asked for.
    xlsx: Option<Result<Vec<u8>, String>>,
}

impl Made {
    fn new(args: &GenerateArgs, index: u64, profiles: &[String]) -> Self {
        let generated = workbook(args.seed, index);
        let source = Source {
            name: SHEET_NAME,
            sheet: &generated.sheet,
            seed: index,
            title: generated.title.clone(),
            about: generated.plot.clone(),
        };
        let outcome = source.sequences(profiles, false);
        let xlsx = args.xlsx.then(|| {
            let mut state = Workbook::default();
            state.push_sheet(SHEET_NAME.into(), generated.sheet.clone());
            let mut bytes = Vec::new();
            let written = write_xlsx(&state, &mut bytes, &ExportOptions::default());
            written.map(|_| bytes).map_err(|error| error.to_string())
        });
        Self {
            generated,
            outcome,
            xlsx,
        }
    }

    fn write(self, folder: &CorpusFolder, manifest: &mut CorpusManifest, n_profiles: usize) -> Result<(), Failure> {
        let id = self.generated.name;
        if let Some(bytes) = self.xlsx {
            let bytes = bytes.map_err(|error| Failure::Input(anyhow!("failed to {error}")))?;
            folder.write_workbook(&id, &bytes)?;
        }
        let mut trajectories = Vec::new();
        for sequence in self.outcome.sequences {
            let name = if n_profiles > 1 {
                format!("{id}-{}", sequence.profile)
            } else {
                id.clone()
            };
            let sha256 = folder.write_trajectory(&name, &sequence.text)?;
            trajectories.push(sequence.built(name, sha256));
        }
        manifest.files.push(SourceFile {
            path: id.clone(),
            id,
            sha256: String::new(),
            bytes: 0,
            split: None,
            trajectories,
            refused: self.outcome.refused,
            notes: Vec::new(),
        });
        Ok(())
    }
}

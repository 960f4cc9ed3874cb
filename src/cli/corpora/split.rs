//! `napsim corpus split`: parts for training, validation and test.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::Args;
use napsim_corpora::draft;
use napsim_corpora::split::{Part, Shares, part_of};
use napsim_reports::store::{CorpusFolder, CorpusManifest, SourceFile, write_file};
use napsim_reports::table::{count, counts_table};
use napsim_trajectories::{Corpus, Trajectory};

use super::shares::percent;
use super::{open, values};
use crate::console;
use crate::exit::{Exit, Failure};

/// Split a corpus into parts for training, validation and test.
///
/// All trajectories of one workbook, and of copies of it, go into one part. A hash decides, so no workbook moves when
/// others are added. In a corpus that `napsim corpus build` did not make, every trajectory counts as a workbook.
#[derive(Debug, Args)]
#[command(
    about = "Split a corpus into parts for training, validation and test",
    after_help = EXAMPLES,
    after_long_help = EXAMPLES
)]
pub(crate) struct SplitArgs {
    /// File, folder or glob pattern with trajectories; `napsim-52` is the built-in corpus.
    corpus: PathBuf,

    /// Shares of the parts; they are met on average only.
    #[arg(long, value_name = "A,B,C", default_value = "0.9,0.05,0.05", value_parser = values::shares)]
    shares: Shares,

    /// Seed of the split.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Folder that gets a folder `train`, `valid` and `test`, none of which may hold trajectories of another split;
    /// without it the names are printed, each with its part.
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  napsim corpus split my/corpus
  napsim corpus split my/corpus --shares 0.8,0.1,0.1 --seed 7 -o my/parts";

/// Prints the part of each trajectory, or writes the trajectories by part.
pub(super) fn split(args: &SplitArgs) -> Result<Exit, Failure> {
    let corpus = open::corpus(&args.corpus)?;
    let groups = groups(&args.corpus)?;
    let part = |name: &str| part_of(groups.get(name).map_or(name, String::as_str), &args.shares, args.seed);
    match &args.out {
        None => {
            let lines = corpus.trajectories.iter().map(|trajectory| {
                let name = &trajectory.name;
                format!("{:<6} {name}\n", part(name).name())
            });
            console::print_untrusted(&lines.collect::<String>())?;
        }
        Some(folder) => write(&corpus, folder, part)?,
    }
    Ok(Exit::Complete)
}

/// What the manifest of a corpus that was built says trajectories belong to, by name; nothing of any other corpus.
///
/// A manifest that cannot be read is an error: without it, trajectories of one workbook would come into several parts.
fn groups(corpus: &Path) -> Result<BTreeMap<String, String>, Failure> {
    let mut groups = BTreeMap::new();
    if !CorpusFolder::has_manifest(corpus) {
        return Ok(groups);
    }
    let (_, manifest) = CorpusFolder::open(corpus)?;
    for file in &manifest.files {
        for built in &file.trajectories {
            groups.insert(built.name.clone(), group(file).to_owned());
        }
    }
    Ok(groups)
}

/// What is split: the content of a file, so that copies under several names are in one part, or else its name.
fn group(file: &SourceFile) -> &str {
    if file.sha256.is_empty() { &file.id } else { &file.sha256 }
}

/// Says for each file of a manifest which part of the corpus it belongs to.
pub(super) fn assign(manifest: &mut CorpusManifest, shares: &Shares, seed: u64) {
    for file in &mut manifest.files {
        file.split = Some(part_of(group(file), shares, seed).name().to_owned());
    }
}

/// The name of a trajectory's file.
fn file_name(trajectory: &Trajectory) -> String {
    format!("{}.txt", trajectory.name)
}

/// Refuses part folders with trajectories that would not belong there, such as those of a split by another seed.
fn check_parts(corpus: &Corpus, folder: &Path, part: impl Fn(&str) -> Part) -> Result<(), Failure> {
    for own in Part::ALL {
        let folder = folder.join(own.name());
        if !folder.exists() {
            continue;
        }
        let here = corpus.trajectories.iter().filter(|one| part(&one.name) == own);
        let to_write: BTreeSet<String> = here.map(file_name).collect();
        let reading = || format!("failed to read the folder {}", folder.display());
        let mut found = Vec::new();
        for entry in fs::read_dir(&folder).with_context(reading).map_err(Failure::Input)? {
            let entry = entry.with_context(reading).map_err(Failure::Environment)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            // A corpus is read from these files, or from folders of certain names.
            let may_be_read = entry.path().is_dir() || name.ends_with(".txt") || name.ends_with(".json");
            if may_be_read && !name.starts_with('.') && !to_write.contains(&name) {
                found.push(name);
            }
        }
        if let Some(first) = found.iter().min() {
            return Err(Failure::Input(anyhow!(
                "{} already holds {first}, which does not belong to this part; choose an empty folder",
                folder.display()
            )));
        }
    }
    Ok(())
}

fn write(corpus: &Corpus, folder: &Path, part: impl Fn(&str) -> Part) -> Result<(), Failure> {
    check_parts(corpus, folder, &part)?;
    let mut counts: BTreeMap<Part, usize> = Part::ALL.into_iter().map(|part| (part, 0)).collect();
    for trajectory in &corpus.trajectories {
        let part = part(&trajectory.name);
        let folder = folder.join(part.name());
        fs::create_dir_all(&folder)
            .with_context(|| format!("failed to make the folder {}", folder.display()))
            .map_err(Failure::Environment)?;
        let path = folder.join(file_name(trajectory));
        write_file(&path, draft::write(trajectory).as_bytes())?;
        *counts.entry(part).or_default() += 1;
    }
    let n_all = corpus.trajectories.len();
    let row = |(part, n): (&Part, &usize)| {
        let n_shown = count(u64::try_from(*n).unwrap_or(u64::MAX));
        vec![part.name().to_owned(), n_shown, percent(*n, n_all)]
    };
    let rows: Vec<Vec<String>> = counts.iter().map(row).collect();
    let header = ["part", "trajectories", "share"].map(str::to_owned);
    console::print(&counts_table(&header, &rows, console::width()))
}

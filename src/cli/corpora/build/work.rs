//! The work on all files: several at a time, kept in order, some remembered from an earlier call.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use napsim_reports::store::{BuiltTrajectory, CorpusFolder, CorpusManifest, SourceFile};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::make::{Made, Maker};
use super::{BuildArgs, report};
use crate::cli::corpora::names::{Names, part};
use crate::cli::corpora::split;
use crate::cli::progress::Progress;
use crate::exit::Failure;
use crate::signals::Interruption;

/// Everything that the work needs, and what has become of it so far.
pub(super) struct Work<'a> {
    pub(super) args: &'a BuildArgs,
    pub(super) maker: &'a Maker,
    pub(super) folder: &'a CorpusFolder,
    pub(super) interruption: &'a Interruption,
    /// What an earlier call has left in the folder.
    pub(super) kept: Option<CorpusManifest>,
    pub(super) manifest: CorpusManifest,
    pub(super) names: Names,
}

/// A file that is to be worked on.
struct Task<'a> {
    path: &'a Path,
    /// The path as the manifest writes it.
    shown: String,
    /// What its trajectories' names begin with.
    id: String,
}

/// How one file is dealt with.
enum Dealt {
    /// As an earlier call has left it.
    Kept(SourceFile),
    Made(Made),
}

/// How many files a thread works on before what was made of them is written.
const FILES_PER_THREAD: usize = 4;

/// How much work is lost at most where the program is killed.
const MANIFEST_INTERVAL: Duration = Duration::from_secs(1);

impl Work<'_> {
    /// Works on every file in order; stops between two files when interrupted.
    pub(super) fn all(&mut self, files: &[PathBuf]) -> Result<(), Failure> {
        let n_asked = self
            .args
            .jobs
            .map_or(0, |jobs| usize::try_from(jobs.get()).unwrap_or(usize::MAX));
        // Zero threads stand for as many as there are cores.
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(n_asked.min(files.len()))
            .build()
            .context("failed to start threads")
            .map_err(Failure::Environment)?;
        let progress = Progress::new(files.len(), "workbooks", self.args.quiet || self.args.json);
        let tasks = tasks(files);
        let mut written = Instant::now();
        for chunk in tasks.chunks(FILES_PER_THREAD * pool.current_num_threads()) {
            let this = &*self;
            // Only these two cross into the threads; what is written stays in order.
            let (maker, interruption) = (this.maker, this.interruption);
            let kept = this.kept_files();
            let folder = this.folder;
            let dealt: Vec<Option<Dealt>> = pool.install(|| {
                let dealt = chunk.par_iter().map(|task| {
                    if interruption.signal().is_some() {
                        return None;
                    }
                    let dealt = deal(task, maker, kept.get(&*task.shown).copied(), folder);
                    progress.one_done();
                    Some(dealt)
                });
                dealt.collect()
            });
            let is_interrupted = dealt.iter().any(Option::is_none);
            // What is not done of an interrupted chunk ends the list, so that the order stays that of the files.
            for (task, dealt) in chunk.iter().zip(dealt.into_iter().map_while(|dealt| dealt)) {
                self.settle(task, dealt, &progress)?;
            }
            if is_interrupted {
                progress.finish();
                return self.leave();
            }
            if written.elapsed() >= MANIFEST_INTERVAL {
                self.write(&self.with_later_kept())?;
                written = Instant::now();
            }
        }
        progress.finish();
        self.conclude()
    }

    /// The files that an earlier call with the same options and version has dealt with.
    fn kept_files(&self) -> BTreeMap<&str, &SourceFile> {
        let same =
            |kept: &&CorpusManifest| kept.napsim == self.manifest.napsim && kept.options == self.manifest.options;
        let files = self.kept.as_ref().filter(same).into_iter().flat_map(|kept| &kept.files);
        files.map(|file| (&*file.path, file)).collect()
    }

    /// Gives the trajectories of a file their names and writes them.
    fn settle(&mut self, task: &Task<'_>, dealt: Dealt, progress: &Progress) -> Result<(), Failure> {
        let made = match dealt {
            Dealt::Kept(file) => {
                let names: Vec<String> = file
                    .trajectories
                    .iter()
                    .map(|kept| self.name(task, &kept.sheet, &kept.profile))
                    .collect();
                if names
                    .iter()
                    .zip(&file.trajectories)
                    .all(|(name, kept)| *name == kept.name)
                {
                    return self.add(file, progress);
                }
                // Another file has taken a name since.
                for name in &names {
                    self.names.release(name);
                }
                self.maker.make(task.path)
            }
            Dealt::Made(made) => made,
        };
        let mut file = SourceFile {
            path: task.shown.clone(),
            id: task.id.clone(),
            sha256: made.sha256,
            bytes: made.bytes,
            split: None,
            trajectories: Vec::new(),
            refused: made.refused,
            notes: made.notes,
        };
        for sequence in made.sequences {
            let name = self.name(task, &sequence.sheet, &sequence.profile);
            let sha256 = self.folder.write_trajectory(&name, &sequence.text)?;
            file.trajectories.push(sequence.built(name, sha256));
        }
        self.add(file, progress)
    }

    /// Notes what became of a file and says so.
    fn add(&mut self, file: SourceFile, progress: &Progress) -> Result<(), Failure> {
        if !self.args.quiet && !self.args.json {
            progress.print(&report::line(&file))?;
        }
        self.manifest.files.push(file);
        Ok(())
    }

    /// The name of a trajectory: the file's, the sheet's and, where there are several, the profile's.
    fn name(&mut self, task: &Task<'_>, sheet: &str, profile: &str) -> String {
        let mut name = format!("{}-{}", task.id, part(sheet));
        if self.maker.profiles().len() > 1 {
            name.push('-');
            name.push_str(profile);
        }
        self.names.unique(&name)
    }

    /// The manifest so far, with what an earlier call has left of the files to come.
    fn with_later_kept(&self) -> CorpusManifest {
        let mut manifest = self.manifest.clone();
        let done: BTreeSet<&str> = self.manifest.files.iter().map(|file| &*file.path).collect();
        let later = self
            .kept_files()
            .into_values()
            .filter(|file| !done.contains(&*file.path));
        manifest.files.extend(later.cloned());
        manifest
    }

    /// Leaves an interrupted work as it can be gone on with.
    fn leave(&self) -> Result<(), Failure> {
        self.write(&self.with_later_kept())
    }

    /// Splits the corpus, writes the manifest and removes what it does not name.
    fn conclude(&mut self) -> Result<(), Failure> {
        if let Some(shares) = &self.args.split {
            split::assign(&mut self.manifest, shares, self.args.split_seed);
        }
        self.write(&self.manifest)?;
        Ok(self.folder.remove_strays(&self.manifest)?)
    }

    /// Writes a manifest, and removes what an earlier one lists and this one does not.
    fn write(&self, manifest: &CorpusManifest) -> Result<(), Failure> {
        self.folder.write_manifest(manifest)?;
        Ok(self.folder.remove_others(self.kept.as_ref(), manifest)?)
    }
}

/// The files with their names in the manifest.
fn tasks(files: &[PathBuf]) -> Vec<Task<'_>> {
    let mut ids = Names::default();
    let mut tasks = Vec::with_capacity(files.len());
    for path in files {
        let stem = path.file_stem().unwrap_or_default();
        tasks.push(Task {
            path,
            shown: path.to_string_lossy().replace('\\', "/"),
            id: ids.unique(&part(&stem.to_string_lossy())),
        });
    }
    tasks
}

/// Takes what is kept of a file if the file has not changed and its trajectories are there, or works on it.
fn deal(task: &Task<'_>, maker: &Maker, kept: Option<&SourceFile>, folder: &CorpusFolder) -> Dealt {
    if let Some(kept) = kept {
        let is_there = |built: &BuiltTrajectory| folder.intact(&built.name, &built.sha256).is_some();
        let is_same = kept.id == task.id && super::make::hash(task.path).is_ok_and(|(sha256, _)| sha256 == kept.sha256);
        // A bug may be gone since.
        let is_sound = kept.refused.iter().all(|refusal| refusal.kind != super::make::BUG);
        if is_same && is_sound && kept.trajectories.iter().all(is_there) {
            return Dealt::Kept(SourceFile {
                split: None,
                ..kept.clone()
            });
        }
    }
    Dealt::Made(maker.make(task.path))
}

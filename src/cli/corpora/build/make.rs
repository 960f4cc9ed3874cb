//! From one workbook file to sequences of actions.

use std::fs::File;
use std::io;
use std::path::Path;

use napsim_corpora::draft;
use napsim_corpora::import::{ImportedSheet, Note};
use napsim_reports::store::{CorpusManifest, FileNote, Refusal};
use napsim_trajectories::parse::parse_lines;
use napsim_trajectories::{Action, Trajectory};
use sha2::{Digest, Sha256};

use super::BuildArgs;
use crate::cli::corpora::values::Shares;
use crate::exit::Failure;
use crate::guard::guarded;

/// The profile of a user of whom nothing is known.
pub(super) const PROFILE_DEFAULT: &str = "tidy";

/// The kind of a refusal for which the program itself is the reason.
pub(super) const BUG: &str = "a bug";

/// Makes sequences out of workbooks.
pub(super) struct Maker {
    profiles: Vec<String>,
    seed: u64,
}

/// A file with what was made of it.
pub(super) struct Made {
    pub(super) sha256: String,
    pub(super) bytes: u64,
    pub(super) sequences: Vec<Sequence>,
    pub(super) refused: Vec<Refusal>,
    pub(super) notes: Vec<FileNote>,
}

/// A sequence of actions that builds a sheet.
pub(super) struct Sequence {
    pub(super) sheet: String,
    pub(super) profile: String,
    pub(super) seed: u64,
    pub(super) n_actions: u64,
    pub(super) digest: String,
    /// The trajectory as a text file holds it.
    pub(super) text: String,
}

impl Maker {
    pub(super) fn new(args: &BuildArgs) -> Result<Self, Failure> {
        Ok(Self {
            profiles: args.profile.clone(),
            seed: args.profile_seed,
        })
    }

    /// How many trajectories are made of a sheet.
    pub(super) fn n_profiles(&self) -> usize {
        self.profiles.len()
    }

    /// The hash of the benchmark that workbooks must not overlap.
    pub(super) fn against(&self) -> Option<String> {
        None
    }

    /// Reads a workbook and makes its sequences. What cannot be made is refused; a mistake in the program as well.
    pub(super) fn make(&self, path: &Path) -> Made {
        let (sha256, bytes) = hash(path).unwrap_or_default();
        let mut made = Made {
            sha256,
            bytes,
            sequences: Vec::new(),
            refused: Vec::new(),
            notes: Vec::new(),
        };
        if let Err(message) = guarded(|| self.fill(path, &mut made)) {
            made.sequences.clear();
            made.refused = vec![Refusal {
                sheet: None,
                profile: None,
                kind: BUG.to_owned(),
                reason: format!("a bug: {message}"),
            }];
        }
        made
    }

    fn fill(&self, _path: &Path, _made: &mut Made) {}
}

/// A value that a profile option can have.
pub(super) fn profile_name(text: &str) -> Result<String, String> {
    Ok(text.to_owned())
}

/// SHA-256 of a file in hexadecimal digits, and its size.
pub(super) fn hash(path: &Path) -> io::Result<(String, u64)> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let bytes = io::copy(&mut file, &mut hasher)?;
    let digits = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok((digits, bytes))
}

/// Says for each file which part of the corpus it belongs to.
pub(super) fn split(_manifest: &mut CorpusManifest, _shares: &Shares, _seed: u64) {}

/// The sequence as a file holds it, if it reads back from there as it is.
fn sequence(file: &str, sheet: &str, profile: &str, seed: u64, actions: Vec<Action>) -> Result<Sequence, Refusal> {
    let trajectory = Trajectory {
        name: String::new(),
        title: Some(format!("{file}: {sheet}")),
        description: Some(format!(
            "Made from the sheet as the profile {profile} would build it, seed {seed}."
        )),
        actions,
        lines: Vec::new(),
        predictable: None,
    };
    let text = draft::write(&trajectory);
    let read = parse_lines(text.lines());
    if !read.failed.is_empty() || read.actions != trajectory.actions {
        return Err(Refusal {
            sheet: Some(sheet.to_owned()),
            profile: Some(profile.to_owned()),
            kind: "not in the notation".to_owned(),
            reason: "the notation cannot write one of its actions".to_owned(),
        });
    }
    Ok(Sequence {
        sheet: sheet.to_owned(),
        profile: profile.to_owned(),
        seed,
        n_actions: u64::try_from(trajectory.actions.len()).unwrap_or(u64::MAX),
        digest: trajectory.digest(),
        text,
    })
}

fn file_notes(sheet: Option<&str>, notes: &[Note]) -> impl Iterator<Item = FileNote> {
    notes.iter().map(move |note| FileNote {
        sheet: sheet.map(str::to_owned),
        what: note.what.clone(),
        count: note.count,
    })
}

fn _unused(sheet: &ImportedSheet) {
    let _ = file_notes(Some(&sheet.name), &sheet.notes);
    let _ = sequence("", "", "", 0, Vec::new());
}

//! From one workbook file to sequences of actions.

use std::fs::File;
use std::io;
use std::path::Path;

use napsim_corpora::draft;
use napsim_corpora::import::{ImportError, ImportOptions, ImportedSheet, Note, import};
use napsim_corpora::split::{Shares, part_of};
use napsim_reports::store::{CorpusManifest, FileNote, Refusal};
use napsim_sim::compare::compare_gaps;
use napsim_sim::protocol::Protocol;
use napsim_sim::state::Workbook;
use napsim_sim::state_actions::actions_of;
use napsim_trajectories::{Action, Trajectory};
use sha2::{Digest, Sha256};

use super::BuildArgs;
use super::benchmark::Benchmark;
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
    import: ImportOptions,
    benchmark: Option<Benchmark>,
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
        let benchmark = args.against.as_deref().map(Benchmark::read).transpose()?;
        Ok(Self {
            benchmark,
            profiles: args.profile.clone(),
            seed: args.profile_seed,
            import: ImportOptions {
                sheets: (!args.sheets.is_empty()).then(|| args.sheets.clone()),
                ..ImportOptions::default()
            },
        })
    }

    /// How many trajectories are made of a sheet.
    pub(super) fn n_profiles(&self) -> usize {
        self.profiles.len()
    }

    /// The hash of the benchmark that workbooks must not overlap.
    pub(super) fn against(&self) -> Option<String> {
        self.benchmark.as_ref().map(|benchmark| benchmark.digest().to_owned())
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

    fn fill(&self, path: &Path, made: &mut Made) {
        let workbook = match import(path, &self.import) {
            Ok(workbook) => workbook,
            Err(error) => {
                made.refused.push(Refusal {
                    sheet: None,
                    profile: None,
                    kind: kind_of(&error).to_owned(),
                    reason: error.to_string(),
                });
                return;
            }
        };
        made.notes.extend(file_notes(None, &workbook.notes));
        if workbook.sheets.is_empty() {
            made.refused.push(Refusal {
                sheet: None,
                profile: None,
                kind: "nothing in it".to_owned(),
                reason: "expected a sheet with content, found none".to_owned(),
            });
        }
        if let Some(refusal) = self
            .benchmark
            .as_ref()
            .and_then(|benchmark| benchmark.refusal(&workbook.sheets))
        {
            made.refused.push(refusal);
            return;
        }
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        for sheet in &workbook.sheets {
            made.notes.extend(file_notes(Some(&sheet.name), &sheet.notes));
            for profile in &self.profiles {
                let outcome = reconstruct(sheet, profile, self.seed)
                    .and_then(|actions| sequence(&file, &sheet.name, profile, self.seed, actions));
                match outcome {
                    Ok(sequence) => made.sequences.push(sequence),
                    Err(refusal) => made.refused.push(refusal),
                }
            }
        }
    }
}

/// What kind of refusal an error is, for counts.
fn kind_of(error: &ImportError) -> &'static str {
    match error {
        ImportError::Unreadable { .. } => "cannot be read",
        ImportError::NotAWorkbook { .. } => "no workbook",
        ImportError::Unsupported { .. } => "not supported",
        ImportError::Encrypted => "encrypted",
        ImportError::Damaged { .. } => "damaged",
        ImportError::TooLarge { .. } => "too large",
        _ => "other",
    }
}

/// The actions that build a sheet as a user of the profile would, verified by carrying them out.
fn reconstruct(sheet: &ImportedSheet, profile: &str, _seed: u64) -> Result<Vec<Action>, Refusal> {
    let mut target = Workbook::default();
    target.push_sheet(sheet.name.as_str().into(), sheet.sheet.clone());
    let refusal = |reason: String| Refusal {
        sheet: Some(sheet.name.clone()),
        profile: Some(profile.to_owned()),
        kind: "not reached".to_owned(),
        reason,
    };
    let actions = actions_of(&target).map_err(|error| refusal(error.to_string()))?;
    let mut state = Workbook::default();
    state
        .apply_strict(&actions)
        .map_err(|error| refusal(error.to_string()))?;
    let mut gap = None;
    compare_gaps(&Protocol::NAPE_1, &state, &target, &mut |difference| {
        gap.get_or_insert_with(|| format!("{difference:?}"));
    });
    gap.map_or(Ok(actions), |gap| Err(refusal(gap)))
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
///
/// Its content decides, so that copies of a file under several names are in one part.
pub(super) fn split(manifest: &mut CorpusManifest, shares: &Shares, seed: u64) {
    for file in &mut manifest.files {
        file.split = Some(part_of(&file.sha256, shares, seed).name().to_owned());
    }
}

/// The sequence as a file holds it, if it reads back from there as it is.
fn sequence(file: &str, sheet: &str, profile: &str, seed: u64, actions: Vec<Action>) -> Result<Sequence, Refusal> {
    let refusal = |kind: &str, reason: String| Refusal {
        sheet: Some(sheet.to_owned()),
        profile: Some(profile.to_owned()),
        kind: kind.to_owned(),
        reason,
    };
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
    // Texts that a workbook holds once can stand in many cells.
    let mut n_bytes = 0;
    for (number, action) in (1_usize..).zip(&trajectory.actions) {
        let line = action.to_string();
        n_bytes += line.len();
        if n_bytes > TEXT_BYTES_MAX {
            let reason = format!("its actions make more text than the limit of {TEXT_BYTES_MAX} bytes");
            return Err(refusal("too large", reason));
        }
        let is_readable = !line.contains(['\n', '\r']) && Action::parse(&line).is_ok_and(|read| read == *action);
        if !is_readable {
            let reason = format!("the notation cannot write its action {number} on {}", action.range());
            return Err(refusal("not in the notation", reason));
        }
    }
    Ok(Sequence {
        sheet: sheet.to_owned(),
        profile: profile.to_owned(),
        seed,
        n_actions: u64::try_from(trajectory.actions.len()).unwrap_or(u64::MAX),
        digest: trajectory.digest(),
        text: draft::write(&trajectory),
    })
}

/// The most text that the actions of one trajectory may make.
const TEXT_BYTES_MAX: usize = 64 << 20;

fn file_notes(sheet: Option<&str>, notes: &[Note]) -> impl Iterator<Item = FileNote> {
    notes.iter().map(move |note| FileNote {
        sheet: sheet.map(str::to_owned),
        what: note.what.clone(),
        count: note.count,
    })
}

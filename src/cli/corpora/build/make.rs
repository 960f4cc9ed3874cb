//! From one workbook file to sequences of actions.

use std::fs::File;
use std::io;
use std::path::Path;

use napsim_corpora::draft;
use napsim_corpora::import::{ImportError, ImportOptions, Note, import};
use napsim_corpora::reconstruct::{Profile, ReconstructError, reconstruct};
use napsim_corpora::split::{Shares, part_of};
use napsim_reports::store::{CorpusManifest, FileNote, Refusal};
use napsim_sim::state::{Cells, Property, Sheet};
use napsim_trajectories::{Action, Trajectory};
use sha2::{Digest, Sha256};

use super::BuildArgs;
use super::benchmark::Benchmark;
use crate::cli::corpora::values::profiles;
use crate::exit::Failure;
use crate::guard::guarded;

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
            profiles: profiles(&args.profile),
            seed: args.profile_seed,
            import: ImportOptions {
                sheets: (!args.sheets.is_empty()).then(|| args.sheets.clone()),
                ..ImportOptions::default()
            },
        })
    }

    /// The profiles in order.
    pub(super) fn profiles(&self) -> &[String] {
        &self.profiles
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
            if text_bytes(&sheet.sheet) > TEXT_BYTES_MAX {
                made.refused.push(Refusal {
                    sheet: Some(sheet.name.clone()),
                    profile: None,
                    kind: "too large".to_owned(),
                    reason: format!("its cells hold more text than the limit of {TEXT_BYTES_MAX} bytes"),
                });
                continue;
            }
            let seed = seed_of(self.seed, &file, &sheet.name);
            for (profile_idx, name) in self.profiles.iter().enumerate() {
                let source = Source {
                    file: &file,
                    sheet: &sheet.name,
                    profile: name,
                    seed,
                };
                let Some(profile) = Profile::named(name, seed) else {
                    made.refused
                        .push(source.refusal("no such profile", format!("there is no profile `{name}`")));
                    continue;
                };
                match reconstruct(&sheet.sheet, &profile, seed) {
                    Ok(reconstruction) => {
                        // What actions cannot say does not depend on the profile.
                        if profile_idx == 0 {
                            made.notes.extend(file_notes(Some(&sheet.name), &reconstruction.notes));
                        }
                        match source.sequence(reconstruction.actions) {
                            Ok(sequence) => made.sequences.push(sequence),
                            Err(refusal) => made.refused.push(refusal),
                        }
                    }
                    Err(ReconstructError::Empty) => {
                        let reason = ReconstructError::Empty.to_string();
                        made.refused.push(source.refusal("nothing in it", reason));
                        // No profile makes more of it.
                        break;
                    }
                    Err(error) => made.refused.push(source.refusal("not reached", error.to_string())),
                }
            }
        }
    }
}

/// The bytes of all texts, each as often as it occurs: a file can hold one text and show it in every cell.
fn text_bytes(sheet: &Sheet) -> usize {
    let cells = sheet.cells.iter().flat_map(Cells::sorted);
    let texts = cells.filter_map(|(_, cell)| cell.get(Property::Value)?.as_text());
    texts.map(str::len).sum()
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

/// The seed of a sheet's reconstruction: workbooks and sheets differ in what a profile leaves to chance.
///
/// It is the first four bytes of a SHA-256 over the seed asked for and both names.
fn seed_of(seed: u64, file: &str, sheet: &str) -> u64 {
    let digest = Sha256::digest(format!("napsim-profile\n{seed}\n{file}\n{sheet}"));
    digest.iter().take(4).fold(0, |seed, byte| seed << 8 | u64::from(*byte))
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

/// What a sequence is made from.
struct Source<'a> {
    file: &'a str,
    sheet: &'a str,
    profile: &'a str,
    seed: u64,
}

impl Source<'_> {
    fn refusal(&self, kind: &str, reason: String) -> Refusal {
        Refusal {
            sheet: Some(self.sheet.to_owned()),
            profile: Some(self.profile.to_owned()),
            kind: kind.to_owned(),
            reason,
        }
    }

    /// The sequence as a file holds it, if it reads back from there as it is.
    fn sequence(&self, actions: Vec<Action>) -> Result<Sequence, Refusal> {
        let Self {
            file,
            sheet,
            profile,
            seed,
        } = *self;
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
            let mut n_bytes = 0;
        for (number, action) in (1_usize..).zip(&trajectory.actions) {
            let line = action.to_string();
            n_bytes += line.len();
            if n_bytes > TEXT_BYTES_MAX {
                let reason = format!("its actions make more text than the limit of {TEXT_BYTES_MAX} bytes");
                return Err(self.refusal("too large", reason));
            }
            let is_readable = !line.contains(['\n', '\r']) && Action::parse(&line).is_ok_and(|read| read == *action);
            if !is_readable {
                let reason = format!("the notation cannot write its action {number} on {}", action.range());
                return Err(self.refusal("not in the notation", reason));
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

//! From one workbook file to sequences of actions.

use std::fs::File;
use std::io;
use std::path::Path;

use napsim_corpora::import::{ImportError, ImportOptions, Note, import};
use napsim_reports::store::{FileNote, Refusal, SourceFile};
use sha2::{Digest, Sha256};

use super::BuildArgs;
use super::benchmark::Benchmark;
use crate::cli::corpora::sequence::{Sequence, Source};
use crate::cli::corpora::values::profiles;
use crate::exit::Failure;
use crate::guard::guarded;

/// The kind of a refusal for which the program itself is the reason.
pub(super) const BUG: &str = "a bug";

/// The kind of a refusal of a workbook without a sheet that is wanted and holds anything.
const NOTHING: &str = "nothing in it";

/// The kind of a refusal of a workbook that has none of the sheets asked for.
const OTHER_SHEETS: &str = "other sheets";

/// The kind of a refusal because of the benchmark.
const OVERLAPS: &str = "overlaps the benchmark";

/// The note on each sheet that was asked for and that a workbook does not have.
const LACKING: &str = "asked for, but not in the workbook";

/// Makes sequences out of workbooks.
pub(super) struct Maker {
    profiles: Vec<String>,
    seed: u64,
    import: ImportOptions,
    refine: bool,
    benchmark: Option<Benchmark>,
}

/// A file with what was made of it.
#[derive(Default)]
pub(super) struct Made {
    pub(super) sha256: String,
    pub(super) bytes: u64,
    pub(super) sequences: Vec<Sequence>,
    pub(super) refused: Vec<Refusal>,
    pub(super) notes: Vec<FileNote>,
}

impl Maker {
    pub(super) fn new(args: &BuildArgs) -> Result<Self, Failure> {
        let benchmark = args.against.as_deref().map(Benchmark::read).transpose()?;
        Ok(Self {
            benchmark,
            profiles: profiles(&args.profile),
            seed: args.profile_seed,
            refine: args.refine.is_some(),
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
        let made = guarded(|| self.fill(path, &sha256)).unwrap_or_else(|message| Made {
            refused: vec![of_file(BUG, format!("a bug: {message}"))],
            ..Made::default()
        });
        Made { sha256, bytes, ..made }
    }

    fn fill(&self, path: &Path, sha256: &str) -> Made {
        let mut made = Made::default();
        let workbook = match import(path, &self.import) {
            Ok(workbook) => workbook,
            Err(error) => {
                made.refused.push(of_file(kind_of(&error), error.to_string()));
                return made;
            }
        };
        made.notes.extend(file_notes(None, &workbook.notes));
        let asked = asked(self.import.sheets.as_deref().unwrap_or_default());
        let lacking = asked.iter().filter(|name| !workbook.names.contains(name));
        made.notes.extend(lacking.clone().map(|name| FileNote {
            sheet: Some((*name).clone()),
            what: LACKING.to_owned(),
            count: 1,
        }));
        if !asked.is_empty() && lacking.count() == asked.len() {
            let reason = format!("expected a sheet {}, found {}", either(&asked), listed(&workbook.names));
            made.refused.push(of_file(OTHER_SHEETS, reason));
        } else if workbook.sheets.is_empty() {
            let reason = "expected a sheet with content, found none";
            made.refused.push(of_file(NOTHING, reason.to_owned()));
        }
        let overlap = self.benchmark.as_ref().and_then(|own| own.overlap(&workbook.sheets));
        if let Some(reason) = overlap {
            made.refused.push(of_file(OVERLAPS, reason));
            return made;
        }
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        for sheet in &workbook.sheets {
            let source = Source {
                name: &sheet.name,
                sheet: &sheet.sheet,
                seed: seed_of(self.seed, sha256, &sheet.name),
                title: format!("{file}: {}", sheet.name),
                about: "Made from a workbook.".to_owned(),
            };
            let outcome = source.sequences(&self.profiles, self.refine);
            let notes = sheet.notes.iter().chain(&outcome.notes);
            made.notes.extend(file_notes(Some(&sheet.name), notes));
            made.sequences.extend(outcome.sequences);
            made.refused.extend(outcome.refused);
        }
        made
    }
}

/// The sheets asked for, each once, in the order given.
fn asked(names: &[String]) -> Vec<&String> {
    let mut asked = Vec::new();
    for name in names {
        if !asked.contains(&name) {
            asked.push(name);
        }
    }
    asked
}

/// Names of which one is wanted.
fn either(names: &[&String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(" or ")
}

/// Names of which not too many are shown.
fn listed(names: &[String]) -> String {
    const SHOWN_MAX: usize = 20;
    if names.is_empty() {
        return "none".to_owned();
    }
    let shown: Vec<String> = names.iter().take(SHOWN_MAX).map(|name| format!("`{name}`")).collect();
    let n_more = names.len() - shown.len();
    let more = if n_more > 0 {
        format!(" and {n_more} more")
    } else {
        String::new()
    };
    format!("{}{more}", shown.join(", "))
}

/// The sheets asked for that no workbook has, as far as the workbooks could be read; none where none could.
///
/// The files tell, so that those count which an earlier build has read.
pub(super) fn in_no_workbook<'a>(names: &'a [String], files: &[SourceFile]) -> Vec<&'a String> {
    let is_read = |file: &&SourceFile| {
        let mut refused = file.refused.iter();
        refused.all(|refusal| {
            refusal.sheet.is_some() || [NOTHING, OTHER_SHEETS, OVERLAPS].contains(&refusal.kind.as_str())
        })
    };
    let read: Vec<&SourceFile> = files.iter().filter(is_read).collect();
    let lacks = |file: &SourceFile, name: &str| {
        let mut notes = file.notes.iter();
        notes.any(|note| note.what == LACKING && note.sheet.as_deref() == Some(name))
    };
    let mut absent = asked(names);
    absent.retain(|name| !read.is_empty() && read.iter().all(|file| lacks(file, name)));
    absent
}

/// The refusal of a file as a whole.
fn of_file(kind: &str, reason: String) -> Refusal {
    Refusal {
        sheet: None,
        profile: None,
        kind: kind.to_owned(),
        reason,
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

/// The seed of a sheet's reconstruction: workbooks and sheets differ in what a profile leaves to chance.
///
/// It is the first four bytes of a SHA-256 over the seed asked for, the digest of the file and the sheet's name, so that
/// a file gives the same whatever it is called and whatever lies beside it.
fn seed_of(seed: u64, sha256: &str, sheet: &str) -> u64 {
    let digest = Sha256::digest(format!("napsim-profile\n{seed}\n{sha256}\n{sheet}"));
    let bytes = digest.iter().take(4);
    bytes.fold(0, |seed, byte| seed << 8 | u64::from(*byte))
}

/// SHA-256 of a file in hexadecimal digits, and its size.
pub(super) fn hash(path: &Path) -> io::Result<(String, u64)> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let bytes = io::copy(&mut file, &mut hasher)?;
    let digits = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok((digits, bytes))
}

fn file_notes<'a>(sheet: Option<&'a str>, notes: impl IntoIterator<Item = &'a Note>) -> impl Iterator<Item = FileNote> {
    notes.into_iter().map(move |note| FileNote {
        sheet: sheet.map(str::to_owned),
        what: note.what.clone(),
        count: note.count,
    })
}

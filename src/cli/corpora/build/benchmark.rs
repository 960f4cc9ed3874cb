//! The benchmark that workbooks must not overlap.

use std::path::Path;

use anyhow::anyhow;
use napsim_corpora::import::{ImportOptions, ImportedSheet, import};
use napsim_corpora::leakage::{Overlap, Signature, Thresholds, check};
use napsim_sim::state::Workbook;
use sha2::{Digest, Sha256};

use super::inputs;
use crate::cli::corpus;
use crate::exit::Failure;

/// Signatures of the sheets of a benchmark.
pub(super) struct Benchmark {
    sheets: Vec<(String, Signature)>,
    digest: String,
}

impl Benchmark {
    /// Reads a corpus of trajectories, of which the final sheets count, or else workbooks.
    ///
    /// What cannot be read is no part of the benchmark's content, so it is an error.
    pub(super) fn read(spec: &Path) -> Result<Self, Failure> {
        let sheets = match corpus::open(spec, false) {
            Ok(corpus) => {
                let finals = corpus.trajectories.iter().map(|trajectory| {
                    let mut state = Workbook::default();
                    state.apply_lenient(&trajectory.actions);
                    (trajectory.name.clone(), Signature::of_workbook(&state))
                });
                finals.collect()
            }
            Err(error) => {
                let files = inputs::files(&[spec.to_owned()]).unwrap_or_default();
                if files.is_empty() {
                    return Err(Failure::Input(anyhow!("failed to {error}")));
                }
                of_workbooks(&files)?
            }
        };
        let text = serde_json::to_string(&sheets).map_err(Failure::environment)?;
        let digest = Sha256::digest(text.as_bytes());
        Ok(Self {
            sheets,
            digest: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
        })
    }

    /// SHA-256 of everything that a comparison depends on.
    pub(super) fn digest(&self) -> &str {
        &self.digest
    }

    /// Why a workbook overlaps the benchmark, if one of its sheets does.
    pub(super) fn overlap(&self, sheets: &[ImportedSheet]) -> Option<String> {
        let signatures: Vec<(String, Signature)> = sheets
            .iter()
            .map(|sheet| (sheet.name.clone(), Signature::of_sheet(&sheet.sheet)))
            .collect();
        let overlaps = check(&signatures, &self.sheets, Thresholds::default());
        overlaps.first().map(reason)
    }
}

fn of_workbooks(files: &[std::path::PathBuf]) -> Result<Vec<(String, Signature)>, Failure> {
    let mut signatures = Vec::new();
    for file in files {
        let workbook = import(file, &ImportOptions::default()).map_err(|error| {
            let file = file.display();
            Failure::Input(anyhow!("failed to read the benchmark's {file}: {error}"))
        })?;
        for sheet in &workbook.sheets {
            let name = format!("{}: {}", file.display(), sheet.name);
            signatures.push((name, Signature::of_sheet(&sheet.sheet)));
        }
    }
    Ok(signatures)
}

fn reason(overlap: &Overlap) -> String {
    let Overlap {
        train,
        benchmark,
        jaccard_estimate,
        shared_rows,
        ..
    } = overlap;
    let what = if overlap.same_contents {
        "has the same content as".to_owned()
    } else {
        let share = 100.0 * jaccard_estimate;
        format!("has {shared_rows} telling rows and an estimated {share:.0} % of its content in common with")
    };
    format!("its sheet {train} {what} {benchmark} of the benchmark")
}

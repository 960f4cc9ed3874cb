//! Sequences of actions as JSON lines, for training.

use std::path::Path;

use anyhow::anyhow;
use napsim_reports::store::{CorpusFolder, CorpusManifest, LineFile};
use serde::Serialize;

use crate::exit::Failure;

/// One line of the file.
#[derive(Debug, Serialize)]
struct Sequence<'a> {
    schema: &'static str,
    id: &'a str,
    workbook: &'a str,
    sheet: &'a str,
    profile: &'a str,
    seed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    split: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    provenance: Option<Provenance<'a>>,
    /// Canonical texts.
    actions: Vec<&'a str>,
}

/// Where a sequence comes from; nowhere where the workbook was made up.
#[derive(Debug, Serialize)]
struct Provenance<'a> {
    file: &'a str,
    sha256: &'a str,
}

/// Name and version of a line's schema.
const SCHEMA: &str = "napsim-sequence/1";

/// Writes the trajectories of the corpus, one a line, in the order of the manifest.
pub(super) fn write(path: &Path, folder: &CorpusFolder, manifest: &CorpusManifest) -> Result<(), Failure> {
    let mut lines = LineFile::create(path)?;
    for file in &manifest.files {
        for built in &file.trajectories {
            let text = folder.intact(&built.name, &built.sha256).ok_or_else(|| {
                let path = folder.trajectory_path(&built.name);
                Failure::Environment(anyhow!("failed to read {}: it has changed meanwhile", path.display()))
            })?;
            let sequence = Sequence {
                schema: SCHEMA,
                id: &built.name,
                workbook: &file.id,
                sheet: &built.sheet,
                profile: &built.profile,
                seed: built.seed,
                split: file.split.as_deref(),
                provenance: (!file.sha256.is_empty()).then_some(Provenance {
                    file: &file.path,
                    sha256: &file.sha256,
                }),
                actions: text.lines().filter(|line| !line.starts_with('#')).collect(),
            };
            lines.push(&serde_json::to_string(&sequence).map_err(Failure::environment)?)?;
        }
    }
    Ok(lines.finish()?)
}

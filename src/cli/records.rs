//! The records in a run folder.

use std::path::Path;

use anyhow::anyhow;
use napsim_reports::record::UnitRecord;
use napsim_reports::store::{Manifest, UnitEntry};
use napsim_reports::{RunFolder, UnitResult};

use crate::exit::Failure;

/// The record of a trajectory, if there is one, in whatever state it is.
pub(super) fn unit(
    folder: &RunFolder,
    manifest: &Manifest,
    entry: &UnitEntry,
) -> Result<Option<UnitRecord>, anyhow::Error> {
    let Some(record) = folder.unit(&entry.file).map_err(|error| anyhow!("failed to {error}"))? else {
        return Ok(None);
    };
    let header = &record.header;
    let is_of_this_run = header.setup == manifest.setup && header.trajectory.digest == entry.digest;
    if is_of_this_run && header.trajectory.name == entry.name && record.summary.name == entry.name {
        return Ok(Some(record));
    }
    let path = folder.unit_path(&entry.file);
    Err(anyhow!(
        "failed to read {}:1: it is the record of another run or trajectory",
        path.display()
    ))
}

/// What the trajectories of a run came to, in corpus order, without those that are not done.
pub(super) fn results(folder: &RunFolder, manifest: &Manifest) -> Result<Vec<UnitResult>, Failure> {
    let mut results = Vec::with_capacity(manifest.units.len());
    for entry in &manifest.units {
        let path = folder.unit_path(&entry.file);
        if let Some(record) = unit(folder, manifest, entry).map_err(Failure::Input)? {
            let record = record
                .intact(&path)
                .map_err(|error| Failure::Input(anyhow!("failed to {error}")))?;
            results.push(record.result());
        }
    }
    Ok(results)
}

/// Opens the folder of a run.
pub(super) fn open(root: &Path) -> Result<(RunFolder, Manifest), Failure> {
    Ok(RunFolder::open(root)?)
}

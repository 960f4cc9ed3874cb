//! MLflow's folder of runs, usually called `mlruns`.
//!
//! ```text
//! mlruns/EXPERIMENT/meta.yaml
//! mlruns/EXPERIMENT/RUN/{params,metrics,tags}/NAME    one file each; a metric has a line a step
//! mlruns/EXPERIMENT/RUN/artifacts/NAME
//! mlruns/EXPERIMENT/RUN/meta.yaml                     written last: a run that has it is whole
//! ```

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use napsim_reports::store::{resolved, write_file, write_file_whole};
use sha2::{Digest, Sha256};

use crate::error::TrackerError;
use crate::mlflow::content::Content;
use crate::mlflow::{DIGEST, meta};
use crate::run::{Exported, TrackedRun, hex};

const META: &str = "meta.yaml";

/// Writes runs into a folder of MLflow, which is made where there is none. Other runs in it are left alone; so are tags and
/// files that somebody else gave to ours.
///
/// # Errors
/// [`TrackerError`] for names that MLflow does not take, before anything is written, and for whatever the system says.
pub fn write_folder(root: &Path, runs: &[TrackedRun]) -> Result<Exported, TrackerError> {
    let contents = runs.iter().map(Content::of).collect::<Result<Vec<_>, _>>()?;
    make(root)?;
    let root = resolved(root);
    let mut experiments: BTreeMap<&str, (String, PathBuf)> = BTreeMap::new();
    let mut exported = Exported::default();
    for content in &contents {
        let name = content.run.experiment.as_str();
        if !experiments.contains_key(name) {
            experiments.insert(name, experiment(&root, name, content.run.start_ms)?);
        }
        if let Some((id, folder)) = experiments.get(name) {
            write_run(id, folder, content, &mut exported)?;
        }
    }
    Ok(exported)
}

/// The id and folder of an experiment; it is made where there is none of that name.
fn experiment(root: &Path, name: &str, created_ms: u64) -> Result<(String, PathBuf), TrackerError> {
    if let Some(folder) = find_experiment(root, name)?
        && let Some(id) = folder.file_name().and_then(|id| id.to_str())
    {
        return Ok((id.to_owned(), folder.clone()));
    }
    let id = experiment_id(name);
    let folder = root.join(&id);
    make(&folder)?;
    write_file_whole(
        &folder.join(META),
        meta::experiment(&id, name, &folder, created_ms).as_bytes(),
    )?;
    Ok((id, folder))
}

/// The folder of the experiment of that name.
fn find_experiment(root: &Path, name: &str) -> Result<Option<PathBuf>, TrackerError> {
    let unreadable = |reason| io_error("read", root, reason);
    let entries = fs::read_dir(root).map_err(unreadable)?;
    let mut folders = Vec::new();
    for entry in entries {
        folders.push(entry.map_err(unreadable)?.path());
    }
    // Of several, which MLflow does not make, the first.
    folders.sort();
    let has_name = |folder: &PathBuf| {
        let text = fs::read_to_string(folder.join(META)).ok();
        text.and_then(|text| meta::name(&text)).as_deref() == Some(name)
    };
    Ok(folders.into_iter().find(has_name))
}

/// A number of 18 digits, as MLflow gives experiments in folders, that follows from the name.
fn experiment_id(name: &str) -> String {
    const FIRST: u64 = 100_000_000_000_000_000;
    let digest = Sha256::digest(name.as_bytes());
    let number = digest
        .iter()
        .take(8)
        .fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    (FIRST + number % (9 * FIRST)).to_string()
}

/// The id of a run, 32 hexadecimal digits, which follows from its experiment and its own id.
fn run_id(content: &Content<'_>) -> String {
    let text = format!("{}\n{}", content.run.experiment, content.run.id);
    hex(&Sha256::digest(text.as_bytes())).chars().take(32).collect()
}

fn write_run(
    experiment_id: &str,
    experiment: &Path,
    content: &Content<'_>,
    exported: &mut Exported,
) -> Result<(), TrackerError> {
    let id = run_id(content);
    let folder = experiment.join(&id);
    let is_there = folder.exists();
    let is_whole = folder.join(META).exists();
    if is_whole && fs::read_to_string(folder.join("tags").join(DIGEST)).is_ok_and(|digest| digest == content.digest) {
        exported.unchanged += 1;
        return Ok(());
    }
    for (stale, is_folder) in [(META, false), ("params", true), ("metrics", true)] {
        remove(&folder.join(stale), is_folder)?;
    }
    for part in ["params", "metrics", "tags", "artifacts"] {
        make(&folder.join(part))?;
    }
    for (name, value) in &content.params {
        write(&folder.join("params").join(name), value.as_bytes())?;
    }
    for (name, lines) in metric_lines(content.run) {
        write(&folder.join("metrics").join(name), lines.as_bytes())?;
    }
    for (name, bytes) in &content.run.artifacts {
        write(&folder.join("artifacts").join(name), bytes)?;
    }
    for (name, value) in &content.tags {
        write(&folder.join("tags").join(name), value.as_bytes())?;
    }
    write(&folder.join("tags").join(DIGEST), content.digest.as_bytes())?;
    write_file_whole(
        &folder.join(META),
        meta::run(&id, experiment_id, content, &folder).as_bytes(),
    )?;
    exported.values_cut += content.n_cut;
    *if is_there {
        &mut exported.replaced
    } else {
        &mut exported.created
    } += 1;
    Ok(())
}

/// The lines of each metric's file: time, value, step.
fn metric_lines(run: &TrackedRun) -> BTreeMap<&str, String> {
    let mut lines: BTreeMap<&str, String> = BTreeMap::new();
    for (name, step, value) in run.points() {
        // Writing to a text cannot fail.
        let _ = writeln!(lines.entry(name).or_default(), "{} {value:?} {step}", run.end_ms);
    }
    lines
}

/// Writes a file of a run; names may have slashes in them.
fn write(path: &Path, bytes: &[u8]) -> Result<(), TrackerError> {
    if let Some(folder) = path.parent() {
        make(folder)?;
    }
    Ok(write_file(path, bytes)?)
}

fn make(folder: &Path) -> Result<(), TrackerError> {
    fs::create_dir_all(folder).map_err(|reason| io_error("make", folder, reason))
}

fn remove(path: &Path, is_folder: bool) -> Result<(), TrackerError> {
    let removed = if is_folder {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    };
    match removed {
        Err(reason) if reason.kind() != io::ErrorKind::NotFound => Err(io_error("remove", path, reason)),
        _ => Ok(()),
    }
}

fn io_error(verb: &'static str, path: &Path, reason: io::Error) -> TrackerError {
    TrackerError::Io {
        verb,
        path: path.to_owned(),
        reason,
    }
}

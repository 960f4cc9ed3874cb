//! Output files that would replace what a command reads or makes.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use napsim_reports::store::{CorpusFolder, resolved};

use crate::exit::Failure;

/// Refuses a file for sequences that is an input, or part of the corpus that is made in the folder `out`.
pub(super) fn check_sequences(path: &Path, out: &Path, inputs: &[PathBuf]) -> Result<(), Failure> {
    let target = resolved(path);
    if inputs.iter().any(|input| resolved(input) == target) {
        return Err(refusal("--jsonl", path, "one of the workbooks that are read"));
    }
    if CorpusFolder::owns(out, path) {
        let what = format!("part of the corpus in {}", out.display());
        return Err(refusal("--jsonl", path, &what));
    }
    Ok(())
}

/// Refuses a file for calls that is part of the corpus that is read.
pub(super) fn check_log(path: &Path, corpus: &Path) -> Result<(), Failure> {
    let target = resolved(path);
    let spec = resolved(corpus);
    // A trajectory and a folder of trajectories may be meant by themselves, two folders below or in that of a corpus.
    let mut roots = spec.ancestors().take(3);
    let is_of_corpus =
        roots.any(|root| (root == spec || root.join("manifest.json").exists()) && CorpusFolder::owns(root, path));
    let is_trajectory = target
        .extension()
        .is_some_and(|ending| ending == "txt" || ending == "json");
    let lies_in = |folder: &Path| target.parent() == Some(folder) && is_trajectory;
    let is_read = target == spec || lies_in(&spec) || lies_in(&spec.join("data").join("trajectories"));
    if is_of_corpus || is_read || matches(corpus, &target) {
        let what = format!("part of the corpus {}, which is read", corpus.display());
        return Err(refusal("--log", path, &what));
    }
    Ok(())
}

/// Whether one of the files that match a pattern is the target.
fn matches(pattern: &Path, target: &Path) -> bool {
    let paths = glob::glob(&pattern.to_string_lossy()).into_iter().flatten();
    paths.filter_map(Result::ok).any(|path| resolved(&path) == target)
}

fn refusal(option: &str, path: &Path, what: &str) -> Failure {
    let path = path.display();
    Failure::Input(anyhow!(
        "failed to write {option} {path}: it is {what}; give another file"
    ))
}

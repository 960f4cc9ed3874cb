//! Experiments: sweeps, their stores and their comparisons.

mod exports;
mod input;
mod killing;
mod paper;
mod sharing;
mod stores;

use crate::command::{Folder, PLAN};

/// An experiment over two small trajectories.
pub(crate) const SMALL: &str = "\
name = \"small\"
baseline = \"stride=1\"

[base]
corpus = \"corpus\"

[grid]
stride = [1, 2]
";

/// A folder with a small corpus and an experiment over it.
pub(crate) fn small() -> Folder {
    let folder = Folder::new();
    folder.write("corpus/plan.txt", PLAN);
    folder.write(
        "corpus/day.txt",
        PLAN.replace("Week", "Day").replace("A4 | 3", "A4 | 4"),
    );
    folder.write("small.toml", SMALL);
    folder
}

/// The records of complete units in a store, by their names.
pub(crate) fn units(folder: &Folder, store: &str) -> Vec<(String, Vec<u8>)> {
    let mut files = folder.files(&format!("{store}/units"));
    files.retain(|(name, _)| !name.ends_with(".tmp"));
    files
}

//! Predictors of one's own: programs that behave and programs that do not, `suggest` and `check-predictor`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::command::{Folder, PLAN, timeless};

/// Ten trajectories of the embedded corpus, in the folder `ten`.
#[expect(clippy::unwrap_used, reason = "a test without its files has failed")]
pub(crate) fn ten_trajectories(folder: &Folder) {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("trajectories/data");
    let mut paths: Vec<PathBuf> = fs::read_dir(data).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort();
    for path in paths.iter().step_by(5).take(10) {
        let name = path.file_name().unwrap().to_str().unwrap();
        folder.write(&format!("ten/{name}"), fs::read(path).unwrap());
    }
}

/// The events of each record of a run, without its header and seal, which name the predictor.
#[expect(clippy::unwrap_used, reason = "a test without its record has failed")]
pub(crate) fn events(folder: &Folder, run: &str) -> Vec<String> {
    let of_record = |(name, bytes): (String, Vec<u8>)| {
        let text = String::from_utf8(bytes).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        format!("{name}\n{}", lines[1..lines.len() - 1].join("\n"))
    };
    folder
        .files(&format!("{run}/units"))
        .into_iter()
        .map(of_record)
        .collect()
}

/// The misbehaving program, which `cargo test --workspace` builds beside napsim.
#[expect(clippy::panic, reason = "without its program the test has failed")]
fn program() -> String {
    let path = Path::new(env!("CARGO_BIN_EXE_napsim")).with_file_name("napsim-test-predictor");
    if !path.exists() {
        panic!("{} is not there; build with --workspace", path.display());
    }
    path.display().to_string()
}

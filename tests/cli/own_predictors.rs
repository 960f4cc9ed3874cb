//! Predictors of one's own: programs that behave and programs that do not, `suggest` and `check-predictor`.

mod asking;
mod failing;

use std::fs;
use std::path::{Path, PathBuf};

use crate::command::{Folder, PLAN};

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
        let (_, lines) = text.trim_end().split_once('\n').unwrap();
        let (lines, _) = lines.rsplit_once('\n').unwrap();
        format!("{name}\n{lines}")
    };
    folder
        .files(&format!("{run}/units"))
        .into_iter()
        .map(of_record)
        .collect()
}

/// The command of the program for tests, which `cargo test --workspace` builds beside napsim.
fn program(arguments: &str) -> String {
    let path = Path::new(env!("CARGO_BIN_EXE_napsim")).with_file_name("napsim-test-predictor");
    assert!(path.exists(), "{} is not there; build with --workspace", path.display());
    format!("exec:'{}' {arguments}", path.display())
}

/// A folder with four plans, of which the third one is the longest.
fn plans() -> Folder {
    let folder = Folder::new();
    for (idx, n_more) in [0, 2, 8, 4].into_iter().enumerate() {
        let more: String = (0..n_more)
            .map(|row| format!("INPUT | D{} | {row}\n", row + 1))
            .collect();
        folder.write(&format!("plans/plan-{idx}.txt"), format!("{PLAN}{more}"));
    }
    folder
}

/// The arguments of a run over the plans.
fn run<'a>(predictor: &'a str, more: &'a str) -> Vec<&'a str> {
    let mut arguments = vec!["run", "plans", "--predictor", predictor];
    arguments.extend(more.split_whitespace());
    arguments
}

//! The experiments that come with the program: all of them can be planned, and two have the shape that the paper found.

use std::path::{Path, PathBuf};

use crate::command::Folder;

fn experiments() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments")
}

#[test]
fn every_experiment_can_be_planned() {
    let folder = Folder::new();
    let mut n_files = 0;
    for place in [experiments(), experiments().join("paper")] {
        for entry in std::fs::read_dir(place).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                continue;
            }
            n_files += 1;
            let answer = folder.napsim_with(["plan".as_ref(), path.as_os_str()]);
            assert_eq!(answer.code, Some(0), "{}: {}", path.display(), answer.stderr);
        }
    }
    assert!(n_files >= 10, "{n_files} files");
}

/// Mean UAS of the variants in single mode, in the order of the file.
#[expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test whose output is no comparison has failed"
)]
fn means(folder: &Folder, name: &str) -> Vec<f64> {
    let path = experiments().join("paper").join(name);
    let answer = folder.napsim_with([
        "sweep".as_ref(),
        path.as_os_str(),
        "--json".as_ref(),
        "--quiet".as_ref(),
    ]);
    let json: serde_json::Value = serde_json::from_str(&answer.output(0)).unwrap();
    let runs = json["runs"].as_array().unwrap().iter();
    runs.filter(|run| run["setup"]["mode"] == "single")
        .map(|run| run["mean"].as_f64().unwrap())
        .collect()
}

#[test]
fn asking_less_often_saves_less_and_knowing_more_saves_more() {
    let folder = Folder::new();
    let by_stride = means(&folder, "stride.toml");
    assert_eq!(by_stride.len(), 4);
    assert!(by_stride.is_sorted_by(|often, seldom| often > seldom), "{by_stride:?}");
    let by_context = means(&folder, "context.toml");
    assert_eq!(by_context.len(), 5);
    assert!(
        by_context.is_sorted() && by_context[0] < by_context[4],
        "{by_context:?}"
    );
}

//! The folder of runs, as MLflow reads it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use napsim_trackers::mlflow::write_folder;
use napsim_trackers::{Exported, TrackerError};

use crate::runs::{run, two_runs};

/// Every file below a folder with its content, by its path.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut open = vec![folder.to_owned()];
    let mut files = BTreeMap::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                files.insert(path.clone(), fs::read(path).unwrap());
            }
        }
    }
    files
}

fn check_counts(exported: &Exported, created: usize, replaced: usize, unchanged: usize) {
    assert_eq!(
        (exported.created, exported.replaced, exported.unchanged),
        (created, replaced, unchanged)
    );
}

#[test]
fn each_value_has_its_file() {
    let folder = tempfile::tempdir().unwrap();
    check_counts(&write_folder(folder.path(), &two_runs()).unwrap(), 2, 0, 0);
    let files = files(folder.path());
    let text = |end: &str, content: &str| {
        let found = files.iter().filter(|(path, _)| path.ends_with(end));
        let contents: Vec<&str> = found.map(|(_, bytes)| std::str::from_utf8(bytes).unwrap()).collect();
        assert!(contents.contains(&content), "{end}: {contents:?}");
    };
    text("params/predictor", "exec:python3 a: \"b\"\nc");
    text("metrics/uas_mean", "2000 0.1 0\n");
    text("metrics/trajectory/uas", "2000 0.25 0\n2000 -0.5 2\n");
    text("tags/napsim.id", "0a");
    text("tags/who", "größe");
    text("artifacts/summary.json", "{}");
    assert!(!files.keys().any(|path| path.ends_with("metrics/undefined")));
    let metas = files.keys().filter(|path| path.ends_with("meta.yaml")).count();
    assert_eq!(metas, 3);
}

#[test]
fn exporting_twice_makes_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let mut runs = two_runs();
    write_folder(folder.path(), &runs).unwrap();
    let once = files(folder.path());
    check_counts(&write_folder(folder.path(), &runs).unwrap(), 0, 0, 2);
    assert_eq!(files(folder.path()), once);

    runs[1].metrics = vec![("precision".to_owned(), 0.5)];
    check_counts(&write_folder(folder.path(), &runs).unwrap(), 0, 1, 1);
    let changed = files(folder.path());
    assert!(changed.keys().any(|path| path.ends_with("metrics/precision")));
    assert_eq!(
        changed.keys().filter(|path| path.ends_with("metrics/uas_mean")).count(),
        1
    );
}

#[test]
fn a_run_that_was_cut_off_is_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let runs = two_runs();
    write_folder(folder.path(), &runs).unwrap();
    let once = files(folder.path());
    let meta = once
        .keys()
        .find(|path| path.ends_with("meta.yaml") && path.parent().unwrap().join("params").exists());
    fs::remove_file(meta.unwrap()).unwrap();
    check_counts(&write_folder(folder.path(), &runs).unwrap(), 0, 1, 1);
    assert_eq!(files(folder.path()), once);
}

#[test]
fn experiments_of_other_makers_are_found_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let theirs = folder.path().join("792342889135655300");
    fs::create_dir(&theirs).unwrap();
    fs::write(
        theirs.join("meta.yaml"),
        "experiment_id: '792342889135655300'\nname: stride\n",
    )
    .unwrap();
    write_folder(folder.path(), &two_runs()).unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    assert_eq!(fs::read_dir(theirs).unwrap().count(), 3);
}

#[test]
fn nothing_is_written_for_names_that_mlflow_refuses() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["../../escaped", "/etc/passwd", "a:b"] {
        let mut bad = run("1");
        bad.artifacts.push((name.to_owned(), Vec::new()));
        let error = write_folder(&folder.path().join("runs"), &[run("2"), bad]).unwrap_err();
        assert!(matches!(error, TrackerError::Name { .. }), "{error}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Reads a folder by MLflow itself and prints what it finds.
const READ: &str = r#"
import json, sys
from mlflow.tracking import MlflowClient
client = MlflowClient(tracking_uri="file://" + sys.argv[1])
found = []
for experiment in client.search_experiments():
    for run in client.search_runs([experiment.experiment_id], order_by=["attributes.run_name"]):
        history = client.get_metric_history(run.info.run_id, "trajectory/uas")
        files = sorted(file.path for file in client.list_artifacts(run.info.run_id))
        found.append([experiment.name, run.info.run_name, run.info.status, run.data.params["predictor"],
                      run.data.metrics["uas_mean"], [[point.step, point.value] for point in history],
                      run.data.tags["napsim.id"], files, run.info.start_time, run.info.end_time])
print(json.dumps(found))
"#;

/// With the environment variable `NAPSIM_MLFLOW_PYTHON`, a Python that has mlflow or mlflow-skinny.
#[test]
fn mlflow_reads_what_was_written() {
    let Some(python) = std::env::var_os("NAPSIM_MLFLOW_PYTHON") else {
        crate::say("SKIPPED: NAPSIM_MLFLOW_PYTHON names no Python, so MLflow does not read the folder");
        return;
    };
    let folder = tempfile::Builder::new().prefix("a b").tempdir().unwrap();
    write_folder(folder.path(), &two_runs()).unwrap();
    let output = Command::new(python)
        .args(["-c", READ, folder.path().to_str().unwrap()])
        .env("MLFLOW_ALLOW_FILE_STORE", "true")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let row = |name: &str, id: &str| {
        serde_json::json!([
            "stride",
            name,
            "FINISHED",
            "exec:python3 a: \"b\"\nc",
            0.1,
            [[0, 0.25], [2, -0.5]],
            id,
            ["summary.json"],
            1000,
            2000
        ])
    };
    let expect = serde_json::json!([row("stride=0a", "0a"), row("stride=0b", "0b")]);
    assert_eq!(read, expect);
}

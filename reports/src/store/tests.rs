use std::fs;

use super::*;
use crate::fixtures::setup;

fn manifest(policy: &str) -> Manifest {
    let mut setup = setup();
    setup.policy = policy.to_owned();
    Manifest::new(&setup, &[], "0.1.0")
}

fn complaint(result: Result<RunFolder, StoreError>, folder: &tempfile::TempDir) -> String {
    result
        .unwrap_err()
        .to_string()
        .replace(&folder.path().display().to_string(), "DIR")
}

#[test]
fn the_same_run_goes_on_and_another_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("run");
    RunFolder::begin(&root, &manifest("greedy"), false).unwrap();
    fs::write(root.join("units/0001-a.jsonl"), "kept").unwrap();
    fs::write(root.join("units/0002-b.jsonl.tmp"), "half").unwrap();
    RunFolder::begin(&root, &manifest("greedy"), false).unwrap();
    assert!(root.join("units/0001-a.jsonl").exists());
    assert!(!root.join("units/0002-b.jsonl.tmp").exists());
    assert_eq!(
        complaint(RunFolder::begin(&root, &manifest("p90"), false), &folder),
        "keep the run in DIR/run: it holds another run (setup.policy: it has \"greedy\", asked is \"p90\"); give \
         another folder, or --force to replace it"
    );
    RunFolder::begin(&root, &manifest("p90"), true).unwrap();
    assert!(!root.join("units/0001-a.jsonl").exists());
    assert_eq!(RunFolder::open(&root).unwrap().1, manifest("p90"));
}

#[test]
fn what_programs_write_is_kept_with_their_trajectory() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("run");
    let run = RunFolder::begin(&root, &manifest("greedy"), false).unwrap();
    let unit = UnitName::new(6, "garden plan");
    let path = root.join("stderr/0007-garden_plan.txt");
    run.keep_stderr(&unit, None).unwrap();
    assert!(!run.stderr_path().exists(), "no folder where nobody writes");
    run.keep_stderr(&unit, Some("a warning\n")).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "a warning\n");
    // Done again, the trajectory has what was written this time.
    run.keep_stderr(&unit, None).unwrap();
    assert!(!path.exists());
    run.keep_stderr(&unit, Some("again\n")).unwrap();
    fs::write(root.join("stderr/notes.txt"), "of a user").unwrap();
    drop(run);
    RunFolder::begin(&root, &manifest("p90"), true).unwrap();
    assert!(!path.exists() && root.join("stderr/notes.txt").exists());
}

#[test]
fn a_folder_with_other_things_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("thesis.txt"), "precious").unwrap();
    for force in [false, true] {
        assert_eq!(
            complaint(RunFolder::begin(folder.path(), &manifest("greedy"), force), &folder),
            "keep a run in DIR: it is not empty and holds no run; give another folder"
        );
    }
    assert!(
        RunFolder::open(folder.path())
            .unwrap_err()
            .to_string()
            .contains("it holds no run")
    );
}

#[test]
fn a_newer_folder_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    RunFolder::begin(folder.path(), &manifest("greedy"), false).unwrap();
    let path = folder.path().join("run.json");
    let text = fs::read_to_string(&path)
        .unwrap()
        .replace("napsim-run-folder/1", "napsim-run-folder/9");
    fs::write(&path, text).unwrap();
    assert!(
        RunFolder::open(folder.path())
            .unwrap_err()
            .to_string()
            .contains("its schema is `napsim-run-folder/9`")
    );
}

//! The crates see each other only as docs/ARCHITECTURE.md says.

use std::collections::BTreeSet;
use std::process::Command;

/// Every edge between our crates that is allowed, besides those of the binary.
const ALLOWED: [(&str, &str); 42] = [
    ("napsim-sim", "napsim-trajectories"),
    ("napsim-corpora", "napsim-sim"),
    ("napsim-corpora", "napsim-trajectories"),
    ("napsim-acceptance", "napsim-sim"),
    ("napsim-predictors", "napsim-sim"),
    ("napsim-predictors", "napsim-trajectories"),
    ("napsim-predictors", "napsim-boosting"),
    ("napsim-predictors", "napsim-hub"),
    ("napsim-predictors", "napsim-llama"),
    ("napsim-predictors", "napsim-recurrent"),
    ("napsim-predictors", "napsim-remote"),
    ("napsim-predictors", "napsim-external"),
    ("napsim-external", "napsim-conformance"),
    ("napsim-external", "napsim-remote"),
    ("napsim-external", "napsim-sim"),
    ("napsim-external", "napsim-trajectories"),
    ("napsim-conformance", "napsim-sim"),
    ("napsim-conformance", "napsim-trajectories"),
    ("napsim-training", "napsim-predictors"),
    ("napsim-training", "napsim-boosting"),
    ("napsim-training", "napsim-llama"),
    ("napsim-training", "napsim-recurrent"),
    ("napsim-training", "napsim-sim"),
    ("napsim-training", "napsim-trajectories"),
    ("napsim-reports", "napsim-sim"),
    ("napsim-reports", "napsim-trajectories"),
    ("napsim-reports", "napsim-statistics"),
    ("napsim-analysis", "napsim-reports"),
    ("napsim-analysis", "napsim-sim"),
    ("napsim-analysis", "napsim-statistics"),
    ("napsim-analysis", "napsim-trajectories"),
    ("napsim-page", "napsim-analysis"),
    ("napsim-page", "napsim-charts"),
    ("napsim-page", "napsim-reports"),
    ("napsim-page", "napsim-sim"),
    ("napsim-page", "napsim-statistics"),
    ("napsim-page", "napsim-viewer"),
    ("napsim-trackers", "napsim-remote"),
    ("napsim-trackers", "napsim-reports"),
    ("napsim-viewer", "napsim-reports"),
    ("napsim-viewer", "napsim-sim"),
    ("napsim-viewer", "napsim-trajectories"),
];

#[test]
fn crates_depend_on_each_other_as_allowed() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo can be run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    let allowed = BTreeSet::from(ALLOWED);
    let mut n_edges = 0;
    for package in metadata["packages"].as_array().expect("a list of packages") {
        let from = package["name"].as_str().expect("a name");
        for dependency in package["dependencies"].as_array().expect("a list of dependencies") {
            let to = dependency["name"].as_str().expect("a name");
            // Tests may use what they like; the binary sees everything.
            let counts = to.starts_with("napsim") && from != "napsim" && dependency["kind"].is_null();
            if counts {
                n_edges += 1;
                assert!(allowed.contains(&(from, to)), "{from} must not depend on {to}");
            }
        }
    }
    assert!(n_edges >= 4, "the edges were found");
}

/// Calls that belong to the binary alone.
const READS_THE_WORLD: [&str; 6] = [
    "std::time",
    "Instant::now",
    "std::env",
    "std::fs",
    "std::net",
    "thread::spawn",
];

#[test]
fn the_engine_reads_no_clock_environment_file_or_network() {
    let mut open = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("sim/src")];
    let mut n_files = 0;
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder of the engine") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a source file");
            n_files += 1;
            for call in READS_THE_WORLD {
                assert!(!text.contains(call), "{} uses {call}", path.display());
            }
        }
    }
    assert!(n_files > 20, "the sources were found");
}

//! The Ray driver against the real binary: its own tests, which lose workers, machines and drivers.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The interpreter that has Ray: that of `target/python`, which `.ci/run` furnishes, or else the system's.
fn interpreter() -> Option<PathBuf> {
    let candidates = [root().join("target/python/bin/python"), PathBuf::from("python3")];
    let has_ray = |path: &PathBuf| {
        let output = Command::new(path).args(["-c", "import ray"]).output();
        output.is_ok_and(|output| output.status.success())
    };
    candidates.into_iter().find(has_ray)
}

/// Past the test harness, which keeps what passing tests print to itself.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

#[test]
fn lost_workers_machines_and_drivers_change_no_byte() {
    let Some(interpreter) = interpreter() else {
        let is_required = std::env::var_os("NAPSIM_REQUIRE_RAY").is_some();
        assert!(
            !is_required,
            "ray is not there for Python, but NAPSIM_REQUIRE_RAY asks for it"
        );
        say("SKIPPED: ray is not installed for Python, so the Ray driver is not tested (pip install ray)");
        return;
    };
    let output = Command::new(interpreter)
        .args(["-m", "unittest", "discover", "-s", "tests", "-t", "."])
        .env("NAPSIM", env!("CARGO_BIN_EXE_napsim"))
        .env("PYTHONPATH", root().join("integrations/ray/src"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env_remove("RAY_ADDRESS")
        .env_remove("NAPSIM_STORE")
        .current_dir(root().join("integrations/ray"))
        .output()
        .expect("Python can be run");
    let talk = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{talk}");
    let is_summary = |line: &&str| line.starts_with("Ran ");
    let n_tests = talk
        .lines()
        .find(is_summary)
        .and_then(|line| line.split(' ').nth(1)?.parse().ok());
    assert!(
        n_tests.is_some_and(|n: u32| n > 5) && !talk.contains("SKIPPED"),
        "{talk}"
    );
}

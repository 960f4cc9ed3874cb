//! The Python package: its own tests, its types, and a predictor written in it against the built-in one.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::command::{Answer, Folder};
use crate::own_predictors::{events, ten_trajectories};

/// The folder of the package.
fn package() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("integrations/python")
}

/// The interpreter: that of `target/python`, which `.ci/run` furnishes, or else the system's.
fn interpreter() -> Option<PathBuf> {
    let furnished = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/python/bin/python");
    let candidates = [furnished, PathBuf::from("python3")];
    let works = |path: &PathBuf| {
        let version = "import sys; sys.exit(sys.version_info < (3, 9))";
        Command::new(path)
            .args(["-c", version])
            .output()
            .is_ok_and(|output| output.status.success())
    };
    let found = candidates.into_iter().find(works);
    if found.is_none() {
        assert!(
            std::env::var_os("NAPSIM_REQUIRE_PYTHON").is_none(),
            "Python 3.9 or later is not there, but NAPSIM_REQUIRE_PYTHON asks for it"
        );
        say("SKIPPED: Python 3.9 or later is not there, so the Python package is not tested");
    }
    found
}

/// Past the test harness, which keeps what passing tests print to itself.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// A call of Python with the package within reach.
fn python(interpreter: &Path) -> Command {
    let mut command = Command::new(interpreter);
    command
        .env("PYTHONPATH", package().join("src"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("NAPSIM_BINARY", env!("CARGO_BIN_EXE_napsim"))
        .current_dir(package());
    command
}

fn has_module(interpreter: &Path, name: &str) -> bool {
    let is_there = python(interpreter)
        .args(["-c", &format!("import {name}")])
        .output()
        .is_ok_and(|output| output.status.success());
    if !is_there {
        assert!(
            std::env::var_os("NAPSIM_REQUIRE_PYTHON_PACKAGES").is_none(),
            "{name} is not there, but NAPSIM_REQUIRE_PYTHON_PACKAGES asks for it"
        );
        say(&format!("SKIPPED: {name} is not installed for Python"));
    }
    is_there
}

#[test]
fn the_package_passes_its_own_tests() {
    let Some(interpreter) = interpreter() else { return };
    for module in ["jsonschema", "pandas"] {
        has_module(&interpreter, module);
    }
    let output = python(&interpreter)
        .args(["-m", "unittest", "discover", "-s", "tests", "-t", "."])
        .output()
        .unwrap();
    let talk = String::from_utf8_lossy(&output.stderr);
    for line in talk
        .lines()
        .filter(|line| line.contains("SKIPPED") || line.contains("skipped"))
    {
        say(line);
    }
    assert!(output.status.success(), "{talk}");
    let n_tests = talk
        .lines()
        .find_map(|line| line.strip_prefix("Ran ")?.split(' ').next()?.parse().ok());
    assert!(n_tests.is_some_and(|n: u32| n > 20), "{talk}");
}

#[test]
fn the_package_is_typed() {
    let Some(interpreter) = interpreter() else { return };
    if !has_module(&interpreter, "mypy") {
        return;
    }
    let cache = Folder::new();
    let output = python(&interpreter)
        .args(["-m", "mypy", "--strict", "--cache-dir"])
        .arg(cache.path("mypy"))
        .args(["src/napsim"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn a_predictor_written_in_python_gives_the_same_bytes_as_the_built_in_one() {
    let Some(interpreter) = interpreter() else { return };
    let folder = Folder::new();
    ten_trajectories(&folder);
    let script = package().join("tests/independent_online_ngram.py");
    let predictor = format!("exec:'{}' '{}'", interpreter.display(), script.display());
    for mode in ["single", "multi"] {
        let out = |name: &str| format!("{name}-{mode}");
        let run = |name: &str, predictor: &str| {
            let arguments = [
                "run",
                "ten",
                "--quiet",
                "--mode",
                mode,
                "--predictor",
                predictor,
                "--out",
                &out(name),
            ];
            let mut command = folder.command(arguments);
            command.env("PYTHONPATH", package().join("src"));
            Answer::of(&command.output().unwrap()).output(0);
        };
        run("ours", "online-ngram");
        run("theirs", &predictor);
        let (ours, theirs) = (events(&folder, &out("ours")), events(&folder, &out("theirs")));
        assert_eq!(ours.len(), 10);
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert_eq!(ours, theirs, "{mode}");
        }
    }
}

/// A service that ends with the test.
struct Service(Child);

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_service_measures_as_a_program_does() {
    let Some(interpreter) = interpreter() else { return };
    let folder = Folder::new();
    ten_trajectories(&folder);
    let example = package().join("examples");
    let mut child = python(&interpreter)
        .args(["-m", "napsim", "row_below:RowBelow", "--http", "127.0.0.1:0"])
        .env(
            "PYTHONPATH",
            format!("{}:{}", package().join("src").display(), example.display()),
        )
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    stderr.read_line(&mut line).unwrap();
    let service = Service(child);
    let url = line.trim().rsplit(' ').next().unwrap().to_owned();
    assert!(url.starts_with("http://127.0.0.1:"), "{line}");
    let program = format!(
        "exec:'{}' '{}'",
        interpreter.display(),
        example.join("row_below.py").display()
    );
    for (name, predictor) in [("service", &url), ("program", &program)] {
        let arguments = [
            "run",
            "ten",
            "--quiet",
            "--jobs",
            "4",
            "--predictor",
            predictor,
            "--out",
            name,
        ];
        let mut command = folder.command(arguments);
        command.env("PYTHONPATH", package().join("src"));
        Answer::of(&command.output().unwrap()).output(0);
    }
    let (service_events, program_events) = (events(&folder, "service"), events(&folder, "program"));
    assert!(service_events == program_events && service_events.len() == 10);
    drop(service);
    let talk = folder.napsim_with(["run", "ten", "--predictor", &url]).talk(30);
    assert!(talk.contains(url.trim_end_matches('/')), "{talk}");
}

//! Running the binary.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// What a call of the binary came to.
pub(crate) struct Answer {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A fresh folder to work in.
pub(crate) struct Folder(TempDir);

#[expect(clippy::unwrap_used, reason = "a test that cannot use its folder has failed")]
impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Every file below a folder by its path within it, without wall times.
    pub(crate) fn files(&self, name: &str) -> Vec<(String, Vec<u8>)> {
        let mut files = Vec::new();
        collect(&self.path(name), &self.path(name), &mut files);
        files.retain(|(name, _)| name != "timings.json");
        files.sort();
        files
    }

    /// The binary with these arguments, in this folder.
    pub(crate) fn command(&self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_napsim"));
        command
            .args(arguments)
            .current_dir(self.0.path())
            .stdin(Stdio::null())
            .env("NAPSIM_CACHE", self.path("answers"))
            .env_remove("OPENAI_API_KEY")
            .env_remove("OPENAI_BASE_URL")
            .env_remove("NAPSIM_API_KEY")
            .env_remove("RUST_BACKTRACE")
            .env_remove("COLUMNS");
        command
    }

    /// Runs the binary; arguments are separated by blanks.
    pub(crate) fn napsim(&self, arguments: &str) -> Answer {
        self.napsim_with(arguments.split_whitespace())
    }

    pub(crate) fn napsim_with(&self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Answer {
        Answer::of(&self.command(arguments).output().unwrap())
    }
}

#[expect(clippy::unwrap_used, reason = "a test that cannot use its folder has failed")]
fn collect(root: &Path, folder: &Path, files: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, files);
        } else {
            let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
            files.push((name, fs::read(path).unwrap()));
        }
    }
}

impl Answer {
    pub(crate) fn of(output: &Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// The standard output of a call that ended with that code.
    #[track_caller]
    pub(crate) fn output(self, code: i32) -> String {
        assert_eq!(
            self.code,
            Some(code),
            "stdout: {}\nstderr: {}",
            self.stdout,
            self.stderr
        );
        self.stdout
    }

    /// The standard error of a call that ended with that code.
    #[track_caller]
    pub(crate) fn talk(self, code: i32) -> String {
        assert_eq!(
            self.code,
            Some(code),
            "stdout: {}\nstderr: {}",
            self.stdout,
            self.stderr
        );
        self.stderr
    }
}

/// A JSON object without the wall time.
#[expect(clippy::unwrap_used, reason = "a test whose output is no JSON has failed")]
pub(crate) fn timeless(text: &str) -> Value {
    let mut value: Value = serde_json::from_str(text).unwrap();
    if let Some(wall_s) = value.get_mut("wall_s") {
        *wall_s = Value::Null;
    }
    value
}

/// The text with times replaced, which differ from call to call.
pub(crate) fn without_times(text: &str) -> String {
    let line = |line: &str| match line.strip_prefix("time a prediction") {
        Some(_) => "time a prediction     [time]\n".to_owned(),
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// A small trajectory on which a repeated action is right now and then.
pub(crate) const PLAN: &str = "\
# Plan
# A few cells, some of them alike
INPUT | A1 | \"Week\"
INPUT | A2 | 1
INPUT | A3 | 2
FONT_BOLD | A1 | true
FILL_COLOR | A1 | FF00FF00
FILL_COLOR | A2 | FF00FF00
FILL_COLOR | A3 | FF00FF00
FILL_COLOR | A4 | FF00FF00
INPUT | A4 | 3
MERGE | B1:C1 | true
";

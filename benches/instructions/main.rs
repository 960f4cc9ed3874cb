//! The gate against lost speed: instructions executed on fixed inputs, held against `counts.txt` beside this file.
//!
//! `cargo bench --workspace --bench instructions` runs each case under Callgrind and compares its count with the one
//! written down; `-- --write` writes the counts down anew. Counts do not depend on the load of the machine, so they tell
//! a regression where times would not. A rise of more than 5 % is warned of, and one of more than 25 % fails. Other
//! compilers make other counts: where the compiler is not the one of the file, nothing fails. Without Valgrind (Debian
//! package `valgrind`) nothing is counted, and the bench says so.

#![expect(clippy::print_stdout, reason = "a bench prints what it measures")]
#![expect(clippy::expect_used, reason = "a bench that cannot be set up has nothing to measure")]

mod cases;
#[path = "../growth/ledger.rs"]
mod ledger;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use cases::CASES;

/// A rise in percent from which on a case is warned of.
const WARN_PERCENT: f64 = 5.0;

/// A rise in percent from which on a case fails.
const FAIL_PERCENT: f64 = 25.0;

/// Where the counts are written down.
fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/instructions/counts.txt")
}

/// The first line that a program prints about its version, if it is there.
fn version(program: &str) -> Option<String> {
    let output = Command::new(program).arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().next().map(str::to_owned)
}

/// Runs one case under Callgrind and reads its count.
fn count(case: &str) -> u64 {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let profile = folder.path().join("profile");
    let output = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg("--toggle-collect=*instructions::cases::counted*")
        .arg(format!("--callgrind-out-file={}", profile.display()))
        .arg(std::env::current_exe().expect("this program has a path"))
        .args(["--case", case])
        .output()
        .expect("valgrind can be run");
    assert!(
        output.status.success(),
        "{case}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = std::fs::read_to_string(&profile).expect("callgrind has written its profile");
    let total = text.lines().find_map(|line| line.strip_prefix("totals: "));
    let total = total
        .and_then(|total| total.trim().parse().ok())
        .expect("a profile has totals");
    assert!(total > 0, "{case}: callgrind has found the function that is counted");
    total
}

/// The counts written down: the compiler, then every case.
struct Written {
    compiler: String,
    text: String,
}

impl Written {
    fn read() -> Self {
        let text = std::fs::read_to_string(file()).unwrap_or_default();
        let compiler = text.lines().find_map(|line| line.strip_prefix("# compiler: "));
        Self {
            compiler: compiler.unwrap_or_default().to_owned(),
            text,
        }
    }

    fn count(&self, case: &str) -> Option<u64> {
        let fields = self.text.lines().filter_map(|line| line.split_once(' '));
        let mut fields = fields.filter(|(name, _)| *name == case);
        fields.next().and_then(|(_, count)| count.trim().parse().ok())
    }
}

/// Prints the line of one case and says how much its count has risen, in percent.
fn compare(case: &str, count: u64, written: Option<u64>) -> f64 {
    let Some(written) = written else {
        println!("{case:<20} {count:>15} {:>15} {:>9}", "-", "new");
        return 0.0;
    };
    #[expect(clippy::cast_precision_loss, reason = "a percentage needs few digits")]
    let rise = 100.0 * (count as f64 / written as f64 - 1.0);
    let mark = if rise > WARN_PERCENT { "  SLOWER" } else { "" };
    println!("{case:<20} {count:>15} {written:>15} {rise:>+8.2}%{mark}");
    rise
}

/// Counts every case and compares it; the result says whether the gate is passed.
fn gate(compiler: &str, write: bool) -> bool {
    let written = Written::read();
    let mut text = format!(
        "# Instructions of each case (cargo bench --workspace --bench instructions).\n# compiler: {compiler}\n"
    );
    let (mut worst, mut best) = (0_f64, 0_f64);
    println!(
        "{:<20} {:>15} {:>15} {:>9}",
        "case", "instructions", "written down", "change"
    );
    for (case, _) in CASES {
        let count = count(case);
        let rise = compare(case, count, written.count(case));
        (worst, best) = (worst.max(rise), best.min(rise));
        writeln!(text, "{case} {count}").expect("text can be written to memory");
    }
    if write {
        std::fs::write(file(), text).expect("the counts can be written");
        println!("written to {}", file().display());
        return true;
    }
    let same_compiler = written.compiler == compiler;
    if !same_compiler {
        println!(
            "note: the counts written down are of another compiler ({})",
            written.compiler
        );
    }
    if worst > WARN_PERCENT {
        println!(
            "WARNING: a case takes {worst:.1} % more instructions; if that is meant, add `-- --write` and say why"
        );
    }
    if best < -WARN_PERCENT {
        println!(
            "note: a case takes {:.1} % fewer instructions; `-- --write` holds on to that",
            -best
        );
    }
    worst <= FAIL_PERCENT || !same_compiler
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some(place) = arguments.iter().position(|argument| argument == "--case") {
        let name = arguments.get(place + 1).map_or("", String::as_str);
        let case = CASES.iter().find(|(case, _)| *case == name);
        case.expect("the case exists").1();
        return ExitCode::SUCCESS;
    }
    if version("valgrind").is_none() {
        println!("SKIPPED: valgrind is not installed (Debian package `valgrind`); no instruction was counted");
        return ExitCode::SUCCESS;
    }
    let compiler = version("rustc").unwrap_or_default();
    let write = arguments.iter().any(|argument| argument == "--write");
    if gate(&compiler, write) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

//! A run with 100,000 predictions: `cargo test --release -p napsim-page --test large -- --nocapture`.

#[path = "support/synthetic.rs"]
mod synthetic;

use std::io::Write as _;
use std::time::Instant;

/// The most memory that the process has taken, in kilobytes, where the system tells.
fn memory_max() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .find(|line| line.starts_with("VmHWM"))
        .unwrap_or("memory unknown")
        .to_owned()
}

#[test]
fn a_run_with_a_hundred_thousand_predictions() {
    let text = |place: usize| format!("value {place}");
    let plan = synthetic::Plan {
        runs: 1,
        trajectories: 560,
        actions: 220,
        with_films: 1,
        text: &text,
        everywhere: false,
    };
    let start = Instant::now();
    let report = synthetic::report(&plan);
    let predictions = report.runs[0].analysis.basis().predictions;
    println!(
        "made up: {:.1} s, {predictions} predictions, {}",
        start.elapsed().as_secs_f64(),
        memory_max()
    );
    let path = concat!(env!("CARGO_TARGET_TMPDIR"), "/large.html");
    let start = Instant::now();
    let mut file = std::io::BufWriter::new(std::fs::File::create(path).unwrap());
    report.write(&mut file).unwrap();
    file.flush().unwrap();
    let n_bytes = std::fs::metadata(path).unwrap().len();
    println!(
        "{path}: {:.1} s, {n_bytes} bytes, {}",
        start.elapsed().as_secs_f64(),
        memory_max()
    );
    assert!(predictions > 100_000, "{predictions}");
    assert!(n_bytes < 30_000_000, "{n_bytes}");
}

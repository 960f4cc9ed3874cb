//! Pages of the real binary in a real browser: Chromium, driven by Playwright, opens them from their files with the network off
//! and uses them by mouse and keyboard (`tests/browser/run.mjs` says what it looks at).

#![expect(clippy::unwrap_used, reason = "a test that cannot make its pages has failed")]

#[path = "../reports/page/tests/support/hostile.rs"]
mod hostile;
#[path = "../reports/page/tests/support/synthetic.rs"]
mod synthetic;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;
use tempfile::TempDir;

/// What drives the browser, as it lies in the sources.
const SCRIPT: &str = include_str!("browser/run.mjs");

/// The folder with Playwright for Node.js, which `.ci/run` furnishes: there, `npm install` in a copy of `tests/browser`.
fn driver() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/browser");
    let has_playwright = folder.join("node_modules/playwright-core").is_dir();
    let candidates = [
        "/usr/bin/chromium",
        "/usr/bin/chromium-browser",
        "/usr/bin/google-chrome",
    ];
    let has_chromium =
        std::env::var_os("NAPSIM_CHROMIUM").is_some() || candidates.iter().any(|path| Path::new(path).exists());
    let has_node = Command::new("node")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success());
    (has_playwright && has_chromium && has_node).then_some(folder)
}

/// Past the test harness, which keeps what passing tests print to itself.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Opens a page in the browser; every check must hold.
fn browse(page: &Path, options: &[&str]) {
    let Some(folder) = driver() else {
        let is_required = std::env::var_os("NAPSIM_REQUIRE_BROWSER").is_some();
        assert!(
            !is_required,
            "Chromium, Node.js or playwright-core is not there, but NAPSIM_REQUIRE_BROWSER asks for it"
        );
        say("SKIPPED: pages are not opened in a browser (apt-get install chromium; npm install in target/browser)");
        return;
    };
    // Modules are looked for beside the script. Each test has a script of its own, since tests run side by side.
    static N_SCRIPTS: AtomicU32 = AtomicU32::new(0);
    let number = N_SCRIPTS.fetch_add(1, Ordering::Relaxed);
    let script = folder.join(format!("test-{}-{number}.mjs", std::process::id()));
    fs::write(&script, SCRIPT).unwrap();
    let output = Command::new("node")
        .arg(&script)
        .arg(page)
        .args(options)
        .output()
        .unwrap();
    fs::remove_file(&script).unwrap();
    let talk = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{talk}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let n_checks = talk.lines().filter(|line| line.starts_with("ok ")).count();
    assert!(n_checks >= 12, "{talk}");
}

/// The binary in a folder; arguments are separated by blanks.
fn napsim(folder: &TempDir, arguments: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_napsim"))
        .args(arguments.split_whitespace())
        .current_dir(folder.path())
        .env_remove("NAPSIM_STORE")
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{arguments}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The figures in a page: the runs as `napsim show --json` has them.
fn figures(page: &Path) -> Vec<Value> {
    let page = fs::read_to_string(page).unwrap();
    let block = page
        .split_once("<script type=\"application/json\" id=\"figures\">")
        .unwrap()
        .1;
    serde_json::from_str(block.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn a_report_of_one_run() {
    let folder = tempfile::tempdir().unwrap();
    napsim(&folder, "run --quiet --predictor online-ngram --out only");
    napsim(&folder, "report only -o one.html --user-model default");
    let page = folder.path().join("one.html");
    let mut shown: Value = serde_json::from_str(&napsim(&folder, "show only --json")).unwrap();
    let mut reported = figures(&page);
    assert_eq!(reported.len(), 1);
    for value in [&mut shown, &mut reported[0]] {
        // Times are no figures.
        let object = value.as_object_mut().unwrap();
        object.remove("wall_s");
        object.remove("timings");
    }
    assert_eq!(
        reported[0], shown,
        "every number of the report is that of `napsim show`"
    );
    browse(&page, &[]);
}

#[test]
fn a_report_of_several_runs() {
    let folder = tempfile::tempdir().unwrap();
    for (name, options) in [
        ("ngram-1", "--predictor online-ngram"),
        ("ngram-4", "--predictor online-ngram --stride 4"),
        ("repeat-1", "--predictor repeat-last"),
        ("repeat-4", "--predictor repeat-last --stride 4"),
        ("always", "--predictor online-ngram --policy always --mode multi"),
    ] {
        napsim(&folder, &format!("run --quiet {options} --out {name}"));
    }
    napsim(
        &folder,
        "report ngram-1 ngram-4 repeat-1 repeat-4 always -o several.html",
    );
    let page = folder.path().join("several.html");
    let text = fs::read_to_string(&page).unwrap();
    for question in [
        "How often should the predictor be asked?",
        "Which run has the highest UAS?",
        "Where does the difference come from?",
    ] {
        assert!(text.contains(question), "{question}");
    }
    browse(&page, &[]);
}

#[test]
fn a_page_of_one_trajectory() {
    let folder = tempfile::tempdir().unwrap();
    napsim(&folder, "run --quiet --predictor online-ngram --out only");
    let shown: Value = serde_json::from_str(&napsim(&folder, "show only --json")).unwrap();
    let trajectories = shown["per_trajectory"].as_array().unwrap();
    let most = trajectories.iter().max_by_key(|row| row["accepted"].as_u64()).unwrap();
    napsim(
        &folder,
        &format!(
            "replay only --html {} -o trajectory.html",
            most["name"].as_str().unwrap()
        ),
    );
    browse(&folder.path().join("trajectory.html"), &["--standalone"]);
}

#[test]
fn hostile_texts_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let texts = hostile::texts();
    let text = |place: usize| texts.get(place % texts.len()).cloned().unwrap_or_default();
    let plan = synthetic::Plan {
        runs: 5,
        trajectories: 12,
        actions: 60,
        with_films: 2,
        text: &text,
        everywhere: true,
    };
    let mut page = Vec::new();
    synthetic::report(&plan).write(&mut page).unwrap();
    let (page_path, list_path) = (folder.path().join("hostile.html"), folder.path().join("hostile.json"));
    fs::write(&page_path, page).unwrap();
    fs::write(&list_path, serde_json::to_string(&texts).unwrap()).unwrap();
    browse(&page_path, &["--hostile", &list_path.to_string_lossy()]);
}

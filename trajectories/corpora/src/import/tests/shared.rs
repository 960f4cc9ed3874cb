//! Files outside the repository, in the folders `corpus` and `nape` of `$NAPSIM_SHARED` or else of `../shared`. Where
//! they are missing, the tests say loudly that they were skipped.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use napsim_sim::state::{CellKey, Property};

pub(super) use crate::shared_data::folder;

use crate::import::{ImportError, ImportOptions, ImportedWorkbook, import};

/// The files of a folder, sorted by name.
pub(super) fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    files
}

fn say(line: &str) {
    let _ = std::io::Write::write_fmt(&mut std::io::stderr().lock(), format_args!("{line}\n"));
}

/// Imports a file, the time it took beside the outcome.
fn timed(path: &Path) -> (Result<ImportedWorkbook, ImportError>, Duration) {
    let start = Instant::now();
    let outcome = import(path, &ImportOptions::default());
    (outcome, start.elapsed())
}

fn describe(path: &Path, outcome: &Result<ImportedWorkbook, ImportError>, took: Duration) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name: String = name.chars().take(44).collect();
    let ms = took.as_millis();
    match outcome {
        Ok(workbook) => {
            let n_cells: usize = workbook
                .sheets
                .iter()
                .map(|sheet| sheet.sheet.cells.as_ref().map_or(0, napsim_sim::state::Cells::len))
                .sum();
            let notes = workbook
                .notes
                .iter()
                .chain(workbook.sheets.iter().flat_map(|sheet| &sheet.notes));
            let notes: Vec<String> = notes.map(|note| format!("{} ({})", note.what, note.count)).collect();
            let mut notes = notes.join("; ");
            notes.truncate(notes.char_indices().nth(120).map_or(notes.len(), |(at, _)| at));
            format!(
                "{name:44} {ms:5} ms  {:2} sheets {n_cells:7} cells  {notes}",
                workbook.sheets.len()
            )
        }
        Err(error) => format!("{name:44} {ms:5} ms  refused: {error}"),
    }
}

#[test]
fn hostile_files_end_in_time() {
    let Some(folder) = folder("corpus/stress") else { return };
    let files = files(&folder);
    assert!(!files.is_empty());
    let mut n_read = 0;
    for path in &files {
        let (outcome, took) = timed(path);
        say(&describe(path, &outcome, took));
        n_read += usize::from(outcome.is_ok());
        assert!(took < Duration::from_secs(10), "{} took {took:?}", path.display());
    }
    say(&format!(
        "{n_read} of {} hostile files read, the others refused",
        files.len()
    ));
}

#[test]
fn ordinary_workbooks_are_read() {
    for name in ["corpus/train", "nape/workbooks"] {
        let Some(folder) = folder(name) else { continue };
        let files = files(&folder);
        assert!(!files.is_empty());
        let (mut n_read, start) = (0, Instant::now());
        for path in &files {
            let (outcome, took) = timed(path);
            match outcome {
                Ok(workbook) if !workbook.sheets.is_empty() => n_read += 1,
                other => say(&describe(path, &other, took)),
            }
        }
        say(&format!(
            "{name}: {n_read} of {} read in {:?}",
            files.len(),
            start.elapsed()
        ));
        assert!(
            n_read * 100 >= files.len() * 95,
            "{name}: only {n_read} of {} read",
            files.len()
        );
    }
}

#[test]
fn kinds_of_files_are_read_for_what_they_hold() {
    let Some(folder) = folder("corpus/stress") else { return };
    let read = |name: &str| {
        let path = folder.join(name);
        import(&path, &ImportOptions::default()).unwrap()
    };
    let text = |workbook: &ImportedWorkbook, sheet: usize, cell: &str| {
        let sheet = workbook.sheets.get(sheet).unwrap();
        let cell = sheet
            .sheet
            .cell(&CellKey::from_text(cell))
            .and_then(|cell| cell.get(Property::Value))
            .cloned();
        cell.map(|value| format!("{value:?}")).unwrap_or_default()
    };
    let merges = |workbook: &ImportedWorkbook| -> Vec<String> {
        workbook
            .sheets
            .iter()
            .flat_map(|sheet| sheet.sheet.merges())
            .map(ToString::to_string)
            .collect()
    };
    let old = read("s049_merge_cells.xls");
    assert_eq!(merges(&old), ["A1:B1", "A2:A4", "B2:D4"]);
    assert_eq!(text(&old, 0, "A1"), r#"Text("Row Merge")"#);
    assert_eq!(text(&read("s003_51519.xlsb"), 0, "A1"), r#"Text("RecordSpec")"#);
    assert_eq!(text(&read("s015_SampleSS.ods"), 0, "A1"), r#"Text("Test spreadsheet")"#);
    let day = r#"Text("2021-01-01 00:00:00")"#;
    assert_eq!(text(&read("s040_date_1904.xlsx"), 0, "A1"), day);
    let iso = read("s041_date_iso.xlsx");
    assert_eq!(
        [text(&iso, 0, "A1"), text(&iso, 0, "A2")],
        [day, r#"Text("2021-01-01 10:10:10")"#]
    );
}

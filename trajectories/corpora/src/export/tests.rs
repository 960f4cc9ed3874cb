//! Tests of the export: states through files and back.

use std::path::PathBuf;

use napsim_sim::state::{Property, Workbook};
use napsim_trajectories::{Action, Corpus, ReadOptions, Value};

use super::*;
use crate::import::{ImportOptions, import, import_bytes};
use crate::shared_data::folder;

/// A state through a file and back, with the notes of the export.
fn there_and_back(state: &Workbook) -> (Workbook, Vec<Note>) {
    let mut bytes = Vec::new();
    let notes = write_xlsx(state, &mut bytes, &ExportOptions::default()).unwrap();
    let mut again = Vec::new();
    write_xlsx(state, &mut again, &ExportOptions::default()).unwrap();
    assert!(bytes == again, "two exports of a state differ");
    (import_bytes(&bytes, &ImportOptions::default()).unwrap().state(), notes)
}

fn check_corpus(corpus: &Corpus, lenient: bool) {
    for trajectory in &corpus.trajectories {
        let mut state = Workbook::default();
        if lenient {
            state.apply_lenient(&trajectory.actions);
        } else {
            assert!(state.apply_strict(&trajectory.actions).is_ok(), "{}", trajectory.name);
        }
        let (back, notes) = there_and_back(&state);
        let differences = round_trip_difference(&state, &back);
        let n_differences = differences.len();
        assert!(
            differences.is_empty(),
            "{}: {n_differences} differences, first {:?}; notes {notes:?}",
            trajectory.name,
            differences.first()
        );
    }
}

#[test]
fn embedded_states_survive_a_file() {
    let corpus = Corpus::embedded().unwrap();
    assert!(!corpus.trajectories.is_empty());
    check_corpus(&corpus, false);
}

#[test]
fn imported_workbooks_survive_a_file() {
    let Some(folder) = folder("corpus/train") else { return };
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for path in files.iter().step_by(8) {
        let state = import(path, &ImportOptions::default()).unwrap().state();
        let (back, notes) = there_and_back(&state);
        let differences = round_trip_difference(&state, &back);
        assert!(
            differences.is_empty(),
            "{}: {:?}; notes {notes:?}",
            path.display(),
            differences.first()
        );
    }
}

#[test]
fn published_states_survive_a_file() {
    let Some(folder) = folder("nape/trajectories") else {
        return;
    };
    let corpus = Corpus::open(folder, ReadOptions::default()).unwrap();
    assert_eq!(corpus.trajectories.len(), 52);
    check_corpus(&corpus, true);
}

fn state_of(lines: &[&str]) -> Workbook {
    let mut state = Workbook::default();
    for line in lines {
        state.apply(&Action::parse(line).unwrap()).unwrap();
    }
    state
}

#[test]
fn contents_survive_a_file() {
    let long = "x".repeat(40_000);
    let state = state_of(&[
        r#"INPUT | A1 | "2024-01-02""#,
        "NUMBER_FORMAT | A1:A4 | yyyy-mm-dd hh:mm",
        r#"INPUT | A2 | "07:15""#,
        r#"INPUT | A3 | "1900-02-28 06:00""#,
        r#"INPUT | A4 | "no date""#,
        r#"INPUT | B1 | "2024-01-02""#,
        r#"INPUT | B2 | "  blanks  ""#,
        r#"INPUT | B3 | "_x0041_ and\r\nlines""#,
        r#"INPUT | B4 | "={1,2;3,4}""#,
        r#"INPUT | B5 | "=XLOOKUP(A1,A:A,B:B)&\"}\"""#,
        r#"INPUT | B6 | "=== heading ===""#,
        "INPUT | B7 | true",
        "INPUT | B8 | 0.1",
        "INPUT | B9 | -12345678901",
        r#"INPUT | C1 | "30:05:00""#,
        "NUMBER_FORMAT | C1 | [h]:mm:ss",
    ]);
    let (back, notes) = there_and_back(&state);
    assert_eq!(
        round_trip_difference(&state, &back).len(),
        0,
        "{:?}",
        round_trip_difference(&state, &back)
    );
    assert_eq!(notes.len(), 1, "{notes:?}");
    let (_, notes) = there_and_back(&state_of(&[&format!("INPUT | A1 | \"{long}\"")]));
    assert_eq!(
        notes.first().map(|note| note.what.as_str()),
        Some("texts cut to 32,767 characters")
    );
}

#[test]
fn every_format_survives_a_file() {
    let mut lines: Vec<String> = Vec::new();
    for (row, line) in [
        "Thin, Continuous",
        "Medium, Continuous",
        "Thick, Continuous",
        "Hairline, Continuous",
        "Thin, Dot",
        "Thin, Dash",
        "Thin, DashDot",
        "Thin, DashDotDot",
        "Thin, Double",
        "Thin, SlantDashDot",
    ]
    .iter()
    .enumerate()
    {
        lines.push(format!("BORDER_OUTSIDE | A{0}:B{0} | {line}, #12AB9F", row + 1));
    }
    for line in [
        "FONT_NAME | C1 | Courier New",
        "FONT_SIZE | C1 | 9.5",
        "FONT_BOLD | C1 | true",
        "FONT_ITALIC | C2 | true",
        "FONT_UNDERLINE | C3 | double",
        "FONT_COLOR | C4 | #FF0000",
        "FILL_COLOR | C5 | #000000",
        "FILL_COLOR | C6 | #FFFFFF",
        "ALIGN_HORIZONTAL | C7 | centercontinuous",
        "ALIGN_VERTICAL | C8 | center",
        "ALIGN_VERTICAL | C9 | distributed",
        "TEXT_ORIENTATION | D1 | -45",
        "TEXT_ORIENTATION | D2 | 90",
        "WRAP_TEXT | D3 | true",
        "MERGE | E1:F3",
        "FILL_COLOR | E1:F3 | #ABCDEF",
        "INPUT | E1 | 5",
    ] {
        lines.push(line.to_owned());
    }
    for id in 1..50 {
        if let Some(code) = crate::import::number_format::built_in(id) {
            lines.push(format!("NUMBER_FORMAT | G{id} | {code}"));
        }
    }
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let state = state_of(&lines);
    let (back, notes) = there_and_back(&state);
    let differences = round_trip_difference(&state, &back);
    assert!(differences.is_empty(), "{differences:#?}");
    assert!(notes.is_empty(), "{notes:?}");
    // The cells within a merge keep their formats, though no comparison looks at them.
    let within = CellKey::Address(CellAddress::new(2, 6));
    assert!(
        back.cell("Sheet1", &within)
            .is_some_and(|cell| cell.has(Property::Fill))
    );
}

#[test]
fn names_of_sheets_are_made_to_fit() {
    let mut state = Workbook::default();
    for name in ["a/b", "A_B", "", "'quoted'", &"long".repeat(20), "History"] {
        state.touch_sheet(&name.into());
    }
    let mut bytes = Vec::new();
    let notes = write_xlsx(&state, &mut bytes, &ExportOptions::default()).unwrap();
    assert_eq!(
        notes,
        [Note {
            what: "sheets renamed, as their names are not allowed".to_owned(),
            count: 6
        }]
    );
}

#[test]
fn what_a_file_cannot_hold_is_noted() {
    let mut state = state_of(&["INPUT | A1 | 123456789012345678901", "MERGE | B2:C3", "INPUT | B3 | 1"]);
    let sheet = state.touch_sheet(&"Sheet1".into());
    sheet.merges.as_mut().unwrap().extend([
        Bounds {
            first_row: 3,
            first_col: 3,
            last_row: 4,
            last_col: 4,
        },
        Bounds {
            first_row: 9,
            first_col: 9,
            last_row: 8,
            last_col: 8,
        },
        Bounds {
            first_row: 0,
            first_col: 20,
            last_row: 3,
            last_col: 20,
        },
        Bounds {
            first_row: 20,
            first_col: 1,
            last_row: 1_000_000,
            last_col: 9,
        },
    ]);
    let cells = sheet.cells.as_mut().unwrap();
    for key in ["A0", "A1:B2", "A2000000", "ZZZ1"] {
        cells.touch(CellKey::from_text(key)).set(Property::Value, 1.into());
    }
    let odd = cells.touch(CellKey::from_text("E1"));
    odd.set(Property::Value, f64::INFINITY.into());
    odd.set(Property::FontColor, "reddish".into());
    odd.set(Property::TextOrientation, 200.into());
    let line = |entries: &[(&str, &str)]| {
        Value::Object(
            entries
                .iter()
                .map(|(key, value)| ((*key).into(), (*value).into()))
                .collect(),
        )
    };
    odd.set(Property::BorderTop, line(&[("lineStyle", "wavy")]));
    odd.set(Property::BorderLeft, line(&[("lineStyle", "thin")]));
    odd.set(Property::Fill, line(&[("patternType", "darkGray")]));
    let (back, notes) = there_and_back(&state);
    let noted: Vec<(&str, u64)> = notes.iter().map(|note| (note.what.as_str(), note.count)).collect();
    for expected in [
        ("overlapping or single-cell merges skipped", 1),
        ("merges outside the sheet or too large skipped", 2),
        ("integers rounded to the precision of a file", 1),
        ("cells under other names than addresses of a sheet skipped", 4),
        ("numbers that are not finite written as texts", 1),
        ("unknown font colours skipped", 1),
        ("unknown text orientations skipped", 1),
        ("unknown lines of borders skipped", 1),
        ("borders without a colour written in black", 1),
        ("fills that are not solid or of unknown colours skipped", 1),
        ("values hidden by merges skipped", 1),
    ] {
        assert!(noted.contains(&expected), "{expected:?} not in {noted:?}");
    }
    assert_eq!(
        back.sheets().map(|(_, sheet)| sheet.merges().len()).collect::<Vec<_>>(),
        [1]
    );
    assert!(!round_trip_difference(&state, &back).is_empty());
}

#[test]
fn empty_states_are_files_too() {
    let (back, notes) = there_and_back(&Workbook::default());
    assert_eq!(back.sheets().count(), 0);
    assert_eq!(notes.len(), 1);
}

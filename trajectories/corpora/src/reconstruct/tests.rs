use napsim_sim::state::Workbook;
use napsim_trajectories::Corpus;

use super::*;

/// The sheet that actions make.
fn sheet_of(lines: &[&str]) -> Sheet {
    let mut workbook = Workbook::default();
    for line in lines {
        let action = Action::parse(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        if let Err(error) = workbook.apply(&action) {
            panic!("{line}: {error}");
        }
    }
    workbook.touch_sheet(&SHEET_NAME.into()).clone()
}

fn texts(sheet: &Sheet, profile: &Profile) -> Vec<String> {
    match reconstruct(sheet, profile, 1) {
        Ok(reconstruction) => reconstruction.actions.iter().map(ToString::to_string).collect(),
        Err(error) => panic!("{error}"),
    }
}

fn tidy() -> Profile {
    Profile::named("tidy", 0).unwrap_or_else(|| panic!("the profile exists"))
}

#[test]
fn formulas_are_dragged_and_formats_follow() {
    let sheet = sheet_of(&[
        r#"INPUT | A1 | "Hours""#,
        "INPUT | A2:B4 | [[1, 10], [2, 20], [3, 30]]",
        r#"INPUT | C2 | "=A2*B2""#,
        "AUTOFILL | C2:C4 | C2",
        "FONT_BOLD | A1 | true",
        "NUMBER_FORMAT | C2:C4 | 0.00",
    ]);
    let texts = texts(&sheet, &tidy());
    assert!(
        texts.contains(&"AUTOFILL | Sheet1!C2:C4 | Sheet1!C2".to_owned()),
        "{texts:#?}"
    );
    assert!(
        texts.contains(&"NUMBER_FORMAT | Sheet1!C2:C4 | 0.00".to_owned()),
        "{texts:#?}"
    );
    assert_eq!(texts.len(), 11);
}

#[test]
fn every_profile_reaches_every_embedded_sheet() {
    let corpus = Corpus::embedded().unwrap();
    for trajectory in &corpus.trajectories {
        let mut workbook = Workbook::default();
        workbook.apply_strict(&trajectory.actions).unwrap();
        let sheet = workbook.sheets().next().unwrap().1.clone();
        for (name, _) in PROFILES {
            for seed in 0..3 {
                let profile = Profile::named(name, seed).unwrap();
                let made = reconstruct(&sheet, &profile, seed);
                assert!(
                    made.is_ok(),
                    "{} as {name}, seed {seed}: {}",
                    trajectory.name,
                    made.unwrap_err()
                );
            }
        }
    }
}

#[test]
fn a_base_comes_before_its_exceptions() {
    let sheet = sheet_of(&["NUMBER_FORMAT | A1:A9 | 0.0", "NUMBER_FORMAT | A4 | 0%"]);
    assert_eq!(
        texts(&sheet, &tidy()),
        ["NUMBER_FORMAT | Sheet1!A1:A9 | 0.0", "NUMBER_FORMAT | Sheet1!A4 | 0%"]
    );
}

#[test]
fn a_frame_is_drawn_over_a_grid() {
    let sheet = sheet_of(&[
        "INPUT | B2:D4 | [[1, 2, 3], [4, 5, 6], [7, 8, 9]]",
        "BORDER_ALL | B2:D4 | Thin, Dot, #808080",
        "BORDER_OUTSIDE | B2:D4 | Thin, Double, #000000",
    ]);
    let texts = texts(&sheet, &tidy());
    let borders: Vec<_> = texts.iter().filter(|text| text.starts_with("BORDER")).collect();
    assert_eq!(
        borders,
        [
            "BORDER_ALL | Sheet1!B2:D4 | Thin, Dot, #808080",
            "BORDER_OUTSIDE | Sheet1!B2:D4 | Thin, Double, #000000"
        ]
    );
}

#[test]
fn a_neighbour_does_not_hide_a_frame() {
    let sheet = sheet_of(&[
        "INPUT | B2:D4 | [[1, 2, 3], [4, 5, 6], [7, 8, 9]]",
        r#"INPUT | E2 | "=D4""#,
        "BORDER_ALL | B2:D4 | Thin, Continuous, #808080",
        "BORDER_OUTSIDE | B2:D4 | Thin, Double, #000000",
    ]);
    for (name, _) in PROFILES.iter().filter(|(name, _)| *name != "sampled") {
        let texts = texts(&sheet, &Profile::named(name, 0).unwrap());
        assert_eq!(
            texts.iter().filter(|text| text.starts_with("BORDER")).count(),
            2,
            "{name}: {texts:#?}"
        );
    }
}

#[test]
fn clock_like_texts_are_set_rather_than_typed() {
    let mut sheet = sheet_of(&["INPUT | A1 | 1"]);
    let cells = sheet.cells.as_mut().unwrap();
    let key = napsim_sim::state::CellKey::Address(CellAddress::new(1, 1));
    cells
        .touch(key)
        .set(Property::Value, napsim_trajectories::Value::text("2024"));
    let made = reconstruct(&sheet, &tidy(), 0).unwrap();
    assert_eq!(made.actions[0].to_string(), r#"VALUE | Sheet1!A1 | "2024""#);
    assert_eq!(made.notes.len(), 1);
}

#[test]
fn weights_are_told_by_the_action_alone() {
    let mut sheet = sheet_of(&["BORDER_TOP | A1 | Thin, Continuous, #000000"]);
    let cells = sheet.cells.as_mut().unwrap();
    let key = napsim_sim::state::CellKey::Address(CellAddress::new(1, 1));
    let line = napsim_trajectories::json::read(r##"{"lineStyle": "medium", "color": "#FF0000"}"##).unwrap();
    cells.touch(key).set(Property::BorderTop, line);
    let made = reconstruct(&sheet, &tidy(), 0).unwrap();
    assert_eq!(
        made.actions[0].to_string(),
        "BORDER_TOP | Sheet1!A1 | Medium, Continuous, #FF0000"
    );
    assert_eq!(made.notes[0].count, 1);
}

#[test]
fn second_thoughts_are_corrected() {
    let sheet = sheet_of(&[r#"INPUT | A1:A40 | "Apricots""#, "FILL_COLOR | A1:A40 | #FFC000"]);
    let hesitant = Profile {
        second_thoughts_permille: 500,
        ..tidy()
    };
    let made = reconstruct(&sheet, &hesitant, 3).unwrap();
    let n_thoughts = made.rules.iter().filter(|rule| **rule == Rule::FirstThought).count();
    assert!((10..35).contains(&n_thoughts), "{n_thoughts}");
    assert_eq!(made.actions.len(), 41 + n_thoughts);
}

#[test]
fn the_same_seed_gives_the_same_actions() {
    let sheet = sheet_of(&[
        r#"INPUT | A1:C9 | "Pears""#,
        "FONT_BOLD | A1:C1 | true",
        "FONT_BOLD | A9 | true",
    ]);
    let made = |seed| {
        let profile = Profile::named("sampled", seed).unwrap();
        reconstruct(&sheet, &profile, seed).unwrap().actions
    };
    assert_eq!(made(5), made(5));
    assert!((0..9).any(|seed| made(seed) != made(seed + 1)));
}

#[test]
fn an_empty_sheet_is_refused() {
    let made = reconstruct(&Sheet::default(), &tidy(), 0);
    assert_eq!(made.err(), Some(ReconstructError::Empty));
}

#[test]
fn a_sheet_full_of_one_long_text_is_refused() {
    let mut sheet = sheet_of(&["INPUT | A1 | 1"]);
    let long = napsim_trajectories::Value::text("x".repeat(1 << 20));
    let cells = sheet.cells.as_mut().unwrap();
    for row in 1..66 {
        let key = napsim_sim::state::CellKey::Address(CellAddress::new(row, 1));
        cells.touch(key).set(Property::Value, long.clone());
    }
    assert!(matches!(
        reconstruct(&sheet, &tidy(), 0),
        Err(ReconstructError::TooMuchText { .. })
    ));
}

mod laws {
    use proptest::prelude::*;

    use super::*;

    /// A range within eight rows and six columns.
    fn range() -> impl Strategy<Value = String> {
        (1_i64..9, 1_i64..7, 0_i64..4, 0_i64..4).prop_map(|(row, col, height, width)| {
            let bounds = napsim_trajectories::Bounds {
                first_row: row,
                first_col: col,
                last_row: (row + height).min(8),
                last_col: (col + width).min(6),
            };
            bounds.to_string()
        })
    }

    fn action() -> impl Strategy<Value = String> {
        let value = prop::sample::select(vec![
            "1",
            "2",
            "2.5",
            "\"a\"",
            "\"Jan\"",
            "\"Q1\"",
            "\"=A1+B$2\"",
            "\"=SUM($A1:B3)\"",
            "true",
            "\"2024\"",
            "\"16-19\"",
        ]);
        let format = prop::sample::select(vec![
            "FONT_BOLD | % | true",
            "FONT_SIZE | % | 14",
            "FONT_COLOR | % | #FF0000",
            "FONT_COLOR | % | #404040",
            "FILL_COLOR | % | #FFFF00",
            "FILL_COLOR | % | #00FF00",
            "NUMBER_FORMAT | % | 0.00",
            "NUMBER_FORMAT | % | 0%",
            "ALIGN_HORIZONTAL | % | center",
            "WRAP_TEXT | % | true",
            "MERGE | % | true",
            "BORDER_ALL | % | Thin, Continuous, #000000",
            "BORDER_OUTSIDE | % | Medium, Continuous, #000000",
            "BORDER_BOTTOM | % | Thin, Double, #000000",
            "BORDER_LEFT | % | Thin, Dash, #FF0000",
        ]);
        prop_oneof![
            2 => (range(), value).prop_map(|(range, value)| format!("INPUT | {range} | {value}")),
            3 => (range(), format).prop_map(|(range, format)| format.replace('%', &range)),
            1 => (1_i64..6, 1_i64..6, 1_i64..5).prop_map(|(row, col, n)| {
                let name = napsim_trajectories::range::column_name(col);
                format!("AUTOFILL | {name}{row}:{name}{} | {name}{row}", row + n)
            }),
            1 => (range(), range(), prop::sample::select(vec!["all", "formats", "values"]))
                .prop_map(|(to, from, mode)| format!("PASTE_FROM | {to} | {from} | {mode}")),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]
        #[test]
        fn whatever_actions_make_every_profile_makes_again(
            lines in prop::collection::vec(action(), 1..30),
            profile in prop::sample::select(PROFILES.to_vec()),
            seed in 0_u64..1000,
        ) {
            let mut workbook = Workbook::default();
            for line in &lines {
                if let Ok(action) = Action::parse(line) {
                    let _skipped = workbook.apply(&action);
                }
            }
            let sheet = workbook.touch_sheet(&SHEET_NAME.into()).clone();
            let profile = Profile::named(profile.0, seed).unwrap();
            match reconstruct(&sheet, &profile, seed) {
                Ok(made) => {
                    // Beneath merged ranges contents can be left that no action can put there.
                    let interior = made.notes.iter().any(|note| note.what.contains("merged"));
                    prop_assert!(interior || verify(&made.actions, &sheet).is_ok() || made.notes.iter().any(|n| n.what.contains("border")));
                }
                Err(error) => prop_assert!(error == ReconstructError::Empty, "{error}"),
            }
        }
    }
}

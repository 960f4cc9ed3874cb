use napsim_sim::state::{CellKey, Property, Workbook};
use napsim_trajectories::{Action, CellAddress, Value};
use proptest::prelude::*;

use super::*;
use crate::shared_data::published;

/// The sheet that actions in the notation make.
fn sheet(lines: &str) -> Sheet {
    let mut workbook = Workbook::default();
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let action: Action = Action::parse(line).unwrap();
        workbook.apply(&action).unwrap();
    }
    workbook.sheet("S").cloned().unwrap_or_default()
}

/// Ranges and kinds of the regions that are found, after checking that nothing is wrong with them.
fn check(lines: &str, expect: &[&str]) -> Annotation {
    let sheet = sheet(lines);
    let annotation = annotate(&sheet);
    let found: Vec<String> = annotation
        .regions
        .iter()
        .map(|region| format!("{} {}", region.range, region.kind))
        .collect();
    assert_eq!(found, expect);
    assert_eq!(wrong(&annotation, &sheet), []);
    annotation
}

fn wrong(annotation: &Annotation, sheet: &Sheet) -> Vec<Problem> {
    let mut problems = validate(annotation, sheet);
    problems.retain(|problem| !problem.is_warning());
    problems
}

fn text(bounds: Option<Bounds>) -> String {
    bounds.map_or_else(|| "-".to_owned(), |bounds| bounds.to_string())
}

const BUDGET: &str = r##"
    INPUT | S!A1 | "Harbour fair"
    MERGE | S!A1:C1 | true
    INPUT | S!A3:C3 | [["Stall", "Planned", "Actual"]]
    FONT_BOLD | S!A3:C3 | true
    INPUT | S!A4:C6 | [["Tent", 120, 130], ["Lamps", 40, 35], ["Music", 300, 310]]
    INPUT | S!A7:C7 | [["Total", "=SUM(B4:B6)", "=SUM(C4:C6)"]]
    FONT_BOLD | S!A7:C7 | true
    FILL_COLOR | S!C5 | #FFFF00
    INPUT | S!A10:B10 | [["Over budget", "=C7-B7"]]
"##;

#[test]
fn a_title_a_table_and_a_calculation() {
    let annotation = check(
        BUDGET,
        &[
            "A1:C1 sheet_title_header",
            "A3:C7 data_table",
            "A10:B10 formula_calculation",
        ],
    );
    let table = annotation.region(1).unwrap();
    assert_eq!(text(table.header), "A3:C3");
    assert_eq!(text(table.labels), "A4:A6");
    assert_eq!(text(table.total), "A7:C7");
    assert_eq!(text(table.body()), "A4:C6");
    let closings: Vec<String> = table
        .closing
        .iter()
        .map(|closing| format!("{} {}", closing.keyword.text(), closing.range))
        .collect();
    assert_eq!(closings, ["FONT_BOLD A7:C7", "FILL_COLOR C5"]);
    assert_eq!(annotation.dependencies, BTreeMap::from([(2, 1)]));
}

#[test]
fn the_schema_is_that_of_the_specification() {
    let annotation = annotate(&sheet(BUDGET));
    let json = serde_json::to_value(&annotation).unwrap();
    assert_eq!(
        json["regions"][2],
        serde_json::json!({
            "id": 2, "range": "A10:B10", "type": "formula_calculation", "closing_operations": []
        })
    );
    assert_eq!(
        json["regions"][1]["closing_operations"][1]["operation_type"],
        "FILL_COLOR"
    );
    assert_eq!(json["region_dependencies"], serde_json::json!({"2": 1}));
    let back: Annotation = serde_json::from_value(json).unwrap();
    assert_eq!(back, annotation);
    let read = serde_json::from_str::<Annotation>;
    assert!(read(r#"{"regions": [{"id": 0, "range": "A1,B2", "type": "data_table"}]}"#).is_err());
    let other = read(r#"{"regions": [{"id": 0, "range": "A1", "type": "chart"}]}"#).unwrap();
    assert_eq!(other.regions[0].kind, RegionKind::Miscellaneous);
}

#[test]
fn a_repeated_head_begins_a_table_and_shows_a_copy() {
    let block = |row: i64, name: &str| {
        format!(
            r##"
            INPUT | S!A{row} | "{name}"
            INPUT | S!A{a}:C{a} | [["Item", "Pieces", "Price"]]
            FONT_BOLD | S!A{a}:C{a} | true
            FILL_COLOR | S!A{a}:C{a} | #DDEBF7
            INPUT | S!A{b}:C{c} | [["Nail", 4, 2.5], ["Bolt", 7, 1.25]]
            "##,
            a = row + 1,
            b = row + 2,
            c = row + 3
        )
    };
    let lines = block(1, "North") + &block(5, "South") + &block(10, "West");
    let annotation = check(&lines, &["A1:C4 data_table", "A5:C8 data_table", "A10:C13 data_table"]);
    assert_eq!(annotation.similar.len(), 1);
    assert_eq!(annotation.similar[0].ranges.len(), 3);
    assert_eq!(annotation.similar[0].paste, FormatPaste::Format);
}

#[test]
fn years_can_head_a_table() {
    let lines = r#"
        INPUT | S!A1:D1 | [["Crop", 2021, 2022, 2023]]
        INPUT | S!A2:D4 | [["Rye", 140.5, 120, 99], ["Oats", 70, 75, 71.5], ["Hops", 2010, 2030, 1990]]
    "#;
    let annotation = check(lines, &["A1:D4 data_table"]);
    assert_eq!(text(annotation.regions[0].header), "A1:D1");
    assert_eq!(text(annotation.regions[0].labels), "A2:A4");
}

#[test]
fn blocks_of_different_height_beside_each_other_stay_apart() {
    let lines = r#"
        INPUT | S!A1:B3 | [[1, 2], [3, 4], [5, 6]]
        INPUT | S!D1:E5 | [[1, 2], [3, 4], [5, 6], [7, 8], [9, 1]]
        INPUT | S!A9:A12 | [["a"], ["b"], ["c"], ["d"]]
        INPUT | S!C9:C11 | [[1], [2], [3]]
    "#;
    check(
        lines,
        &["A1:B3 miscellaneous", "D1:E5 miscellaneous", "A9:C12 miscellaneous"],
    );
}

#[test]
fn dense_constants_look_pasted_but_numbering_does_not() {
    let rows: Vec<String> = (1..=20)
        .map(|n| format!("[{n}, {}, {}]", n * n % 17, n * 7 % 11))
        .collect();
    let lines = format!(
        "INPUT | S!A1:C1 | [[\"No\", \"Depth\", \"Flow\"]]\nINPUT | S!A2:C21 | [{}]",
        rows.join(", ")
    );
    let annotation = check(&lines, &["A1:C21 data_table"]);
    let pasted: Vec<String> = annotation
        .pasted
        .iter()
        .map(|pasted| pasted.range.to_string())
        .collect();
    assert_eq!(pasted, ["B2:C21"]);
}

#[test]
fn white_grounds_are_covered_without_swallowing_blocks() {
    let lines = r##"
        FILL_COLOR | S!A1:F8 | #FFFFFF
        INPUT | S!B2 | 4
        INPUT | S!E6 | 5
    "##;
    let annotation = annotate(&sheet(lines));
    assert_eq!(wrong(&annotation, &sheet(lines)), []);
    assert!(
        annotation
            .region(0)
            .is_some_and(|first| first.range.to_string() == "A1:F1")
    );
    let single = annotation.regions.iter().filter(|region| region.range.n_cells() == 1);
    assert!(single.count() >= 2);
}

#[test]
fn mistakes_are_named() {
    let read = |text: &str| serde_json::from_str::<Annotation>(text).unwrap();
    let sheet = sheet("INPUT | S!A1:B2 | [[1, 2], [3, 4]]");
    let check = |text: &str, expect: &[Problem]| assert_eq!(validate(&read(text), &sheet), expect, "{text}");
    let bounds = |text: &str| napsim_trajectories::Range::new("", text).unwrap().bounds();
    check(
        r#"{"regions": [{"id": 0, "range": "A1:B1", "type": "x"}, {"id": 0, "range": "B1:B2", "type": "x"}]}"#,
        &[Problem::DuplicateId(0), Problem::Intersection(0, 0)],
    );
    check(
        r#"{"regions": [{"id": 0, "range": "A1:A2", "type": "x"}, {"id": 1, "range": "B1:B2", "type": "x"}],
            "region_dependencies": {"0": 1, "1": 0, "7": 1},
            "pasted_ranges": [{"range": "A1:B1", "paste_nature": "full"}],
            "similarly_formatted_regions": [{"similar_regions": ["A1"], "format_paste_type": "paste_format"}]}"#,
        &[
            Problem::UnknownRegion(7),
            Problem::Cycle(0),
            Problem::PastedOutside(bounds("A1:B1")),
            Problem::SmallGroup(1),
        ],
    );
    check(
        r#"{"regions": []}"#,
        &[Problem::NoRegion, Problem::Uncovered(bounds("A1:B2"))],
    );
}

/// A random sheet of values, fills, borders and merges in a small area.
fn sheets() -> impl Strategy<Value = Sheet> {
    let cell = (1..30_i64, 1..20_i64, 0..6_u8);
    let merge = (1..30_i64, 1..20_i64, 0..4_i64, 0..4_i64);
    (
        proptest::collection::vec(cell, 0..120),
        proptest::collection::vec(merge, 0..5),
    )
        .prop_map(|(cells, merges)| {
            let mut sheet = Sheet::default();
            for (row, col, what) in cells {
                let map = sheet.cells.get_or_insert_default();
                let cell = map.touch(CellKey::Address(CellAddress::new(row, col)));
                let fill = |color: &str| {
                    let entries = [("patternType", "solid"), ("fgColor", color)];
                    Value::Object(entries.map(|(key, value)| (key.into(), Value::text(value))).into())
                };
                match what {
                    0 => cell.set(Property::Value, Value::Int(row)),
                    1 => cell.set(Property::Value, Value::text(format!("=A{col}+B{row}"))),
                    2 => cell.set(Property::Fill, fill("#FFFFFF")),
                    3 => cell.set(Property::Fill, fill("#FF0000")),
                    4 => cell.set(Property::BorderLeft, fill("#000000")),
                    _ => cell.set(Property::Value, Value::text("words")),
                }
            }
            let merges = merges.into_iter().map(|(row, col, rows, cols)| Bounds {
                first_row: row,
                first_col: col,
                last_row: row + rows,
                last_col: col + cols,
            });
            sheet.merges = Some(merges.collect());
            sheet
        })
}

proptest! {
    #[test]
    fn regions_cover_all_cells_and_never_intersect(sheet in sheets()) {
        let annotation = annotate(&sheet);
        prop_assert_eq!(wrong(&annotation, &sheet), []);
        prop_assert_eq!(annotate(&sheet), annotation.clone());
        for region in &annotation.regions {
            for part in [region.header, region.labels, region.total, region.body()].into_iter().flatten() {
                prop_assert!(part.n_cells() > 0 && region.range.contains(&part));
            }
            let cuts = |merge: &&Bounds| merge.overlaps(&region.range) && !region.range.contains(merge);
            let facts = Facts::of(&sheet);
            let cut = facts.merges.iter().filter(cuts).find(|merge| {
                facts.cells.iter().any(|fact| merge.contains_cell(fact.at))
            });
            prop_assert_eq!(cut, None);
        }
    }
}

#[test]
fn published_sheets_are_covered() {
    let Some(corpus) = published() else { return };
    assert_eq!(corpus.trajectories.len(), 52);
    let mut kinds: BTreeMap<RegionKind, usize> = BTreeMap::new();
    for trajectory in &corpus.trajectories {
        let mut workbook = Workbook::default();
        workbook.apply_lenient(&trajectory.actions);
        for (name, sheet) in workbook.sheets() {
            let annotation = annotate(sheet);
            let wrong = wrong(&annotation, sheet);
            assert_eq!(wrong, [], "{} {name}", trajectory.name);
            for region in &annotation.regions {
                *kinds.entry(region.kind).or_default() += 1;
            }
            if std::env::var_os("NAPSIM_SHOW_REGIONS").is_some() {
                eprintln!("{} {name}", trajectory.name);
                for region in &annotation.regions {
                    let [header, labels, total] = [region.header, region.labels, region.total].map(text);
                    eprintln!("  {} {} {header} {labels} {total}", region.range, region.kind);
                }
                let (after, pasted, similar) = (&annotation.dependencies, &annotation.pasted, &annotation.similar);
                eprintln!("  {after:?} {} pasted {} similar", pasted.len(), similar.len());
            }
        }
    }
    assert!(kinds.len() == 5, "{kinds:?}");
}

/// A sheet of many cells: dense tables below each other beside scattered notes.
fn large(n_rows: i64) -> Sheet {
    let mut sheet = Sheet::default();
    let cells = sheet.cells.get_or_insert_default();
    for row in 1..=n_rows {
        for col in 1..=8 {
            let value = match (row % 50, col) {
                (1, _) => Value::text(format!("Head {col}")),
                (0, _) => continue,
                (_, 8) => Value::text(format!("=SUM(B$2:B{row})")),
                _ => Value::Int(row * col % 97),
            };
            let cell = cells.touch(CellKey::Address(CellAddress::new(row, col)));
            cell.set(Property::Value, value);
            if row % 50 == 1 {
                cell.set(Property::FontBold, Value::Bool(true));
            }
        }
        let note = cells.touch(CellKey::Address(CellAddress::new(row, 12 + row % 7 * 3)));
        note.set(Property::Value, Value::text("seen"));
    }
    sheet
}

#[test]
fn far_cells_and_vast_merges_are_taken_as_they_are() {
    let lines = r#"
        INPUT | S!A1 | "corner"
        INPUT | S!ZZZ999999999999 | "far"
        INPUT | S!C0 | 3
        INPUT | S!B9 | "=SUM(A:ZZ)+SUM(A1:ZZZ999999999999)"
    "#;
    check(
        lines,
        &[
            "C0 miscellaneous",
            "A1 text_description",
            "B9 formula_calculation",
            "ZZZ999999999999 text_description",
        ],
    );
    let mut sheet = sheet(lines);
    let whole = |first_row: i64| Bounds {
        first_row,
        first_col: 1,
        last_row: 999_999_999_999,
        last_col: 18_278,
    };
    sheet.merges = Some(vec![whole(2), whole(5), whole(2)]);
    let annotation = annotate(&sheet);
    assert_eq!(wrong(&annotation, &sheet), []);
    assert!(annotation.regions.iter().any(|region| region.range.contains(&whole(2))));
}

#[test]
fn the_work_grows_with_the_cells() {
    // A quadratic step would take hours here.
    let sheet = large(20_000);
    let annotation = annotate(&sheet);
    assert_eq!(wrong(&annotation, &sheet), []);
    assert!(annotation.regions.len() >= 400, "{}", annotation.regions.len());
}

//! Tests of the views.

use napsim_trajectories::{Action, Corpus};

use super::*;

const SIZE: ViewSize = ViewSize {
    rows: 20,
    columns: 10,
    value_characters_max: 32,
    characters_max: 6_000,
};

fn workbook(lines: &[&str]) -> Workbook {
    let mut workbook = Workbook::default();
    for line in lines {
        workbook.apply(&Action::parse(line).unwrap()).unwrap();
    }
    workbook
}

/// Numbers row by row: the cell at row r and column c holds 100·r + c.
fn numbers(rows: i64, columns: i64, first: (i64, i64)) -> Workbook {
    let lines: Vec<String> = (0..rows * columns)
        .map(|idx| {
            let (row, col) = (first.0 + idx / columns, first.1 + idx % columns);
            format!("INPUT | {}{row} | {}", column_name(col), 100 * row + col)
        })
        .collect();
    workbook(&lines.iter().map(String::as_str).collect::<Vec<_>>())
}

fn range(text: &str) -> Range {
    Range::parse(text).unwrap()
}

/// The view of a sheet of numbers, as its first and last line without their values.
fn check_window(workbook: &Workbook, active: &str, size: ViewSize, expect: &str) {
    let view = SheetView::Cells
        .show(workbook, "Sheet1", Some(&range(active)), size)
        .unwrap();
    let address = |line: Option<&str>| line.and_then(|line| line.split(" |").next()).unwrap().to_owned();
    let found = format!("{}:{}", address(view.lines().next()), address(view.lines().last()));
    assert_eq!(found, expect, "around {active}");
}

/// A small table with formats of several kinds.
fn table() -> Workbook {
    workbook(&[
        "INPUT | A1:C1 | [[\"Region\", \"Sold | kept\", \"Total\"]]",
        "INPUT | A2:B3 | [[\"North\", 12.50], [\"South\\nand West\", true]]",
        "INPUT | C2:C3 | [[\"=B2*2\"], [\"=B3*2\"]]",
        "VALUE | A4 | \"2024\"",
        "INPUT | B4:C4 | [[null, \" a very long text that nobody wants to see\"]]",
        "FONT_BOLD | A1:C1 | true",
        "FONT_BOLD | C3 | true",
        "FILL_COLOR | B2:C3 | #ffff00",
        "NUMBER_FORMAT | C2:C5 | 0.0",
        "BORDER_ALL | A2 | Thin, Continuous, #000000",
        "BORDER_BOTTOM | A1:C1 | Medium, Double",
        "FONT_SIZE | A1 | 14",
        "MERGE | B5:C6 | true",
    ])
}

#[test]
fn a_table_shows_values_and_formats() {
    let view = SheetView::Markdown.show(&table(), "Sheet1", Some(&range("Sheet1!C3")), SIZE);
    assert_eq!(
        view.as_deref(),
        Some(
            "| | A | B | C |
|---|---|---|---|
| 1 | Region | Sold \\| kept | Total |
| 2 | North | 12.5 | =B2*2 |
| 3 | South\\nand West | true | =B3*2 |
| 4 | \"2024\" | | \" a very long text that nobody wa...\" |
bold: A1:C1, C3
size 14: A1
fill #FFFF00: B2:C3
number format 0.0: C2:C4
borders thin #000000: A2
bottom border double: A1:C1"
        )
    );
}

#[test]
fn cells_are_lines_in_the_notation() {
    let view = SheetView::Cells.show(&table(), "Sheet1", Some(&range("Sheet1!C3")), SIZE);
    assert_eq!(
        view.as_deref(),
        Some(
            r##"A1 | "Region" [bold, size 14, bottom border double]
B1 | "Sold | kept" [bold, bottom border double]
C1 | "Total" [bold, bottom border double]
A2 | "North" [borders thin #000000]
B2 | 12.5 [fill #FFFF00]
C2 | "=B2*2" [fill #FFFF00, number format 0.0]
A3 | "South\nand West"
B3 | true [fill #FFFF00]
C3 | "=B3*2" [bold, fill #FFFF00, number format 0.0]
A4 | "2024"
C4 | " a very long text that nobody wa..." [number format 0.0]"##
        )
    );
}

#[test]
fn the_views_in_the_documentation_are_real() {
    let documentation = include_str!("../../../../docs/PROMPTS.md");
    let corpus = Corpus::embedded().unwrap();
    let trajectory = corpus
        .trajectories
        .iter()
        .find(|trajectory| trajectory.name.starts_with("01-"))
        .unwrap();
    let actions = trajectory.actions.get(..22).unwrap();
    let mut workbook = Workbook::default();
    workbook.apply_lenient(actions);
    let show = |view: SheetView| view.show(&workbook, "Sheet1", Some(actions[21].range()), SIZE).unwrap();
    let table = show(SheetView::Markdown);
    assert!(documentation.contains(&format!("```text\n{table}\n```")), "{table}");
    let cells = show(SheetView::Cells);
    let (_, cells) = cells.split_once("\nA5").unwrap();
    assert!(documentation.contains(&format!("```text\nA5{cells}\n```")), "{cells}");
}

#[test]
fn merges_are_shown_where_they_reach_into_the_window() {
    let merged = workbook(&[
        "INPUT | A1 | \"Sales\"",
        "MERGE | A1:C1 | true",
        "INPUT | A2:C2 | [[1, 2, 3]]",
        "MERGE | X9:Y9 | true",
    ]);
    let show = |view: SheetView| view.show(&merged, "Sheet1", None, SIZE).unwrap();
    assert!(show(SheetView::Markdown).ends_with("| 2 | 1 | 2 | 3 |\nmerged: A1:C1"));
    assert!(show(SheetView::Cells).starts_with("A1 | \"Sales\" [merged A1:C1]\nA2 | 1\n"));
}

#[test]
fn the_window_is_around_the_latest_action_and_within_the_used_area() {
    let sheet = numbers(60, 30, (3, 2));
    check_window(&sheet, "Sheet1!P30", SIZE, "K20:T39");
    check_window(&sheet, "Sheet1!B3", SIZE, "B3:K22");
    check_window(&sheet, "Sheet1!AE62", SIZE, "V43:AE62");
    check_window(&sheet, "Sheet1!P70", SIZE, "K43:T62");
    // A range that is longer than the window is shown from its beginning.
    check_window(&sheet, "Sheet1!P30:P900000", SIZE, "K29:T48");
    check_window(&sheet, "Sheet1!P900000:P30", SIZE, "K29:T48");
    check_window(&sheet, "Sheet1!A1:ZZZ99999999", SIZE, "B3:K22");
    // Nothing near, or another sheet: the first cells.
    check_window(&sheet, "Sheet1!ZZZ99999999", SIZE, "B3:K22");
    check_window(&sheet, "Other!P30", SIZE, "B3:K22");
    let small = ViewSize {
        rows: 1,
        columns: 1,
        ..SIZE
    };
    check_window(&sheet, "Sheet1!P30", small, "P30:P30");
}

#[test]
fn a_gap_around_the_latest_action_shows_the_nearest_cells() {
    let sheet = workbook(&["INPUT | A1 | 1", "INPUT | A12 | 2", "INPUT | A38 | 3"]);
    check_window(&sheet, "Sheet1!A24", ViewSize { rows: 14, ..SIZE }, "A1:A12");
}

#[test]
fn a_sheet_in_which_nothing_shows_has_no_view() {
    let cleared = workbook(&[
        "INPUT | A1 | 1",
        "FONT_BOLD | A1 | true",
        "INPUT | A1 | clear",
        "FONT_BOLD | A1 | false",
    ]);
    for view in [SheetView::Markdown, SheetView::Cells] {
        assert_eq!(view.show(&Workbook::default(), "Sheet1", None, SIZE), None);
        assert_eq!(view.show(&cleared, "Sheet1", Some(&range("Sheet1!A1")), SIZE), None);
        assert_eq!(view.show(&cleared, "Other", None, SIZE), None);
        assert_eq!(view.show(&table(), "Sheet1", None, ViewSize { rows: 0, ..SIZE }), None);
    }
    assert_eq!(SheetView::None.show(&table(), "Sheet1", None, SIZE), None);
}

#[test]
fn a_view_has_no_more_characters_than_allowed() {
    let sheet = numbers(60, 30, (1, 1));
    let active = range("Sheet1!P30");
    for view in [SheetView::Markdown, SheetView::Cells] {
        for characters_max in [40, 200, 1_000, 6_000] {
            let size = ViewSize { characters_max, ..SIZE };
            let text = view.show(&sheet, "Sheet1", Some(&active), size).unwrap();
            assert!(
                text.chars().count() <= characters_max && text.contains("3016"),
                "{text}"
            );
        }
        let size = ViewSize {
            characters_max: 3,
            ..SIZE
        };
        assert_eq!(view.show(&sheet, "Sheet1", Some(&active), size), None);
    }
}

#[test]
fn many_formats_are_summed_up() {
    let mut lines = vec!["INPUT | A1:J20 | 1".to_owned()];
    for idx in 0..20 {
        lines.push(format!("FILL_COLOR | B{} | #0000{idx:02}", idx + 1));
        lines.push(format!(
            "FONT_BOLD | {}{} | true",
            if idx % 2 == 0 { 'C' } else { 'E' },
            idx + 1
        ));
    }
    let sheet = workbook(&lines.iter().map(String::as_str).collect::<Vec<_>>());
    let view = SheetView::Markdown.show(&sheet, "Sheet1", None, SIZE).unwrap();
    let legend: Vec<&str> = view.lines().skip(22).collect();
    assert_eq!(
        legend.first(),
        Some(&"bold: C1, E2, C3, E4, C5, E6, C7, E8, C9, E10, C11, E12, and 8 more")
    );
    assert_eq!(legend.get(1), Some(&"fill #000000: B1"));
    assert_eq!((legend.len(), legend.last()), (17, Some(&"and 5 more formats")));
}

#[test]
fn the_order_in_which_cells_were_made_does_not_show() {
    let lines = [
        "INPUT | B2 | 2",
        "INPUT | A1 | 1",
        "FONT_BOLD | B2 | true",
        "FILL_COLOR | A1:B2 | #FF0000",
    ];
    let backwards: Vec<&str> = lines.iter().rev().copied().collect();
    for view in [SheetView::Markdown, SheetView::Cells] {
        let [one, other] = [&lines[..], &backwards].map(|lines| view.show(&workbook(lines), "Sheet1", None, SIZE));
        assert!(one.is_some() && one == other);
    }
}

#[test]
fn views_have_names() {
    for name in ["none", "markdown", "cells"] {
        assert_eq!(name.parse::<SheetView>().unwrap().to_string(), name);
    }
    let error = "Table".parse::<SheetView>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "`Table` is no view of the sheet: give `none`, `markdown` or `cells`"
    );
    assert_eq!(ViewSize::default(), SIZE);
}

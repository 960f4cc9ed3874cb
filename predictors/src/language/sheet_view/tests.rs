//! Tests of the views.

use napsim_trajectories::Action;

use super::*;

fn workbook(lines: &[&str]) -> Workbook {
    let mut workbook = Workbook::default();
    for line in lines {
        workbook.apply(&Action::parse(line).unwrap()).unwrap();
    }
    workbook
}

#[test]
fn views_have_names() {
    for name in ["none", "markdown", "cells"] {
        assert_eq!(name.parse::<SheetView>().unwrap().to_string(), name);
    }
    assert!("Table".parse::<SheetView>().is_err());
}

#[test]
fn an_empty_sheet_has_no_view() {
    let size = ViewSize::default();
    let cleared = workbook(&[
        "INPUT | A1 | 1",
        "FONT_BOLD | A1 | true",
        "INPUT | A1 | clear",
        "FONT_BOLD | A1 | false",
    ]);
    for view in [SheetView::Markdown, SheetView::Cells] {
        assert_eq!(view.show(&Workbook::default(), "Sheet1", None, size), None);
        assert_eq!(view.show(&cleared, "Sheet1", None, size), None);
        assert_eq!(view.show(&cleared, "Other", None, size), None);
    }
}

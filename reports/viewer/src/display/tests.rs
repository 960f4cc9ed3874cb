use napsim_sim::state::Workbook;
use napsim_trajectories::Action;

use super::*;

/// What A1 shows after these actions.
fn shown(lines: &[&str]) -> Option<Display> {
    let mut state = Workbook::default();
    let actions: Vec<Action> = lines.iter().map(|line| Action::parse(line).unwrap()).collect();
    state.apply_strict(&actions).unwrap();
    let key = napsim_sim::state::CellKey::from_text("A1");
    Display::of(state.cell("Sheet1", &key).unwrap())
}

fn check(lines: &[&str], text: &str, raw: Option<&str>, kind: ContentKind) {
    let display = shown(lines).unwrap();
    assert_eq!(
        (&*display.text, display.raw.as_deref(), display.kind),
        (text, raw, kind),
        "{lines:?}"
    );
}

#[test]
fn contents_are_shown_under_their_format() {
    check(&["INPUT | A1 | 1234.5"], "1234.5", None, ContentKind::Number);
    check(
        &["INPUT | A1 | 1234.5", "NUMBER_FORMAT | A1 | #,##0.00"],
        "1,234.50",
        Some("1234.5"),
        ContentKind::Number,
    );
    check(&["INPUT | A1 | true"], "TRUE", None, ContentKind::Truth);
    check(&["INPUT | A1 | \"abc\""], "abc", None, ContentKind::Text);
    check(
        &["INPUT | A1 | \"=SUM(B1:B3)\""],
        "=SUM(B1:B3)",
        None,
        ContentKind::Formula,
    );
    check(&["FORMULA | A1 | =B1*2"], "=B1*2", None, ContentKind::Formula);
    check(&["INPUT | A1 | \"=\""], "=", None, ContentKind::Text);
    check(
        &["INPUT | A1 | \"2024-03-05\""],
        "2024-03-05",
        Some("2024-03-05 00:00:00"),
        ContentKind::Number,
    );
    check(
        &["INPUT | A1 | \"2024-03-05\"", "NUMBER_FORMAT | A1 | d mmm"],
        "5 Mar",
        Some("2024-03-05 00:00:00"),
        ContentKind::Number,
    );
    check(
        &["INPUT | A1 | 123456789012345678901234567890"],
        "1.23457E+29",
        Some("123456789012345678901234567890"),
        ContentKind::Number,
    );
}

#[test]
fn a_cell_without_content_shows_nothing() {
    assert_eq!(shown(&["FONT_BOLD | A1 | true"]), None);
    assert_eq!(shown(&["INPUT | A1 | 1", "INPUT | A1 | null"]), None);
}

//! Histories that are allowed and rare: what somebody types sooner or later.

use napsim_trajectories::{Action, Value, json};

/// A cell can hold as many characters.
const CELL_TEXT_MAX: usize = 32_767;

fn parsed<'a>(lines: impl IntoIterator<Item = &'a str>) -> Vec<Action> {
    lines.into_iter().filter_map(|line| Action::parse(line).ok()).collect()
}

/// Every kind of action at least once, with what clears and with what is left out.
pub(crate) fn every_action() -> Vec<Action> {
    parsed(EVERY_ACTION)
}

const EVERY_ACTION: [&str; 53] = [
    "INPUT | Sheet1!A1 | \"Item\"",
    "INPUT | Sheet1!A2:B3 | [[1, 2.5], [true, null]]",
    "INPUT | Sheet1!C1 | \"=SUM(A2:B3)\"",
    "INPUT | Sheet1!D1 | clear",
    "VALUE | Sheet1!A4 | 12345678901234567890",
    "VALUE | Sheet1!A4 | clear",
    "FORMULA | Sheet1!B4 | =IF(A4>\"x\",\"a | b\",Depot!A1)",
    "FORMULA | Sheet1!B4 | clear",
    "FORMULA | Sheet1!B5 | {=A1:A3*B1:B3}",
    "NUMBER_FORMAT | Sheet1!A2:B3 | _-* #,##0.00\\ \"€\"_-;[Red]-0.00;@",
    "NUMBER_FORMAT | Sheet1!A2:B3 | General",
    "FILL_COLOR | Sheet1!A1:D1 | #FFC000",
    "FILL_COLOR | Sheet1!A1:D1 | clear",
    "MERGE | Sheet1!A6:C6 | true",
    "MERGE | Sheet1!A6:C6 | false",
    "MERGE | Sheet1!A7:C7",
    "UNMERGE | Sheet1!A7:C7",
    "TEXT_ORIENTATION | Sheet1!A1:D1 | 90",
    "TEXT_ORIENTATION | Sheet1!A1:D1 | -45",
    "TEXT_ORIENTATION | Sheet1!A1:D1 | 0",
    "WRAP_TEXT | Sheet1!A1 | true",
    "WRAP_TEXT | Sheet1!A1 | false",
    "PASTE_FROM | Sheet1!F1:G3 | Sheet1!A1:B3 | all",
    "PASTE_FROM | Sheet1!F1 | Sheet1!A1 | values",
    "PASTE_FROM | Sheet1!F1 | Depot!A1 | formulas",
    "PASTE_FROM | Sheet1!F1:F9 | Sheet1!A1 | formats",
    "PASTE_FROM | Sheet1!F1 | clear",
    "AUTOFILL | Sheet1!A1:A9 | Sheet1!A1:A2",
    "AUTOFILL | Sheet1!A9:F9 | Sheet1!A9",
    "AUTOFILL | Sheet1!A1:A9 | clear",
    "FONT_BOLD | Sheet1!A1:D1 | true",
    "FONT_BOLD | Sheet1!A1 | false",
    "FONT_ITALIC | Sheet1!A1 | true",
    "FONT_SIZE | Sheet1!A1 | 14",
    "FONT_SIZE | Sheet1!A1 | 10.5",
    "FONT_COLOR | Sheet1!A1 | #FF0000",
    "FONT_UNDERLINE | Sheet1!A1 | single",
    "FONT_UNDERLINE | Sheet1!A1 | none",
    "FONT_NAME | Sheet1!A1 | Times New Roman",
    "ALIGN_HORIZONTAL | Sheet1!A1:D1 | center",
    "ALIGN_VERTICAL | Sheet1!A1:D1 | top",
    "BORDER_LEFT | Sheet1!A1:D4 | Thin, Continuous, #000000",
    "BORDER_RIGHT | Sheet1!A1:D4 | Medium, Dash, #00AA00",
    "BORDER_TOP | Sheet1!A1:D4 | Thick, Double",
    "BORDER_BOTTOM | Sheet1!A1:D4 | Hairline",
    "BORDER_OUTSIDE | Sheet1!A1:D4 | Thin, Continuous, #000000",
    "BORDER_ALL | Sheet1!A1:D4 | Thin, Continuous",
    "BORDER_ALL | Sheet1!A1:D4 | clear",
    "BORDER_INSIDE_HORIZONTAL | Sheet1!A1:D4 | Thin, Dot, #808080",
    "BORDER_INSIDE_VERTICAL | Sheet1!A1:D4 | Thin, Dot, #808080",
    "BORDER_DIAGONAL_DOWN | Sheet1!A1 | Thin, Continuous, #000000",
    "BORDER_DIAGONAL_UP | Sheet1!A1 | Thin, Continuous, #000000",
    "BORDER_DIAGONAL_UP | Sheet1!A1 | None",
];

/// Texts in many writings, with what separates fields and lines in them, and as long as a cell can hold.
pub(crate) fn unusual_texts() -> Vec<Action> {
    let longest = "å".repeat(CELL_TEXT_MAX);
    let typed = TEXTS.into_iter().chain([longest.as_str()]).enumerate();
    let typed = typed.map(|(idx, text)| format!("INPUT | Sheet1!A{} | {}", idx + 1, json::write(&Value::text(text))));
    let mut lines: Vec<String> = typed.collect();
    lines.extend(FORMULAS_WITH_TEXTS.map(str::to_owned));
    parsed(lines.iter().map(String::as_str))
}

const TEXTS: [&str; 21] = [
    "Größe",
    "📈",
    "👩‍👩‍👧‍👦 🇩🇪 1️⃣",
    "e\u{301}\u{323} n\u{303}",
    "עברית مرحبا \u{202E}abc\u{202C}",
    "表計算ソフト 한국어 ภาษาไทย",
    "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𠜎",
    "\u{E000}\u{F8FF}",
    // A lone surrogate, as the notation keeps it.
    "\u{10D83D}",
    "a | b",
    " | ",
    "INPUT | Sheet1!A1 | \"x\"",
    "she said \"no\"",
    "C:\\temp\\new",
    "two\nlines\r\nand\ttabs",
    "\u{0}\u{7}\u{1B}[31m\u{7F}\u{85}\u{2028}",
    "\u{FEFF}\u{A0}\u{200B} ",
    "'0123",
    "{\"type\":\"bye\"}",
    "<b>&amp;</b> # comment",
    "",
];

const FORMULAS_WITH_TEXTS: [&str; 5] = [
    "FORMULA | Sheet1!B1 | =\"Größe | \"&'Übersicht 📈'!A1",
    "FORMULA | Sheet1!B2 | =A1&\n\"second line\"",
    "NUMBER_FORMAT | Sheet1!B3 | [$₽-419] #,##0.00 \"руб.\"",
    "FONT_NAME | Sheet1!B4 | ＭＳ Ｐゴシック",
    "FILL_COLOR | Sheet1!B5 | rouge",
];

/// Sheets whose names have what sheet names may have, one after the other and back again.
pub(crate) fn unusual_sheets() -> Vec<Action> {
    let typed = SHEETS.into_iter().enumerate();
    let typed = typed.map(|(idx, sheet)| format!("INPUT | {sheet}!B{} | {idx}", idx + 1));
    let pasted = SHEETS
        .into_iter()
        .map(|sheet| format!("PASTE_FROM | {sheet}!C1 | Sheet1!B1 | all"));
    let lines: Vec<String> = typed.chain(pasted.step_by(3)).collect();
    parsed(lines.iter().map(String::as_str))
}

const SHEETS: [&str; 16] = [
    "Sheet1",
    "My Data",
    "'My Data'",
    "O'Brien",
    "'It''s'",
    "Übersicht",
    "データ",
    "📈",
    "تقرير",
    "2024",
    "A1",
    "=1+1",
    "null",
    "",
    "<b>",
    "a name of thirty-one characters",
];

/// Ranges up to the largest that is allowed, at the rim of the sheet, reversed, with `$` and in lower case.
pub(crate) fn large_ranges() -> Vec<Action> {
    parsed(RANGES)
}

const RANGES: [&str; 18] = [
    "INPUT | Sheet1!XFD1048576 | 1",
    "INPUT | Sheet1!ZZZ99999999 | 1",
    "FONT_BOLD | Sheet1!A1:XFD1 | true",
    "FONT_BOLD | Sheet1!A1:A100000 | true",
    "FILL_COLOR | Sheet1!A1:J25000 | #FFFF00",
    "BORDER_OUTSIDE | Sheet1!A1:Y9999 | Thin, Continuous, #000000",
    "MERGE | Sheet1!A1:XFD1 | true",
    "MERGE | Sheet1!A1:XFD1 | false",
    "INPUT | Sheet1!B2 | \"=SUM(A:A)+SUM(1:1)+SUM(A1:XFD1048576)\"",
    "AUTOFILL | Sheet1!B2:B50000 | Sheet1!B2",
    "AUTOFILL | Sheet1!B2:B50000 | Sheet1!B49999:B50000",
    "PASTE_FROM | Sheet1!D1:D50000 | Sheet1!B1:B50000 | values",
    "PASTE_FROM | Sheet1!XFC1048575 | Sheet1!A1:J10 | all",
    "FONT_ITALIC | Sheet1!C9:A1 | true",
    "FONT_ITALIC | Sheet1!$A$1:$C$9 | true",
    "INPUT | Sheet1!a1 | 1",
    "INPUT | Sheet1!$B$2 | 2",
    "FONT_SIZE | Sheet1!A01:B02 | 12",
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use napsim_trajectories::Keyword;

    use super::*;

    #[test]
    fn every_line_is_an_action() {
        assert_eq!(every_action().len(), EVERY_ACTION.len());
        assert_eq!(unusual_texts().len(), TEXTS.len() + 1 + FORMULAS_WITH_TEXTS.len());
        assert_eq!(unusual_sheets().len(), SHEETS.len() + SHEETS.len().div_ceil(3));
        assert_eq!(large_ranges().len(), RANGES.len());
    }

    #[test]
    fn every_keyword_is_there() {
        let there: BTreeSet<&str> = EVERY_ACTION.iter().filter_map(|line| line.split(' ').next()).collect();
        for keyword in Keyword::ALL {
            assert!(there.contains(keyword.text()), "{}", keyword.text());
        }
    }
}

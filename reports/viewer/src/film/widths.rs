//! How wide columns are drawn. Actions never set widths, so they follow from what the columns hold in the end.

use super::board::Board;
use super::dictionary::Dictionaries;
use crate::display::ContentKind;

/// Pixels of a column without content.
pub(crate) const WIDTH_DEFAULT: u32 = 64;
const WIDTH_MAX: u32 = 220;
/// Characters of a text beyond which it may run over, or be wrapped, rather than widen its column.
const TEXT_CHARS_MAX: u32 = 26;
/// Columns that have a width of their own.
const COLS_MAX: u32 = 1000;

/// Widths of the columns of each sheet, as far as they hold something.
pub(super) fn of(board: &Board, names: &Dictionaries) -> Vec<Vec<u32>> {
    let mut widths = vec![Vec::new(); names.sheets.values().len()];
    let hidden = |sheet: u32, row: u32, col: u32| {
        let name = names.sheets.get(sheet);
        let merges = name
            .and_then(|name| board.workbook().sheet(name))
            .map(napsim_sim::state::Sheet::merges);
        let address = napsim_trajectories::CellAddress::new(row.into(), col.into());
        merges
            .into_iter()
            .flatten()
            .any(|merge| merge.width() > 1 && merge.contains_cell(address))
    };
    #[expect(clippy::iter_over_hash_type, reason = "the maximum does not depend on the order")]
    for ((sheet, row, col), (look, content)) in board.faces() {
        let Some(display) = names.shown.get(*content).and_then(|shown| shown.display.as_ref()) else {
            continue;
        };
        let look = names.looks.get(*look).cloned().unwrap_or_default();
        let n_chars = chars(&display.text);
        let is_short = n_chars <= TEXT_CHARS_MAX || display.kind == ContentKind::Number;
        let is_turned = look.degrees.is_some_and(|degrees| degrees.abs() > 30);
        if *col > COLS_MAX || !is_short || is_turned || hidden(*sheet, *row, *col) {
            continue;
        }
        let bold = if look.bold { 108 } else { 100 };
        let width = 16 + n_chars * 7 * look.size.unwrap_or(110) * bold / 11_000;
        let place = usize::try_from(*sheet).ok().and_then(|sheet| widths.get_mut(sheet));
        if let (Some(columns), Ok(col)) = (place, usize::try_from(*col - 1)) {
            if columns.len() <= col {
                columns.resize(col + 1, WIDTH_DEFAULT);
            }
            if let Some(known) = columns.get_mut(col) {
                *known = (*known).max(width.min(WIDTH_MAX));
            }
        }
    }
    widths
}

/// How many characters wide a text is; letters of East Asia count twice.
pub(crate) fn chars(text: &str) -> u32 {
    let width = |c: char| {
        if ('\u{1100}'..'\u{1160}').contains(&c) || c >= '\u{2e80}' {
            2
        } else {
            1
        }
    };
    text.chars().map(width).fold(0, u32::saturating_add)
}

#[cfg(test)]
mod tests {
    use napsim_trajectories::Action;

    use super::*;

    #[test]
    fn columns_are_as_wide_as_what_they_hold() {
        let mut names = Dictionaries::new();
        let mut board = Board::default();
        for line in [
            "INPUT | A1 | \"A heading that is far too long for its column\"",
            "INPUT | A2 | \"abc\"",
            "INPUT | C2 | 1234567890",
            "INPUT | D1 | \"over both columns\"",
            "MERGE | D1:E1 | true",
            "INPUT | F1 | \"価格\"",
        ] {
            board.carry_out(&[&Action::parse(line).unwrap()], &mut names);
        }
        assert_eq!(of(&board, &names), [vec![64, 64, 86, 64, 64, 64]]);
        assert_eq!(chars("価格"), 4);
    }
}

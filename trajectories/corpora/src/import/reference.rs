//! References to cells and ranges within Excel's grid.

use napsim_trajectories::Bounds;

/// The cell of a reference such as `A1` (in either case, `$` allowed) within Excel's grid, as row and column.
pub(super) fn address(text: &str) -> Option<(u32, u32)> {
    let bytes = text.trim().bytes().filter(|byte| *byte != b'$');
    let (mut row, mut col) = (0_u32, 0_u32);
    for byte in bytes {
        match byte.to_ascii_uppercase() {
            letter @ b'A'..=b'Z' if row == 0 => col = col.checked_mul(26)?.checked_add(u32::from(letter - b'A') + 1)?,
            digit @ b'0'..=b'9' => row = row.checked_mul(10)?.checked_add(u32::from(digit - b'0'))?,
            _ => return None,
        }
    }
    ((1..=ROW_MAX).contains(&row) && (1..=COL_MAX).contains(&col)).then_some((row, col))
}

/// The range of a reference such as `A1:B2` within Excel's grid, corners put in order.
pub(super) fn range(text: &str) -> Option<Bounds> {
    let (first, last) = text.split_once(':').unwrap_or((text, text));
    let ((row, col), (other_row, other_col)) = (address(first)?, address(last)?);
    Some(Bounds {
        first_row: i64::from(row.min(other_row)),
        first_col: i64::from(col.min(other_col)),
        last_row: i64::from(row.max(other_row)),
        last_col: i64::from(col.max(other_col)),
    })
}

/// The last row of Excel's grid.
pub(super) const ROW_MAX: u32 = 1_048_576;

/// The last column of Excel's grid.
pub(super) const COL_MAX: u32 = 16_384;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_read() {
        assert_eq!(address("A1"), Some((1, 1)));
        assert_eq!(address("$ab$12"), Some((12, 28)));
        assert_eq!(address("XFD1048576"), Some((ROW_MAX, COL_MAX)));
        for bad in [
            "",
            "A",
            "1",
            "A0",
            "XFE1",
            "A1048577",
            "A1B",
            "R1C1",
            "A99999999999",
            "ZZZZZZZZZZ1",
        ] {
            assert_eq!(address(bad), None, "{bad}");
        }
        assert_eq!(
            range("B9:A2").map(|bounds| bounds.to_string()).as_deref(),
            Some("A2:B9")
        );
    }
}

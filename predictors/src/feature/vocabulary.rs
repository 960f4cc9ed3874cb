//! The vocabulary of keywords (spec chapter 03, 1.2); its order fixes the ids that trained models rely on.

/// The keywords with an id, in the order of their ids. AUTOFILL is not among them.
pub const KEYWORDS: [&str; 28] = [
    "ALIGN_HORIZONTAL",
    "ALIGN_VERTICAL",
    "BORDER_ALL",
    "BORDER_BOTTOM",
    "BORDER_DIAGONAL_DOWN",
    "BORDER_DIAGONAL_UP",
    "BORDER_INSIDE_HORIZONTAL",
    "BORDER_INSIDE_VERTICAL",
    "BORDER_LEFT",
    "BORDER_OUTSIDE",
    "BORDER_RIGHT",
    "BORDER_TOP",
    "FILL_COLOR",
    "FONT_BOLD",
    "FONT_COLOR",
    "FONT_ITALIC",
    "FONT_NAME",
    "FONT_SIZE",
    "FONT_UNDERLINE",
    "FORMULA",
    "INPUT",
    "MERGE",
    "NUMBER_FORMAT",
    "PASTE_FROM",
    "TEXT_ORIENTATION",
    "UNMERGE",
    "VALUE",
    "WRAP_TEXT",
];

/// The id of every other keyword.
pub const UNKNOWN_KEYWORD: u8 = 28;

/// The id of a keyword: its position in [`KEYWORDS`], or [`UNKNOWN_KEYWORD`].
pub fn keyword_id(keyword: &str) -> u8 {
    // The list is sorted.
    KEYWORDS
        .binary_search(&keyword)
        .ok()
        .and_then(|id| u8::try_from(id).ok())
        .unwrap_or(UNKNOWN_KEYWORD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_positions() {
        for (id, keyword) in KEYWORDS.iter().enumerate() {
            assert_eq!(usize::from(keyword_id(keyword)), id);
        }
        assert_eq!(keyword_id("AUTOFILL"), UNKNOWN_KEYWORD);
        assert_eq!(keyword_id("input"), UNKNOWN_KEYWORD);
    }
}

//! One word out of a list.

/// The lists of words that a line chooses from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Words {
    /// The names that models are offered: neither `VALUE` nor `FORMULA` nor the diagonals.
    Names,
    /// Of switches.
    Booleans,
    /// Of `UNMERGE`, which with `true` would merge.
    No,
    /// How a colour begins, or none.
    ColorOrClear,
    /// How a colour begins.
    Color,
    /// Kinds of underline.
    Underlines,
    /// Horizontal alignments.
    Horizontal,
    /// Vertical alignments.
    Vertical,
    /// Weights of borders, or none.
    WeightsOrClear,
    /// Styles of borders.
    Styles,
    /// What a paste takes along.
    Modes,
    /// Unquoted values of a range.
    Scalars,
    /// Unquoted values of one cell of a grid.
    Cells,
}

impl Words {
    /// The words. No one of them, with a byte that may follow it, begins another one.
    pub(super) fn list(self) -> &'static [&'static str] {
        match self {
            Self::Names => &NAMES,
            Self::Booleans => &["true", "false"],
            Self::No => &["false"],
            Self::ColorOrClear => &["#", "clear"],
            Self::Color => &["#"],
            Self::Underlines => &["none", "single", "double", "singleaccounting", "doubleaccounting"],
            Self::Horizontal => &["left", "center", "right", "justify", "general"],
            Self::Vertical => &["top", "center", "bottom", "justify"],
            Self::WeightsOrClear => &["Hairline", "Thin", "Medium", "Thick", "clear"],
            Self::Styles => &[
                "Continuous",
                "Dash",
                "Dot",
                "DashDot",
                "DashDotDot",
                "Double",
                "SlantDashDot",
            ],
            Self::Modes => &["all", "values", "formats", "formulas"],
            Self::Scalars => &["true", "false", "clear"],
            Self::Cells => &["true", "false", "null"],
        }
    }
}

const NAMES: [&str; 25] = [
    "INPUT",
    "PASTE_FROM",
    "AUTOFILL",
    "NUMBER_FORMAT",
    "FILL_COLOR",
    "FONT_BOLD",
    "FONT_ITALIC",
    "FONT_SIZE",
    "FONT_COLOR",
    "FONT_UNDERLINE",
    "FONT_NAME",
    "ALIGN_HORIZONTAL",
    "ALIGN_VERTICAL",
    "BORDER_LEFT",
    "BORDER_RIGHT",
    "BORDER_TOP",
    "BORDER_BOTTOM",
    "BORDER_OUTSIDE",
    "BORDER_ALL",
    "BORDER_INSIDE_HORIZONTAL",
    "BORDER_INSIDE_VERTICAL",
    "MERGE",
    "UNMERGE",
    "WRAP_TEXT",
    "TEXT_ORIENTATION",
];

/// How far a word has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Choice {
    words: Words,
    /// One bit a word that begins with the bytes so far.
    alive: u32,
    /// How many bytes that is.
    length: u8,
}

/// What a byte does to a word.
pub(super) enum Step {
    /// It is part of it.
    Within(Choice),
    /// It follows this word.
    Behind(&'static str),
}

impl Choice {
    /// Before the first byte.
    pub(super) fn of(words: Words) -> Self {
        Self {
            words,
            alive: u32::MAX,
            length: 0,
        }
    }

    /// After one more byte.
    pub(super) fn step(self, byte: u8) -> Option<Step> {
        let length = usize::from(self.length);
        let mut alive = 0;
        let mut whole = None;
        for (idx, word) in self.words.list().iter().enumerate() {
            if self.alive & (1 << idx) == 0 {
                continue;
            }
            match word.as_bytes().get(length) {
                Some(next) if *next == byte => alive |= 1 << idx,
                Some(_) => {}
                None => whole = Some(*word),
            }
        }
        if alive != 0 {
            return Some(Step::Within(Self {
                alive,
                length: self.length + 1,
                ..self
            }));
        }
        whole.map(Step::Behind)
    }
}

#[cfg(test)]
mod tests {
    use napsim_trajectories::Keyword;

    use super::*;

    #[test]
    fn the_names_are_the_notations_without_four() {
        let unknown: Vec<_> = Keyword::ALL
            .iter()
            .filter(|name| !NAMES.contains(&name.text()))
            .collect();
        assert_eq!(NAMES.len() + unknown.len(), Keyword::ALL.len());
        let left_out = [
            Keyword::Value,
            Keyword::Formula,
            Keyword::BorderDiagonalDown,
            Keyword::BorderDiagonalUp,
        ];
        assert_eq!(unknown, left_out.iter().collect::<Vec<_>>());
    }

    #[test]
    fn words_may_begin_other_words() {
        let read = |text: &str| {
            let mut choice = Choice::of(Words::Styles);
            for byte in text.bytes() {
                match choice.step(byte)? {
                    Step::Within(next) => choice = next,
                    Step::Behind(word) => return Some(word),
                }
            }
            None
        };
        assert_eq!(read("Dash,"), Some("Dash"));
        assert_eq!(read("DashDot\n"), Some("DashDot"));
        assert_eq!(read("DashDou"), None);
    }
}

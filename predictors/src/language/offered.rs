//! The types of actions that models are told of.

use napsim_trajectories::Keyword;

/// The types that the built-in prompt and the schema offer, in the prompt's order (spec chapter 03, 8.3).
///
/// `VALUE` and `FORMULA` do what `INPUT` does, and nobody draws diagonal borders: they are read but not offered.
pub const OFFERED: [Keyword; 25] = [
    Keyword::Input,
    Keyword::PasteFrom,
    Keyword::Autofill,
    Keyword::NumberFormat,
    Keyword::FillColor,
    Keyword::FontBold,
    Keyword::FontItalic,
    Keyword::FontSize,
    Keyword::FontColor,
    Keyword::FontUnderline,
    Keyword::FontName,
    Keyword::AlignHorizontal,
    Keyword::AlignVertical,
    Keyword::BorderLeft,
    Keyword::BorderRight,
    Keyword::BorderTop,
    Keyword::BorderBottom,
    Keyword::BorderOutside,
    Keyword::BorderAll,
    Keyword::BorderInsideHorizontal,
    Keyword::BorderInsideVertical,
    Keyword::Merge,
    Keyword::Unmerge,
    Keyword::WrapText,
    Keyword::TextOrientation,
];

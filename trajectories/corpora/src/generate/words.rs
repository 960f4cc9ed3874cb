//! The words of twelve languages, and names made of syllables.

mod lexicon;
mod names;
mod terms;

pub(super) use lexicon::{List, words};
pub(super) use names::{company, person, place};
pub(super) use terms::Term;

/// A language that sheets are labelled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// English.
    English,
    /// German.
    German,
    /// French.
    French,
    /// Spanish.
    Spanish,
    /// Portuguese.
    Portuguese,
    /// Italian.
    Italian,
    /// Polish.
    Polish,
    /// Turkish.
    Turkish,
    /// Greek.
    Greek,
    /// Russian.
    Russian,
    /// Japanese.
    Japanese,
    /// Arabic.
    Arabic,
}

impl Language {
    /// All languages, in the order of the word lists.
    pub const ALL: [Language; 12] = [
        Self::English,
        Self::German,
        Self::French,
        Self::Spanish,
        Self::Portuguese,
        Self::Italian,
        Self::Polish,
        Self::Turkish,
        Self::Greek,
        Self::Russian,
        Self::Japanese,
        Self::Arabic,
    ];

    /// The two-letter code of ISO 639-1.
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::French => "fr",
            Self::Spanish => "es",
            Self::Portuguese => "pt",
            Self::Italian => "it",
            Self::Polish => "pl",
            Self::Turkish => "tr",
            Self::Greek => "el",
            Self::Russian => "ru",
            Self::Japanese => "ja",
            Self::Arabic => "ar",
        }
    }

    /// The usual number format of money, with two decimals where the currency has them.
    pub(super) fn money_format(self) -> &'static str {
        match self {
            Self::English => "$#,##0.00",
            Self::Polish => "#,##0.00 \"zł\"",
            Self::Turkish => "₺#,##0.00",
            Self::Russian => "#,##0.00 \"₽\"",
            Self::Japanese => "¥#,##0",
            Self::Arabic => "#,##0.00",
            _ => "#,##0.00 €",
        }
    }

    /// The usual number format of dates.
    pub(super) fn date_format(self) -> &'static str {
        match self {
            Self::English => "d mmm yyyy",
            Self::German | Self::Polish | Self::Turkish | Self::Russian => "dd.mm.yyyy",
            Self::Japanese => "yyyy/mm/dd",
            _ => "dd/mm/yyyy",
        }
    }
}

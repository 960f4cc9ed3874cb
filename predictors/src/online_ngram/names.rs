//! Texts numbered as they appear: keywords and sheet names.

use std::sync::Arc;

use napsim_trajectories::Keyword;
use rustc_hash::FxHashMap;

/// Number of a text, in order of first appearance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct NameId(u32);

impl NameId {
    /// The number of one of the notation's keywords, which [`Names::of_keywords`] has from the start.
    pub(super) fn of_keyword(keyword: Keyword) -> Self {
        Self(keyword as u32)
    }

    /// The number as a position in a list.
    pub(super) fn position(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

/// All texts that have appeared.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    ids: FxHashMap<Arc<str>, NameId>,
    texts: Vec<Arc<str>>,
}

impl Names {
    /// The keywords of the notation, in the order of [`Keyword::ALL`].
    pub(super) fn of_keywords() -> Self {
        let mut names = Self::default();
        for keyword in Keyword::ALL {
            names.intern(keyword.text());
        }
        names
    }

    /// The number of a text, given on first appearance.
    pub(super) fn intern(&mut self, text: &str) -> NameId {
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        let id = NameId(u32::try_from(self.texts.len()).unwrap_or(u32::MAX));
        let text: Arc<str> = text.into();
        self.ids.insert(text.clone(), id);
        self.texts.push(text);
        id
    }

    /// The text of that number.
    pub(super) fn text(&self, id: NameId) -> Option<&Arc<str>> {
        self.texts.get(id.position())
    }

    /// How many texts there are.
    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }

    pub(super) fn clear(&mut self) {
        self.ids.clear();
        self.texts.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_keep_their_numbers() {
        let mut names = Names::of_keywords();
        for keyword in Keyword::ALL {
            assert_eq!(names.intern(keyword.text()), NameId::of_keyword(*keyword));
        }
        assert_eq!(names.intern("BORDER_WEIRD").position(), Keyword::ALL.len());
    }
}

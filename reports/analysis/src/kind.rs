//! The paper's nine kinds of action, told from an action's text.

use napsim_trajectories::{Group, Keyword};
use serde::{Serialize, Serializer};

/// A kind of action: one of the paper's nine, or `other` for a text that names none of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Kind(Option<Group>);

impl Kind {
    /// A text that is no action of the notation. Records of napsim hold none; those of other programs may.
    pub const OTHER: Self = Self(None);

    /// How many there are, `other` included.
    pub const COUNT: usize = Group::ALL.len() + 1;

    /// All of them in the paper's order, `other` last.
    pub fn all() -> impl Iterator<Item = Self> {
        Group::ALL.into_iter().map(Self::from).chain([Self::OTHER])
    }

    /// The kind of an action in the notation, read from its first word.
    pub fn of_text(action: &str) -> Self {
        let keyword = action.split(" | ").next().unwrap_or_default().trim();
        Self(Keyword::from_text(keyword).map(|keyword| keyword.family().group()))
    }

    /// The name in lower case.
    pub fn name(self) -> &'static str {
        self.0.map_or("other", Group::name)
    }

    /// One of the paper's nine, unless it is `other`.
    pub fn group(self) -> Option<Group> {
        self.0
    }

    /// Its place in [`all`](Self::all).
    pub fn place(self) -> usize {
        let group = |group| Group::ALL.iter().position(|other| *other == group);
        self.0.and_then(group).unwrap_or(Group::ALL.len())
    }
}

impl From<Group> for Kind {
    fn from(group: Group) -> Self {
        Self(Some(group))
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_read_from_the_first_word() {
        for (text, name) in [
            ("INPUT | Sheet1!A1 | \"MERGE | x\"", "input"),
            ("UNMERGE | Sheet1!A1:B1", "merge"),
            ("WRAP_TEXT | Sheet1!A1 | true", "align"),
            ("NUMBER_FORMAT | A1 | 0", "format"),
            ("PASTE_FROM | A1 | B1 | all", "paste"),
            ("dance | A1", "other"),
            ("", "other"),
        ] {
            assert_eq!(Kind::of_text(text).name(), name, "{text}");
        }
    }

    #[test]
    fn places_are_those_of_the_list() {
        let places: Vec<usize> = Kind::all().map(Kind::place).collect();
        assert_eq!(places, (0..Kind::COUNT).collect::<Vec<_>>());
    }
}

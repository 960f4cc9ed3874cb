//! The fields of an action's text.

/// An action in the notation, taken apart and otherwise left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Line<'a> {
    pub(crate) keyword: &'a str,
    pub(crate) range: &'a str,
    pub(crate) value: &'a str,
}

impl<'a> Line<'a> {
    /// Fields that a text lacks are empty.
    pub(crate) fn of(action: &'a str) -> Self {
        let mut fields = action.splitn(3, " | ");
        let mut next = || fields.next().unwrap_or_default();
        Self {
            keyword: next(),
            range: next(),
            value: next(),
        }
    }
}

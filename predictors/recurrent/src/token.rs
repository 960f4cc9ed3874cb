//! An action as the network sees it: six ids, each shifted by one so that 0 means padding.

use crate::RecurrentError;

/// Op types that can be predicted: 28 known ones and "unknown".
pub const OP_TYPES: usize = 29;

/// Buckets of each of the four range quantities.
pub const RANGE_BUCKETS: usize = 101;

/// Value types that can be predicted.
pub const VALUE_TYPES: usize = 17;

/// Numbers in a token, and heads of the network: op type, four range quantities, value type.
pub const HEADS: usize = 6;

/// Classes of each head, in the order of a token.
pub(crate) const CLASSES: [usize; HEADS] = [
    OP_TYPES,
    RANGE_BUCKETS,
    RANGE_BUCKETS,
    RANGE_BUCKETS,
    RANGE_BUCKETS,
    VALUE_TYPES,
];

/// Classes of the five heads after the op type, together.
pub(crate) const DETAILS: usize = 4 * RANGE_BUCKETS + VALUE_TYPES;

/// One action: op type id + 1, four range buckets + 1, value type id + 1; or padding, which is six zeros.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Token([u8; HEADS]);

impl Token {
    /// The step that stands before the first action.
    pub const PADDING: Self = Self([0; HEADS]);

    /// A token from shifted ids: 1 to 29, four times 1 to 101, 1 to 17.
    ///
    /// # Errors
    /// [`RecurrentError::Token`] when a number is out of its range; zeros are refused too, see [`Token::PADDING`].
    pub fn new(ids: [u8; HEADS]) -> Result<Self, RecurrentError> {
        let fits = ids
            .iter()
            .zip(CLASSES)
            .all(|(&id, n_classes)| id != 0 && usize::from(id) <= n_classes);
        if fits {
            Ok(Self(ids))
        } else {
            Err(RecurrentError::Token { ids })
        }
    }

    /// A token from the ids themselves: an op type from 0 to 28, four buckets from 0 to 100, a value type from 0 to 16.
    ///
    /// # Errors
    /// [`RecurrentError::Token`] when a number is out of its range.
    pub fn from_classes(op_type: u8, ranges: [u8; 4], value_type: u8) -> Result<Self, RecurrentError> {
        let [row, column, height, width] = ranges;
        Self::new([op_type, row, column, height, width, value_type].map(|class| class.saturating_add(1)))
    }

    /// The six shifted ids.
    #[must_use]
    pub const fn ids(self) -> [u8; HEADS] {
        self.0
    }

    /// Whether this is the padding step.
    #[must_use]
    pub const fn is_padding(self) -> bool {
        self.0[0] == 0
    }

    /// What the heads should answer, or nothing for padding.
    pub(crate) fn classes(self) -> Option<[u8; HEADS]> {
        (!self.is_padding()).then(|| self.0.map(|id| id.saturating_sub(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ids_in_range_make_a_token() {
        assert_eq!(
            Token::new([29, 101, 1, 101, 1, 17]).unwrap().ids(),
            [29, 101, 1, 101, 1, 17]
        );
        for wrong in [
            [0, 1, 1, 1, 1, 1],
            [30, 1, 1, 1, 1, 1],
            [1, 102, 1, 1, 1, 1],
            [1, 1, 1, 1, 0, 1],
            [1, 1, 1, 1, 1, 18],
            [0; 6],
        ] {
            assert!(Token::new(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn classes_are_ids_less_one() {
        let token = Token::from_classes(28, [0, 50, 100, 1], 16).unwrap();
        assert_eq!(token.ids(), [29, 1, 51, 101, 2, 17]);
        assert_eq!(token.classes(), Some([28, 0, 50, 100, 1, 16]));
        assert_eq!(Token::PADDING.classes(), None);
        assert!(Token::from_classes(29, [0; 4], 0).is_err());
        assert!(Token::from_classes(255, [0; 4], 0).is_err());
    }
}

//! Actions as the network sees them (spec chapter 03, 6.1).

use napsim_recurrent::Token;

use crate::feature::{Feature, RangeMode, ValueType, absolute_bucket, delta_bucket};

/// The token of an action.
pub fn token(feature: &Feature, range_mode: RangeMode) -> Token {
    let numbers = range_mode.range_numbers(feature);
    of_numbers(feature.keyword_id, numbers, feature.value_type, range_mode)
}

/// The tokens of the texts of a sequence's actions, oldest first.
pub fn tokens<T: AsRef<str>>(texts: impl IntoIterator<Item = T>, range_mode: RangeMode) -> Vec<Token> {
    let mut last: Option<Feature> = None;
    let tokens = texts.into_iter().map(|text| {
        let feature = Feature::of_next(text.as_ref(), last.as_ref());
        let token = token(&feature, range_mode);
        last = Some(feature);
        token
    });
    tokens.collect()
}

/// The buckets of `[row, column, height, width]`, or of the steps between them.
pub(super) fn buckets(numbers: [i64; 4], range_mode: RangeMode) -> [u8; 4] {
    numbers.map(|number| match range_mode {
        RangeMode::Relative => delta_bucket(number),
        RangeMode::Absolute => absolute_bucket(number),
    })
}

/// The token of an action whose range is described by these numbers.
pub(super) fn of_numbers(keyword_id: u8, numbers: [i64; 4], value_type: ValueType, range_mode: RangeMode) -> Token {
    // Ids and buckets are in range by their making; padding stands for what cannot be.
    Token::from_classes(keyword_id, buckets(numbers, range_mode), value_type.id()).unwrap_or(Token::PADDING)
}

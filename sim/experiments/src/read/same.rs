//! Whether variants measure the same under different names.

use crate::experiment::Variant;

/// Whether two variants measure the same, as far as their settings are given: what an option stands for that one of them
/// leaves away is not known here.
pub(super) fn is_same(one: &Variant, other: &Variant) -> bool {
    let is_same = |(name, values): (&String, &Vec<String>)| {
        let others = other.settings.get(name);
        let canonical = |value: &String| canonical(value).to_owned();
        others.is_some_and(|others| values.iter().map(canonical).eq(others.iter().map(canonical)))
    };
    one.corpus == other.corpus && one.settings.len() == other.settings.len() && one.settings.iter().all(is_same)
}

/// A decimal number without the zeros at its end that mean nothing: `0.50` is 0.5. Anything else as it is.
fn canonical(value: &str) -> &str {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match value.split_once('.') {
        Some((whole, fraction)) if is_digits(whole.trim_start_matches('-')) && is_digits(fraction) => {
            value.trim_end_matches('0').trim_end_matches('.')
        }
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::canonical;

    #[test]
    fn zeros_behind_the_point_mean_nothing() {
        let values = [
            "0.50", "1.0", "-2.00", "10", "100", "1.2.0", "v1.0", ".50", "1.", "0.05",
        ];
        assert_eq!(
            values.map(canonical),
            ["0.5", "1", "-2", "10", "100", "1.2.0", "v1.0", ".50", "1.", "0.05"]
        );
    }
}

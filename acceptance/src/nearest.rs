//! The nearest known word to a misspelled one.

/// The candidate with the fewest edits from `word`, the first of them on a tie; none if all are far from it.
pub(crate) fn nearest(word: &str, candidates: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    const WORD_BYTES_MAX: usize = 64;
    if word.len() > WORD_BYTES_MAX {
        return None;
    }
    let word = word.to_ascii_lowercase();
    let edits_max = (word.chars().count() / 3).max(1);
    candidates
        .map(|candidate| (strsim::damerau_levenshtein(&word, candidate), candidate))
        .filter(|&(edits, _)| edits <= edits_max)
        .min_by_key(|&(edits, _)| edits)
        .map(|(_, candidate)| candidate)
}

/// What to append to an error message: a question, or nothing.
pub(crate) fn hint(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |word| format!(" (did you mean `{word}`?)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        let find = |word: &str| nearest(word, ["precision", "saved", "fp", "fn"].into_iter());
        assert_eq!(find("Precison"), Some("precision"));
        assert_eq!(find("svaed"), Some("saved"));
        assert_eq!(find("f"), Some("fp"));
        assert_eq!(find("length"), None);
        assert_eq!(find(&"x".repeat(1000)), None);
    }
}

//! The nearest known word to a misspelled one.

/// The candidate with the fewest edits from `word`, the first of them on a tie; none if all are far from it.
pub(crate) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const WORD_BYTES_MAX: usize = 64;
    if word.len() > WORD_BYTES_MAX {
        return None;
    }
    let word = word.to_lowercase();
    let edits_max = (word.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&word, &candidate.to_lowercase()), candidate))
        .filter(|&(edits, _)| edits <= edits_max)
        .min_by_key(|&(edits, _)| edits)
        .map(|(_, candidate)| candidate)
}

/// The nearest word as a question to append to a message, or nothing.
pub(crate) fn hint(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |word| format!(" (did you mean `{word}`?)"))
}

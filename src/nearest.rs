//! The nearest known word to a misspelled one.

/// The candidate most like `word`, the first of them on a tie; none if none is like it.
pub(crate) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const WORD_BYTES_MAX: usize = 64;
    /// Below this Jaro-Winkler similarity a hint would only confuse.
    const SIMILARITY_MIN: f64 = 0.75;
    if word.len() > WORD_BYTES_MAX {
        return None;
    }
    let word = word.to_lowercase();
    let mut best: Option<(f64, &str)> = None;
    for candidate in candidates {
        let similarity = strsim::jaro_winkler(&word, candidate);
        if similarity >= SIMILARITY_MIN && best.is_none_or(|(highest, _)| similarity > highest) {
            best = Some((similarity, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The nearest word as a question to append to a message, or nothing.
pub(crate) fn hint<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, candidates).map_or_else(String::new, |word| format!(" (did you mean `{word}`?)"))
}

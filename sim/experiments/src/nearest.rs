//! The nearest known word to a misspelled one.

/// The candidate with the fewest edits from `word`, or else the one that sounds most like it; none if all are far.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const WORD_BYTES_MAX: usize = 64;
    /// Below this Jaro-Winkler similarity a hint would only confuse.
    const SIMILARITY_MIN: f64 = 0.8;
    if word.len() > WORD_BYTES_MAX {
        return None;
    }
    let word = word.to_lowercase();
    let edits_max = (word.chars().count() / 3).max(1);
    let mut best: Option<(usize, f64, &str)> = None;
    for candidate in candidates {
        let similarity = strsim::jaro_winkler(&word, candidate);
        let edits = strsim::damerau_levenshtein(&word, candidate).min(edits_max + 1);
        let is_near = edits <= edits_max || similarity >= SIMILARITY_MIN;
        let is_nearer = |(fewest, highest, _)| edits < fewest || (edits == fewest && similarity > highest);
        if is_near && best.is_none_or(is_nearer) {
            best = Some((edits, similarity, candidate));
        }
    }
    best.map(|(_, _, candidate)| candidate)
}

/// The nearest word as a question to append to a message, or nothing.
pub fn hint<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, candidates).map_or_else(String::new, |word| format!(" (did you mean `{word}`?)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        let figure = |word: &str| nearest(word, ["uas", "user-actions-saved", "precision", "pcov"]);
        assert_eq!(figure("usa"), Some("uas"));
        assert_eq!(figure("UAS"), Some("uas"));
        assert_eq!(figure("precsion"), Some("precision"));
        assert_eq!(figure("user-actions"), Some("user-actions-saved"));
        let find = |word: &str| nearest(word, ["stride", "context", "max-actions"]);
        assert_eq!(find("strid"), Some("stride"));
        assert_eq!(find("STRIDE"), Some("stride"));
        assert_eq!(find("max-action"), Some("max-actions"));
        assert_eq!(find("weather"), None);
        assert_eq!(find(&"x".repeat(1000)), None);
    }
}

//! How likely the lines of an answer are, by the log-probabilities of its tokens.

use std::iter;

/// A token of an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoredToken<'a> {
    /// Its bytes, which need not be whole characters.
    pub bytes: &'a [u8],
    /// The natural logarithm of the probability that the model gave it.
    pub log_probability: f64,
}

/// The mean log-probability of the tokens of each line; none for a line that is not found among them.
///
/// Each line is searched for behind the one before. Its tokens are all from the one with its first byte to the one
/// with its last.
pub(super) fn means<S: AsRef<str>>(lines: &[S], tokens: &[ScoredToken<'_>]) -> Vec<Option<f64>> {
    let bytes: Vec<u8> = tokens.iter().flat_map(|token| token.bytes).copied().collect();
    let owners: Vec<usize> = tokens
        .iter()
        .enumerate()
        .flat_map(|(token_idx, token)| iter::repeat_n(token_idx, token.bytes.len()))
        .collect();
    let mut searched = 0;
    let mean = |line: &S| {
        let line = line.as_ref().as_bytes();
        let start = searched + find(bytes.get(searched..)?, line)?;
        searched = start + line.len();
        let (first, last) = (*owners.get(start)?, *owners.get(searched.checked_sub(1)?)?);
        mean_of(tokens.get(first..=last)?)
    };
    lines.iter().map(mean).collect()
}

/// Where a text begins in another one.
fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack
        .windows(needle.len().max(1))
        .position(|window| window == needle)
}

fn mean_of(tokens: &[ScoredToken<'_>]) -> Option<f64> {
    let n_tokens = u32::try_from(tokens.len()).ok().filter(|n| *n > 0)?;
    let sum: f64 = tokens.iter().map(|token| token.log_probability).sum();
    Some(sum / f64::from(n_tokens))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(text: &str, log_probability: f64) -> ScoredToken<'_> {
        ScoredToken {
            bytes: text.as_bytes(),
            log_probability,
        }
    }

    #[test]
    fn a_line_has_the_mean_of_the_tokens_that_it_touches() {
        let tokens = [
            token("1. A ", -8.0),
            token("| x", -2.0),
            token("\nA", -1.0),
            token(" | x", 0.0),
        ];
        let got = means(&["A | x", "B | x", "A | x"], &tokens);
        assert_eq!(got, [Some(-5.0), None, Some(-0.5)]);
        assert_eq!(means(&["A | x"], &[]), [None]);
    }

    #[test]
    fn tokens_may_cut_characters() {
        let bytes = "é".as_bytes();
        let tokens = [&bytes[..1], &bytes[1..]].map(|bytes| ScoredToken {
            bytes,
            log_probability: -3.0,
        });
        assert_eq!(means(&["é"], &tokens), [Some(-3.0)]);
    }
}

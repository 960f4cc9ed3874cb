//! A vocabulary of one's own: byte pairs learned from the lines of actions.

use std::collections::HashSet;

use tokenizers::decoders::byte_level::ByteLevel as ByteLevelDecoder;
use tokenizers::models::bpe::{BPE, BpeTrainer};
use tokenizers::pre_tokenizers::PreTokenizerWrapper;
use tokenizers::pre_tokenizers::byte_level::ByteLevel;
use tokenizers::pre_tokenizers::digits::Digits;
use tokenizers::pre_tokenizers::sequence::Sequence;
use tokenizers::{AddedToken, DecoderWrapper, NormalizerWrapper, PostProcessorWrapper, Tokenizer, TokenizerImpl};

/// The token that ends a text; the first of the vocabulary.
pub const END_OF_TEXT: &str = "<|endoftext|>";

/// The bytes and the token that ends a text: no vocabulary is smaller.
pub const SIZE_MIN: usize = 257;

/// Why there is no vocabulary.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VocabularyError {
    /// A size that holds not even the bytes.
    #[error("make a vocabulary of {0} tokens: at least {SIZE_MIN} are needed")]
    TooSmall(usize),
    /// The text yields fewer tokens than asked for.
    #[error("make a vocabulary of {asked} tokens: the text yields no more than {found}")]
    TooLittleText {
        /// The size asked for.
        asked: usize,
        /// The size that the text yields.
        found: usize,
    },
    /// The library of tokenizers refused.
    #[error("make a vocabulary: {0}")]
    Library(String),
}

/// Learns a vocabulary of so many tokens from lines: byte pairs, digits one by one, words apart as in GPT-2. What comes out is
/// a usual `tokenizer.json`. The same lines give the same bytes.
///
/// # Errors
/// [`VocabularyError`] for a size that cannot be reached.
pub fn learn<S: AsRef<str> + Send>(
    lines: impl Iterator<Item = S> + Send,
    size: usize,
) -> Result<Tokenizer, VocabularyError> {
    if size < SIZE_MIN {
        return Err(VocabularyError::TooSmall(size));
    }
    let broken = |error: tokenizers::Error| VocabularyError::Library(error.to_string());
    type Parts = TokenizerImpl<BPE, NormalizerWrapper, PreTokenizerWrapper, PostProcessorWrapper, DecoderWrapper>;
    let mut tokenizer = Parts::new(BPE::default());
    let words = vec![
        PreTokenizerWrapper::Digits(Digits::new(true)),
        PreTokenizerWrapper::ByteLevel(ByteLevel::new(false, false, true)),
    ];
    tokenizer.with_pre_tokenizer(Some(PreTokenizerWrapper::Sequence(Sequence::new(words))));
    tokenizer.with_decoder(Some(DecoderWrapper::ByteLevel(ByteLevelDecoder::new(true, true, true))));
    let alphabet: HashSet<char> = ByteLevel::alphabet().into_iter().collect();
    let mut trainer = BpeTrainer::builder()
        .show_progress(false)
        .vocab_size(size)
        .min_frequency(2)
        .special_tokens(vec![AddedToken::from(END_OF_TEXT, true)])
        .initial_alphabet(alphabet)
        .build();
    tokenizer.train(&mut trainer, lines).map_err(broken)?;
    let found = tokenizer.get_vocab_size(true);
    if found < size {
        return Err(VocabularyError::TooLittleText { asked: size, found });
    }
    let text = tokenizer.to_string(false).map_err(broken)?;
    text.parse().map_err(broken)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines() -> impl Iterator<Item = String> + Send {
        let line = |row: usize| {
            let column = ["A", "B", "C", "D"][row % 4];
            match row % 3 {
                0 => format!("INPUT | {column}{row} | \"Größe {row} of the machine\"\n"),
                1 => format!("FONT_BOLD | {column}{row}:{column}{} | true\n", row + 7),
                _ => format!("AUTOFILL | {column}{row}:{column}{} | {column}{row}\n", row + 3),
            }
        };
        (1..400).map(line)
    }

    fn with_threads(n_threads: usize) -> String {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        let tokenizer = pool.install(|| learn(lines(), 300)).unwrap();
        tokenizer.to_string(false).unwrap()
    }

    #[test]
    fn the_same_lines_give_the_same_vocabulary_on_any_number_of_threads() {
        let one = with_threads(1);
        assert_eq!(with_threads(1), one);
        assert_eq!(with_threads(4), one);
    }

    #[test]
    fn every_text_is_encoded_and_comes_back() {
        let tokenizer = learn(lines(), 300).unwrap();
        assert_eq!(tokenizer.token_to_id(END_OF_TEXT), Some(0));
        assert_eq!(tokenizer.get_vocab_size(true), 300);
        for text in ["INPUT | A1 | \"Größe\"\n", "\u{1F600} x\n\ny ", "12,345.60"] {
            let encoded = tokenizer.encode_fast(text, false).unwrap();
            assert_eq!(tokenizer.decode(encoded.get_ids(), false).unwrap(), text);
        }
        let known = tokenizer.encode_fast("AUTOFILL | A", false).unwrap();
        assert!(known.len() < 8, "{:?}", known.get_tokens());
        let digits = tokenizer.encode_fast("123", false).unwrap();
        assert_eq!(digits.len(), 3);
    }

    #[test]
    fn sizes_out_of_reach_are_refused() {
        assert!(matches!(learn(lines(), 256), Err(VocabularyError::TooSmall(256))));
        let error = learn(std::iter::once("aaaa aaaa"), 400).unwrap_err();
        assert!(
            matches!(error, VocabularyError::TooLittleText { asked: 400, .. }),
            "{error}"
        );
    }
}

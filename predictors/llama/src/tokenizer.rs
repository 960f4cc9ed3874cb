//! Texts as tokens, in the vocabulary that a model was trained with.

use candle_core::quantized::gguf_file::Content;
use candle_core::quantized::tokenizer::TokenizerFromGguf as _;
use tokenizers::pre_tokenizers::byte_level::ByteLevel;
use tokenizers::pre_tokenizers::digits::Digits;
use tokenizers::pre_tokenizers::sequence::Sequence;
use tokenizers::{PreTokenizerWrapper, Tokenizer};

use crate::error::LlamaError;

/// A model's vocabulary, and how texts are cut into its tokens.
#[derive(Clone, Debug)]
pub struct ModelTokenizer {
    tokenizer: Tokenizer,
    /// The bytes of each token; those of special tokens are empty, since they are no text.
    bytes: Vec<Box<[u8]>>,
    end_tokens: Vec<u32>,
}

impl ModelTokenizer {
    /// Reads a `tokenizer.json`.
    ///
    /// # Errors
    /// [`LlamaError::Tokenizer`] where it is none.
    pub fn from_json(json: &[u8]) -> Result<Self, LlamaError> {
        let tokenizer = Tokenizer::from_bytes(json).map_err(unusable)?;
        Ok(Self::new(tokenizer))
    }

    /// Reads the vocabulary in a GGUF file.
    ///
    /// # Errors
    /// [`LlamaError::Tokenizer`] where there is none that can be used.
    pub fn from_gguf(content: &Content) -> Result<Self, LlamaError> {
        let mut tokenizer = Tokenizer::from_gguf(content).map_err(unusable)?;
        let text = |key: &str| content.metadata.get(key).and_then(|value| value.to_string().ok());
        if text("tokenizer.ggml.pre").is_some_and(|name| name == "smollm") {
            // candle takes this vocabulary for one that keeps digits together.
            let digits = PreTokenizerWrapper::Digits(Digits::new(true));
            let bytes = PreTokenizerWrapper::ByteLevel(ByteLevel::new(false, true, true));
            tokenizer.with_pre_tokenizer(Some(PreTokenizerWrapper::Sequence(Sequence::new(vec![digits, bytes]))));
        }
        Ok(Self::new(tokenizer))
    }

    fn new(tokenizer: Tokenizer) -> Self {
        let n_tokens = tokenizer
            .get_vocab(true)
            .values()
            .max()
            .map_or(0, |largest| largest + 1);
        let special = tokenizer.get_added_tokens_decoder();
        let bytes = (0..n_tokens).map(|token| {
            let text = tokenizer.id_to_token(token).filter(|_| !special.contains_key(&token));
            text.map_or_else(Box::default, |text| bytes_of(&text).into_boxed_slice())
        });
        Self {
            bytes: bytes.collect(),
            tokenizer,
            end_tokens: Vec::new(),
        }
    }

    /// The same with these tokens at which a text ends, and those that are usual.
    pub(crate) fn with_end_tokens(mut self, tokens: &[u32]) -> Self {
        let usual = ["<|endoftext|>", "<|im_end|>", "</s>", "<|end_of_text|>", "<|eot_id|>"];
        let usual = usual.iter().filter_map(|text| self.tokenizer.token_to_id(text));
        self.end_tokens = tokens.iter().copied().chain(usual).collect();
        self.end_tokens.sort_unstable();
        self.end_tokens.dedup();
        self
    }

    /// The tokens of a text, with those that the model wants at its beginning.
    ///
    /// # Errors
    /// [`LlamaError::Tokenizer`] where the text cannot be written in the vocabulary.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>, LlamaError> {
        let encoding = self.tokenizer.encode_fast(text, true).map_err(unusable)?;
        Ok(encoding.get_ids().to_vec())
    }

    /// The tokens of a text that stands within another one.
    ///
    /// # Errors
    /// [`LlamaError::Tokenizer`] where the text cannot be written in the vocabulary.
    pub fn encode_part(&self, text: &str) -> Result<Vec<u32>, LlamaError> {
        let encoding = self.tokenizer.encode_fast(text, false).map_err(unusable)?;
        Ok(encoding.get_ids().to_vec())
    }

    /// The bytes that a token stands for; none for special tokens and tokens that there are not.
    pub fn bytes(&self, token: u32) -> &[u8] {
        let idx = usize::try_from(token).unwrap_or(usize::MAX);
        self.bytes.get(idx).map(Box::as_ref).unwrap_or_default()
    }

    /// How a token is written in the vocabulary; special tokens too.
    pub fn token_text(&self, token: u32) -> Option<String> {
        self.tokenizer.id_to_token(token)
    }

    /// Whether a text ends at this token.
    pub fn is_end(&self, token: u32) -> bool {
        self.end_tokens.binary_search(&token).is_ok()
    }

    /// The largest token of the vocabulary.
    pub fn largest_token(&self) -> u32 {
        u32::try_from(self.bytes.len()).unwrap_or(u32::MAX).saturating_sub(1)
    }

    /// The content of a `tokenizer.json`.
    ///
    /// # Errors
    /// [`LlamaError::Tokenizer`] where it cannot be written.
    pub fn to_json(&self) -> Result<String, LlamaError> {
        self.tokenizer.to_string(true).map_err(unusable)
    }
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "errors and words of many types are handed over"
)]
fn unusable(error: impl ToString) -> LlamaError {
    LlamaError::Tokenizer(error.to_string())
}

/// The bytes of a token of a byte-level vocabulary, which writes each byte as a character that can be seen.
fn bytes_of(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for character in text.chars() {
        match byte_of(character) {
            Some(byte) => bytes.push(byte),
            // Not byte-level: the text is what it says, with a mark where a blank is.
            None => return text.replace('▁', " ").into_bytes(),
        }
    }
    bytes
}

/// The byte that a character stands for: itself where it can be seen, else one of those from U+0100 on.
fn byte_of(character: char) -> Option<u8> {
    let visible = |byte: u8| matches!(byte, b'!'..=b'~' | 0xA1..=0xAC | 0xAE..=0xFF);
    match u32::from(character) {
        code @ 0..=0xFF => u8::try_from(code).ok().filter(|byte| visible(*byte)),
        code => {
            let idx = usize::try_from(code - 0x100).ok()?;
            (0..=u8::MAX).filter(|byte| !visible(*byte)).nth(idx)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_a_character() {
        // The letters that byte-level vocabularies write for a line break, a blank and an unbreakable blank.
        assert_eq!(bytes_of("ĊĠł"), [b'\n', b' ', 0xA0]);
        assert_eq!(bytes_of("INPUT"), b"INPUT");
        let bytes: std::collections::BTreeSet<u8> = (0..0x200).filter_map(char::from_u32).filter_map(byte_of).collect();
        assert_eq!(bytes.len(), 256);
        assert_eq!(bytes_of("▁日"), " 日".as_bytes());
    }
}

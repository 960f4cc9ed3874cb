//! Keys, which are never printed, and texts, from which they are taken out.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};

/// What stands in place of a secret.
pub const MASK: &str = "***";

/// A key or password. Whatever prints it prints [`MASK`].
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Keeps a text secret; blanks around it, such as the line feed of a file, are no part of it. None where nothing is
    /// left.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(text.to_owned()))
    }

    /// The secret itself, for the header of a request and for nothing else.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

/// Takes secrets out of texts that come from elsewhere, such as the error messages of servers that repeat what they
/// were sent.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Redactor {
    /// The secrets in every spelling, the longest first.
    spellings: Vec<String>,
}

impl Redactor {
    /// Shortest text that is taken for a secret: shorter ones stand in harmless texts too, and protect nothing.
    const LENGTH_MIN: usize = 6;

    /// Takes these secrets out.
    pub fn new<'a>(secrets: impl IntoIterator<Item = &'a Secret>) -> Self {
        let mut redactor = Self::default();
        secrets.into_iter().for_each(|secret| redactor.add(secret));
        redactor
    }

    /// Takes another one out as well.
    pub fn add(&mut self, secret: &Secret) {
        let text = secret.expose();
        if text.len() < Self::LENGTH_MIN {
            return;
        }
        let json = serde_json::to_string(text).unwrap_or_default();
        let spellings = [
            text.to_owned(),
            json.trim_matches('"').to_owned(),
            percent_encoded(text),
            STANDARD.encode(text),
            URL_SAFE_NO_PAD.encode(text),
        ];
        self.spellings.extend(spellings);
        self.spellings
            .sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        self.spellings.dedup();
    }

    /// The text with [`MASK`] in place of every secret.
    pub fn redact(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for spelling in &self.spellings {
            if text.contains(spelling.as_str()) {
                text = text.replace(spelling.as_str(), MASK);
            }
        }
        text
    }
}

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Redactor({} spellings)", self.spellings.len())
    }
}

fn percent_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_not_printed() {
        let secret = Secret::new(" sk-canary-1\n").unwrap();
        assert_eq!(format!("{secret} {secret:?}"), "*** ***");
        assert_eq!(secret.expose(), "sk-canary-1");
        assert!(Secret::new(" \n").is_none());
    }

    #[test]
    fn secrets_are_taken_out_in_every_spelling() {
        let secret = Secret::new("sk/can\"ary+1").unwrap();
        let redactor = Redactor::new([&secret]);
        let text = r#"plain sk/can"ary+1 json sk/can\"ary+1 url sk%2Fcan%22ary%2B1 base64 c2svY2FuImFyeSsx"#;
        assert_eq!(redactor.redact(text), "plain *** json *** url *** base64 ***");
        assert!(!format!("{redactor:?}").contains("canary"));
    }

    #[test]
    fn short_words_are_left_alone() {
        let redactor = Redactor::new([&Secret::new("sk").unwrap()]);
        assert_eq!(redactor.redact("ask me"), "ask me");
    }
}

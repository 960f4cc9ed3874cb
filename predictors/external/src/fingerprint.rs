//! The fingerprint of a predictor that names none of its own.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::ExternalError;
use crate::message::FINGERPRINT_CHARS_MAX;

/// SHA-256 over the words of a command and the contents of the files among them, in hexadecimal digits.
pub(crate) fn of_command(words: &[String]) -> Result<String, ExternalError> {
    let mut hasher = Sha256::new();
    for word in words {
        hasher.update(format!("{}\n{word}\n", word.len()));
        if Path::new(word).is_file() {
            let contents = of_file(Path::new(word)).map_err(|source| ExternalError::File {
                path: word.into(),
                source,
            })?;
            hasher.update(contents);
        }
    }
    Ok(digits(hasher))
}

fn digits(hasher: Sha256) -> String {
    let mut digits = String::with_capacity(64);
    for byte in hasher.finalize() {
        // Writing to a string does not fail.
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

/// A fingerprint that is not longer than one may be: a hash in place of a longer one.
pub(crate) fn within_bounds(fingerprint: &str) -> String {
    if fingerprint.chars().count() <= FINGERPRINT_CHARS_MAX {
        return fingerprint.to_owned();
    }
    format!("sha256:{}", digits(Sha256::new_with_prefix(fingerprint)))
}

fn of_file(path: &Path) -> io::Result<[u8; 32]> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut piece = vec![0; 64 << 10];
    loop {
        let n_bytes = file.read(&mut piece)?;
        if n_bytes == 0 {
            return Ok(hasher.finalize().into());
        }
        hasher.update(piece.get(..n_bytes).unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_fingerprints_are_told_as_a_hash() {
        let longest = "é".repeat(FINGERPRINT_CHARS_MAX);
        assert_eq!(within_bounds(&longest), longest);
        let hash = within_bounds(&format!("{longest}é"));
        assert_eq!((hash.len(), hash.get(..7)), (71, Some("sha256:")));
        assert_ne!(within_bounds(&format!("{longest}e")), hash);
    }

    #[test]
    fn words_and_contents_count() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.py");
        let path_text = path.to_str().unwrap();
        let of = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            of_command(&words).unwrap()
        };
        std::fs::write(&path, "one").unwrap();
        let first = of(&["python3", path_text]);
        assert_eq!(first.len(), 64);
        assert_eq!(of(&["python3", path_text]), first);
        assert_ne!(of(&["python3", path_text, "--x"]), first);
        assert_ne!(of(&["python3", &format!("{path_text} ")]), first);
        std::fs::write(&path, "two").unwrap();
        assert_ne!(of(&["python3", path_text]), first);
        assert_ne!(of(&["a", "b"]), of(&["a\nb"]));
        assert_eq!(of(&["a", folder.path().to_str().unwrap()]).len(), 64);
    }
}

//! `RECORD`, the list of a wheel's files with their checksums.

use std::iter::Peekable;
use std::str::Chars;

/// What a wheel says of one of its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Promise {
    /// SHA-256 in hexadecimal digits.
    pub(crate) sha256: String,
    /// Its bytes, where they are told.
    pub(crate) size: Option<u64>,
}

/// What the list says of a file. The error completes "import FILE: …".
pub(crate) fn promise(record: &str, file: &str) -> Result<Promise, String> {
    let line = record
        .lines()
        .map(fields)
        .find(|fields| fields.first().is_some_and(|name| name == file))
        .ok_or_else(|| format!("its RECORD does not list {file}"))?;
    let sha256 = line
        .get(1)
        .and_then(|hash| hash.strip_prefix("sha256="))
        .and_then(hex_of_base64)
        .ok_or_else(|| format!("its RECORD tells no SHA-256 of {file}"))?;
    let size = line.get(2).and_then(|size| size.trim().parse().ok());
    Ok(Promise { sha256, size })
}

/// The fields of a line of comma-separated values. Names with line breaks are not read.
fn fields(line: &str) -> Vec<String> {
    let mut letters = line.chars().peekable();
    let mut fields = vec![field(&mut letters)];
    while letters.next() == Some(',') {
        fields.push(field(&mut letters));
    }
    fields
}

/// One field, up to the comma after it.
fn field(letters: &mut Peekable<Chars<'_>>) -> String {
    let mut field = String::new();
    let is_quoted = letters.next_if_eq(&'"').is_some();
    while let Some(letter) = letters.next_if(|letter| is_quoted || *letter != ',') {
        // Two quotes are one, and one is the end.
        if is_quoted && letter == '"' && letters.next_if_eq(&'"').is_none() {
            break;
        }
        field.push(letter);
    }
    field
}

/// 32 bytes in the alphabet of URLs, without padding, as hexadecimal digits.
fn hex_of_base64(text: &str) -> Option<String> {
    const N_LETTERS: usize = 43;
    let text = text.trim_end_matches('=');
    if text.len() != N_LETTERS {
        return None;
    }
    let mut digits = String::with_capacity(64);
    let (mut bits, mut n_bits) = (0_u32, 0_u32);
    for letter in text.bytes() {
        let six = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'-' => 62,
            b'_' => 63,
            _ => return None,
        };
        bits = ((bits << 6) | u32::from(six)) & 0xFFFF;
        n_bits += 6;
        if n_bits >= 8 {
            n_bits -= 8;
            digits.push_str(&format!("{:02x}", (bits >> n_bits) & 0xFF));
        }
    }
    Some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    #[test]
    fn lines_are_read_as_python_writes_them() {
        let record = "a/b.gguf,sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU,0\r\n\
                      \"a/c,\"\"d\"\".gguf\",sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU,\n\
                      e.gguf,md5=x,3\n\
                      x.dist-info/RECORD,,\n";
        let found = |size| {
            Ok(Promise {
                sha256: EMPTY.to_owned(),
                size,
            })
        };
        assert_eq!(promise(record, "a/b.gguf"), found(Some(0)));
        assert_eq!(promise(record, "a/c,\"d\".gguf"), found(None));
        for file in ["e.gguf", "x.dist-info/RECORD", "b.gguf"] {
            assert!(promise(record, file).is_err_and(|error| error.contains(file)));
        }
    }

    #[test]
    fn checksums_of_another_length_or_alphabet_are_none() {
        let right = "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU";
        assert_eq!(hex_of_base64(right).as_deref(), Some(EMPTY));
        assert_eq!(hex_of_base64(&right.replace('-', "+")), None);
        assert_eq!(hex_of_base64(&right[1..]), None);
    }
}

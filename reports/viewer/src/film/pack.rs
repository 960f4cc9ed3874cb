//! Data blocks for pages.

use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;

/// A text compressed (gzip, without a name or a time) and in base64, as the viewer unpacks it.
pub fn packed(text: &str) -> String {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    // Writing to memory does not fail.
    let bytes = encoder
        .write_all(text.as_bytes())
        .and_then(|()| encoder.finish())
        .unwrap_or_default();
    STANDARD.encode(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn what_is_packed_can_be_unpacked() {
        let text = "</script>\u{202e}\0 ".repeat(100);
        let packed = packed(&text);
        assert!(
            packed
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte))
        );
        let bytes = STANDARD.decode(packed).unwrap();
        let mut unpacked = String::new();
        flate2::read::GzDecoder::new(&*bytes)
            .read_to_string(&mut unpacked)
            .unwrap();
        assert_eq!(unpacked, text);
    }
}

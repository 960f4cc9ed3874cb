//! Data in the page that scripts read: never HTML, never code.

use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::{Compression, GzBuilder};
use maud::{Markup, PreEscaped, html};

/// Texts from this size on are compressed.
const COMPRESSED_FROM: usize = 24_000;

/// JSON that may stand in a script element: nothing in it ends the element or a line.
pub(crate) fn inert(json: &str) -> String {
    let mut text = String::with_capacity(json.len() + json.len() / 16);
    for c in json.chars() {
        match c {
            '<' => text.push_str("\\u003c"),
            '>' => text.push_str("\\u003e"),
            '&' => text.push_str("\\u0026"),
            '\u{2028}' => text.push_str("\\u2028"),
            '\u{2029}' => text.push_str("\\u2029"),
            c => text.push(c),
        }
    }
    text
}

/// A block of JSON.
pub(crate) fn json(id: &str, value: &serde_json::Value) -> Markup {
    html! { script type="application/json" id=(id) { (PreEscaped(inert(&value.to_string()))) } }
}

/// A block with a text: as JSON, or as gzip in base64 where it is long.
pub(crate) fn text(id: &str, text: &str) -> Markup {
    match compressed(text.as_bytes()) {
        Some(base64) if text.len() >= COMPRESSED_FROM => {
            html! { script type="text/plain" id=(id) { (PreEscaped(base64)) } }
        }
        _ => json(id, &serde_json::Value::from(text)),
    }
}

/// The CSV of a figure, found by the script by the figure's id.
pub(crate) fn csv(figure: &str, csv: &str) -> Markup {
    text(&format!("csv-{figure}"), csv)
}

/// Gzip in base64, the same bytes everywhere: the header holds neither a time nor the system.
fn compressed(bytes: &[u8]) -> Option<String> {
    const UNKNOWN_SYSTEM: u8 = 255;
    let mut encoder = GzBuilder::new()
        .mtime(0)
        .operating_system(UNKNOWN_SYSTEM)
        .write(Vec::new(), Compression::new(6));
    encoder.write_all(bytes).ok()?;
    Some(STANDARD.encode(encoder.finish().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;

    #[test]
    fn nothing_ends_the_script_element() {
        let hostile = "</script><!--<script>\u{2028}&amp;\u{0}";
        let block = text("x", hostile).into_string();
        let inside = block
            .strip_prefix("<script type=\"application/json\" id=\"x\">")
            .unwrap();
        let inside = inside.strip_suffix("</script>").unwrap();
        assert!(!inside.contains(['<', '>', '&', '\u{2028}', '\u{0}']), "{inside}");
        assert_eq!(serde_json::from_str::<String>(inside).unwrap(), hostile);
    }

    #[test]
    fn long_texts_are_compressed() {
        let long = "</script>,".repeat(5000);
        let block = text("x", &long).into_string();
        assert!(block.len() < 2000);
        let inside = block.split_once('>').unwrap().1.strip_suffix("</script>").unwrap();
        let bytes = STANDARD.decode(inside).unwrap();
        let mut read = String::new();
        flate2::read::GzDecoder::new(&bytes[..])
            .read_to_string(&mut read)
            .unwrap();
        assert_eq!(read, long);
        assert_eq!(block, text("x", &long).into_string());
    }
}

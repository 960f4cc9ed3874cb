//! A page of its own for one film: one file that fetches nothing.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use napsim_reports::printable::printable;
use sha2::{Digest, Sha256};

use crate::film::Film;

/// The viewer's script. A page puts it into one script element; it draws whatever element asks for it (see its head).
pub const SCRIPT: &str = include_str!("../assets/viewer.js");

/// The viewer's style sheet. The page defines the colours that its head names.
pub const STYLE: &str = include_str!("../assets/viewer.css");

const PAGE_SCRIPT: &str = include_str!("../assets/standalone.js");
const PAGE_STYLE: &str = include_str!("../assets/standalone.css");

/// A whole page that shows one film, as bytes that depend on nothing else.
///
/// A content security policy lets nothing but the page's own script and style run, whatever the texts of the film hold.
pub fn standalone_page(film: &Film) -> String {
    let script = format!("{SCRIPT}{PAGE_SCRIPT}");
    let style = format!("{PAGE_STYLE}{STYLE}");
    let films = serde_json::json!([{ "name": film.name(), "run": "", "id": "film", "unit": film.name() }]);
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src data: blob:; base-uri 'none'; form-action 'none'",
        hash(&script),
        hash(&style)
    );
    let title = escaped(&printable(film.title().unwrap_or(film.name()), false));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} · napsim replay</title>\n<style>{style}</style>\n</head>\n<body>\n\
         <button type=\"button\" class=\"theme\" id=\"theme\">Dark</button>\n\
         <main data-napsim-viewer=\"films\" data-viewer-keys=\"page\"><noscript>This page needs JavaScript.</noscript></main>\n\
         <script type=\"application/json\" id=\"films\">{films}</script>\n\
         <script type=\"text/plain\" id=\"film\">{data}</script>\n\
         <script>{script}</script>\n</body>\n</html>\n",
        films = data_block(&films.to_string()),
        data = film.packed(),
    )
}

/// The source expression by which a content security policy lets exactly this script or style through.
pub fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text.as_bytes())))
}

/// JSON that cannot end the script element that it stands in, and in which nothing turns the direction of writing.
pub fn data_block(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<'
            | '>'
            | '&'
            | '\u{7f}'..='\u{9f}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
            | '\u{feff}' => text.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => text.push(c),
        }
    }
    text
}

/// A text for an element or an attribute.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use napsim_sim::predictor::Usage;

    use super::*;
    use crate::film::tests::{film, record};

    #[test]
    fn a_page_lets_its_own_script_and_style_run_and_nothing_else() {
        let mut record = record(&["INPUT | A1 | \"</script><img src=x onerror=alert(1)>\""], |_, _| {
            Ok(Usage::default())
        });
        let name = "</title><script>alert(1)</script>\u{202e}\u{2028}";
        record.header.trajectory.name = name.to_owned();
        record.summary.name = name.to_owned();
        if let Some(napsim_sim::event::Event::End(summary)) = record.events.last_mut() {
            summary.name = name.to_owned();
        }
        record.header.trajectory.title = Some(name.to_owned());
        let page = standalone_page(&film(&record));
        let inside = |start: &str, end: &str| {
            let from = page.find(start).unwrap() + start.len();
            page[from..from + page[from..].find(end).unwrap()].to_owned()
        };
        let script = inside("<script>", "</script>");
        assert!(page.contains(&format!("script-src '{}'", hash(&script))));
        assert!(page.contains(&format!("style-src '{}'", hash(&inside("<style>", "</style>")))));
        assert_eq!(page.matches("<script").count(), 3);
        assert_eq!(page.matches("</script>").count(), 3);
        assert!(!page.contains("<script>alert") && !page.contains("onerror"));
        assert!(!page.contains("<img") && !page.contains('\u{202e}') && !page.contains(" style=\""));
        assert!(page.contains("<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;\\u{202e}\\u{2028} · napsim"));
    }

    #[test]
    fn the_script_makes_no_markup_and_asks_nobody() {
        for forbidden in [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "fetch(",
            "XMLHttp",
            "setAttribute(\"style",
        ] {
            assert!(!SCRIPT.contains(forbidden), "{forbidden}");
        }
        assert!(SCRIPT.len() < 41_000, "{} bytes", SCRIPT.len());
        assert!(!SCRIPT.contains("</script") && !STYLE.contains("</style") && !STYLE.contains("url("));
    }

    #[test]
    fn hashes_are_those_of_browsers() {
        // `printf 'alert(1)' | openssl dgst -sha256 -binary | base64`
        assert_eq!(hash("alert(1)"), "sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI=");
        assert_eq!(
            data_block("[\"</x>&\u{2028}\"]"),
            "[\"\\u003c/x\\u003e\\u0026\\u2028\"]"
        );
    }
}

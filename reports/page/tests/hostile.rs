//! Texts of anybody's making stay texts, wherever in the page they stand.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test without its page has failed"
)]

#[path = "support/hostile.rs"]
mod hostile;
#[path = "support/synthetic.rs"]
mod synthetic;

use std::collections::BTreeSet;

/// Elements that a page may hold.
const ELEMENTS: &str = "html head meta title style body a div aside nav ol ul li main header h1 h2 h3 p b section figure figcaption button \
    details summary table caption thead tbody tr th td span label input select option script dialog dl dt dd kbd footer bdi svg g line \
    path rect circle text defs pattern desc noscript small pre";

/// A page in which every text is hostile.
fn page() -> String {
    let texts = hostile::texts();
    let text = |place: usize| texts[place % texts.len()].clone();
    let plan = synthetic::Plan {
        runs: 5,
        trajectories: 12,
        actions: 60,
        with_films: 2,
        text: &text,
        everywhere: true,
    };
    let mut page = Vec::new();
    synthetic::report(&plan).write(&mut page).unwrap();
    String::from_utf8(page).unwrap()
}

/// The tags of a page with their attributes, as a browser reads them; what is in scripts and styles is left out.
fn tags(page: &str) -> Vec<(String, Vec<(String, String)>)> {
    let (mut found, mut rest) = (Vec::new(), page);
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        if rest.starts_with(['/', '!']) {
            continue;
        }
        let name_end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap();
        let name = rest[..name_end].to_owned();
        rest = &rest[name_end..];
        let mut attributes = Vec::new();
        loop {
            rest = rest.trim_start();
            if let Some(after) = rest.strip_prefix('>').or_else(|| rest.strip_prefix("/>")) {
                rest = after;
                break;
            }
            let end = rest.find(['=', ' ', '>']).unwrap();
            let attribute = rest[..end].to_owned();
            rest = &rest[end..];
            let mut value = String::new();
            if let Some(after) = rest.strip_prefix("=\"") {
                let close = after.find('"').unwrap();
                value = after[..close].to_owned();
                rest = &after[close + 1..];
            }
            attributes.push((attribute, value));
        }
        if name == "script" || name == "style" {
            let end = rest.find(&format!("</{name}>")).unwrap();
            rest = &rest[end..];
        }
        found.push((name, attributes));
    }
    found
}

#[test]
fn hostile_texts_add_no_element_and_no_handler() {
    let page = page();
    let elements: BTreeSet<&str> = ELEMENTS.split_whitespace().collect();
    let tags = tags(&page);
    assert!(tags.len() > 5000, "the page was read");
    let mut n_scripts = 0;
    for (name, attributes) in &tags {
        assert!(elements.contains(name.as_str()), "<{name}> {attributes:?}");
        let kind = attributes
            .iter()
            .find(|(attribute, _)| attribute == "type")
            .map(|(_, value)| value.as_str());
        n_scripts += usize::from(name == "script" && kind.is_none());
        for (attribute, value) in attributes {
            assert!(
                !attribute.starts_with("on") && attribute != "style",
                "{attribute} of <{name}>"
            );
            assert!(attribute != "href" || value.starts_with('#'), "a link to {value}");
            assert!(attribute != "src" && attribute != "action", "{attribute} of <{name}>");
        }
    }
    assert_eq!(n_scripts, 1, "the page's own script is the only one that runs");
}

#[test]
fn hostile_texts_are_shown() {
    let page = page();
    let shown = |text: &str| {
        let printable = napsim_reports::printable::printable(text, false);
        page.contains(
            &printable
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;")
                .replace('"', "&quot;"),
        )
    };
    // Run names begin with their number and hold the texts from the fortieth on.
    for text in hostile::texts().iter().skip(40).take(5) {
        assert!(shown(text), "{text:?}");
    }
    assert!(!page.contains(['\u{0}', '\u{202e}', '\u{2066}', '\u{1b}', '\u{2028}', '\u{feff}']));
}

#[test]
fn csv_cells_are_no_formulas() {
    let page = page();
    let mut n_blocks = 0;
    for block in page.split("<script type=\"application/json\" id=\"csv-").skip(1) {
        let json = block.split_once('>').unwrap().1.split_once("</script>").unwrap().0;
        let csv: String = serde_json::from_str(json).unwrap();
        n_blocks += 1;
        for cell in csv.split([',', '\n']) {
            let first = cell.trim_start_matches('"').chars().next();
            let is_number = cell.parse::<f64>().is_ok();
            // Pieces of quoted cells are no cells, so only what could begin one is looked at.
            let begins = cell.starts_with('"') || !cell.contains('"');
            assert!(
                !begins || is_number || !matches!(first, Some('=' | '@' | '+' | '-' | '\t')),
                "{cell:?}"
            );
        }
    }
    assert!(n_blocks > 15);
}

/// For those who want to look at it in a browser.
#[test]
fn the_page_is_the_same_every_time() {
    let page = page();
    assert_eq!(page, self::page());
    std::fs::write(concat!(env!("CARGO_TARGET_TMPDIR"), "/hostile.html"), &page).unwrap();
    let texts = serde_json::to_string(&hostile::texts()).unwrap();
    std::fs::write(concat!(env!("CARGO_TARGET_TMPDIR"), "/hostile.json"), texts).unwrap();
}

//! Files made to cost more than they should.

use std::time::{Duration, Instant};

use super::made::{archive, check_value, one_sheet, read_one, xlsx};
use crate::import::{ImportError, ImportOptions, Limits, import_bytes};

/// Imports within ten seconds and hands back the error's text, empty for success.
#[track_caller]
fn refusal(bytes: &[u8]) -> String {
    let start = Instant::now();
    let outcome = import_bytes(bytes, &ImportOptions::default());
    assert!(start.elapsed() < Duration::from_secs(10), "took {:?}", start.elapsed());
    outcome.err().map(|error| error.to_string()).unwrap_or_default()
}

#[track_caller]
fn check_refused(bytes: &[u8], expect: &str) {
    let got = refusal(bytes);
    assert!(got.contains(expect), "got `{got}`, expected `{expect}`");
}

#[test]
fn bombs_are_refused() {
    let spaces = " ".repeat(60 << 20);
    check_refused(&one_sheet(&spaces, &[]), "unpacked bytes per packed byte");
    let many = one_sheet(&"<row><c><v>1</v></c></row>".repeat(20_001), &[]);
    let few = ImportOptions {
        limits: Limits {
            cells_max: 20_000,
            ..Limits::default()
        },
        ..ImportOptions::default()
    };
    let outcome = import_bytes(&many, &few)
        .err()
        .map(|error| error.to_string())
        .unwrap_or_default();
    assert_eq!(outcome, "more than 20000 cells with content or a format");
    let styles = r#"<styleSheet><cellXfs><xf/><xf numFmtId="2"/></cellXfs></styleSheet>"#;
    let styled = one_sheet(
        &r#"<row><c s="1"><v>1</v></c></row>"#.repeat(20_001),
        &[("xl/styles.xml", styles)],
    );
    let bare = ImportOptions {
        limits: Limits {
            properties_max: 40_000,
            ..Limits::default()
        },
        ..ImportOptions::default()
    };
    let outcome = import_bytes(&styled, &bare)
        .err()
        .map(|error| error.to_string())
        .unwrap_or_default();
    assert_eq!(outcome, "more than 40000 values and formats of cells");
    let long = format!(
        r#"<row><c><f t="shared" si="0">{}A1</f></c></row>"#,
        "A1+".repeat(2_700)
    );
    let bomb = long + &r#"<row><c><f t="shared" si="0"/></c></row>"#.repeat(20_000);
    check_refused(&one_sheet(&bomb, &[]), "bytes of expanded texts");
}

#[test]
fn styles_shared_by_many_formats_cost_little() {
    let long = "0".repeat(30_000);
    let styles = format!(
        r#"<styleSheet><numFmts><numFmt numFmtId="200" formatCode="{long}"/></numFmts><fonts><font><u val="{long}"/><name val="{long}"/></font></fonts>
        <borders><border><left style="{long}"/></border></borders><cellXfs>{}</cellXfs></styleSheet>"#,
        r#"<xf numFmtId="200"/>"#.repeat(100_000)
    );
    let data = r#"<row><c s="99999"><v>1</v></c></row>"#;
    assert_eq!(refusal(&one_sheet(data, &[("xl/styles.xml", &styles)])), "");
    let styles = format!(
        "<styleSheet><cellXfs>{}</cellXfs></styleSheet>",
        "<xf/>".repeat(100_001)
    );
    check_refused(&one_sheet(data, &[("xl/styles.xml", &styles)]), "cell formats");
}

#[test]
fn texts_shared_by_many_cells_cost_little() {
    let strings = format!("<sst><si><t>{}</t></si></sst>", "x".repeat(32_000));
    let data = r#"<row><c t="s"><v>0</v></c></row>"#.repeat(100_000);
    assert_eq!(refusal(&one_sheet(&data, &[("xl/sharedStrings.xml", &strings)])), "");
}

#[test]
fn entities_and_document_types_are_refused() {
    let bomb = r#"<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><sst><si><t>&b;</t></si></sst>"#;
    check_refused(&one_sheet("", &[("xl/sharedStrings.xml", bomb)]), "document type");
    let outside = r#"<!DOCTYPE x SYSTEM "file:///etc/passwd"><sst/>"#;
    check_refused(&one_sheet("", &[("xl/sharedStrings.xml", outside)]), "document type");
    check_refused(&one_sheet("<row><c><v>&x;</v></c></row>", &[]), "damaged");
}

#[test]
fn archives_within_limits() {
    let names: Vec<String> = (0..10_001).map(|idx| format!("xl/{idx}")).collect();
    let parts: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), b"".as_slice())).collect();
    check_refused(&archive(&parts), "entries in the archive");
    let inner = one_sheet("<row><c><v>1</v></c></row>", &[]);
    check_refused(
        &archive(&[("inner.xlsx", &inner)]),
        "found a zip archive without a workbook",
    );
    check_refused(&archive(&[]), "found an empty zip archive");
    check_refused(&archive(&[("word/document.xml", b"<x/>")]), "found a Word document");
    let tiny = ImportOptions {
        limits: Limits {
            unpacked_bytes_max: 200,
            ..Limits::default()
        },
        ..ImportOptions::default()
    };
    assert!(matches!(import_bytes(&inner, &tiny), Err(ImportError::TooLarge { .. })));
    let escaping = xlsx(
        &[("S", "visible", "<sheetData><row><c><v>1</v></c></row></sheetData>")],
        &[("../../evil", "x")],
    );
    check_value(&read_one(&escaping), "A1", Some(1.into()));
}

#[test]
fn far_corners_cost_little() {
    let data = r#"<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>"#;
    let sheet = read_one(&xlsx(
        &[(
            "S",
            "visible",
            &format!(
                r#"<dimension ref="A1:XFD1048576"/><sheetData>{data}</sheetData>
            <mergeCells><mergeCell ref="B2:XFD1048575"/></mergeCells>"#
            ),
        )],
        &[],
    ));
    check_value(&sheet, "XFD1048576", Some(2.into()));
    assert_eq!(sheet.sheet.cells.as_ref().unwrap().len(), 2);
}

#[test]
fn deep_nesting_is_no_danger() {
    for wrapper in ["x", "mc:AlternateContent", "mc:Fallback", "r", "is"] {
        let local = wrapper;
        let deep = format!(
            "{}{}",
            format!("<{local}>").repeat(300_000),
            format!("</{local}>").repeat(300_000)
        );
        refusal(&xlsx(&[("S", "visible", &deep)], &[]));
        refusal(&one_sheet(
            &format!("<row><c>{deep}</c></row>"),
            &[("xl/sharedStrings.xml", &format!("<sst><si>{deep}</si></sst>"))],
        ));
    }
}

#[test]
fn other_files_are_named() {
    check_refused(b"", "found an empty file");
    check_refused(b"a,b\n1,2\n", "found separated values (a .csv file)");
    check_refused(b"<html><table></table></html>", "found an HTML page");
    check_refused(b"just a note", "found plain text");
    check_refused(b"%PDF-1.7", "found a PDF document");
    check_refused(&[0, 1, 2, 3, 250, 251], "found binary data of an unknown kind");
    check_refused(
        br#"<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>"#,
        "Excel 2003",
    );
    check_refused(
        b"<office:document office:mimetype='application/vnd.oasis.opendocument.spreadsheet'/>",
        ".fods",
    );
    check_refused(&[9, 0, 4, 0, 2, 0, 16, 0, 0, 0], "Excel 2 to 4");
}

/// Numbers that look random, the same every time.
fn numbers(mut state: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).ok()
    })
}

#[test]
fn damaged_files_end_in_an_answer() {
    let strings = "<sst><si><t>text</t></si></sst>";
    let data = r#"<row r="1"><c t="s"><v>0</v></c><c><f t="shared" si="0" ref="B1:B2">A1</f></c></row><row><c/><c><f t="shared" si="0"/></c></row>"#;
    let bytes = one_sheet(
        data,
        &[("xl/sharedStrings.xml", strings), ("xl/styles.xml", "<styleSheet/>")],
    );
    let mut places = numbers(7);
    for length in (0..bytes.len()).step_by(7) {
        refusal(bytes.get(..length).unwrap());
    }
    for _ in 0..2_000 {
        let mut damaged = bytes.clone();
        for _ in 0..3 {
            let at = places.next().unwrap() % damaged.len();
            damaged[at] ^= 1 << (places.next().unwrap() % 8);
        }
        refusal(&damaged);
    }
    // The same for the parts within, which the archive's checksums would otherwise protect.
    for _ in 0..2_000 {
        let mut damaged = data.as_bytes().to_vec();
        for _ in 0..2 {
            let at = places.next().unwrap() % damaged.len();
            damaged[at] = b"<>/\"= &;0A"[places.next().unwrap() % 10];
        }
        refusal(&one_sheet(
            &String::from_utf8_lossy(&damaged),
            &[("xl/sharedStrings.xml", strings)],
        ));
    }
}

#[test]
fn damaged_binary_files_end_in_an_answer() {
    for folder in ["corpus/stress"] {
        let Some(folder) = super::shared::folder(folder) else {
            return;
        };
        let mut places = numbers(11);
        for path in super::shared::files(&folder) {
            let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
            let bytes = std::fs::read(&path).unwrap();
            if !matches!(extension.as_str(), "xls" | "xlsb" | "ods") || bytes.len() < 600 {
                continue;
            }
            for _ in 0..60 {
                let mut damaged = bytes.clone();
                for _ in 0..4 {
                    let at = places.next().unwrap() % damaged.len();
                    damaged[at] = u8::try_from(places.next().unwrap() % 256).unwrap();
                }
                refusal(&damaged);
            }
        }
    }
}

//! Workbook files made for tests.

use std::io::{Cursor, Write};

use napsim_sim::state::{Cell, CellKey, Property};
use napsim_trajectories::Value;
use zip::write::SimpleFileOptions;

use crate::import::{ImportOptions, ImportedSheet, ImportedWorkbook, import_bytes};

/// A zip archive of these parts.
pub(super) fn archive(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// An `.xlsx` file with these sheets (name, state, content of the worksheet element) and further parts.
pub(super) fn xlsx(sheets: &[(&str, &str, &str)], parts: &[(&str, &str)]) -> Vec<u8> {
    let mut listed = String::new();
    let mut links = String::new();
    let mut all: Vec<(String, String)> = Vec::new();
    for (idx, (name, state, content)) in sheets.iter().enumerate() {
        let id = idx + 1;
        listed += &format!(r#"<sheet name="{name}" sheetId="{id}" state="{state}" r:id="rId{id}"/>"#);
        let kind = if content.starts_with("<chartsheet") {
            "chartsheet"
        } else {
            "worksheet"
        };
        links += &format!(r#"<Relationship Id="rId{id}" Type="http://x/{kind}" Target="worksheets/sheet{id}.xml"/>"#);
        let content = if kind == "worksheet" {
            format!("<worksheet>{content}</worksheet>")
        } else {
            (*content).to_owned()
        };
        all.push((format!("xl/worksheets/sheet{id}.xml"), content));
    }
    let root = r#"<Relationships><Relationship Id="a" Type="http://x/officeDocument" Target="xl/workbook.xml"/></Relationships>"#;
    all.push(("_rels/.rels".to_owned(), root.to_owned()));
    all.push((
        "xl/_rels/workbook.xml.rels".to_owned(),
        format!("<Relationships>{links}</Relationships>"),
    ));
    if !parts.iter().any(|(name, _)| *name == "xl/workbook.xml") {
        let workbook = format!(r#"<workbook xmlns:r="r"><sheets>{listed}</sheets></workbook>"#);
        all.push(("xl/workbook.xml".to_owned(), workbook));
    }
    all.extend(
        parts
            .iter()
            .map(|(name, content)| ((*name).to_owned(), (*content).to_owned())),
    );
    let all: Vec<(&str, &[u8])> = all
        .iter()
        .map(|(name, content)| (name.as_str(), content.as_bytes()))
        .collect();
    archive(&all)
}

/// A file with one sheet of this sheet data.
pub(super) fn one_sheet(data: &str, parts: &[(&str, &str)]) -> Vec<u8> {
    xlsx(&[("S", "visible", &format!("<sheetData>{data}</sheetData>"))], parts)
}

pub(super) fn read(bytes: &[u8]) -> ImportedWorkbook {
    import_bytes(bytes, &ImportOptions::default()).unwrap()
}

/// The only sheet of a file.
pub(super) fn read_one(bytes: &[u8]) -> ImportedSheet {
    let mut workbook = read(bytes);
    assert_eq!(workbook.sheets.len(), 1);
    workbook.sheets.pop().unwrap()
}

pub(super) fn cell<'s>(sheet: &'s ImportedSheet, address: &str) -> Option<&'s Cell> {
    sheet.sheet.cell(&CellKey::from_text(address))
}

pub(super) fn property<'s>(sheet: &'s ImportedSheet, address: &str, property: Property) -> Option<&'s Value> {
    cell(sheet, address)?.get(property)
}

pub(super) fn value<'s>(sheet: &'s ImportedSheet, address: &str) -> Option<&'s Value> {
    property(sheet, address, Property::Value)
}

/// Checks a cell's value strictly; `None` for no value.
#[track_caller]
pub(super) fn check_value(sheet: &ImportedSheet, address: &str, expect: impl Into<Option<Value>>) {
    let expect = expect.into();
    let got = value(sheet, address);
    let same = match (got, &expect) {
        (Some(got), Some(expect)) => got.strictly_equals(expect),
        (got, expect) => got.is_none() && expect.is_none(),
    };
    assert!(same, "{address}: got {got:?}, expected {expect:?}");
}

/// How often a note of these words was taken, over the workbook and its sheets.
pub(super) fn n_noted(workbook: &ImportedWorkbook, what: &str) -> u64 {
    let notes = workbook
        .notes
        .iter()
        .chain(workbook.sheets.iter().flat_map(|sheet| &sheet.notes));
    notes.filter(|note| note.what == what).map(|note| note.count).sum()
}

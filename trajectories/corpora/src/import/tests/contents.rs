//! Values, dates, formulas, merges and sheets.

use napsim_sim::state::Property;
use napsim_trajectories::Value;

use super::made::{cell, check_value, n_noted, one_sheet, property, read, read_one, xlsx};
use crate::import::{ImportOptions, import, import_bytes};

const STRINGS: &str = r#"<sst><si><t>plain</t></si><si><r><t>rich </t></r><r><rPr><b/></rPr><t>text</t></r>
    <rPh sb="0" eb="1"><t>phonetic</t></rPh></si><si><t xml:space="preserve"> a_x000D_b_x005F_x0041_ &amp; &#x41; </t></si><si><t/></si></sst>"#;

#[test]
fn values_keep_their_types() {
    let data = r#"<row r="2"><c r="B2"><v>1</v></c><c><v>1.0</v></c><c><v>0.1</v></c><c><v>1E3</v></c>
        <c t="b"><v>1</v></c><c t="b"><v>0</v></c><c t="e"><v>#N/A</v></c><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>
        <row><c t="s"><v>2</v></c><c t="s"><v>3</v></c><c t="s"><v>9</v></c>
        <c t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c><c t="str"><v>=1</v></c>
        <c t="inlineStr"><is><t><![CDATA[<b>]]></t></is></c><c t="n"><v>many</v></c><c t="d"><v>2024-01-02T03:04:05Z</v></c>
        <c t="d"><v>2024-01-02</v></c><c><v>-9007199254740993</v></c><c t="b"><v/></c></row>"#;
    let bytes = one_sheet(data, &[("xl/sharedStrings.xml", STRINGS)]);
    let workbook = read(&bytes);
    let sheet = read_one(&bytes);
    check_value(&sheet, "B2", Some(Value::Int(1)));
    check_value(&sheet, "C2", Some(Value::Int(1)));
    check_value(&sheet, "D2", Some(Value::Float(0.1)));
    check_value(&sheet, "E2", Some(Value::Int(1000)));
    check_value(&sheet, "F2", Some(Value::Bool(true)));
    check_value(&sheet, "G2", Some(Value::Bool(false)));
    check_value(&sheet, "H2", Some("#N/A".into()));
    check_value(&sheet, "I2", Some("plain".into()));
    check_value(&sheet, "J2", Some("rich text".into()));
    check_value(&sheet, "A3", Some(" a\rb_x0041_ & A ".into()));
    check_value(&sheet, "B3", None);
    check_value(&sheet, "C3", None);
    check_value(&sheet, "D3", Some("inline".into()));
    check_value(&sheet, "E3", Some("=1".into()));
    check_value(&sheet, "F3", Some("<b>".into()));
    check_value(&sheet, "G3", Some("many".into()));
    check_value(&sheet, "H3", Some("2024-01-02 03:04:05".into()));
    check_value(&sheet, "I3", Some("2024-01-02 00:00:00".into()));
    check_value(&sheet, "J3", Some(Value::Float(-9_007_199_254_740_992.0)));
    assert_eq!(n_noted(&workbook, "texts missing from the list of strings skipped"), 1);
    assert_eq!(n_noted(&workbook, "malformed numbers kept as texts"), 1);
    assert!(cell(&sheet, "B3").is_none() && cell(&sheet, "K3").is_none());
}

const DATED: &str = r#"<styleSheet><numFmts><numFmt numFmtId="170" formatCode="yyyy\-mm\-dd"/></numFmts><fonts><font/></fonts>
    <cellXfs><xf/><xf numFmtId="14"/><xf numFmtId="20"/><xf numFmtId="46"/><xf numFmtId="170"/><xf numFmtId="2"/></cellXfs></styleSheet>"#;

#[test]
fn dates_times_and_durations_are_texts() {
    let data = r#"<row r="1"><c s="1"><v>45293</v></c><c s="2"><v>0.302083333333333</v></c><c s="3"><v>1.25347222222222</v></c>
        <c s="4"><v>45293.7500000001</v></c><c s="5"><v>45293</v></c><c s="1"><v>60</v></c><c s="1" t="str"><v>tbd</v></c></row>"#;
    let sheet = read_one(&one_sheet(data, &[("xl/styles.xml", DATED)]));
    check_value(&sheet, "A1", Some("2024-01-02 00:00:00".into()));
    check_value(&sheet, "B1", Some("07:15:00".into()));
    check_value(&sheet, "C1", Some("30:05:00".into()));
    check_value(&sheet, "D1", Some("2024-01-02 18:00:00".into()));
    check_value(&sheet, "E1", Some(Value::Int(45_293)));
    check_value(&sheet, "F1", Some(Value::Int(60)));
    check_value(&sheet, "G1", Some("tbd".into()));
    assert_eq!(
        property(&sheet, "A1", Property::NumberFormat).and_then(Value::as_text),
        Some("mm-dd-yy")
    );
    assert_eq!(
        property(&sheet, "D1", Property::NumberFormat).and_then(Value::as_text),
        Some("yyyy\\-mm\\-dd")
    );

    let workbook =
        r#"<workbook xmlns:r="r"><workbookPr date1904="1"/><sheets><sheet name="S" r:id="rId1"/></sheets></workbook>"#;
    let sheet = read_one(&one_sheet(
        data,
        &[("xl/styles.xml", DATED), ("xl/workbook.xml", workbook)],
    ));
    check_value(&sheet, "A1", Some("2028-01-03 00:00:00".into()));
    check_value(&sheet, "B1", Some("07:15:00".into()));
}

#[test]
fn formulas_are_expanded() {
    let data = r#"<row r="1"><c><f>SUM(B1:C1)</f><v>3</v></c>
        <c><f t="array" ref="B1:C2">A1:A2*2</f><v>2</v></c><c><v>4</v></c></row>
        <row r="2"><c><f t="shared" ref="A2:A9" si="7">A1+$D$1</f><v>1</v></c><c><v>6</v></c></row>
        <row r="3"><c><f t="shared" si="7"/><v>1</v></c><c><f t="dataTable" ref="B3" r1="A1"/><v>5</v></c>
        <c><f t="shared" si="8"/><v>8</v></c><c><f>_xlfn.XLOOKUP(1,A:A,B:B)</f></c></row>"#;
    let bytes = one_sheet(data, &[]);
    let sheet = read_one(&bytes);
    check_value(&sheet, "A1", Some("=SUM(B1:C1)".into()));
    for array in ["B1", "C1", "B2", "C2"] {
        check_value(&sheet, array, Some("=A1:A2*2".into()));
    }
    check_value(&sheet, "A2", Some("=A1+$D$1".into()));
    check_value(&sheet, "A3", Some("=A2+$D$1".into()));
    check_value(&sheet, "B3", Some(Value::Int(5)));
    check_value(&sheet, "C3", Some(Value::Int(8)));
    check_value(&sheet, "D3", Some("=_xlfn.XLOOKUP(1,A:A,B:B)".into()));
    let workbook = read(&bytes);
    assert_eq!(n_noted(&workbook, "array formulas written out over their range"), 1);
    assert_eq!(n_noted(&workbook, "data table formulas skipped"), 1);
    let endless = r#"<row r="1"><c><f t="array" ref="A1:XFD1048576">1</f></c></row>"#;
    let workbook = read(&one_sheet(endless, &[]));
    assert_eq!(
        n_noted(&workbook, "long array formulas kept in their first cell alone"),
        1
    );
}

#[test]
fn merges_hide_values_and_keep_formats() {
    let styles =
        r#"<styleSheet><fonts><font/><font><b/></font></fonts><cellXfs><xf/><xf fontId="1"/></cellXfs></styleSheet>"#;
    let content = r#"<sheetData><row r="1"><c r="A1" s="1"><v>1</v></c><c r="B1" s="1"><v>2</v></c><c r="C1"><v>3</v></c></row>
        <row r="2"><c r="A2"><v>4</v></c></row></sheetData>
        <mergeCells><mergeCell ref="E5:D4"/><mergeCell ref="A1:B2"/><mergeCell ref="B2:C3"/><mergeCell ref="G1"/><mergeCell ref="?"/></mergeCells>"#;
    let bytes = xlsx(&[("S", "visible", content)], &[("xl/styles.xml", styles)]);
    let sheet = read_one(&bytes);
    let merges: Vec<String> = sheet.sheet.merges().iter().map(ToString::to_string).collect();
    assert_eq!(merges, ["A1:B2", "D4:E5"]);
    check_value(&sheet, "A1", Some(Value::Int(1)));
    check_value(&sheet, "B1", None);
    check_value(&sheet, "A2", None);
    check_value(&sheet, "C1", Some(Value::Int(3)));
    assert!(cell(&sheet, "B1").is_some_and(|cell| cell.has(Property::FontBold)));
    assert!(cell(&sheet, "A2").is_none());
    let workbook = read(&bytes);
    assert_eq!(n_noted(&workbook, "values hidden by merges skipped"), 2);
    assert_eq!(n_noted(&workbook, "overlapping or single-cell merges skipped"), 2);
    assert_eq!(n_noted(&workbook, "malformed merges skipped"), 1);
}

#[test]
fn cells_out_of_order_are_put_in_order() {
    let data = r#"<row r="3"><c r="b3" s="1"/><c r="b3"><v>1</v></c><c r="A3"><v>2</v></c></row><row r="1"><c r="A1"><v>3</v></c><c r="A1"><v>4</v></c></row>
        <row r="9999999"><c><v>5</v></c></row>"#;
    let styles = "<styleSheet><cellXfs><xf/><xf><alignment wrapText=\"1\"/></xf></cellXfs></styleSheet>";
    let bytes = one_sheet(data, &[("xl/styles.xml", styles)]);
    let sheet = read_one(&bytes);
    let cells = sheet.sheet.cells.as_ref().unwrap();
    let order: Vec<String> = cells
        .in_insertion_order()
        .iter()
        .map(|(key, _)| key.to_string())
        .collect();
    assert_eq!(order, ["A1", "A3", "B3"]);
    check_value(&sheet, "A1", Some(Value::Int(4)));
    check_value(&sheet, "B3", Some(Value::Int(1)));
    assert_eq!(n_noted(&read(&bytes), "cells outside the sheet skipped"), 1);
}

#[test]
fn sheets_are_chosen() {
    let data = "<sheetData><row><c><v>1</v></c></row></sheetData>";
    let bytes = xlsx(
        &[
            ("One", "visible", data),
            ("Two", "hidden", data),
            ("Three", "veryHidden", data),
            ("Four", "visible", "<sheetData/>"),
            ("Chart", "visible", "<chartsheet/>"),
            ("A &amp; B", "visible", data),
        ],
        &[],
    );
    let workbook = read(&bytes);
    let names: Vec<&str> = workbook.sheets.iter().map(|sheet| sheet.name.as_str()).collect();
    assert_eq!(names, ["One", "A & B"]);
    for (what, count) in [
        ("hidden sheets skipped", 2),
        ("empty sheets skipped", 1),
        ("chart sheets skipped", 1),
    ] {
        assert_eq!(n_noted(&workbook, what), count, "{what}");
    }
    let options = ImportOptions {
        sheets: Some(vec!["Three".to_owned(), "Nine".to_owned()]),
        ..ImportOptions::default()
    };
    let workbook = import_bytes(&bytes, &options).unwrap();
    let names: Vec<&str> = workbook.sheets.iter().map(|sheet| sheet.name.as_str()).collect();
    assert_eq!(names, ["Three"]);
    assert_eq!(workbook.names, ["One", "Two", "Three", "Four", "Chart", "A & B"]);
    assert_eq!(workbook.state().sheets().count(), 1);
}

#[test]
fn names_do_not_decide() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.csv");
    std::fs::write(&path, one_sheet("<row><c><v>1</v></c></row>", &[])).unwrap();
    let workbook = import(&path, &ImportOptions::default()).unwrap();
    assert_eq!(
        n_noted(&workbook, "read as an .xlsx workbook, though the name ends in .csv"),
        1
    );
    assert!(import(&folder.path().join("none.xlsx"), &ImportOptions::default()).is_err());
}

#[test]
fn parts_may_be_wide_and_spelled_otherwise() {
    let wide = |text: &str| {
        let mut bytes = vec![0xFE, 0xFF];
        bytes.extend(text.encode_utf16().flat_map(u16::to_be_bytes));
        bytes
    };
    let workbook = r#"<?xml version="1.0" encoding="UTF-16"?><workbook xmlns:r="r"><sheets><sheet name="Ä" r:id="x"/></sheets></workbook>"#;
    let links =
        r#"<Relationships><Relationship Id="x" Type="http://x/worksheet" Target="/XL\Sheet.xml"/></Relationships>"#;
    let sheet =
        "<x:worksheet xmlns:x='x'><x:sheetData><x:row><x:c><x:v>1</x:v></x:c></x:row></x:sheetData></x:worksheet>";
    let bytes = super::made::archive(&[
        ("xl\\workbook.xml", &wide(workbook)),
        ("xl/_rels/workbook.xml.rels", links.as_bytes()),
        ("xl/sheet.xml", sheet.as_bytes()),
    ]);
    let sheet = read_one(&bytes);
    assert_eq!(sheet.name, "Ä");
    check_value(&sheet, "A1", Some(Value::Int(1)));
}

//! `.ods` files.

use napsim_trajectories::Value;

use super::made::{archive, check_value, n_noted, read, read_one};
use crate::import::{ImportError, ImportOptions, import_bytes};

fn ods(tables: &str) -> Vec<u8> {
    let content = format!(
        r#"<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x" xmlns:style="s"><office:automatic-styles>
        <style:style style:name="ta1" style:family="table"><style:table-properties table:display="false"/></style:style>
        </office:automatic-styles><office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body></office:document-content>"#
    );
    archive(&[
        ("mimetype", b"application/vnd.oasis.opendocument.spreadsheet"),
        ("content.xml", content.as_bytes()),
        ("META-INF/manifest.xml", b"<manifest/>"),
    ])
}

#[test]
fn open_documents_are_read() {
    let bytes = ods(r#"<table:table table:name="One"><table:table-row>
        <table:table-cell office:value-type="float" office:value="1.5" table:number-columns-spanned="2" table:number-rows-spanned="2"/>
        <table:covered-table-cell/>
        <table:table-cell office:value-type="string"><text:p>a<text:s text:c="2"/><text:span>b</text:span></text:p><text:p>c</text:p></table:table-cell>
        <table:table-cell office:value-type="float" office:value="3" table:formula="of:=SUM([.A1:.B2];2)"/>
        <table:table-cell office:value-type="boolean" office:boolean-value="true"/>
        <table:table-cell office:value-type="date" office:date-value="2024-01-02"/>
        <table:table-cell office:value-type="time" office:time-value="PT30H05M00S"/></table:table-row>
        <table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="2"/>
        <table:table-cell office:value-type="float" office:value="7" table:number-columns-repeated="2"/></table:table-row>
        <table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>
        </table:table><table:table table:name="Two" table:style-name="ta1"><table:table-row><table:table-cell office:value="1"/></table:table-row></table:table>"#);
    let sheet = read_one(&bytes);
    check_value(&sheet, "A1", Some(Value::Float(1.5)));
    check_value(&sheet, "C1", Some("a  b\nc".into()));
    check_value(&sheet, "D1", Some("=SUM(A1:B2,2)".into()));
    check_value(&sheet, "E1", Some(Value::Bool(true)));
    check_value(&sheet, "F1", Some("2024-01-02 00:00:00".into()));
    check_value(&sheet, "G1", Some("30:05:00".into()));
    for address in ["C2", "D2", "C3", "D3"] {
        check_value(&sheet, address, Some(Value::Int(7)));
    }
    assert_eq!(sheet.sheet.cells.as_ref().unwrap().len(), 10);
    let merges: Vec<String> = sheet.sheet.merges().iter().map(ToString::to_string).collect();
    assert_eq!(merges, ["A1:B2"]);
    assert_eq!(n_noted(&read(&bytes), "hidden sheets skipped"), 1);
}

#[test]
fn repeated_content_is_bounded() {
    for table in [
        r#"<table:table-row table:number-rows-repeated="1048576"><table:table-cell office:value="1" table:number-columns-repeated="9"/></table:table-row>"#,
        r#"<table:table-row><table:table-cell office:value="1" table:number-columns-repeated="16384"/></table:table-row>"#,
    ] {
        let bytes = ods(&format!(
            r#"<table:table table:name="S">{}</table:table>"#,
            table.repeat(70)
        ));
        let outcome = import_bytes(&bytes, &ImportOptions::default());
        assert!(matches!(outcome, Err(ImportError::TooLarge { .. })), "{outcome:?}");
    }
}

#[test]
fn encrypted_open_documents_are_refused() {
    let bytes = archive(&[
        ("mimetype", b"application/vnd.oasis.opendocument.spreadsheet"),
        ("content.xml", b"x"),
        (
            "META-INF/manifest.xml",
            b"<manifest><file-entry><encryption-data/></file-entry></manifest>",
        ),
    ]);
    assert!(matches!(
        import_bytes(&bytes, &ImportOptions::default()),
        Err(ImportError::Encrypted)
    ));
}

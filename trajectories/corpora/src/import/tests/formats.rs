//! Formats of cells: colours, fonts, borders, alignment and formatted blanks.

use std::fmt::Write as _;

use napsim_sim::state::Property;
use napsim_trajectories::Value;

use super::made::{cell, n_noted, one_sheet, property, read, read_one, xlsx};
use crate::import::ImportedSheet;

/// A theme with twelve distinct colours in the order of the file.
const THEME: &str = r#"<a:theme xmlns:a="a"><a:themeElements><a:clrScheme name="x">
    <a:dk1><a:sysClr val="windowText" lastClr="000000"/></a:dk1><a:lt1><a:sysClr val="window" lastClr="FFFFFF"/></a:lt1>
    <a:dk2><a:srgbClr val="111111"/></a:dk2><a:lt2><a:srgbClr val="222222"/></a:lt2>
    <a:accent1><a:srgbClr val="4F81BD"/></a:accent1><a:accent2><a:srgbClr val="444444"/></a:accent2>
    <a:accent3><a:srgbClr val="555555"/></a:accent3><a:accent4><a:srgbClr val="666666"/></a:accent4>
    <a:accent5><a:srgbClr val="777777"/></a:accent5><a:accent6><a:srgbClr val="888888"/></a:accent6>
    <a:hlink><a:srgbClr val="999999"/></a:hlink><a:folHlink><a:srgbClr val="AAAAAA"/></a:folHlink></a:clrScheme>
    <a:fontScheme name="x"><a:srgbClr val="BBBBBB"/></a:fontScheme></a:themeElements></a:theme>"#;

/// A sheet whose column A has the formats given by the content of the style lists, one row each.
fn styled(fonts: &[&str], fills: &[&str], borders: &[&str], formats: &[&str], more: &str) -> ImportedSheet {
    let list = |name: &str, items: &[&str]| format!("<{name}>{}</{name}>", items.concat());
    let styles = format!(
        "<styleSheet>{}{}{}<cellStyleXfs><xf fontId=\"0\"/></cellStyleXfs>{}{more}</styleSheet>",
        list("fonts", fonts),
        list("fills", fills),
        list("borders", borders),
        list("cellXfs", formats),
    );
    let mut data = String::new();
    for (idx, _) in formats.iter().enumerate() {
        let _ = write!(data, r#"<row><c s="{idx}"><v>1</v></c></row>"#);
    }
    read_one(&one_sheet(
        &data,
        &[("xl/styles.xml", &styles), ("xl/theme/theme1.xml", THEME)],
    ))
}

/// The fill colours of a sheet's column A when its fills name these colours.
fn fills_of(colors: &[&str], more: &str) -> Vec<Option<String>> {
    let solid = |color: &&str| format!(r#"<fill><patternFill patternType="solid">{color}</patternFill></fill>"#);
    let fills: Vec<String> = colors.iter().map(solid).collect();
    let formats: Vec<String> = (0..fills.len()).map(|idx| format!(r#"<xf fillId="{idx}"/>"#)).collect();
    let fills: Vec<&str> = fills.iter().map(String::as_str).collect();
    let formats: Vec<&str> = formats.iter().map(String::as_str).collect();
    let sheet = styled(&["<font/>"], &fills, &["<border/>"], &formats, more);
    let color = |row| {
        let fill = property(&sheet, &format!("A{row}"), Property::Fill)?;
        assert_eq!(fill.get("patternType").and_then(Value::as_text), Some("solid"));
        fill.get("fgColor").and_then(Value::as_text).map(str::to_owned)
    };
    (1..=colors.len()).map(color).collect()
}

#[track_caller]
fn check_fill(color: &str, expect: Option<&str>) {
    let got = fills_of(&[color], "");
    assert_eq!(got, [expect.map(str::to_owned)], "{color}");
}

#[test]
fn theme_colours_come_in_the_order_of_excel() {
    let colors: Vec<String> = (0..12).map(|index| format!(r#"<fgColor theme="{index}"/>"#)).collect();
    let colors: Vec<&str> = colors.iter().map(String::as_str).collect();
    let got: Vec<String> = fills_of(&colors, "").into_iter().flatten().collect();
    let expected = [
        "#FFFFFF", "#000000", "#222222", "#111111", "#4F81BD", "#444444", "#555555", "#666666", "#777777", "#888888",
        "#999999", "#AAAAAA",
    ];
    assert_eq!(got, expected);
    check_fill(r#"<fgColor theme="4" tint="0.79998168889431442"/>"#, Some("#DCE6F1"));
    check_fill(r#"<fgColor tint="-0.249977111117893" theme="4"/>"#, Some("#366092"));
    check_fill(r#"<fgColor theme="12"/>"#, None);
}

#[test]
fn other_colours_are_resolved() {
    check_fill(r#"<fgColor rgb="FFAB12CD"/>"#, Some("#AB12CD"));
    check_fill(r#"<fgColor rgb="00ab12cd"/>"#, Some("#AB12CD"));
    check_fill(r#"<fgColor rgb="AB12CD"/>"#, Some("#AB12CD"));
    check_fill(r#"<fgColor rgb="00000000"/>"#, Some("#000000"));
    check_fill(r#"<fgColor rgb="FFFFFFFF"/>"#, Some("#FFFFFF"));
    check_fill(r#"<fgColor rgb="FED+"/>"#, None);
    check_fill("", Some("#000000"));
    check_fill(r#"<fgColor auto="1"/>"#, Some("#000000"));
    check_fill(r#"<fgColor indexed="2"/>"#, Some("#FF0000"));
    check_fill(r#"<fgColor indexed="10"/>"#, Some("#FF0000"));
    check_fill(r#"<fgColor indexed="63"/>"#, Some("#333333"));
    check_fill(r#"<fgColor indexed="64"/>"#, Some("#000000"));
    check_fill(r#"<fgColor indexed="65"/>"#, Some("#FFFFFF"));
    check_fill(r#"<fgColor indexed="81"/>"#, None);
    let palette =
        r#"<colors><indexedColors><rgbColor rgb="00123456"/><rgbColor rgb="00654321"/></indexedColors></colors>"#;
    let got = fills_of(&[r#"<fgColor indexed="1"/>"#, r#"<fgColor indexed="10"/>"#], palette);
    assert_eq!(got, [Some("#654321".to_owned()), Some("#FF0000".to_owned())]);
}

#[test]
fn only_solid_fills_are_read() {
    let fills = [
        "<fill><patternFill/></fill>",
        r#"<fill><patternFill patternType="darkGray"><fgColor rgb="FF112233"/></patternFill></fill>"#,
        r#"<fill><gradientFill><stop position="0"><color rgb="FF112233"/></stop></gradientFill></fill>"#,
    ];
    let formats = [
        r#"<xf fillId="0"/>"#,
        r#"<xf fillId="1"/>"#,
        r#"<xf fillId="2"/>"#,
        r#"<xf fillId="99"/>"#,
    ];
    let sheet = styled(&["<font/>"], &fills, &["<border/>"], &formats, "");
    for row in 1..=4 {
        assert!(property(&sheet, &format!("A{row}"), Property::Fill).is_none());
    }
    let noted: Vec<(&str, u64)> = sheet
        .notes
        .iter()
        .map(|note| (note.what.as_str(), note.count))
        .collect();
    assert_eq!(noted, [("gradient fills skipped", 1), ("pattern fills skipped", 1)]);
}

#[test]
fn borders_are_read() {
    let words = [
        "thin",
        "medium",
        "dashed",
        "dotted",
        "thick",
        "double",
        "hair",
        "mediumDashed",
        "dashDot",
        "mediumDashDot",
        "dashDotDot",
        "mediumDashDotDot",
        "slantDashDot",
    ];
    let border = |word: &&str| {
        format!(
            r#"<border><left style="{word}"><color rgb="FF12AB34"/></left><right style="none"/><top style="{word}"/></border>"#
        )
    };
    let borders: Vec<String> = words.iter().map(border).collect();
    let borders: Vec<&str> = borders.iter().map(String::as_str).collect();
    let formats: Vec<String> = (0..words.len())
        .map(|idx| format!(r#"<xf borderId="{idx}"/>"#))
        .collect();
    let formats: Vec<&str> = formats.iter().map(String::as_str).collect();
    let sheet = styled(&["<font/>"], &["<fill/>"], &borders, &formats, "");
    for (row, word) in (1..).zip(words) {
        let part = |side, key| {
            property(&sheet, &format!("A{row}"), side)
                .and_then(|line| line.get(key))
                .and_then(Value::as_text)
        };
        assert_eq!(
            part(Property::BorderLeft, "lineStyle"),
            Some(word.to_lowercase().as_str())
        );
        assert_eq!(part(Property::BorderLeft, "color"), Some("#12AB34"));
        assert_eq!(part(Property::BorderTop, "color"), Some("#000000"));
        assert_eq!(part(Property::BorderRight, "lineStyle"), None);
    }
}

#[test]
fn fonts_differ_from_the_normal_style() {
    let fonts = [
        r#"<font><sz val="10"/><name val="Arial"/><color rgb="FF202020"/></font>"#,
        r#"<font><sz val="10"/><name val="arial"/><color rgb="FF000000"/></font>"#,
        r#"<font><b/><i val="1"/><u/><sz val="12.5"/><name val="'Courier New'"/><color rgb="FFFF0000"/><strike/></font>"#,
        r#"<font><b val="0"/><u val="doubleAccounting"/><sz val="12"/><name val="Arial"/><color theme="0"/></font>"#,
    ];
    let formats = [
        r#"<xf fontId="0"/>"#,
        r#"<xf fontId="1"/>"#,
        r#"<xf fontId="2"/>"#,
        r#"<xf fontId="3"/>"#,
    ];
    let sheet = styled(&fonts, &["<fill/>"], &["<border/>"], &formats, "");
    for row in ["A1", "A2"] {
        assert_eq!(cell(&sheet, row).map(|cell| cell.entries().len()), Some(1), "{row}");
    }
    let get = |row, wanted| property(&sheet, row, wanted).cloned().unwrap_or(Value::Null);
    assert!(get("A3", Property::FontName).strictly_equals(&"Courier New".into()));
    assert!(get("A3", Property::FontSize).strictly_equals(&Value::Float(12.5)));
    assert!(get("A3", Property::FontBold).strictly_equals(&Value::Bool(true)));
    assert!(get("A3", Property::FontItalic).strictly_equals(&Value::Bool(true)));
    assert!(get("A3", Property::FontUnderline).strictly_equals(&"single".into()));
    assert!(get("A3", Property::FontColor).strictly_equals(&"#FF0000".into()));
    assert!(get("A4", Property::FontSize).strictly_equals(&Value::Int(12)));
    assert!(get("A4", Property::FontBold).strictly_equals(&Value::Null));
    assert!(get("A4", Property::FontUnderline).strictly_equals(&"doubleAccounting".into()));
    assert!(get("A4", Property::FontColor).strictly_equals(&"#FFFFFF".into()));
}

#[test]
fn alignment_is_read() {
    let alignments = [
        (
            r#"horizontal="center" vertical="center" wrapText="1""#,
            Some("center"),
            Some("center"),
            Some(true),
            None,
        ),
        (
            r#"horizontal="centerContinuous" vertical="top""#,
            Some("centercontinuous"),
            Some("top"),
            None,
            None,
        ),
        (
            r#"horizontal="general" vertical="bottom" textRotation="45""#,
            None,
            None,
            None,
            Some(45),
        ),
        (r#"textRotation="90""#, None, None, None, Some(90)),
        (r#"textRotation="91""#, None, None, None, Some(-1)),
        (r#"textRotation="135""#, None, None, None, Some(-45)),
        (r#"textRotation="180""#, None, None, None, Some(-90)),
        (r#"textRotation="255""#, None, None, None, Some(255)),
        (r#"textRotation="200" wrapText="0""#, None, None, None, None),
    ];
    let formats: Vec<String> = alignments
        .iter()
        .map(|(alignment, ..)| format!("<xf><alignment {alignment}/></xf>"))
        .collect();
    let formats: Vec<&str> = formats.iter().map(String::as_str).collect();
    let sheet = styled(&["<font/>"], &["<fill/>"], &["<border/>"], &formats, "");
    for (row, (alignment, horizontal, vertical, wrap, rotation)) in (1..).zip(alignments) {
        let check = |wanted, expect: Option<Value>| {
            let got = property(&sheet, &format!("A{row}"), wanted);
            assert!(
                got.cloned()
                    .unwrap_or(Value::Null)
                    .strictly_equals(&expect.unwrap_or(Value::Null)),
                "{alignment}: {got:?}"
            );
        };
        check(Property::HorizontalAlignment, horizontal.map(Value::from));
        check(Property::VerticalAlignment, vertical.map(Value::from));
        check(Property::WrapText, wrap.map(Value::from));
        check(Property::TextOrientation, rotation.map(Value::Int));
    }
}

#[test]
fn formatted_blanks_far_from_content_are_skipped() {
    let styles =
        r#"<styleSheet><fonts><font/><font><b/></font></fonts><cellXfs><xf/><xf fontId="1"/></cellXfs></styleSheet>"#;
    let mut rows =
        r#"<row r="1" s="1" customFormat="1"><c r="A1"><v>1</v></c><c r="B1" s="1"/><c r="XFD1" s="1"/></row>"#
            .to_owned();
    for row in 2..=1_000 {
        let _ = write!(rows, r#"<row r="{row}"><c r="A{row}" s="1"/><c r="B{row}"/></row>"#);
    }
    let content = format!(r#"<cols><col min="1" max="16384" style="1"/></cols><sheetData>{rows}</sheetData>"#);
    let workbook = read(&xlsx(&[("S", "visible", &content)], &[("xl/styles.xml", styles)]));
    let sheet = workbook.sheets.first().unwrap();
    assert!(cell(sheet, "B1").is_some() && cell(sheet, "A101").is_some());
    assert!(cell(sheet, "XFD1").is_none() && cell(sheet, "A102").is_none() && cell(sheet, "B2").is_none());
    assert_eq!(
        n_noted(&workbook, "formatted blank cells far from any content skipped"),
        900
    );
    assert_eq!(n_noted(&workbook, "formats of whole columns skipped"), 1);
    assert_eq!(n_noted(&workbook, "formats of whole rows skipped"), 1);
}

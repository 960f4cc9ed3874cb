//! Random lines of the notation, most of them valid.

use proptest::prelude::*;

/// A cell address: small, with `$`, lower case and leading zeros now and then.
fn addresses() -> impl Strategy<Value = String> {
    let plain = ("[A-E]", 1..9_u32).prop_map(|(col, row)| format!("{col}{row}"));
    let odd = ("\\$?", "[a-eA-E]|ZZZ", "\\$?", "0?[0-9]").prop_map(|(a, col, b, row)| format!("{a}{col}{b}{row}"));
    prop_oneof![9 => plain, 1 => odd]
}

/// A range text; one in two is reversed along an axis or both.
fn areas() -> impl Strategy<Value = String> {
    prop_oneof![
        addresses(),
        (addresses(), addresses()).prop_map(|(first, last)| format!("{first}:{last}")),
        (1..6_u32, 0..4_u32, 1..6_u32, 0..4_u32).prop_map(|(row, height, col, width)| {
            let letter = |col: u32| char::from_digit(col + 9, 36).unwrap_or('a').to_ascii_uppercase();
            format!("{}{row}:{}{}", letter(col), letter(col + width), row + height)
        }),
    ]
}

/// A range with or without a sheet.
pub(crate) fn ranges() -> impl Strategy<Value = String> {
    let sheet = prop_oneof![
        6 => Just(""),
        2 => Just("Sheet1!"),
        1 => Just("S2!"),
        1 => Just("'My Data'!"),
        1 => Just("!")
    ];
    (sheet, areas()).prop_map(|(sheet, area)| format!("{sheet}{area}"))
}

/// What stands in the value field of VALUE, INPUT and FORMULA. No formula is a quoted text, since that reads back
/// as another one.
fn contents() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("clear".to_owned()),
        Just("null".to_owned()),
        any::<i32>().prop_map(|integer| integer.to_string()),
        any::<f64>().prop_map(|float| float.to_string()),
        "[a-zA-Z .,:;#|!ÄßЖ0-9-]{0,12}x",
        "\\[[0-9]{1,2}(, [0-9]{1,2}){0,3}\\]",
        "\\[\\[[0-9]\\],\\[null\\],\\[true\\]\\]",
        "\\[\\[[0-9], [0-9]\\],\\[[0-9], \\{\\}\\]\\]",
        "=(SUM\\(A1:B2\\)|A1\\*2|\\$B\\$2|LOG10\\(C3\\)|Q1!A1)",
        "[0-2][0-9]:[0-5][0-9]",
        "(Item |Q|Jan|Mon|January|-)[0-9]{0,3}",
    ]
}

fn colors() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("clear".to_owned()),
        "#[0-9a-fA-F]{6}",
        "[a-z]{3}",
        Just("#000000".to_owned())
    ]
}

fn borders() -> impl Strategy<Value = String> {
    let style = prop_oneof![
        Just("Continuous"),
        Just("Dash"),
        Just("Double"),
        Just("None"),
        Just("odd"),
        Just("")
    ];
    prop_oneof![
        Just("clear".to_owned()),
        Just("None".to_owned()),
        Just("Thin".to_owned()),
        (style.clone()).prop_map(|style| format!("Medium, {style}, #00aa00")),
        style.prop_map(|style| format!("Thick, {style}x")),
    ]
}

/// The name of a keyword and a text for its value field.
fn fields() -> impl Strategy<Value = (&'static str, String)> {
    let named =
        |names: &'static [&'static str], values: BoxedStrategy<String>| (prop::sample::select(names), values).boxed();
    let words = "(True|false|FALSE|yes|center|Left|General|Bottom|none|None|Single|Calibri|Arial x|0%|0.00)";
    let sides: &[&str] = &[
        "BORDER_LEFT",
        "BORDER_RIGHT",
        "BORDER_TOP",
        "BORDER_BOTTOM",
        "BORDER_OUTSIDE",
        "BORDER_ALL",
        "BORDER_INSIDE_HORIZONTAL",
        "BORDER_INSIDE_VERTICAL",
        "BORDER_DIAGONAL_DOWN",
        "BORDER_DIAGONAL_UP",
    ];
    let worded: &[&str] = &[
        "NUMBER_FORMAT",
        "WRAP_TEXT",
        "FONT_BOLD",
        "FONT_ITALIC",
        "FONT_UNDERLINE",
        "FONT_NAME",
        "ALIGN_HORIZONTAL",
        "ALIGN_VERTICAL",
        "MERGE",
        "UNMERGE",
    ];
    prop_oneof![
        4 => named(&["VALUE", "INPUT", "FORMULA"], contents().boxed()),
        3 => named(worded, words.boxed()),
        2 => named(&["FILL_COLOR", "FONT_COLOR"], colors().boxed()),
        2 => named(sides, borders().boxed()),
        1 => named(&["MERGE", "UNMERGE"], Just("true".to_owned()).boxed()),
        1 => named(&["FONT_SIZE"], "(1[0-4](\\.[05])?|None|1e22|-0.0|inf|nan)".boxed()),
        1 => named(&["TEXT_ORIENTATION"], "-?[0-9]{1,2}|1_0".boxed()),
    ]
}

/// A line of the notation; a few are refused.
pub(crate) fn lines() -> impl Strategy<Value = String> {
    let fill = (1..6_u32, 0..3_u32, 1..5_u32, 1..4_u32, any::<bool>(), any::<bool>()).prop_map(
        |(start, height, more, col, across, backward)| {
            let cell = |along: u32| {
                let letter = |col: u32| char::from_digit(col + 9, 36).unwrap_or('a').to_ascii_uppercase();
                if across {
                    format!("{}{col}", letter(along))
                } else {
                    format!("{}{along}", letter(col))
                }
            };
            let (first, last) = if backward {
                (start, start + height + more)
            } else {
                (start, start + height)
            };
            let source = if backward {
                format!("{}:{}", cell(last - height), cell(last))
            } else {
                format!("{}:{}", cell(first), cell(last))
            };
            let end = if backward { last } else { last + more };
            format!("AUTOFILL | {}:{} |  {source}", cell(first), cell(end))
        },
    );
    let odd_source = prop_oneof![ranges(), "(clear|junk|A:B|#REF!|)"];
    let mode = "(all|values|formulas|formats|ALL|odd)";
    prop_oneof![
        12 => (ranges(), fields()).prop_map(|(range, (name, value))| format!("{name} | {range} | {value}")),
        2 => fill,
        1 => (ranges(), odd_source.clone()).prop_map(|(range, source)| format!("AUTOFILL | {range} | {source}")),
        2 => (ranges(), odd_source, mode)
            .prop_map(|(range, source, mode)| format!("PASTE_FROM | {range} | {source} | {mode}")),
    ]
}

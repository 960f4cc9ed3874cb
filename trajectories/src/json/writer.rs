//! The JSON writer: ASCII only, `", "` and `": "` between the parts.

use std::fmt::Write as _;

use super::SURROGATE_SHIFT;
use crate::Value;
use crate::number::float_text;

/// Writes a value as JSON, with the members of objects in their own order.
pub fn write(value: &Value) -> String {
    let mut out = String::new();
    write_value(&mut out, value, KeyOrder::Own);
    out
}

/// Writes a value as JSON, with the members of objects sorted by key, at every level.
pub fn write_sorted(value: &Value) -> String {
    let mut out = String::new();
    write_value(&mut out, value, KeyOrder::Sorted);
    out
}

#[derive(Clone, Copy)]
enum KeyOrder {
    Own,
    Sorted,
}

fn write_value(out: &mut String, value: &Value, order: KeyOrder) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Value::Int(integer) => append(out, integer),
        Value::BigInt(integer) => append(out, integer),
        Value::Float(float) => write_float(out, *float),
        Value::Text(text) => write_string(out, text),
        Value::List(items) => {
            out.push('[');
            for (item_idx, item) in items.iter().enumerate() {
                separate(out, item_idx);
                write_value(out, item, order);
            }
            out.push(']');
        }
        Value::Object(entries) => {
            let mut entries: Vec<_> = entries.iter().collect();
            if matches!(order, KeyOrder::Sorted) {
                entries.sort_by(|(a, _), (b, _)| a.cmp(b));
            }
            out.push('{');
            for (entry_idx, (key, member)) in entries.into_iter().enumerate() {
                separate(out, entry_idx);
                write_string(out, key);
                out.push_str(": ");
                write_value(out, member, order);
            }
            out.push('}');
        }
    }
}

fn separate(out: &mut String, idx: usize) {
    if idx > 0 {
        out.push_str(", ");
    }
}

fn append(out: &mut String, integer: &impl std::fmt::Display) {
    // Writing to a string cannot fail.
    let _ = write!(out, "{integer}");
}

fn write_float(out: &mut String, float: f64) {
    if float.is_nan() {
        out.push_str("NaN");
    } else if float.is_infinite() {
        out.push_str(if float > 0.0 { "Infinity" } else { "-Infinity" });
    } else {
        out.push_str(&float_text(float));
    }
}

fn write_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{C}' => out.push_str("\\f"),
            '\u{8}' => out.push_str("\\b"),
            ' '..='~' => out.push(c),
            _ => write_escaped(out, c),
        }
    }
    out.push('"');
}

fn write_escaped(out: &mut String, c: char) {
    if ('\u{10D800}'..='\u{10DFFF}').contains(&c) {
        append_code_unit(out, u32::from(c) - SURROGATE_SHIFT);
    } else {
        for unit in c.encode_utf16(&mut [0; 2]) {
            append_code_unit(out, u32::from(*unit));
        }
    }
}

fn append_code_unit(out: &mut String, unit: u32) {
    // Writing to a string cannot fail.
    let _ = write!(out, "\\u{unit:04x}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::read;

    fn check(value: impl Into<Value>, expect: &str) {
        assert_eq!(write(&value.into()), expect);
    }

    #[test]
    fn only_ascii_is_written() {
        check(
            "a/\"\\\n\r\t\u{C}\u{8}\u{1}\u{7F}é😀",
            r#""a/\"\\\n\r\t\f\b\u0001\u007f\u00e9\ud83d\ude00""#,
        );
    }

    #[test]
    fn special_floats_have_words_of_their_own() {
        check(f64::NAN, "NaN");
        check(f64::INFINITY, "Infinity");
        check(f64::NEG_INFINITY, "-Infinity");
        check(1e16, "1e+16");
        check(5.0, "5.0");
    }

    #[test]
    fn keys_are_sorted_on_demand_at_every_level() {
        let value = read(r#"[{"b": {"d": 1, "c": 2}, "a": []}]"#).unwrap();
        assert_eq!(write(&value), r#"[{"b": {"d": 1, "c": 2}, "a": []}]"#);
        assert_eq!(write_sorted(&value), r#"[{"a": [], "b": {"c": 2, "d": 1}}]"#);
    }
}

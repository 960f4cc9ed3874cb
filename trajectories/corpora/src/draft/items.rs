//! The values of a typing line: items between bars, rows between slashes.

use napsim_trajectories::{Value, json, rewrite_clock_text};

/// Cuts a text at every `separator` that has a blank or an end of the text on both sides, outside quoted items.
///
/// The pieces are trimmed. A piece is quoted when it begins with a quotation mark whose partner ends it.
pub(super) fn cut(text: &str, separators: &[char]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = text;
    loop {
        let (piece, separator, after) = first_piece(rest, separators);
        pieces.push(Piece {
            text: piece.trim().to_owned(),
            separator,
        });
        if separator.is_none() {
            return pieces;
        }
        rest = after;
    }
}

/// One item, with the separator that ends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) separator: Option<char>,
}

/// The text before the first separator, the separator, and what follows it.
fn first_piece<'text>(text: &'text str, separators: &[char]) -> (&'text str, Option<char>, &'text str) {
    let skipped = quoted_len(text).filter(|end| {
        let rest = text.get(*end..).unwrap_or_default().trim_start();
        rest.is_empty() || rest.starts_with(separators)
    });
    let mut before_is_blank = skipped.is_none();
    for (at, mark) in text.char_indices().skip_while(|(at, _)| *at < skipped.unwrap_or(0)) {
        let after = text.get(at + mark.len_utf8()..).unwrap_or_default();
        let is_alone = before_is_blank && after.chars().next().is_none_or(char::is_whitespace);
        if is_alone && separators.contains(&mark) {
            return (text.get(..at).unwrap_or_default(), Some(mark), after);
        }
        before_is_blank = mark.is_whitespace();
    }
    (text, None, "")
}

/// The bytes up to the end of a quoted text that the text begins with, after blanks.
fn quoted_len(text: &str) -> Option<usize> {
    let start = text.len() - text.trim_start().len();
    let body = text.get(start..)?.strip_prefix('"')?;
    let mut is_escaped = false;
    for (at, mark) in body.char_indices() {
        match mark {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return Some(start + 1 + at + 1),
            _ => {}
        }
    }
    None
}

/// The items of a line without rows.
pub(super) fn items(text: &str) -> Result<Vec<Option<Value>>, String> {
    cut(text, &['|']).iter().map(|piece| item(&piece.text)).collect()
}

/// The rows of a line: items between bars, rows between slashes.
pub(super) fn rows(text: &str) -> Result<Vec<Vec<Option<Value>>>, String> {
    let mut rows = vec![Vec::new()];
    for piece in cut(text, &['|', '/']) {
        if let Some(row) = rows.last_mut() {
            row.push(item(&piece.text)?);
        }
        if piece.separator == Some('/') {
            rows.push(Vec::new());
        }
    }
    Ok(rows)
}

/// The value of an item; none if it is empty.
pub(super) fn item(text: &str) -> Result<Option<Value>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    if text.len() > 1 && text.starts_with('"') && text.ends_with('"') {
        return match json::read(text) {
            Ok(value @ Value::Text(_)) => Ok(Some(value)),
            _ => Err(format!(
                "expected a JSON text such as \"a \\\"b\\\" c\", found `{text}`"
            )),
        };
    }
    Ok(Some(match text {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => number(text).unwrap_or_else(|| Value::text(text)),
    }))
}

/// The number that a plain decimal text writes: no leading zeros, no exponent, no separators.
fn number(text: &str) -> Option<Value> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let are_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let is_plain = are_digits(whole) && are_digits(fraction) && (whole == "0" || !whole.starts_with('0'));
    if !is_plain {
        return None;
    }
    if fraction.bytes().all(|b| b == b'0') {
        let whole = if digits.len() < text.len() {
            format!("-{whole}")
        } else {
            whole.to_owned()
        };
        if let Ok(integer) = whole.parse::<i64>() {
            return Some(Value::Int(integer));
        }
    }
    text.parse::<f64>().ok().map(Value::Float)
}

/// What the author of a value may not have meant.
///
/// A date in full, and a clock text that is already in the form that typing leaves, are meant.
pub(super) fn doubt(value: &Value) -> Option<String> {
    let text = value.as_text()?;
    if let Some(rewritten) = rewrite_clock_text(text) {
        let is_meant = rewritten == text || rewritten == format!("{text} 00:00:00") && text.len() == "2026-03-14".len();
        return (!is_meant).then(|| format!("typing `{text}` leaves `{rewritten}` in the cell"));
    }
    let is_grouped = text.contains(',') && number(&text.replace(',', "")).is_some();
    is_grouped.then(|| format!("`{text}` stays a text; a number is written without separators"))
}

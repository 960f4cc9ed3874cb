//! Writes an experiment file.

use std::fmt::Write as _;

use super::notes::Note;
use super::settings::Base;
use super::sweeps::{Axis, Item, Sweeps};

/// The whole file.
pub(super) fn experiment(name: &str, file: &str, base: &Base, sweeps: &Sweeps, notes: &[Note]) -> String {
    let mut out = String::new();
    line(&mut out, &format!("# Converted from {}.", one_line(file)));
    for note in notes {
        line(&mut out, &format!("# - {}", one_line(&note.to_string())));
    }
    line(&mut out, "");
    line(&mut out, &format!("name = {}", value(name)));
    if let Some(first) = base.first {
        line(&mut out, &format!("first = {first}"));
    }
    line(&mut out, "\n[base]");
    for (setting, text) in &base.settings {
        line(&mut out, &format!("{setting} = {}", value(text)));
    }
    for (table, axes) in [
        ("grid", &sweeps.grid),
        ("zip", &sweeps.zip),
        ("one-at-a-time", &sweeps.one_at_a_time),
    ] {
        if axes.is_empty() {
            continue;
        }
        line(&mut out, &format!("\n[{table}]"));
        for axis in axes {
            sweep(&mut out, axis);
        }
    }
    out
}

fn sweep(out: &mut String, axis: &Axis) {
    const WIDTH: usize = 100;
    let items: Vec<String> = axis.values.iter().map(item).collect();
    let short = format!("{} = [{}]", axis.setting, items.join(", "));
    if short.len() <= WIDTH {
        return line(out, &short);
    }
    line(out, &format!("{} = [", axis.setting));
    for item in items {
        line(out, &format!("    {item},"));
    }
    line(out, "]");
}

fn item(item: &Item) -> String {
    if item.name == item.value {
        return value(&item.value);
    }
    format!("{{ name = {}, value = {} }}", text(&item.name), value(&item.value))
}

/// A number as it is, anything else in quotes.
fn value(value: &str) -> String {
    let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) && value.len() < 10;
    let has_no_leading_zero = value == "0" || !value.starts_with('0');
    if is_number && has_no_leading_zero {
        value.to_owned()
    } else {
        text(value)
    }
}

/// A basic string.
fn text(text: &str) -> String {
    let mut out = String::from('"');
    for one in text.chars() {
        match one {
            '"' | '\\' => out.extend(['\\', one]),
            one if one.is_control() => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{:04X}", u32::from(one));
            }
            one => out.push(one),
        }
    }
    out.push('"');
    out
}

/// Text that cannot end a comment, which may hold no control characters but tabs.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|one| if one.is_control() { ' ' } else { one })
        .collect()
}

fn line(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

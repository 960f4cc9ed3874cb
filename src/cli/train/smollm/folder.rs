//! The folder that gets a model, and what its card says.

use std::fs;
use std::path::Path;

use anyhow::anyhow;
use napsim_reports::store::write_file_whole;
use napsim_reports::table::count;
use napsim_training::smollm::{CARD_NAME, CARD_SCHEMA};
use serde_json::Value;

use crate::exit::Failure;

/// Refuses a folder that holds something other than a model trained by this program: nobody means to lose it.
pub(super) fn check(folder: &Path) -> Result<(), Failure> {
    let refused = |what: &str| {
        let folder = folder.display();
        Err(Failure::Input(anyhow!(
            "failed to write {folder}: {what}; give another folder to --out"
        )))
    };
    if !folder.exists() {
        return match folder.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            Some(parent) if !parent.is_dir() => refused("there is no folder to put it in"),
            _ => Ok(()),
        };
    }
    if !folder.is_dir() {
        return refused("it is there and is no folder");
    }
    let Ok(mut entries) = fs::read_dir(folder) else {
        return refused("it is there and cannot be read");
    };
    if entries.next().is_none() {
        return Ok(());
    }
    let card = fs::read_to_string(folder.join(CARD_NAME)).unwrap_or_default();
    let card: Value = serde_json::from_str(&card).unwrap_or_default();
    match card.get("schema").and_then(Value::as_str) {
        Some(CARD_SCHEMA) => Ok(()),
        _ => refused("it is there and holds something else than a model that was trained into it"),
    }
}

/// Writes the files, each as a whole or not at all; the card, by which the folder is known, comes last.
pub(super) fn write(folder: &Path, files: &[(&'static str, Vec<u8>)]) -> Result<(), Failure> {
    // Something may have come there meanwhile.
    check(folder)?;
    fs::create_dir_all(folder)
        .map_err(|error| Failure::Environment(anyhow!("failed to make the folder {}: {error}", folder.display())))?;
    for (name, bytes) in files {
        write_file_whole(&folder.join(name), bytes)?;
    }
    Ok(())
}

/// The card as a person reads it, with the curve of its losses.
pub(super) fn text(card: &Value, curve: &str) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: String| text.push_str(&format!("{name:<12} {value}\n"));
    let number = |pointer: &str| count(card.pointer(pointer).and_then(Value::as_u64).unwrap_or_default());
    let word = |pointer: &str| {
        card.pointer(pointer)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    line("kind", "llama".to_owned());
    let base = match card.pointer("/base/model").and_then(Value::as_str) {
        Some(name) => name.to_owned(),
        None => "nothing (from scratch)".to_owned(),
    };
    line("based on", base);
    line("parameters", number("/n_parameters"));
    line("trained", format!("{} by napsim {}", word("/date"), word("/program")));
    let windows = format!(
        "{} of {} sequences, {} tokens, {} of them learned",
        number("/windows/n_windows"),
        number("/windows/n_sequences"),
        number("/windows/n_tokens"),
        number("/windows/n_targets")
    );
    line("windows", windows);
    line("steps", format!("{} ({})", number("/steps"), word("/ending")));
    let best = |pointer: &str| card.pointer(pointer).and_then(Value::as_f64);
    if let Some(valid) = best("/best/valid") {
        line(
            "validation",
            format!("loss {valid:.4} after step {}", number("/best/step")),
        );
    }
    if !curve.is_empty() {
        text.push('\n');
        text.push_str(curve);
    }
    text
}

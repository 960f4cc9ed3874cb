//! What programs and services did in a run, and what they wrote to their standard error.

use std::path::Path;

use napsim_external::{ExternalActivity, ExternalSetup};
use napsim_reports::table::count;

use crate::console;

/// What programs have written to their standard error during a trajectory; absent where there are no programs.
pub(in crate::cli) fn take_stderr(externals: &[ExternalSetup], trajectory: &str) -> Option<String> {
    if externals.is_empty() {
        return None;
    }
    let mut text = String::new();
    for setup in externals {
        // Taken in any case, or else the programs would find their places full.
        let Some(written) = setup.take_stderr(trajectory) else {
            continue;
        };
        if externals.len() > 1 {
            text.push_str(&format!("== {}\n", setup.id()));
        }
        text.push_str(&written.text);
    }
    Some(text)
}

/// Says what each of them did; where all went well only to those who like to be told. What they wrote to their standard
/// error may be kept in `folder`.
pub(in crate::cli) fn say_all(externals: &[ExternalSetup], folder: Option<&Path>, quiet: bool) {
    let mut has_failures = false;
    for setup in externals {
        let activity = setup.activity();
        let is_noteworthy = !activity.failures.is_empty() || activity.unreadable > 0 || activity.over_budget > 0;
        has_failures |= !activity.failures.is_empty();
        if !quiet || is_noteworthy {
            console::say(&format!("napsim: {}", line(setup, &activity)));
        }
        for (kind, message) in &activity.first_messages {
            console::say(&format!("napsim: the first {kind}: failed to {message}"));
        }
        if let Some((text, reason)) = &activity.first_unreadable {
            let n = count(activity.unreadable);
            console::say(&format!(
                "napsim: {n} of its proposals are no actions, the first one `{}`: {reason}",
                shortened(text)
            ));
        }
        if activity.over_budget > 0 {
            let n = count(activity.over_budget);
            console::say(&format!(
                "napsim: {n} of its answers held more actions than were asked for; the rest was not heard"
            ));
        }
    }
    if let Some(folder) = folder.filter(|folder| has_failures && folder.exists()) {
        console::say(&format!(
            "napsim: what they wrote to their standard error is in {}",
            folder.display()
        ));
    }
}

/// The beginning of a text that may be of any length.
fn shortened(text: &str) -> String {
    const CHARS_MAX: usize = 200;
    match text.char_indices().nth(CHARS_MAX) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

fn line(setup: &ExternalSetup, activity: &ExternalActivity) -> String {
    let mut text = format!("{} ({}): {} calls", setup.id(), setup.name(), count(activity.calls));
    if !setup.is_service() {
        let starts = match activity.starts {
            1 => "started once".to_owned(),
            n => format!("started {} times", count(n)),
        };
        text.push_str(&format!(", {starts}"));
    }
    let failures: Vec<String> = activity
        .failures
        .iter()
        .map(|(kind, n)| format!("{} {kind}", count(*n)))
        .collect();
    if !failures.is_empty() {
        text.push_str(&format!("; failures: {}", failures.join(", ")));
    }
    text
}

//! The lines of an answer that could be actions.

use napsim_trajectories::decimal_value;
use napsim_trajectories::parse::SEPARATOR;
use napsim_trajectories::text::{is_blank, trim};

use super::{DroppedLine, WhyDropped};

/// How a line begins that says what the user is after.
const INTENT: &str = "intent:";

/// What a model writes when it has nothing more to propose.
const STOP_WORD: &str = "STOP";

/// The first intent of an answer, wherever it stands.
pub(super) fn intent(text: &str) -> Option<String> {
    text.split('\n').find_map(intent_of).map(str::to_owned)
}

fn intent_of(line: &str) -> Option<&str> {
    let (start, intent) = trim(line).split_at_checked(INTENT.len())?;
    start.eq_ignore_ascii_case(INTENT).then(|| trim(intent))
}

/// The candidates of an answer as the published system finds them: its numbers are cut off at a point.
pub(super) fn literal(text: &str, dropped: &mut Vec<DroppedLine>) -> Vec<String> {
    let mut candidates = Vec::new();
    for line in meant(text) {
        sort(without_number(line), &mut candidates, dropped);
    }
    candidates
}

/// The candidates of an answer without bullets, numbers and back-ticks, up to the stop word.
pub(super) fn bare(text: &str, dropped: &mut Vec<DroppedLine>) -> Vec<String> {
    let mut candidates = Vec::new();
    let mut stopped = false;
    for line in meant(text).map(without_decoration) {
        stopped |= line.trim_end_matches(['.', '!']) == STOP_WORD;
        let why = if stopped {
            WhyDropped::AfterStop
        } else if intent_of(line).is_some() {
            WhyDropped::Intent
        } else {
            sort(line, &mut candidates, dropped);
            continue;
        };
        dropped.push(DroppedLine {
            text: line.to_owned(),
            why,
        });
    }
    candidates
}

/// The trimmed lines that are neither empty nor comments nor the fences of code.
fn meant(text: &str) -> impl Iterator<Item = &str> {
    let lines = trim(text).split('\n').map(trim);
    lines.filter(|line| !line.is_empty() && !["#", "//", "```"].iter().any(|start| line.starts_with(start)))
}

fn sort(line: &str, candidates: &mut Vec<String>, dropped: &mut Vec<DroppedLine>) {
    if line.contains(SEPARATOR) {
        candidates.push(line.to_owned());
    } else {
        dropped.push(DroppedLine {
            text: line.to_owned(),
            why: WhyDropped::NotAnAction,
        });
    }
}

/// A line that begins with a digit, from behind its first point on.
fn without_number(line: &str) -> &str {
    if !line.starts_with(|c| decimal_value(c).is_some()) {
        return line;
    }
    line.split_once('.').map_or(line, |(_, rest)| trim(rest))
}

/// A line without the bullets, numbers and back-ticks around it.
fn without_decoration(line: &str) -> &str {
    let mut line = line;
    loop {
        let inner = without_bullet(line)
            .or_else(|| without_ordinal(line))
            .or_else(|| without_ticks(line));
        match inner {
            Some(inner) => line = trim(inner),
            None => return line,
        }
    }
}

fn without_bullet(line: &str) -> Option<&str> {
    let rest = line.strip_prefix(['-', '*', '+', '•', '–'])?;
    rest.starts_with(is_blank).then_some(rest)
}

fn without_ordinal(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() == line.len() {
        return None;
    }
    rest.strip_prefix(['.', ')'])
}

fn without_ticks(line: &str) -> Option<&str> {
    line.strip_prefix('`')
        .map(|rest| rest.strip_suffix('`').unwrap_or(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decorations_are_removed() {
        for line in [
            "A | b",
            "- A | b",
            "* A | b",
            "12. A | b",
            "12) A | b",
            "3.A | b",
            "`A | b`",
            "- 1. `A | b`",
            "`- A | b`",
        ] {
            assert_eq!(without_decoration(line), "A | b", "{line}");
        }
        for line in ["3 | A1 | 5.5", "-A | b", "A | `b`", "2031"] {
            assert_eq!(without_decoration(line), line);
        }
    }

    #[test]
    fn an_intent_is_found_in_any_case() {
        assert_eq!(intent("ok\n INTENT:  sum up \nA | b").as_deref(), Some("sum up"));
        assert_eq!(intent("A | b"), None);
    }
}

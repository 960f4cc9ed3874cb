//! Names of trajectories that are file names on every system.

use std::collections::BTreeSet;

/// The most characters of a part of a name.
const PART_CHARS_MAX: usize = 60;

/// The most bytes of a part of a name: two parts, a profile and an ending stay below what file systems allow.
const PART_BYTES_MAX: usize = 100;

/// Names that were given out; two never differ in case alone.
#[derive(Debug, Default)]
pub(super) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// The name itself, or with the first number from 2 behind it that makes it new.
    pub(super) fn unique(&mut self, name: &str) -> String {
        self.unique_within(name, usize::MAX)
    }

    /// The same in so many bytes: a name that is too long loses its end, never the number.
    pub(super) fn unique_within(&mut self, name: &str, bytes_max: usize) -> String {
        let mut candidate = cut(name, bytes_max).to_owned();
        let mut number = 2_u64;
        while !self.taken.insert(candidate.to_lowercase()) {
            let ending = format!("-{number}");
            candidate = format!("{}{ending}", cut(name, bytes_max.saturating_sub(ending.len())));
            number += 1;
        }
        candidate
    }

    /// Takes a name back.
    pub(super) fn release(&mut self, name: &str) {
        self.taken.remove(&name.to_lowercase());
    }
}

/// A part of a name: a plain one, cut so that several go into one name.
pub(super) fn part(text: &str) -> String {
    let name: String = plain(text).chars().take(PART_CHARS_MAX).collect();
    cut(&name, PART_BYTES_MAX).to_owned()
}

/// Letters and digits of any script, `_`, `.` and `-`; everything else, in runs, as one `-`.
pub(super) fn plain(text: &str) -> String {
    let mut name = String::new();
    for c in text.chars() {
        if c.is_alphanumeric() || matches!(c, '_' | '.') {
            name.push(c);
        } else if !name.ends_with('-') {
            name.push('-');
        }
    }
    let name = name.trim_matches(['-', '.']);
    if name.is_empty() { "unnamed" } else { name }.to_owned()
}

/// The beginning of a text in so many bytes at most, in whole characters.
fn cut(text: &str, bytes_max: usize) -> &str {
    let ends = text.char_indices().map(|(start, c)| start + c.len_utf8());
    let end = ends.take_while(|end| *end <= bytes_max).last().unwrap_or_default();
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_and_unique() {
        assert_eq!(part("Plan 2024 (final)"), "Plan-2024-final");
        assert_eq!(part("../..\\x"), "x");
        assert_eq!(part("売上 表"), "売上-表");
        assert_eq!(part("…"), "unnamed");
        assert_eq!(part(&"x".repeat(500)).len(), 60);
        assert_eq!(part(&"売".repeat(500)).len(), 99);
        assert_eq!(plain(&"x".repeat(500)).len(), 500);
        let mut names = Names::default();
        assert_eq!(names.unique("plan"), "plan");
        assert_eq!(names.unique("Plan"), "Plan-2");
        assert_eq!(names.unique("plan-2"), "plan-2-2");
        assert_eq!(names.unique("plan"), "plan-3");
        names.release("plan-2");
        assert_eq!(names.unique("plan"), "plan-2");
        assert_eq!(names.unique_within("売上高", 6), "売上");
        assert_eq!(names.unique_within("売上量", 6), "売-2");
    }
}

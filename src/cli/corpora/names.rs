//! Names of trajectories that are file names on every system.

use std::collections::BTreeSet;

/// The most characters of a part of a name.
const PART_CHARS_MAX: usize = 60;

/// Names that were given out; two never differ in case alone.
#[derive(Debug, Default)]
pub(super) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// The name itself, or with the first number from 2 behind it that makes it new.
    pub(super) fn unique(&mut self, name: &str) -> String {
        let mut candidate = name.to_owned();
        let mut number = 2_u64;
        while !self.taken.insert(candidate.to_lowercase()) {
            candidate = format!("{name}-{number}");
            number += 1;
        }
        candidate
    }

    /// Takes a name back.
    pub(super) fn release(&mut self, name: &str) {
        self.taken.remove(&name.to_lowercase());
    }
}

/// Letters and digits of any script, `_`, `.` and `-`; everything else, in runs, as one `-`.
pub(super) fn part(text: &str) -> String {
    let mut name = String::new();
    for c in text.chars() {
        if c.is_alphanumeric() || matches!(c, '_' | '.') {
            name.push(c);
        } else if !name.ends_with('-') {
            name.push('-');
        }
    }
    let name: String = name.trim_matches(['-', '.']).chars().take(PART_CHARS_MAX).collect();
    if name.is_empty() { "unnamed".to_owned() } else { name }
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
        let mut names = Names::default();
        assert_eq!(names.unique("plan"), "plan");
        assert_eq!(names.unique("Plan"), "Plan-2");
        assert_eq!(names.unique("plan-2"), "plan-2-2");
        assert_eq!(names.unique("plan"), "plan-3");
        names.release("plan-2");
        assert_eq!(names.unique("plan"), "plan-2");
    }
}

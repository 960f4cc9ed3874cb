//! What the user has still to do, as far as the events tell.
//!
//! It begins as the trajectory; what the user carries out and what accepted predictions make unnecessary goes, and undo
//! actions come. Actions by which the rewrite replaces others are in no event, so after an acceptance that did part of an
//! action the whole of it still stands here. Only what the engine's own counts leave open is looked up in it.

use napsim_reports::record::RecordedTrajectory;
use napsim_trajectories::Action;
use rustc_hash::FxHashMap;

use crate::lines::Line;

/// Counts of actions still to do by text, by kind and value, and by kind and range.
#[derive(Clone, Debug, Default)]
pub(crate) struct LeftToDo {
    texts: FxHashMap<String, u32>,
    values: FxHashMap<(String, String), u32>,
    ranges: FxHashMap<(String, String), u32>,
}

impl LeftToDo {
    /// The whole trajectory.
    pub(crate) fn of(trajectory: &RecordedTrajectory) -> Self {
        let mut left = Self::default();
        for line in &trajectory.lines {
            match Action::parse(line) {
                Ok(action) => left.add(&action.to_string()),
                Err(_) => left.add(line),
            }
        }
        left
    }

    pub(crate) fn add(&mut self, action: &str) {
        *self.texts.entry(action.to_owned()).or_default() += 1;
        let (by_value, by_range) = keys(action);
        *self.values.entry(by_value).or_default() += 1;
        *self.ranges.entry(by_range).or_default() += 1;
    }

    /// Takes one such action away; nothing where there is none.
    pub(crate) fn remove(&mut self, action: &str) {
        let Some(n) = self.texts.get_mut(action).filter(|n| **n > 0) else {
            return;
        };
        *n -= 1;
        let (by_value, by_range) = keys(action);
        for n in [self.values.get_mut(&by_value), self.ranges.get_mut(&by_range)]
            .into_iter()
            .flatten()
        {
            *n = n.saturating_sub(1);
        }
    }

    /// How near an action comes to one that is left to do.
    pub(crate) fn nearest(&self, action: &str) -> Nearness {
        let (by_value, by_range) = keys(action);
        let is_left = |n: Option<&u32>| n.is_some_and(|n| *n > 0);
        if is_left(self.texts.get(action)) {
            Nearness::Same
        } else if is_left(self.ranges.get(&by_range)) {
            Nearness::OtherValue
        } else if is_left(self.values.get(&by_value)) {
            Nearness::OtherPlace
        } else {
            Nearness::None
        }
    }
}

/// How near an action comes to what is left to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Nearness {
    /// It is left to do.
    Same,
    /// The same with that value, elsewhere.
    OtherPlace,
    /// The same there, with another value.
    OtherValue,
    /// Nothing of the sort.
    None,
}

fn keys(action: &str) -> ((String, String), (String, String)) {
    let Line { keyword, range, value } = Line::of(action);
    (
        (keyword.to_owned(), value.to_owned()),
        (keyword.to_owned(), range.to_owned()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_come_and_go() {
        let mut left = LeftToDo::default();
        left.add("FONT_BOLD | Sheet1!A1 | true");
        left.add("FONT_BOLD | Sheet1!A1 | true");
        left.add("INPUT | Sheet1!B2 | \"a | b\"");
        let check = |left: &LeftToDo, action: &str, expect| assert_eq!(left.nearest(action), expect, "{action}");
        check(&left, "FONT_BOLD | Sheet1!A1 | true", Nearness::Same);
        check(&left, "FONT_BOLD | Sheet1!A1 | false", Nearness::OtherValue);
        check(&left, "FONT_BOLD | Sheet1!A2 | true", Nearness::OtherPlace);
        check(&left, "FONT_ITALIC | Sheet1!A1 | true", Nearness::None);
        check(&left, "INPUT | Sheet1!B3 | \"a | b\"", Nearness::OtherPlace);
        left.remove("FONT_BOLD | Sheet1!A1 | true");
        check(&left, "FONT_BOLD | Sheet1!A1 | true", Nearness::Same);
        left.remove("FONT_BOLD | Sheet1!A1 | true");
        left.remove("FONT_BOLD | Sheet1!A1 | true");
        check(&left, "FONT_BOLD | Sheet1!A1 | true", Nearness::None);
        check(&left, "FONT_BOLD | Sheet1!A2 | true", Nearness::None);
    }

    #[test]
    fn a_trajectory_is_read_in_canonical_spelling() {
        let trajectory = RecordedTrajectory {
            name: "t".to_owned(),
            title: None,
            description: None,
            digest: String::new(),
            lines: vec!["FONT_BOLD | A1 | True".to_owned(), "not an action".to_owned()],
            predictable: None,
        };
        let left = LeftToDo::of(&trajectory);
        assert_eq!(left.nearest("FONT_BOLD | Sheet1!A1 | true"), Nearness::Same);
        assert_eq!(left.nearest("not an action"), Nearness::Same);
    }
}

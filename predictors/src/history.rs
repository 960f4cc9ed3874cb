//! The history that the classical predictors learn from, and its imagined continuation (spec chapter 03, 1.6).

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::feature::{Feature, Step};

/// The features of every action learnt, with the actions of each keyword at hand.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// Every action learnt; those that were dropped stay in the list but are never looked at.
    features: Vec<Feature>,
    by_keyword: FxHashMap<Arc<str>, Vec<usize>>,
    /// Position of the first action that was not dropped.
    begin: usize,
}

impl History {
    /// Appends an action, seen as following the last one.
    pub fn push(&mut self, feature: Feature) {
        let feature = feature.following(self.last());
        self.by_keyword
            .entry(feature.keyword.clone())
            .or_default()
            .push(self.features.len());
        self.features.push(feature);
    }

    /// Drops the oldest action. The one after it is now the first, which follows nothing.
    pub fn drop_first(&mut self) {
        if self.begin < self.features.len() {
            self.begin += 1;
        }
        if let Some(first) = self.features.get_mut(self.begin) {
            first.step = Step::default();
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.features.clear();
        self.by_keyword.clear();
        self.begin = 0;
    }

    /// The actions' features, oldest first.
    pub fn features(&self) -> &[Feature] {
        self.features.get(self.begin..).unwrap_or_default()
    }

    /// The last action.
    pub fn last(&self) -> Option<&Feature> {
        self.features().last()
    }

    /// The last actions with a keyword, latest first.
    pub fn latest_of(&self, keyword: &str) -> impl Iterator<Item = &Feature> {
        let positions = self.by_keyword.get(keyword).map(Vec::as_slice).unwrap_or_default();
        positions
            .iter()
            .rev()
            .take_while(|position| **position >= self.begin)
            .filter_map(|position| self.features.get(*position))
    }
}

/// A history continued by imagined actions; the history itself stays as it is.
#[derive(Clone, Debug)]
pub struct Continuation<'a> {
    history: &'a History,
    imagined: Vec<Feature>,
}

impl<'a> Continuation<'a> {
    /// The history without anything imagined.
    pub fn of(history: &'a History) -> Self {
        Self {
            history,
            imagined: Vec::new(),
        }
    }

    /// Appends the text of an imagined action.
    pub fn push(&mut self, text: &str) {
        let feature = Feature::of_next(text, self.last());
        self.imagined.push(feature);
    }

    /// The last action, imagined or not.
    pub fn last(&self) -> Option<&Feature> {
        self.latest().next()
    }

    /// All actions, latest first.
    pub fn latest(&self) -> impl Iterator<Item = &Feature> {
        self.imagined.iter().rev().chain(self.history.features().iter().rev())
    }

    /// The last actions with a keyword, latest first.
    pub fn latest_of(&self, keyword: &str) -> impl Iterator<Item = &Feature> {
        let imagined = self
            .imagined
            .iter()
            .rev()
            .filter(move |feature| &*feature.keyword == keyword);
        imagined.chain(self.history.latest_of(keyword))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(texts: &[&str]) -> History {
        let mut history = History::default();
        for text in texts {
            history.push(Feature::of_first(text));
        }
        history
    }

    #[test]
    fn actions_are_found_by_keyword_latest_first() {
        let history = history(&[
            "INPUT | Sheet1!A1 | 1",
            "FONT_BOLD | Sheet1!A1 | true",
            "INPUT | Sheet1!A2 | 2",
        ]);
        let values: Vec<_> = history.latest_of("INPUT").map(|feature| &*feature.value).collect();
        assert_eq!(values, ["2", "1"]);
        assert_eq!(history.latest_of("MERGE").count(), 0);
    }

    #[test]
    fn what_is_dropped_was_never_there() {
        let mut history = history(&[
            "INPUT | Sheet1!A1 | 1",
            "FONT_BOLD | Sheet1!A5 | true",
            "FONT_BOLD | Sheet1!A6 | true",
        ]);
        history.drop_first();
        assert_eq!(history.features().len(), 2);
        assert_eq!(history.features()[0].step, Step::default());
        assert_eq!(history.latest_of("INPUT").count(), 0);
        assert_eq!(Continuation::of(&history).latest().count(), 2);
        history.drop_first();
        history.drop_first();
        history.drop_first();
        assert!(history.last().is_none());
        history.push(Feature::of_first("INPUT | Sheet1!C3 | 1"));
        assert_eq!(history.features()[0].step, Step::default());
    }

    #[test]
    fn a_continuation_leaves_the_history_alone() {
        let history = history(&["INPUT | Sheet1!A1 | 1"]);
        let mut continuation = Continuation::of(&history);
        continuation.push("INPUT | Sheet1!A3 | 2");
        assert_eq!(continuation.last().map(|feature| feature.step.rows), Some(2));
        assert_eq!(continuation.latest_of("INPUT").count(), 2);
        assert_eq!(history.features().len(), 1);
    }
}

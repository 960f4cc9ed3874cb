//! The actions that the online n-gram knows, with the latest of each keyword at hand.

use std::sync::Arc;

use napsim_trajectories::{Edit, Value};

use super::names::NameId;
use super::seen::{Content, Seen, Vocabulary};
use crate::feature::Step;
use crate::reading::ReadBack;

/// The actions within the context. Older ones stay in the lists but are never looked at.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    pub(super) vocabulary: Vocabulary,
    /// Everything seen, oldest first.
    actions: Vec<Remembered>,
    /// Position of the first action within the context.
    begin: usize,
    /// The latest action of each keyword, by the keyword's number.
    latest: Vec<Option<Latest>>,
}

/// One action seen.
#[derive(Clone, Copy, Debug)]
struct Remembered {
    seen: Seen,
    /// Position of the action before with the same keyword.
    previous: Option<usize>,
}

/// The latest action of a keyword.
#[derive(Clone, Debug)]
pub(super) struct Latest {
    position: usize,
    pub(super) seen: Seen,
    pub(super) content: Content,
    /// How its text reads back, once somebody has asked.
    read_back: Option<Option<ReadBack>>,
    /// The text of its value, once somebody has asked.
    value: Option<Arc<str>>,
}

impl Latest {
    /// How the text of the action reads back, if as the same edit.
    pub(super) fn read_back(&mut self) -> Option<ReadBack> {
        *self.read_back.get_or_insert_with(|| match &self.content {
            Content::Edit(edit, _) => ReadBack::of(edit, self.seen.area.height, self.seen.area.width),
            Content::Text(_) => None,
        })
    }
}

impl Latest {
    /// The text of the value.
    pub(super) fn value(&mut self) -> Arc<str> {
        self.value.get_or_insert_with(|| self.content.text()).clone()
    }

    /// Whether the action types a list.
    pub(super) fn is_table(&self) -> bool {
        let Content::Edit(edit, _) = &self.content else {
            return false;
        };
        matches!(edit, Edit::Input { value: Value::List(_) })
    }

    /// The formula, if the action sets one.
    pub(super) fn formula(&self) -> Option<&Arc<str>> {
        match &self.content {
            Content::Edit(Edit::Formula { text }, _) => text.as_ref(),
            _ => None,
        }
    }
}

impl Memory {
    /// Appends an action.
    pub(super) fn push(&mut self, seen: Seen, content: Content) {
        let (position, keyword) = (self.actions.len(), seen.keyword.position());
        if self.latest.len() <= keyword {
            self.latest.resize(keyword + 1, None);
        }
        if let Some(latest) = self.latest.get_mut(keyword) {
            let previous = latest.as_ref().map(|latest| latest.position);
            *latest = Some(Latest {
                position,
                seen,
                content,
                read_back: None,
                value: None,
            });
            self.actions.push(Remembered { seen, previous });
        }
    }

    /// Drops the oldest action from the context.
    pub(super) fn drop_first(&mut self) {
        self.begin += 1;
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.vocabulary.clear();
        self.actions.clear();
        self.begin = 0;
        self.latest.clear();
    }

    /// How many actions the context holds.
    pub(super) fn len(&self) -> usize {
        self.actions.len() - self.begin
    }

    /// The action at an index of the context.
    pub(super) fn get(&self, idx: usize) -> Option<&Seen> {
        self.actions.get(self.begin + idx).map(|action| &action.seen)
    }

    /// The last action.
    pub(super) fn last(&self) -> Option<&Seen> {
        self.get(self.len().checked_sub(1)?)
    }

    /// How the action at an index of the context lies relative to the one before; nothing for the first.
    pub(super) fn step(&self, idx: usize) -> Step {
        let previous = idx.checked_sub(1).and_then(|previous| self.get(previous));
        match (previous, self.get(idx)) {
            (Some(previous), Some(seen)) => seen.step_from(previous),
            _ => Step::default(),
        }
    }

    /// The latest action with a keyword.
    pub(super) fn latest(&mut self, keyword: NameId) -> Option<&mut Latest> {
        let latest = self.latest.get_mut(keyword.position())?.as_mut()?;
        (latest.position >= self.begin).then_some(latest)
    }

    /// The actions with the keyword of the last one, latest first.
    pub(super) fn like_last(&self) -> impl Iterator<Item = &Seen> {
        let before = |action: &&Remembered| {
            let position = action.previous.filter(|position| *position >= self.begin)?;
            self.actions.get(position)
        };
        std::iter::successors(self.actions.last(), before).map(|action| &action.seen)
    }
}

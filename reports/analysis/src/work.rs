//! What a user's actions are made of: selections, typed characters, clicks.

use napsim_sim::event::Prediction;
use napsim_trajectories::{Action, Bounds, Edit, Range, Value, json};

use crate::by::distance;
use crate::kind::Kind;
use crate::lines::Line;
use crate::number::count;

/// Counts of what a user did, from which a model of the user makes seconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Work {
    /// By the place of the kind.
    pub(crate) kinds: [KindWork; Kind::COUNT],
    /// Proposed actions that were read.
    pub(crate) proposed: u64,
    pub(crate) accepted: u64,
    pub(crate) rejected: u64,
}

/// The actions of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct KindWork {
    pub(crate) actions: u64,
    /// Selections of one cell, and of more.
    pub(crate) cells: u64,
    pub(crate) ranges: u64,
    /// Contents whose cell was reached by the key that ended the content before: the cell below or to the right.
    pub(crate) by_key: u64,
    /// Characters typed, and contents typed, each of which ends with a key.
    pub(crate) characters: u64,
    pub(crate) entries: u64,
}

/// Follows the actions of a user.
#[derive(Clone, Debug, Default)]
pub(crate) struct WorkBuilder {
    work: Work,
    /// Where content was typed last, if that was the last action.
    typed: Option<Range>,
}

impl WorkBuilder {
    /// The user carries out an action.
    pub(crate) fn step(&mut self, action: &str) {
        let kind = Kind::of_text(action);
        let line = Line::of(action);
        let range = Range::parse(line.range).ok();
        let typed = self.typed.take();
        let Some(work) = self.work.kinds.get_mut(kind.place()) else {
            return;
        };
        work.actions += 1;
        match kind.name() {
            "input" => {
                let is_next = typed.zip(range.as_ref()).is_some_and(|(from, to)| is_next(&from, to));
                if is_next {
                    work.by_key += 1;
                } else {
                    select(work, range.as_ref());
                }
                let content = content_of(action);
                work.characters += content.characters;
                work.entries += content.entries;
                self.typed = range.filter(Range::is_single_cell);
            }
            // The source is selected, and its corner dragged.
            "autofill" => select(work, Range::parse(line.value).ok().as_ref()),
            "paste" => {
                let source = line.value.split(" | ").next().unwrap_or_default();
                select(work, Range::parse(source).ok().as_ref());
                select(work, range.as_ref());
            }
            _ => select(work, range.as_ref()),
        }
    }

    /// The user looks at a proposal. Undo and everything else that follows is work of its own.
    pub(crate) fn prediction(&mut self, prediction: &Prediction) {
        self.work.proposed += count(prediction.predicted.len());
        self.work.accepted += u64::from(prediction.accepted);
        self.work.rejected += u64::from(!prediction.accepted);
    }

    pub(crate) fn finish(self) -> Work {
        self.work
    }
}

fn select(work: &mut KindWork, range: Option<&Range>) {
    if range.is_none_or(Range::is_single_cell) {
        work.cells += 1;
    } else {
        work.ranges += 1;
    }
}

/// Whether Enter or Tab leads from one cell to the other.
fn is_next(from: &Range, to: &Range) -> bool {
    let (
        Bounds {
            first_row, first_col, ..
        },
        next,
    ) = (from.bounds(), to.bounds());
    let ahead = next.first_row >= first_row && next.first_col >= first_col;
    let straight = next.first_row == first_row || next.first_col == first_col;
    from.sheet() == to.sheet() && to.is_single_cell() && ahead && straight && distance(&from.bounds(), &next) == 1
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Content {
    characters: u64,
    entries: u64,
}

/// What is typed: each entry of a list by itself. To clear a cell takes one key and no character.
fn content_of(action: &str) -> Content {
    let mut content = Content::default();
    match Action::parse(action).as_ref().map(Action::edit) {
        Ok(Edit::Input { value } | Edit::Value { value, .. }) => type_value(value, &mut content),
        Ok(Edit::Formula { text }) => {
            content.characters += text.as_deref().map_or(0, |text| count(text.chars().count()));
            content.entries += 1;
        }
        Ok(_) | Err(_) => {}
    }
    content
}

fn type_value(value: &Value, content: &mut Content) {
    match value {
        Value::List(items) => items.iter().for_each(|item| type_value(item, content)),
        Value::Null => content.entries += 1,
        Value::Text(text) => {
            content.characters += count(text.chars().count());
            content.entries += 1;
        }
        other => {
            content.characters += count(json::write(other).chars().count());
            content.entries += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(actions: &[&str]) -> Work {
        let mut builder = WorkBuilder::default();
        actions.iter().for_each(|action| builder.step(action));
        builder.finish()
    }

    fn of(work: &Work, kind: &str) -> KindWork {
        let place = Kind::all().position(|other| other.name() == kind).unwrap();
        work.kinds[place]
    }

    #[test]
    fn contents_are_typed_and_cells_reached_by_keys() {
        let work = work(&[
            "INPUT | Sheet1!A1 | \"Größe\"",
            "INPUT | Sheet1!A2 | 12.5",
            "INPUT | Sheet1!B2 | clear",
            "INPUT | Sheet1!A1 | \"back\"",
            "INPUT | Sheet2!A2 | true",
            "FONT_BOLD | Sheet1!A1 | true",
            "INPUT | Sheet1!A3 | \"x\"",
        ]);
        let input = of(&work, "input");
        assert_eq!(
            input,
            KindWork {
                actions: 6,
                cells: 4,
                ranges: 0,
                by_key: 2,
                characters: 5 + 4 + 4 + 4 + 1,
                entries: 6,
            }
        );
        assert_eq!((of(&work, "font").actions, of(&work, "font").cells), (1, 1));
    }

    #[test]
    fn lists_are_typed_entry_by_entry() {
        let input = of(&work(&["INPUT | Sheet1!A1:B2 | [[\"ab\", 1], [null, \"c\"]]"]), "input");
        assert_eq!((input.ranges, input.characters, input.entries), (1, 4, 4));
    }

    #[test]
    fn sources_are_selected_too() {
        let work = work(&[
            "AUTOFILL | Sheet1!A1:A9 | Sheet1!A1",
            "PASTE_FROM | Sheet1!D1 | Sheet1!A1:B9 | all",
            "nonsense",
        ]);
        let autofill = of(&work, "autofill");
        assert_eq!((autofill.cells, autofill.ranges), (1, 0));
        let paste = of(&work, "paste");
        assert_eq!((paste.cells, paste.ranges), (1, 1));
        assert_eq!(of(&work, "other").actions, 1);
    }
}

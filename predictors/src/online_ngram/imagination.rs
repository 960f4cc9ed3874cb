//! Actions that the online n-gram imagines after the history, as numbers or, where those would not tell, as texts.

use std::sync::Arc;

use napsim_sim::predictor::Proposals;
use napsim_trajectories::input::typed;
use napsim_trajectories::parse::SEPARATOR;
use napsim_trajectories::range::DEFAULT_SHEET;
use napsim_trajectories::{Action, CellAddress, Edit, ParseError, Range};

use super::memory::Memory;
use super::names::NameId;
use super::seen::{Content, Seen, Vocabulary};
use crate::feature::{Step, ValueType};
use crate::reading::is_plain_area;
use crate::reconstruct::{Area, join, shift_references};

/// A predicted action.
#[derive(Clone, Debug)]
pub(super) struct Imagined {
    /// What will be seen of it.
    seen: Seen,
    form: Form,
}

/// What a predicted action is made of.
#[derive(Clone, Debug)]
enum Form {
    /// The edit of the latest action of its keyword.
    Latest,
    /// The table of the latest action of its keyword, on a range that it does not fit.
    Misfit,
    /// A formula moved along.
    Formula(Arc<str>),
    /// A text, which need not be an action, and the value that it holds.
    Text { text: String, value: Arc<str> },
}

/// The history continued by predicted actions; the history itself stays as it is.
#[derive(Debug)]
pub(super) struct Imagination<'a> {
    memory: &'a mut Memory,
    imagined: Vec<Imagined>,
}

impl<'a> Imagination<'a> {
    /// The history without anything predicted.
    pub(super) fn of(memory: &'a mut Memory) -> Self {
        Self {
            memory,
            imagined: Vec::new(),
        }
    }

    /// The history.
    pub(super) fn memory(&self) -> &Memory {
        self.memory
    }

    /// How many actions are predicted.
    pub(super) fn len(&self) -> usize {
        self.imagined.len()
    }

    /// The last action, predicted or not.
    pub(super) fn last(&self) -> Option<&Seen> {
        let imagined = self.imagined.last().map(|imagined| &imagined.seen);
        imagined.or_else(|| self.memory.last())
    }

    /// The last predicted action and how it lies relative to the one before.
    pub(super) fn last_step(&self) -> Option<(&Seen, Step)> {
        let (last, before) = self.imagined.split_last()?;
        let previous = before
            .last()
            .map(|imagined| &imagined.seen)
            .or_else(|| self.memory.last());
        let step = previous.map(|previous| last.seen.step_from(previous));
        Some((&last.seen, step.unwrap_or_default()))
    }

    /// Takes the last predicted action back if its text begins otherwise than the first one's.
    pub(super) fn ends_at_type_change(&mut self) -> bool {
        let (Some(first), Some(last)) = (self.imagined.first(), self.imagined.last()) else {
            return false;
        };
        let changed = self.keyword(first) != self.keyword(last);
        if changed {
            self.imagined.pop();
        }
        changed
    }

    /// The keyword as the text of a predicted action spells it.
    fn keyword<'b>(&'b self, imagined: &'b Imagined) -> &'b str {
        match &imagined.form {
            Form::Text { text, .. } => text.split_once(SEPARATOR).map_or(text, |(keyword, _)| keyword),
            Form::Latest | Form::Misfit | Form::Formula(_) => {
                let keyword = self.memory.vocabulary.keywords.text(imagined.seen.keyword);
                keyword.map_or("", |keyword| keyword)
            }
        }
    }

    /// Predicts an action with the value that the history suggests for its keyword.
    ///
    /// References of a bare formula move along with the target; quoted formulas stay as they are (Q3).
    pub(super) fn push(&mut self, keyword: NameId, value_type: ValueType, sheet: NameId, area: Area) {
        let imagined = self
            .typed(keyword, value_type, sheet, area)
            .or_else(|| self.spelled(keyword, value_type, sheet, area));
        self.imagined.extend(imagined);
    }

    /// A prediction without its text, where it is known what the text would give.
    fn typed(&mut self, keyword: NameId, value_type: ValueType, sheet: NameId, area: Area) -> Option<Imagined> {
        let earlier = self
            .imagined
            .iter()
            .rev()
            .find(|earlier| earlier.seen.keyword == keyword);
        let plain = self.memory.vocabulary.is_plain(sheet) && is_plain_area(area.bounds());
        let latest = self.memory.latest(keyword).filter(|_| plain)?;
        let fits = latest.read_back()?.fits(area.height, area.width);
        if !fits && !latest.is_table() {
            return None;
        }
        let formula = match earlier.map(|earlier| &earlier.form) {
            Some(Form::Text { .. }) => return None,
            Some(Form::Formula(text)) => Some(text),
            Some(Form::Latest | Form::Misfit) | None => latest.formula(),
        };
        let form = match formula {
            Some(text) if value_type == ValueType::Formula => {
                let from = earlier.map_or(latest.seen.area.start, |earlier| earlier.seen.area.start);
                Form::Formula(moved(text, from, area.start))
            }
            Some(text) if earlier.is_some() => Form::Formula(text.clone()),
            _ if fits => Form::Latest,
            _ => Form::Misfit,
        };
        let seen = Seen {
            keyword,
            sheet,
            area,
            value_type: latest.seen.value_type,
        };
        Some(Imagined { seen, form })
    }

    /// A prediction by way of its text.
    fn spelled(&mut self, keyword: NameId, value_type: ValueType, sheet: NameId, area: Area) -> Option<Imagined> {
        let (from, value) = match self
            .imagined
            .iter()
            .rev()
            .find(|earlier| earlier.seen.keyword == keyword)
        {
            Some(earlier) => (earlier.seen.area.start, self.value(keyword, earlier.form.clone())?),
            None => {
                let latest = self.memory.latest(keyword)?;
                (latest.seen.area.start, latest.value())
            }
        };
        let value = if value_type == ValueType::Formula && value.starts_with('=') {
            moved(&value, from, area.start)
        } else {
            value
        };
        let text = self.text(keyword, sheet, area, &value)?;
        let (seen, content) = self.memory.vocabulary.see_text(&text);
        let value = content.text();
        Some(Imagined {
            seen,
            form: Form::Text { text, value },
        })
    }

    fn text(&self, keyword: NameId, sheet: NameId, area: Area, value: &str) -> Option<String> {
        let Vocabulary { keywords, sheets, .. } = &self.memory.vocabulary;
        Some(join(keywords.text(keyword)?, sheets.text(sheet)?, area, value))
    }

    fn value(&mut self, keyword: NameId, form: Form) -> Option<Arc<str>> {
        match form {
            Form::Latest | Form::Misfit => Some(self.memory.latest(keyword)?.value()),
            Form::Formula(value) | Form::Text { value, .. } => Some(value),
        }
    }

    /// The texts of the predicted actions.
    pub(super) fn into_texts(mut self) -> Vec<String> {
        let imagined = std::mem::take(&mut self.imagined);
        let text = |imagined: Imagined| match imagined.form {
            Form::Text { text, .. } => Some(text),
            Form::Misfit => self.misfit_text(&imagined.seen),
            Form::Latest | Form::Formula(_) => self.action(&imagined).map(|action| action.to_string()),
        };
        imagined.into_iter().filter_map(text).collect()
    }

    /// Proposes the predicted actions, at most so many; a text that is no action is kept among the rejected ones.
    pub(super) fn propose(mut self, actions_max: usize, out: &mut Proposals) {
        for imagined in std::mem::take(&mut self.imagined) {
            let room = out.actions().len() < actions_max;
            match &imagined.form {
                Form::Text { text, .. } => {
                    let _ = out.push_text(text, None);
                    out.truncate(actions_max);
                }
                Form::Misfit => {
                    let refused = self.misfit_text(&imagined.seen).zip(self.misfit(&imagined.seen));
                    if let Some((text, error)) = refused {
                        out.reject(text, error.to_string());
                    }
                }
                Form::Latest | Form::Formula(_) if room => {
                    if let Some(action) = self.action(&imagined) {
                        out.push(action, None);
                    }
                }
                Form::Latest | Form::Formula(_) => {}
            }
        }
    }

    /// The text of a table on a range that it does not fit.
    fn misfit_text(&mut self, seen: &Seen) -> Option<String> {
        let value = self.memory.latest(seen.keyword)?.value();
        self.text(seen.keyword, seen.sheet, seen.area, &value)
    }

    /// Why that text is no action.
    fn misfit(&mut self, seen: &Seen) -> Option<ParseError> {
        let range = Range::from_bounds(DEFAULT_SHEET.into(), seen.area.bounds());
        match &self.memory.latest(seen.keyword)?.content {
            Content::Edit(Edit::Input { value }, _) => typed(range, value.clone()).err(),
            _ => None,
        }
    }

    /// The action of a prediction that fits its range.
    fn action(&mut self, imagined: &Imagined) -> Option<Action> {
        let sheet = self.memory.vocabulary.sheets.text(imagined.seen.sheet)?.clone();
        let latest = self.memory.latest(imagined.seen.keyword)?;
        let inverse = latest.read_back()?.inverse;
        let edit = match (&imagined.form, &latest.content) {
            (Form::Formula(text), _) => Edit::Formula {
                text: Some(text.clone()),
            },
            (_, Content::Edit(edit, _)) => edit.clone(),
            _ => return None,
        };
        let range = Range::from_bounds(sheet, imagined.seen.area.bounds());
        Some(Action::new(range, edit).with_inverse(inverse))
    }
}

/// A formula after a move from one cell to another.
fn moved(formula: &Arc<str>, from: CellAddress, to: CellAddress) -> Arc<str> {
    let (rows, cols) = (to.row - from.row, to.col - from.col);
    if (rows, cols) == (0, 0) {
        formula.clone()
    } else {
        shift_references(formula, rows, cols).into()
    }
}

//! A predictor whose values are replaced by those of the value models; where it acts and with what keyword stays.

use napsim_sim::predictor::{
    Budget, Fingerprint, PredictError, Predictor, Proposals, Seed, TrajectoryHead, Usage, View,
};
use napsim_trajectories::parse::SEPARATOR;
use napsim_trajectories::{Action, Edit, Keyword, Range, Value, json};

use crate::candidates::{ContentKind, EditId, Place, Scene, TextId, edit_of, slot};
use crate::reading::as_written;
use crate::values::{self, Suggestion};

/// Below this confidence of a value model the predictor's own value stays.
const CONFIDENCE_MIN: f32 = 0.35;

/// Asks another predictor and puts the value models' values into its answer: series go on, formulas and sources move,
/// tables take the size of their range, formats are those of the column or row.
pub struct Revalued {
    inner: Box<dyn Predictor>,
    scene: Scene,
    suggestions: Vec<Suggestion>,
}

impl Revalued {
    /// Takes over the places and keywords of a predictor.
    pub fn new(inner: Box<dyn Predictor>) -> Self {
        Self {
            inner,
            scene: Scene::default(),
            suggestions: Vec::new(),
        }
    }

    /// The edit that belongs at a place where the predictor would do this one.
    fn edit(&mut self, own: EditId, place: Place) -> Option<EditId> {
        let known = self.scene.edits.get(own).clone();
        let latest = self.scene.latest_of(known.keyword_idx).next().copied();
        let moved = latest.map(|step| (place.row - step.place.row, place.col - step.place.col));
        match (&known.edit, known.content) {
            (Edit::Input { value }, ContentKind::Grid) => {
                let table = values::resized(value, (place.height, place.width), moved.unwrap_or_default())?;
                Some(self.scene.edits.input(table))
            }
            (Edit::Autofill { .. } | Edit::Paste { .. }, _) => {
                let (rows, cols) = moved?;
                let moved = values::moved_source(&self.scene.edits.get(latest?.edit).edit.clone(), rows, cols)?;
                Some(self.scene.edits.intern(&moved))
            }
            (Edit::Input { .. }, kind) if kind != ContentKind::None && place.is_cell() => {
                self.suggestions.clear();
                values::content(
                    &mut self.scene,
                    (place.sheet, place.row, place.col),
                    &mut self.suggestions,
                );
                // The first of equals is the nearest one.
                let best = self.suggestions.iter().rev().max_by(|a, b| a.2.total_cmp(&b.2));
                best.filter(|(.., confidence)| *confidence >= CONFIDENCE_MIN)
                    .map(|(edit, ..)| *edit)
            }
            _ => self.neighbour_format(known.keyword, place),
        }
    }

    /// The format that the cell above or before has in the keyword's slot.
    fn neighbour_format(&self, keyword: Keyword, place: Place) -> Option<EditId> {
        let position = slot(keyword)?;
        let neighbours = [(place.row - 1, place.col), (place.row, place.col - 1)];
        let mut formats = neighbours.into_iter().filter_map(|(row, col)| {
            let format = self.scene.look(place.sheet, row, col).formats.get(position).copied();
            format.filter(|format| *format != TextId::FRESH)
        });
        edit_of(&self.scene, position, formats.next()?)
    }

    /// Reads a table or a source that does not fit its range, which is no action as it stands.
    fn misfit(&mut self, text: &str) -> Option<(EditId, Place)> {
        let mut fields = text.splitn(3, SEPARATOR);
        let (keyword, range, value) = (fields.next()?, fields.next()?, fields.next()?);
        let edit = match Keyword::from_text(keyword)? {
            Keyword::Input => Edit::Input {
                value: json::read(value).ok().filter(|value| matches!(value, Value::List(_)))?,
            },
            Keyword::Autofill => Edit::Autofill { source: value.into() },
            _ => return None,
        };
        let action = Action::new(Range::parse(range).ok()?, edit);
        Some(self.scene.number(&action))
    }

    fn propose(&mut self, own: EditId, place: Place, confidence: Option<f64>, out: &mut Proposals) {
        let edit = self.edit(own, place).unwrap_or(own);
        let action = self.scene.action(edit, place);
        if let Some(action) = action.as_ref().and_then(as_written) {
            out.push(action, confidence);
            self.scene.imagine(edit, place);
        }
    }
}

impl Predictor for Revalued {
    fn fingerprint(&self) -> Fingerprint {
        Fingerprint(format!("{}&values=v2", self.inner.fingerprint()))
    }

    fn begin(&mut self, head: TrajectoryHead<'_>, seed: Seed) {
        self.scene.clear();
        self.inner.begin(head, seed);
    }

    fn observe(&mut self, actions: &[Action]) {
        for action in actions {
            self.scene.observe(action);
        }
        self.inner.observe(actions);
    }

    fn predict(&mut self, view: View<'_>, budget: Budget, out: &mut Proposals) -> Result<Usage, PredictError> {
        let mut own = Proposals::default();
        let usage = self.inner.predict(view, budget, &mut own)?;
        for proposal in own.actions() {
            let (edit, place) = self.scene.number(&proposal.action);
            self.propose(edit, place, proposal.confidence, out);
        }
        for rejected in own.rejected() {
            let misfit = if out.is_empty() {
                self.misfit(&rejected.text)
            } else {
                None
            };
            match misfit {
                Some((edit, place)) => self.propose(edit, place, None, out),
                None => out.reject(&*rejected.text, &*rejected.reason),
            }
        }
        self.scene.wake();
        Ok(usage)
    }

    fn withdrawn(&mut self) {
        self.inner.withdrawn();
    }

    fn refused(&mut self, actions: &[Action]) {
        self.inner.refused(actions);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{OnlineNgram, OnlineNgramConfig};
    use napsim_sim::predictor::CurrentWorkbook;

    fn check(history: &[&str], expect: &str) {
        let history: Vec<Action> = history.iter().map(|text| Action::parse(text).unwrap()).collect();
        let mut predictor = Revalued::new(Box::new(OnlineNgram::new(OnlineNgramConfig::default())));
        let head = TrajectoryHead {
            name: "t",
            sheet: "Sheet1",
        };
        predictor.begin(head, Seed(0));
        predictor.observe(&history);
        let mut out = Proposals::default();
        let view = View {
            history: &history,
            current: &CurrentWorkbook::default(),
            user_steps: 0,
            call_idx: 0,
        };
        predictor
            .predict(view, Budget { actions_max: Some(1) }, &mut out)
            .unwrap();
        let proposed: Vec<String> = out
            .actions()
            .iter()
            .map(|proposal| proposal.action.to_string())
            .collect();
        assert_eq!(proposed, [expect]);
    }

    #[test]
    fn numbers_go_on_and_formulas_move() {
        let numbers = [
            "INPUT | Sheet1!A1 | 10",
            "INPUT | Sheet1!A2 | 20",
            "INPUT | Sheet1!A3 | 30",
        ];
        check(&numbers, "INPUT | Sheet1!A4 | 40");
        let formulas = [
            "INPUT | Sheet1!C1 | \"=A1*B$1\"",
            "INPUT | Sheet1!C2 | \"=A2*B$1\"",
            "INPUT | Sheet1!C3 | \"=A3*B$1\"",
        ];
        check(&formulas, "INPUT | Sheet1!C4 | \"=A4*B$1\"");
    }

    #[test]
    fn sources_of_fills_move() {
        let fills = [
            "AUTOFILL | Sheet1!A1:A5 | A1",
            "AUTOFILL | Sheet1!B1:B5 | B1",
            "AUTOFILL | Sheet1!C1:C5 | C1",
        ];
        check(&fills, "AUTOFILL | Sheet1!D1:D5 | D1");
    }
}

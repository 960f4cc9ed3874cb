//! The n-gram as a ranking: how likely each candidate is to come next, by all orders together.
//!
//! Where the published lookup lets the longest known context decide alone, here every order has its say, each trusted
//! as far as its context is known (interpolated Witten–Bell smoothing).

use std::sync::Arc;

use napsim_trajectories::Keyword;
use rustc_hash::FxHashMap;

use super::symbol::{Symbol, SymbolId};
use super::{NgramModel, Tables};
use crate::candidates::{EditId, Place, Scene};
use crate::feature::{self, Step};
use crate::ranked::Ranker;
use crate::ranking::{Desk, Gate, likelihood};

/// The probability of a symbol that training never saw, shared by all of them.
const UNSEEN: f32 = 1e-5;

/// Columns beside those of every likelihood: step and shape are the usual ones.
const N_OWN: usize = 3;

/// Columns of a row.
pub(super) const N_COLUMNS: usize = likelihood::N_COLUMNS + N_OWN;

/// Ranks candidates by a trained n-gram.
#[derive(Clone, Debug)]
pub struct NgramRanker {
    model: Arc<NgramModel>,
    gate: Arc<Gate>,
    /// Numbers of the keywords in the model, by position among all.
    keywords: Arc<[Option<u32>]>,
    /// Share of each symbol among all that followed something.
    shares: Arc<[f32]>,
    max_n: usize,
    probabilities: FxHashMap<SymbolId, f32>,
    wanted: Vec<Option<SymbolId>>,
    log_probabilities: Vec<f32>,
    rows: Vec<f32>,
    usual: Vec<Usual>,
}

impl NgramRanker {
    /// A ranker with the tables of a model.
    pub fn new(model: Arc<NgramModel>, gate: Arc<Gate>) -> Self {
        let tables = model.tables();
        let keywords = Keyword::ALL
            .iter()
            .map(|keyword| tables.symbols.keyword_id(keyword.text()));
        let keywords = keywords.collect();
        let mut shares = vec![UNSEEN; tables.symbols.len()];
        if let Some(root) = tables.contexts.successors(&[]) {
            for (symbol, count) in root.iter() {
                if let Some(share) = usize::try_from(symbol.0).ok().and_then(|idx| shares.get_mut(idx)) {
                    *share = ratio(count, root.total()).max(UNSEEN);
                }
            }
        }
        Self {
            gate,
            keywords,
            shares: shares.into(),
            max_n: 8,
            model,
            probabilities: FxHashMap::default(),
            wanted: Vec::new(),
            log_probabilities: Vec::new(),
            rows: Vec::new(),
            usual: Vec::new(),
        }
    }

    /// The symbol of an action after another one, if training saw it.
    fn symbol(&self, scene: &Scene, edit: EditId, place: Place, before: Option<Place>) -> Option<SymbolId> {
        let known = scene.edits.get(edit);
        let keyword = *self.keywords.get(known.keyword_idx)?;
        let tables = self.model.tables();
        let step = before.map_or_else(Step::default, |before| step_between(before, place));
        let place = feature::Place::of(step, place.height.into(), place.width.into(), tables.range_mode());
        tables.symbols.find(Symbol {
            keyword: keyword?,
            place,
            value_type: known.value_type,
        })
    }

    /// Fills in the probability of each wanted symbol after the history.
    fn look_up(&mut self, scene: &Scene) {
        let share = |symbol: SymbolId| {
            let idx = usize::try_from(symbol.0).ok();
            idx.and_then(|idx| self.shares.get(idx)).copied().unwrap_or(UNSEEN)
        };
        self.probabilities.clear();
        self.probabilities
            .extend(self.wanted.iter().flatten().map(|symbol| (*symbol, share(*symbol))));
        let steps = scene.steps();
        let latest = (0..steps.len()).rev().take(self.max_n).map_while(|position| {
            let step = steps.get(position)?;
            let before = position.checked_sub(1).and_then(|before| steps.get(before));
            self.symbol(scene, step.edit, step.place, before.map(|before| before.place))
        });
        let model = Arc::clone(&self.model);
        let latest: Vec<SymbolId> = latest.collect();
        for successors in model.tables().contexts.orders(latest.into_iter()).skip(1) {
            let (total, distinct) = (successors.total(), successors.n_distinct());
            let known = ratio(total, total.saturating_add(distinct));
            // Only a handful is wanted, so the rest is scaled first and what was seen is added to it.
            #[expect(clippy::iter_over_hash_type, reason = "each is scaled by itself")]
            for probability in self.probabilities.values_mut() {
                *probability *= 1.0 - known;
            }
            for (symbol, count) in successors.iter() {
                if let Some(probability) = self.probabilities.get_mut(&symbol) {
                    *probability += known * ratio(count, total);
                }
            }
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "shares need no more precision")]
fn ratio(part: u32, whole: u32) -> f32 {
    part as f32 / whole.max(1) as f32
}

fn step_between(before: Place, place: Place) -> Step {
    Step {
        rows: (place.row - before.row).into(),
        cols: (place.col - before.col).into(),
        height: (place.height - before.height).into(),
        width: (place.width - before.width).into(),
        sheet_changed: place.sheet != before.sheet,
    }
}

/// A step and a size, each by two numbers, that a keyword usually has.
type Usual = (Option<(i64, i64)>, Option<(i64, i64)>);

/// The usual step and shape of every keyword after one of them.
fn usual_after(tables: &Tables, keywords: &[Option<u32>], from: Option<u32>, out: &mut Vec<Usual>) {
    out.clear();
    out.extend(keywords.iter().map(|to| {
        let step = from.zip(*to).and_then(|(from, to)| tables.typical.step(from, to));
        (step, to.and_then(|to| tables.typical.shape(to)))
    }));
}

/// Whether step and shape are the usual ones, and whether the size is that of the last action.
fn is_usual((typical, shape): Usual, before: Place, place: Place) -> [f32; N_OWN] {
    let flag = |on: bool| f32::from(u8::from(on));
    let step = step_between(before, place);
    [
        flag(typical == Some((step.rows, step.cols))),
        flag(shape == Some((place.height.into(), place.width.into()))),
        flag((before.height, before.width) == (place.height, place.width)),
    ]
}

impl Ranker for NgramRanker {
    fn n_columns(&self) -> usize {
        N_COLUMNS
    }

    fn begin(&mut self) {}

    fn describe(&mut self, desk: &Desk, rows: &mut Vec<f32>) {
        rows.clear();
        let scene = &desk.scene;
        let Some(last) = scene.last().copied() else { return };
        let mut wanted = std::mem::take(&mut self.wanted);
        wanted.clear();
        wanted.extend(
            desk.candidates()
                .iter()
                .map(|candidate| self.symbol(scene, candidate.edit, candidate.place, Some(last.place))),
        );
        self.wanted = wanted;
        self.look_up(scene);
        self.log_probabilities.clear();
        self.log_probabilities.extend(self.wanted.iter().map(|symbol| {
            let probability = symbol.and_then(|symbol| self.probabilities.get(&symbol)).copied();
            probability.unwrap_or(UNSEEN).ln()
        }));
        likelihood::describe(desk, &self.log_probabilities, &mut self.rows);
        let from = self.keywords.get(last.keyword_idx).copied().flatten();
        usual_after(self.model.tables(), &self.keywords, from, &mut self.usual);
        for (candidate, row) in desk
            .candidates()
            .iter()
            .zip(self.rows.chunks_exact(likelihood::N_COLUMNS))
        {
            rows.extend_from_slice(row);
            let own = scene.edits.get(candidate.edit).keyword_idx;
            let known = self.usual.get(own).copied().unwrap_or_default();
            rows.extend(is_usual(known, last.place, candidate.place));
        }
    }

    fn weigh(&self, rows: &[f32], scores: &mut Vec<f32>) {
        self.gate.score(rows, scores);
    }
}

//! The network as a ranking: how likely each candidate is to come next.

use std::sync::Arc;

use napsim_recurrent::{Details, OP_TYPES, Scores, Token};

use super::LstmModel;
use super::reader::Reader;
use super::token::{buckets, of_numbers};
use crate::candidates::{Candidate, Place, Scene};
use crate::feature::RangeMode;
use crate::ranked::Ranker;
use crate::ranking::{Desk, Gate, likelihood};

/// The log-probability of what the network has no number for.
const IMPOSSIBLE: f32 = -40.0;

/// Ranks candidates by a trained network.
///
/// The probability of a candidate is that of its op type, times those of its four range quantities and its value type
/// given the op type. Keywords without an id share that of the unknown ones.
#[derive(Clone, Debug)]
pub struct LstmRanker {
    model: Arc<LstmModel>,
    gate: Arc<Gate>,
    /// After the observed actions that were read.
    reader: Reader,
    n_read: usize,
    details: Vec<Option<Details>>,
    log_probabilities: Vec<f32>,
}

impl LstmRanker {
    /// A ranker with the network of a model.
    pub fn new(model: Arc<LstmModel>, gate: Arc<Gate>) -> Self {
        Self {
            reader: Reader::new(&model.network),
            model,
            gate,
            n_read: 0,
            details: vec![None; OP_TYPES],
            log_probabilities: Vec::new(),
        }
    }

    /// What comes next, after all actions of the scene, imagined ones too.
    fn look(&mut self, scene: &Scene) -> Scores {
        if self.n_read > scene.n_observed() {
            self.begin();
        }
        let network = &self.model.network;
        while self.n_read < scene.n_observed() {
            self.reader
                .read(network, token_at(scene, self.n_read, self.model.range_mode));
            self.n_read += 1;
        }
        if scene.steps().len() == self.n_read {
            return self.reader.scores(network);
        }
        let mut reader = self.reader.clone();
        for position in self.n_read..scene.steps().len() {
            reader.read(network, token_at(scene, position, self.model.range_mode));
        }
        reader.scores(network)
    }

    /// The natural logarithm of the probability that this candidate comes next.
    fn log_probability(&mut self, scores: &Scores, scene: &Scene, candidate: &Candidate) -> f32 {
        let known = scene.edits.get(candidate.edit);
        let op_type = usize::from(known.keyword_id);
        let (Some(own), Some(details)) = (scores.op_type.get(op_type), self.details.get_mut(op_type)) else {
            return IMPOSSIBLE;
        };
        if details.is_none() {
            *details = self.model.network.details_given(scores, known.keyword_id).ok();
        }
        let Some(details) = details else { return IMPOSSIBLE };
        let mode = self.model.range_mode;
        let numbers = numbers(scene.last().map(|last| last.place), candidate.place, mode);
        let ranges = details.ranges.iter().zip(buckets(numbers, mode));
        let ranges: f32 = ranges
            .map(|(range, bucket)| range.get(usize::from(bucket)).copied().unwrap_or(IMPOSSIBLE))
            .sum();
        let value_type = details.value_type.get(usize::from(known.value_type.id()));
        own + ranges + value_type.copied().unwrap_or(IMPOSSIBLE)
    }
}

/// The token of an action of the scene.
fn token_at(scene: &Scene, position: usize, range_mode: RangeMode) -> Token {
    let Some(step) = scene.steps().get(position) else {
        return Token::PADDING;
    };
    let before = position.checked_sub(1).and_then(|before| scene.steps().get(before));
    let known = scene.edits.get(step.edit);
    let numbers = numbers(before.map(|before| before.place), step.place, range_mode);
    of_numbers(known.keyword_id, numbers, known.value_type, range_mode)
}

/// What [`RangeMode::range_numbers`] gives, of places.
fn numbers(before: Option<Place>, place: Place, range_mode: RangeMode) -> [i64; 4] {
    let all = |place: Place| [place.row, place.col, place.height, place.width].map(i64::from);
    let own = all(place);
    match range_mode {
        RangeMode::Absolute => own,
        RangeMode::Relative => {
            let mut steps = before.map_or(own, all);
            for (step, own) in steps.iter_mut().zip(own) {
                *step = own - *step;
            }
            steps
        }
    }
}

impl Ranker for LstmRanker {
    fn n_columns(&self) -> usize {
        likelihood::N_COLUMNS
    }

    fn begin(&mut self) {
        self.reader = Reader::new(&self.model.network);
        self.n_read = 0;
    }

    fn describe(&mut self, desk: &Desk, rows: &mut Vec<f32>) {
        let scene = &desk.scene;
        let scores = self.look(scene);
        self.details.iter_mut().for_each(|details| *details = None);
        let mut log_probabilities = std::mem::take(&mut self.log_probabilities);
        log_probabilities.clear();
        for candidate in desk.candidates() {
            log_probabilities.push(self.log_probability(&scores, scene, candidate));
        }
        likelihood::describe(desk, &log_probabilities, rows);
        self.log_probabilities = log_probabilities;
    }

    fn weigh(&self, rows: &[f32], scores: &mut Vec<f32>) {
        self.gate.score(rows, scores);
    }
}

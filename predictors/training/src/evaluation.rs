//! How often a predictor names the next action of sequences that somebody else built (teacher-forced).
//!
//! Unlike a run this does not ask what a proposal is worth to a user: a prediction is right if it is the next action. It
//! is quick and needs no simulation, so that models can be compared while they are made.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use napsim_sim::predictor::{Budget, CurrentWorkbook, Predictor, Proposals, Seed, TrajectoryHead, View};
use napsim_trajectories::Action;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::{Deserialize, Serialize};

use crate::Progress;
use crate::sequences::Sequence;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluationOptions {
    /// Most positions; where there are more, so many are drawn.
    pub positions_max: usize,
    /// Seed of the draw, and of the predictor.
    pub seed: u64,
}

/// How often predictions were right.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evaluation {
    /// Over all positions.
    pub all: Tally,
    /// By family of the action that came next, by the family's name.
    pub families: BTreeMap<String, Tally>,
}

/// Counts of positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Positions asked about.
    pub n_positions: u64,
    /// Where anything was proposed; calls that failed count as nothing.
    pub answered: u64,
    /// Where the first proposal has the keyword of the next action.
    pub kind: u64,
    /// Where it has its sheet and range, whatever the keyword.
    pub range: u64,
    /// Where it has its keyword and its value, whatever the range.
    pub value: u64,
    /// Where it is the next action: keyword, range and value.
    pub action: u64,
}

impl Tally {
    fn count(&mut self, proposed: Option<&Action>, next: &Action) {
        self.n_positions += 1;
        let Some(proposed) = proposed else { return };
        let kind = proposed.keyword() == next.keyword();
        let (range, next_range) = (proposed.range(), next.range());
        let range = range.sheet() == next_range.sheet() && range.bounds() == next_range.bounds();
        let value = kind && proposed.on_range(next.range().clone()).with_inverse(next.is_inverse()) == *next;
        self.answered += 1;
        self.kind += u64::from(kind);
        self.range += u64::from(range);
        self.value += u64::from(value);
        self.action += u64::from(range && value);
    }

    fn add(&mut self, other: &Tally) {
        self.n_positions += other.n_positions;
        self.answered += other.answered;
        self.kind += other.kind;
        self.range += other.range;
        self.value += other.value;
        self.action += other.action;
    }
}

impl Evaluation {
    fn add(&mut self, other: &Evaluation) {
        self.all.add(&other.all);
        for (family, tally) in &other.families {
            self.families.entry(family.clone()).or_default().add(tally);
        }
    }

    fn count(&mut self, proposed: Option<&Action>, next: &Action) {
        self.all.count(proposed, next);
        let family = next.family().name();
        self.families
            .entry(family.to_owned())
            .or_default()
            .count(proposed, next);
    }
}

/// Asks a predictor for the next action at positions of the sequences, each after the true history.
///
/// Every action but the first of a sequence can be asked for. `make` gives a predictor that has seen nothing; sequences
/// are worked on in parallel, and the outcome does not depend on the number of threads.
pub fn evaluate(
    sequences: &[Sequence],
    make: &(dyn Fn() -> Box<dyn Predictor> + Sync),
    options: EvaluationOptions,
    progress: &(dyn Fn(Progress) + Sync),
) -> Evaluation {
    let positions = drawn(sequences, options);
    let total = u64::try_from(positions.len()).unwrap_or(u64::MAX);
    let n_done = AtomicU64::new(0);
    let evaluated: Vec<Evaluation> = positions
        .into_par_iter()
        .map(|(sequence, positions)| {
            let evaluation = evaluate_one(sequence, &positions, make().as_mut(), options.seed);
            let done = n_done.fetch_add(1, Ordering::Relaxed) + 1;
            progress(Progress::Evaluating { done, total });
            evaluation
        })
        .collect();
    let mut sum = Evaluation::default();
    evaluated.iter().for_each(|evaluation| sum.add(evaluation));
    sum
}

/// The sequences with the indices of the actions to be predicted, ascending.
fn drawn(sequences: &[Sequence], options: EvaluationOptions) -> Vec<(&Sequence, Vec<usize>)> {
    let n_of = |sequence: &Sequence| sequence.actions.len().saturating_sub(1);
    let n_all: usize = sequences.iter().map(n_of).sum();
    let n_drawn = n_all.min(options.positions_max);
    let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
    let mut drawn = rand::seq::index::sample(&mut rng, n_all, n_drawn).into_vec();
    drawn.sort_unstable();
    let mut drawn = drawn.into_iter().peekable();
    let mut begin = 0;
    let mut chosen = Vec::new();
    for sequence in sequences {
        let end = begin + n_of(sequence);
        let mut positions = Vec::new();
        while let Some(position) = drawn.next_if(|position| *position < end) {
            positions.push(position - begin + 1);
        }
        if !positions.is_empty() {
            chosen.push((sequence, positions));
        }
        begin = end;
    }
    chosen
}

fn evaluate_one(sequence: &Sequence, positions: &[usize], predictor: &mut dyn Predictor, seed: u64) -> Evaluation {
    let mut evaluation = Evaluation::default();
    let Some(first) = sequence.actions.first() else {
        return evaluation;
    };
    let head = TrajectoryHead {
        name: &sequence.id,
        sheet: first.range().sheet(),
    };
    predictor.begin(head, Seed(seed));
    let current = CurrentWorkbook::default();
    let mut n_observed = 0;
    for (position, call_idx) in positions.iter().zip(0..) {
        let (Some(history), Some(next)) = (sequence.actions.get(..*position), sequence.actions.get(*position)) else {
            continue;
        };
        predictor.observe(history.get(n_observed..).unwrap_or_default());
        n_observed = history.len();
        let view = View {
            history,
            current: &current,
            user_steps: u32::try_from(history.len()).unwrap_or(u32::MAX),
            call_idx,
        };
        let mut out = Proposals::default();
        let answer = predictor.predict(view, Budget { actions_max: Some(1) }, &mut out);
        let proposed = answer.ok().and_then(|_| out.actions().first());
        evaluation.count(proposed.map(|proposal| &proposal.action), next);
    }
    evaluation
}

#[cfg(test)]
mod tests;

//! Rows for predictors whose model says how likely a next action is: its log-probability, and what the value models and
//! the outcomes of earlier offers add to that.
//!
//! A [`Gate`](super::Gate) weighs them. Keyword and place are the model's business, so nothing here describes them.

use super::Desk;
use crate::candidates::{Candidate, ContentKind, N_SOURCES};

/// Value models, each with a column of its own.
const N_VALUE_MODELS: usize = 13;
/// Columns before those of the sources and value models.
const N_FIRST: usize = 12;

/// How many columns a row has.
pub const N_COLUMNS: usize = N_FIRST + N_SOURCES + N_VALUE_MODELS;

/// The lowest log-probability that is told from impossible.
const LOG_MIN: f32 = -20.0;

/// Describes the candidates that the desk made last: `[n_candidates, N_COLUMNS]`, from the natural logarithm of the
/// probability of each.
pub fn describe(desk: &Desk, log_probabilities: &[f32], rows: &mut Vec<f32>) {
    rows.clear();
    let highest = log_probabilities.iter().copied().fold(LOG_MIN, f32::max);
    for (candidate, log_probability) in desk.candidates().iter().zip(log_probabilities) {
        row(desk, candidate, log_probability.max(LOG_MIN), highest, rows);
    }
}

fn row(desk: &Desk, candidate: &Candidate, log_probability: f32, highest: f32, rows: &mut Vec<f32>) {
    let Candidate { edit, place, evidence } = *candidate;
    let scene = &desk.scene;
    let known = scene.edits.get(edit);
    let flag = |on: bool| f32::from(u8::from(on));
    #[expect(clippy::cast_precision_loss, reason = "counts, of which the logarithm is taken")]
    let log = |count: usize| (1.0 + count as f32).ln();
    let is_content = known.content != ContentKind::None;
    let filled = scene.sketch.is_filled(place.sheet, place.row, place.col);
    let outcomes = &desk.outcomes;
    rows.extend([
        log_probability,
        log_probability - highest,
        // Beside one another, two logarithms can be weighed as a product of probabilities.
        evidence.value_confidence.max(0.01).ln(),
        log(usize::from(evidence.votes)),
        log(usize::from(evidence.match_length)),
        log(usize::try_from(scene.used(edit).times).unwrap_or(usize::MAX)),
        flag(is_content && filled),
        flag(!is_content && filled),
        flag(!place.is_cell()),
        log(usize::try_from(outcomes.refused_in_a_row).unwrap_or(usize::MAX)),
        outcomes.source_share(candidate).ln(),
        outcomes.keyword_share(known.keyword_idx).ln(),
    ]);
    rows.extend((0..N_SOURCES).map(|source| flag(evidence.sources >> source & 1 == 1)));
    let model = evidence.value_model as usize;
    rows.extend((0..N_VALUE_MODELS).map(|idx| flag(is_content && idx == model)));
}

//! The gradient of attention.

use std::ops::Range;

use candle_core::Result;

use super::attention::{Heads, Piece, Projected, add_rows, pieces};
use super::kernels::{dot, exp, wide};
use super::product::{Numbers, product};

/// What the forward pass gave, and the gradient of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attended<'a> {
    pub(crate) read: &'a Numbers,
    pub(crate) log_sums: &'a [f32],
    pub(crate) read_gradient: &'a Numbers,
}

/// Gradients of queries, keys and values.
pub(crate) fn attend_gradient(
    heads: Heads,
    texts: &[Range<usize>],
    projected: Projected<'_>,
    attended: Attended<'_>,
) -> Result<[Numbers; 3]> {
    let zeros = |like: &Numbers| Numbers::zeros(like.as_slice().len());
    let mut queries = zeros(projected.queries);
    let mut keys = zeros(projected.keys);
    let mut values = zeros(projected.values);
    for piece in pieces(heads, texts, projected) {
        let mut probabilities = product(piece.queries, piece.keys.t())?;
        let (at, step) = piece.query_place;
        let given = attended.read_gradient.part(at, (piece.n_rows, heads.width), step);
        let mut slopes = product(given, piece.values.t())?;
        scores_gradient(heads, &piece, attended, &mut probabilities, &mut slopes);
        let seen = piece.before + piece.n_rows;
        let (probabilities, slopes) = (probabilities.rows(seen), slopes.rows(seen));
        add_rows(
            &mut queries,
            piece.query_place,
            &product(slopes, piece.keys)?,
            heads.width,
        );
        let over_rows = product(slopes.t(), piece.queries)?;
        add_rows(&mut keys, piece.kv_place, &over_rows, heads.width);
        let over_rows = product(probabilities.t(), given)?;
        add_rows(&mut values, piece.kv_place, &over_rows, heads.width);
    }
    Ok([queries, keys, values])
}

/// Turns scores into probabilities and the gradient of the probabilities into that of the scores.
fn scores_gradient(
    heads: Heads,
    piece: &Piece<'_>,
    attended: Attended<'_>,
    scores: &mut Numbers,
    slopes: &mut Numbers,
) {
    let seen = piece.before + piece.n_rows;
    let (at, step) = piece.query_place;
    let n_tokens = attended.log_sums.len() / heads.n_query.max(1);
    let first = piece.head * n_tokens + piece.first;
    let log_sums = attended.log_sums.get(first..first + piece.n_rows).unwrap_or_default();
    let of_head = |numbers| Numbers::as_slice(numbers).get(at..).unwrap_or_default().chunks(step);
    let scale = heads.scale();
    wide(|| {
        let rows = scores.as_mut_slice().chunks_exact_mut(seen.max(1));
        let rows = rows.zip(slopes.as_mut_slice().chunks_exact_mut(seen.max(1)));
        let read = of_head(attended.read).zip(of_head(attended.read_gradient));
        for ((((scores, slopes), log_sum), (read, given)), allowed) in
            rows.zip(log_sums).zip(read).zip(piece.before + 1..)
        {
            let read = read.get(..heads.width).unwrap_or_default();
            let given = given.get(..heads.width).unwrap_or_default();
            let mean = dot(read, given);
            let (scores, later_scores) = scores.split_at_mut(allowed.min(seen));
            let (slopes, later_slopes) = slopes.split_at_mut(allowed.min(seen));
            later_scores.fill(0.0);
            later_slopes.fill(0.0);
            for (score, slope) in scores.iter_mut().zip(slopes) {
                *score = exp(*score * scale - log_sum);
                *slope = *score * (*slope - mean) * scale;
            }
        }
    });
}

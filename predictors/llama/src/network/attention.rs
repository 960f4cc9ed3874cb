//! Causal attention over texts that stand one after the other, without padding.
//!
//! Scores are worked out for some rows at a time, against the keys that they may look at, and never kept: the backward pass
//! needs only the logarithm of each row's sum.

use std::ops::Range;

use candle_core::Result;

use super::kernels::{exp, highest, sum, wide};
use super::product::{Numbers, View, product};
use crate::config::LlamaConfig;

/// Rows of a text whose scores are worked out at once.
pub(crate) const ROWS: usize = 128;

/// The heads of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heads {
    pub(crate) n_query: usize,
    pub(crate) n_kv: usize,
    pub(crate) width: usize,
}

impl Heads {
    pub(crate) fn of(config: &LlamaConfig) -> Self {
        Self {
            n_query: config.num_attention_heads,
            n_kv: config.n_kv_heads(),
            width: config.head_dim(),
        }
    }

    /// What scores are multiplied by.
    #[expect(clippy::cast_precision_loss, reason = "heads are narrow")]
    pub(crate) fn scale(self) -> f32 {
        1.0 / (self.width as f32).sqrt()
    }
}

/// Queries, keys and values of all texts: queries `[n_tokens, heads · width]`, the others `[n_tokens, kv heads · width]`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Projected<'a> {
    pub(crate) queries: &'a Numbers,
    pub(crate) keys: &'a Numbers,
    pub(crate) values: &'a Numbers,
}

/// Some rows of a text in one head, and the keys and values that they may look at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'a> {
    /// The query head.
    pub(crate) head: usize,
    /// Where numbers of the first row stand among the queries, and how far it is to those of the next row.
    pub(crate) query_place: (usize, usize),
    /// Where numbers of the text stand among keys and values, and how far it is to those of the next row.
    pub(crate) kv_place: (usize, usize),
    /// The first row, counted over all texts.
    pub(crate) first: usize,
    /// Rows of the text before the first one.
    pub(crate) before: usize,
    /// How many rows.
    pub(crate) n_rows: usize,
    pub(crate) queries: View<'a>,
    pub(crate) keys: View<'a>,
    pub(crate) values: View<'a>,
}

/// Goes through all texts, heads and rows, always in the same order.
pub(crate) fn pieces<'a>(
    heads: Heads,
    texts: &'a [Range<usize>],
    projected: Projected<'a>,
) -> impl Iterator<Item = Piece<'a>> {
    let (query_step, kv_step) = (heads.n_query * heads.width, heads.n_kv * heads.width);
    let group = heads.n_query / heads.n_kv.max(1);
    texts.iter().flat_map(move |text| {
        (0..heads.n_query).flat_map(move |head| {
            (0..text.len()).step_by(ROWS).map(move |before| {
                let n_rows = ROWS.min(text.len() - before);
                let first = text.start + before;
                let query_at = first * query_step + head * heads.width;
                let kv_at = text.start * kv_step + head / group * heads.width;
                let seen = (before + n_rows, heads.width);
                Piece {
                    head,
                    query_place: (query_at, query_step),
                    kv_place: (kv_at, kv_step),
                    first,
                    before,
                    n_rows,
                    queries: projected.queries.part(query_at, (n_rows, heads.width), query_step),
                    keys: projected.keys.part(kv_at, seen, kv_step),
                    values: projected.values.part(kv_at, seen, kv_step),
                }
            })
        })
    })
}

/// Adds rows of a head to where they belong.
pub(crate) fn add_rows(to: &mut Numbers, (at, step): (usize, usize), rows: &Numbers, width: usize) {
    let to = to.as_mut_slice().get_mut(at..).unwrap_or_default();
    wide(|| {
        for (to, row) in to.chunks_mut(step).zip(rows.as_slice().chunks_exact(width)) {
            for (to, number) in to.iter_mut().zip(row) {
                *to += number;
            }
        }
    });
}

/// What the heads read, `[n_tokens, heads · width]`, and the logarithm of the sum of each row's exponentials,
/// `[heads, n_tokens]`.
pub(crate) fn attend(heads: Heads, texts: &[Range<usize>], projected: Projected<'_>) -> Result<(Numbers, Vec<f32>)> {
    let n_numbers = projected.queries.as_slice().len();
    let n_tokens = n_numbers / (heads.n_query * heads.width).max(1);
    let mut read = Numbers::zeros(n_numbers);
    let mut log_sums = vec![0.0; heads.n_query * n_tokens];
    for piece in pieces(heads, texts, projected) {
        let mut scores = product(piece.queries, piece.keys.t())?;
        let first = piece.head * n_tokens + piece.first;
        let logs = log_sums.get_mut(first..first + piece.n_rows).unwrap_or_default();
        soften(&mut scores, piece.before, heads.scale(), logs);
        let rows = product(scores.rows(piece.before + piece.n_rows), piece.values)?;
        add_rows(&mut read, piece.query_place, &rows, heads.width);
    }
    Ok((read, log_sums))
}

/// Turns scores into probabilities, each row over the keys up to its own, and notes the logarithm of its sum.
fn soften(scores: &mut Numbers, before: usize, scale: f32, log_sums: &mut [f32]) {
    let seen = before + log_sums.len();
    wide(|| {
        let rows = scores.as_mut_slice().chunks_exact_mut(seen.max(1));
        for ((row, log_sum), allowed) in rows.zip(log_sums).zip(before + 1..) {
            let (row, later) = row.split_at_mut(allowed.min(seen));
            later.fill(0.0);
            let top = highest(row);
            for score in &mut *row {
                *score = exp((*score - top) * scale);
            }
            let total = sum(row);
            let inverse = 1.0 / total;
            for score in row {
                *score *= inverse;
            }
            *log_sum = top * scale + total.ln();
        }
    });
}

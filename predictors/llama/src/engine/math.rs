//! The rest of the inner loops: normalisation, rotation, activation and attention.
#![expect(
    clippy::indexing_slicing,
    reason = "the slices are cut to the lengths that the loops run to, so that no check remains"
)]

use pulp::{Simd, WithSimd};

use super::cache::HeadCache;
use super::kernel::{TILE, multiply_tile};

/// Rows divided by the root of their mean square, then weighted.
pub(super) fn normalise(input: &[f32], weights: &[f32], epsilon: f32, output: &mut [f32]) {
    let width = weights.len();
    for (input, output) in input.chunks_exact(width).zip(output.chunks_exact_mut(width)) {
        let mut squares = [0.0f32; 16];
        let (chunks, rest) = input.as_chunks::<16>();
        for chunk in chunks {
            for (sum, number) in squares.iter_mut().zip(chunk) {
                *sum += number * number;
            }
        }
        let sum = squares.iter().sum::<f32>() + rest.iter().map(|number| number * number).sum::<f32>();
        let factor = 1.0 / (sum / width as f32 + epsilon).sqrt();
        for ((output, number), weight) in output.iter_mut().zip(input).zip(weights) {
            *output = number * factor * weight;
        }
    }
}

/// Turns a head's first half against its second half, by the angles of its position.
pub(super) fn rotate(head: &mut [f32], cosines: &[f32], sines: &[f32]) {
    let (first, second) = head.split_at_mut(head.len() / 2);
    for (((a, b), cosine), sine) in first.iter_mut().zip(second).zip(cosines).zip(sines) {
        let (x, y) = (*a, *b);
        *a = x * cosine - y * sine;
        *b = y * cosine + x * sine;
    }
}

/// The exponential function to about one unit in the last place; 0 below -87.
#[inline(always)]
fn exponential<S: Simd>(simd: S, x: S::f32s) -> S::f32s {
    // Adding 1.5·2²³ rounds to a whole number, which then stands in the lowest bits.
    let magic = simd.splat_f32s(12_582_912.0);
    let low = simd.splat_f32s(-87.0);
    let clamped = simd.min_f32s(simd.max_f32s(x, low), simd.splat_f32s(88.0));
    let rounded = simd.mul_add_f32s(clamped, simd.splat_f32s(std::f32::consts::LOG2_E), magic);
    let whole = simd.sub_f32s(rounded, magic);
    // The logarithm of 2 in two parts, so that the rest is exact.
    let rest = simd.mul_add_f32s(whole, simd.splat_f32s(-0.693_359_4), clamped);
    let rest = simd.mul_add_f32s(whole, simd.splat_f32s(2.121_944_4e-4), rest);
    let mut sum = simd.splat_f32s(1.987_569_1e-4);
    for coefficient in [1.398_2e-3, 8.333_452e-3, 4.166_579_6e-2, 0.166_666_65, 0.5] {
        sum = simd.mul_add_f32s(sum, rest, simd.splat_f32s(coefficient));
    }
    let squared = simd.mul_f32s(rest, rest);
    let fraction = simd.add_f32s(simd.mul_add_f32s(sum, squared, rest), simd.splat_f32s(1.0));
    let exponent = simd.wrapping_dyn_shl_u32s(simd.transmute_u32s_f32s(rounded), simd.splat_u32s(23));
    let power = simd.transmute_f32s_u32s(simd.add_u32s(exponent, simd.transmute_u32s_f32s(fraction)));
    simd.select_f32s(simd.less_than_f32s(x, low), simd.splat_f32s(0.0), power)
}

/// `gate · sigmoid(gate) · up`, written over `gate`.
pub(super) struct Activation<'a> {
    pub(super) gate: &'a mut [f32],
    pub(super) up: &'a [f32],
}

impl WithSimd for Activation<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let one = simd.splat_f32s(1.0);
        let zero = simd.splat_f32s(0.0);
        let lanes = S::F32_LANES;
        for (gate, up) in self.gate.chunks_mut(lanes).zip(self.up.chunks(lanes)) {
            let x = simd.partial_load_f32s(gate);
            let sigmoid = simd.div_f32s(one, simd.add_f32s(one, exponential(simd, simd.sub_f32s(zero, x))));
            let product = simd.mul_f32s(simd.mul_f32s(x, sigmoid), simd.partial_load_f32s(up));
            simd.partial_store_f32s(gate, product);
        }
    }
}

/// The logarithm of the sum of exponentials, less than which each logit is by its log-probability.
pub(super) struct LogSumExp<'a>(pub(super) &'a [f32]);

impl WithSimd for LogSumExp<'_> {
    type Output = f32;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f32 {
        let largest = self.0.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let shift = simd.splat_f32s(largest);
        let (vectors, rest) = S::as_simd_f32s(self.0);
        let mut sum = simd.splat_f32s(0.0);
        for vector in vectors {
            sum = simd.add_f32s(sum, exponential(simd, simd.sub_f32s(*vector, shift)));
        }
        let rest: f32 = rest.iter().map(|logit| (logit - largest).exp()).sum();
        (simd.reduce_sum_f32s(sum) + rest).ln() + largest
    }
}

/// Attention of queries to the keys and values of one head that serves them.
pub(super) struct Attention<'a> {
    /// Rows of `head_dim` numbers, the last position last; `group` rows belong to one position.
    pub(super) queries: &'a [f32],
    /// As many rows.
    pub(super) output: &'a mut [f32],
    /// The keys and values, those of the queries' own positions included.
    pub(super) cache: &'a HeadCache,
    /// Position of the first query.
    pub(super) start: usize,
    /// Rows of one position.
    pub(super) group: usize,
    /// Room for intermediate results.
    pub(super) scratch: &'a mut AttentionScratch,
}

/// Room for intermediate results of attention.
#[derive(Debug, Default)]
pub(super) struct AttentionScratch {
    tile: Vec<f32>,
    scores: Vec<f32>,
    weights: Vec<f32>,
}

impl WithSimd for Attention<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let head_dim = self.cache.head_dim();
        let factor = 1.0 / (head_dim as f32).sqrt();
        let queries = self.queries.chunks(TILE * head_dim);
        let mut row = 0;
        for (queries, output) in queries.zip(self.output.chunks_mut(TILE * head_dim)) {
            let n_rows = queries.len() / head_dim;
            let lengths: [usize; TILE] = std::array::from_fn(|idx| self.start + (row + idx) / self.group + 1);
            let n_positions = lengths[n_rows - 1];
            self.scratch.scale_tile(queries, head_dim, factor);
            scores(simd, self.cache, n_positions, n_rows, self.scratch);
            let padded = n_positions.next_multiple_of(2 * S::F32_LANES);
            self.scratch.weights.clear();
            self.scratch.weights.resize(n_positions * TILE, 0.0);
            for (idx, length) in lengths.iter().enumerate().take(n_rows) {
                let scores = &mut self.scratch.scores[idx * padded..(idx + 1) * padded];
                softmax(simd, scores, *length);
                for (score, group) in scores.iter().zip(self.scratch.weights.chunks_exact_mut(TILE)) {
                    group[idx] = *score;
                }
            }
            mix(simd, self.cache, n_positions, n_rows, &self.scratch.weights, output);
            row += n_rows;
        }
    }
}

impl AttentionScratch {
    /// The queries as a tile, the numbers of a column lying together.
    fn scale_tile(&mut self, queries: &[f32], head_dim: usize, factor: f32) {
        self.tile.clear();
        self.tile.resize(head_dim * TILE, 0.0);
        for (idx, query) in queries.chunks_exact(head_dim).enumerate() {
            for (number, group) in query.iter().zip(self.tile.chunks_exact_mut(TILE)) {
                group[idx] = number * factor;
            }
        }
    }
}

/// How well each query of the tile goes with each key: a row of scores for each query.
#[inline(always)]
fn scores<S: Simd>(simd: S, cache: &HeadCache, n_positions: usize, n_rows: usize, scratch: &mut AttentionScratch) {
    let width = 2 * S::F32_LANES;
    let n_panels = n_positions.div_ceil(width);
    scratch.scores.resize(n_rows * n_panels * width, 0.0);
    for (idx, panel) in cache.key_panels().take(n_panels).enumerate() {
        let scores = &mut scratch.scores;
        multiply_tile(simd, &scratch.tile, panel, n_rows, &mut |row, sums: &[S::f32s; 2]| {
            let place = row * n_panels * width + idx * width;
            for (sum, scores) in sums
                .iter()
                .zip(scores[place..place + width].chunks_exact_mut(S::F32_LANES))
            {
                simd.partial_store_f32s(scores, *sum);
            }
        });
    }
}

/// Turns the first `length` scores into weights whose sum is 1, and the others into 0.
#[inline(always)]
fn softmax<S: Simd>(simd: S, scores: &mut [f32], length: usize) {
    scores[length..].fill(f32::NEG_INFINITY);
    let (vectors, _) = S::as_mut_simd_f32s(scores);
    let mut largest = simd.splat_f32s(f32::NEG_INFINITY);
    for vector in vectors.iter() {
        largest = simd.max_f32s(largest, *vector);
    }
    let largest = simd.splat_f32s(simd.reduce_max_f32s(largest));
    let mut sum = simd.splat_f32s(0.0);
    for vector in vectors.iter_mut() {
        *vector = exponential(simd, simd.sub_f32s(*vector, largest));
        sum = simd.add_f32s(sum, *vector);
    }
    let factor = simd.splat_f32s(1.0 / simd.reduce_sum_f32s(sum));
    for vector in vectors {
        *vector = simd.mul_f32s(*vector, factor);
    }
}

/// The values in the mixture that the weights say.
#[inline(always)]
fn mix<S: Simd>(simd: S, cache: &HeadCache, n_positions: usize, n_rows: usize, weights: &[f32], output: &mut [f32]) {
    let (head_dim, width) = (cache.head_dim(), 2 * S::F32_LANES);
    for (idx, panel) in cache.value_panels().enumerate() {
        let (start, end) = (idx * width, ((idx + 1) * width).min(head_dim));
        multiply_tile(
            simd,
            weights,
            &panel[..n_positions * width],
            n_rows,
            &mut |row, sums: &[S::f32s; 2]| {
                let place = &mut output[row * head_dim + start..row * head_dim + end];
                for (sum, place) in sums.iter().zip(place.chunks_mut(S::F32_LANES)) {
                    simd.partial_store_f32s(place, *sum);
                }
            },
        );
    }
}

//! What is done number by number: norms, rotation, gates, sums. Written so that the compiler uses the widest registers.

use crate::config::LlamaConfig;

/// Does the work with the widest registers that the processor has.
pub(crate) fn wide<R>(work: impl FnOnce() -> R) -> R {
    pulp::Arch::new().dispatch(work)
}

/// e to the power of a number, to some two units in the last place (the polynomial of Cephes' `expf`).
#[inline(always)]
#[expect(clippy::excessive_precision, reason = "the constants as published")]
pub(crate) fn exp(number: f32) -> f32 {
    /// Added to a small number, leaves its nearest whole number in the lowest bits.
    const ROUNDING: f32 = 12_582_912.0;
    let number = number.clamp(-87.0, 88.0);
    let shifted = number * std::f32::consts::LOG2_E + ROUNDING;
    let whole = shifted - ROUNDING;
    let rest = number - whole * 0.693_359_375 - whole * -2.121_944_40e-4;
    let mut sum = 1.987_569_150_0e-4;
    for factor in [
        1.398_199_950_7e-3,
        8.333_451_907_3e-3,
        4.166_579_589_4e-2,
        1.666_666_545_9e-1,
        5.000_000_120_1e-1,
    ] {
        sum = sum * rest + factor;
    }
    let power = f32::from_bits(shifted.to_bits().wrapping_add(127) << 23);
    (sum * rest * rest + rest + 1.0) * power
}

/// The sum of products, in sixteen lanes.
#[inline(always)]
pub(crate) fn dot(left: &[f32], right: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; 16];
    let (left, left_rest) = left.as_chunks::<16>();
    let (right, right_rest) = right.as_chunks::<16>();
    for (left, right) in left.iter().zip(right) {
        for ((lane, left), right) in lanes.iter_mut().zip(left).zip(right) {
            *lane += left * right;
        }
    }
    let rest: f32 = left_rest.iter().zip(right_rest).map(|(left, right)| left * right).sum();
    lanes.iter().sum::<f32>() + rest
}

/// The sum of the numbers, in sixteen lanes.
#[inline(always)]
pub(crate) fn sum(numbers: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; 16];
    let (chunks, rest) = numbers.as_chunks::<16>();
    for chunk in chunks {
        for (lane, number) in lanes.iter_mut().zip(chunk) {
            *lane += number;
        }
    }
    lanes.iter().sum::<f32>() + rest.iter().sum::<f32>()
}

/// The highest of the numbers, in sixteen lanes.
#[inline(always)]
pub(crate) fn highest(numbers: &[f32]) -> f32 {
    let mut lanes = [f32::NEG_INFINITY; 16];
    let higher = |left: f32, right: f32| if left > right { left } else { right };
    let (chunks, rest) = numbers.as_chunks::<16>();
    for chunk in chunks {
        for (lane, number) in lanes.iter_mut().zip(chunk) {
            *lane = higher(*lane, *number);
        }
    }
    lanes.iter().chain(rest).copied().fold(f32::NEG_INFINITY, higher)
}

/// Adds numbers to numbers.
pub(crate) fn add(sums: &mut [f32], shares: &[f32]) {
    wide(|| {
        for (sum, share) in sums.iter_mut().zip(shares) {
            *sum += share;
        }
    });
}

/// Divides each row by the root of its mean square and multiplies it by the weights. Returns the rows and the inverse of
/// each root.
#[expect(clippy::cast_precision_loss, reason = "a row is short")]
pub(crate) fn rms_norm(rows: &[f32], weights: &[f32], epsilon: f32) -> (Vec<f32>, Vec<f32>) {
    let width = weights.len();
    let mut normed = Vec::with_capacity(rows.len());
    let mut inverses = Vec::with_capacity(rows.len() / width.max(1));
    wide(|| {
        for row in rows.chunks_exact(width) {
            let inverse = 1.0 / (dot(row, row) / width as f32 + epsilon).sqrt();
            inverses.push(inverse);
            normed.extend(
                row.iter()
                    .zip(weights)
                    .map(|(number, weight)| number * inverse * weight),
            );
        }
    });
    (normed, inverses)
}

/// The rows that [`rms_norm`] gave, from the inverses that it gave.
pub(crate) fn rms_norm_again(rows: &[f32], weights: &[f32], inverses: &[f32]) -> Vec<f32> {
    let mut normed = Vec::with_capacity(rows.len());
    wide(|| {
        for (row, inverse) in rows.chunks_exact(weights.len()).zip(inverses) {
            normed.extend(
                row.iter()
                    .zip(weights)
                    .map(|(number, weight)| number * inverse * weight),
            );
        }
    });
    normed
}

/// Adds the gradient of the rows to `rows_gradient`, and returns that of the weights.
#[expect(clippy::cast_precision_loss, reason = "a row is short")]
pub(crate) fn rms_norm_gradient(
    (rows, weights, inverses): (&[f32], &[f32], &[f32]),
    normed_gradient: &[f32],
    rows_gradient: &mut [f32],
) -> Vec<f32> {
    let width = weights.len();
    let mut weights_gradient = vec![0.0; width];
    let mut slopes = vec![0.0_f32; width];
    wide(|| {
        let triples = rows.chunks_exact(width).zip(normed_gradient.chunks_exact(width));
        for (((row, given), sums), &inverse) in triples.zip(rows_gradient.chunks_exact_mut(width)).zip(inverses) {
            for ((slope, given), weight) in slopes.iter_mut().zip(given).zip(weights) {
                *slope = given * weight;
            }
            let pull = dot(&slopes, row) * inverse * inverse / width as f32;
            for ((sum, slope), number) in sums.iter_mut().zip(&slopes).zip(row) {
                *sum += inverse * (slope - number * pull);
            }
            for ((sum, given), number) in weights_gradient.iter_mut().zip(given).zip(row) {
                *sum += given * number * inverse;
            }
        }
    });
    weights_gradient
}

/// Cosines and sines of the rotary embedding, by position: `[n_positions, head / 2]` each.
#[derive(Debug)]
pub(crate) struct Rotation {
    cosines: Vec<f32>,
    sines: Vec<f32>,
    half: usize,
}

impl Rotation {
    /// Those of the positions up to so many.
    pub(crate) fn new(config: &LlamaConfig, n_positions: usize) -> Self {
        let half = config.head_dim() / 2;
        let mut rotation = Self {
            cosines: Vec::with_capacity(n_positions * half),
            sines: Vec::with_capacity(n_positions * half),
            half,
        };
        let pace = |idx: usize| 1.0 / config.rope_theta.powf(idx as f32 / half as f32);
        let paces: Vec<f32> = (0..half).map(pace).collect();
        for position in 0..n_positions {
            for pace in &paces {
                let angle = position as f32 * pace;
                rotation.cosines.push(angle.cos());
                rotation.sines.push(angle.sin());
            }
        }
        rotation
    }

    /// Cosines and sines.
    pub(crate) fn into_tables(self) -> (Vec<f32>, Vec<f32>) {
        (self.cosines, self.sines)
    }

    /// Turns all heads of the rows of a text, the first of which is at position 0, or turns them back. Halves of a head are
    /// turned against each other, as in the Hugging Face layout.
    pub(crate) fn turn(&self, rows: &mut [f32], row_width: usize, back: bool) {
        let half = self.half;
        let sign = if back { -1.0 } else { 1.0 };
        wide(|| {
            let angles = self.cosines.chunks_exact(half).zip(self.sines.chunks_exact(half));
            for (row, (cosines, sines)) in rows.chunks_exact_mut(row_width).zip(angles) {
                for head in row.chunks_exact_mut(2 * half) {
                    let (first, second) = head.split_at_mut(half);
                    let pairs = first.iter_mut().zip(second);
                    for ((first, second), (cosine, sine)) in pairs.zip(cosines.iter().zip(sines)) {
                        let (left, right, sine) = (*first, *second, sign * sine);
                        *first = left * cosine - right * sine;
                        *second = right * cosine + left * sine;
                    }
                }
            }
        });
    }
}

/// What the gate lets through: gate · sigmoid(gate) · up.
pub(crate) fn gated(gates: &[f32], ups: &[f32]) -> Vec<f32> {
    let mut inner = vec![0.0; gates.len()];
    wide(|| {
        for ((inner, gate), up) in inner.iter_mut().zip(gates).zip(ups) {
            *inner = gate / (1.0 + exp(-gate)) * up;
        }
    });
    inner
}

/// Turns gates and ups into their gradients, given that of what was let through.
pub(crate) fn gated_gradient(gates: &mut [f32], ups: &mut [f32], inner_gradient: &[f32]) {
    wide(|| {
        for ((gate, up), given) in gates.iter_mut().zip(ups).zip(inner_gradient) {
            let open = 1.0 / (1.0 + exp(-*gate));
            let through = *gate * open;
            *gate = given * *up * (open + through * (1.0 - open));
            *up = given * through;
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_those_of_the_library() {
        for step in -8_700_i16..8_800 {
            let number = f32::from(step) / 100.0;
            let (ours, theirs) = (exp(number), number.exp());
            assert!((ours - theirs).abs() <= 3e-7 * theirs, "{number}: {ours} {theirs}");
        }
        assert!(exp(-1e9) < 1e-37);
    }

    #[test]
    fn lanes_and_rest_are_reduced() {
        let numbers: Vec<f32> = (1_u8..=37).map(f32::from).collect();
        assert!((sum(&numbers) - 703.0).abs() < 1e-3);
        assert!((dot(&numbers, &numbers) - 17_575.0).abs() < 1e-1);
        assert!((highest(&numbers) - 37.0).abs() < 1e-6);
        assert!((highest(&[-3.0, -2.0]) + 2.0).abs() < 1e-6);
    }
}

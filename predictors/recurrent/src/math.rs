//! The few functions that inference and training share. Each is plain arithmetic in a fixed order, so that it gives the
//! same bits wherever it runs, and simple enough to be vectorised by the compiler.

/// Adding this to a small number rounds it to a whole one, which then stands in the lowest bits.
const ROUNDER: f32 = 12_582_912.0;

/// The exponential function, within 2e-7 relatively; arguments beyond ±87 are taken as ±87.
#[inline]
pub(crate) fn exp(x: f32) -> f32 {
    let x = x.clamp(-87.0, 87.0);
    let shifted = x * std::f32::consts::LOG2_E + ROUNDER;
    let whole = shifted - ROUNDER;
    // ln 2 in two parts, so that the remainder is exact.
    let rest = (x - whole * 0.693_359_4) + whole * 2.121_944_4e-4;
    let mut series = 1.987_569_1e-4;
    for coefficient in [1.398_2e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 0.5, 1.0, 1.0] {
        series = series * rest + coefficient;
    }
    series * f32::from_bits((shifted.to_bits() << 23).wrapping_add(0x3f80_0000))
}

/// The logistic function.
#[inline]
pub(crate) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// The hyperbolic tangent.
#[inline]
pub(crate) fn tanh(x: f32) -> f32 {
    2.0 / (1.0 + exp(-2.0 * x)) - 1.0
}

/// Scalar product.
#[inline]
pub(crate) fn dot(left: &[f32], right: &[f32]) -> f32 {
    let mut sums = [0.0_f32; 16];
    let (left, right) = (left.chunks_exact(16), right.chunks_exact(16));
    let tail: f32 = left.remainder().iter().zip(right.remainder()).map(|(l, r)| l * r).sum();
    for (l, r) in left.zip(right) {
        for ((sum, l), r) in sums.iter_mut().zip(l).zip(r) {
            *sum += l * r;
        }
    }
    let (low, high) = sums.split_at(8);
    low.iter().zip(high).map(|(l, h)| l + h).sum::<f32>() + tail
}

/// Matrix times vector plus bias; the matrix is stored row by row, one row for each output.
pub(crate) fn affine(matrix: &[f32], bias: &[f32], input: &[f32], output: &mut [f32]) {
    for ((out, row), bias) in output.iter_mut().zip(matrix.chunks_exact(input.len().max(1))).zip(bias) {
        *out = dot(row, input) + bias;
    }
}

/// Turns scores into log-probabilities.
pub(crate) fn log_softmax(scores: &mut [f32]) {
    let highest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let total: f32 = scores.iter().map(|&score| exp(score - highest)).sum();
    let log_total = highest + total.ln();
    for score in scores {
        *score -= log_total;
    }
}

/// Index of the highest score, the first of equals.
pub(crate) fn arg_max(scores: &[f32]) -> usize {
    let mut best = (0, f32::NEG_INFINITY);
    for (idx, &score) in scores.iter().enumerate() {
        if score > best.1 {
            best = (idx, score);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_agree_with_the_standard_library() {
        for step in -8_600..=8_600_i16 {
            let x = f32::from(step) / 100.0;
            assert!((exp(x) / x.exp() - 1.0).abs() < 5e-7, "exp {x}: {} {}", exp(x), x.exp());
            assert!((tanh(x) - x.tanh()).abs() < 3e-7, "tanh {x}");
            assert!((sigmoid(x) - 1.0 / (1.0 + (-x).exp())).abs() < 2e-7, "sigmoid {x}");
        }
        assert!(exp(f32::NEG_INFINITY) < 1e-37 && sigmoid(f32::INFINITY) > 0.999_999);
    }

    #[test]
    fn products_take_the_tail_along() {
        let left: Vec<f32> = (0..37_u8).map(f32::from).collect();
        assert!((dot(&left, &left) - 16_206.0).abs() < 0.01);
        let mut scores = [1.0, 3.0, 3.0, -80.0];
        assert_eq!(arg_max(&scores), 1);
        log_softmax(&mut scores);
        assert!((scores.iter().map(|score| score.exp()).sum::<f32>() - 1.0).abs() < 1e-6);
    }
}

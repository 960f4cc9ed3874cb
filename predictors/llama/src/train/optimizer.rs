//! AdamW: gradient descent with moments and decay of the weights apart from the gradient.

use rayon::prelude::*;

use super::settings::Settings;
use crate::network::Numbers;

/// Added to the root of the second moment.
pub(crate) const EPSILON: f32 = 1e-8;

/// Numbers that a thread moves at once.
const CHUNK: usize = 1 << 16;

/// Running means of the gradient and of its square, for each tensor.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Moments {
    pub(crate) first: Vec<Vec<f32>>,
    pub(crate) second: Vec<Vec<f32>>,
}

/// How hard a step pulls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pull {
    /// What the gradient is multiplied by, so that it is not too long.
    pub(crate) shortened: f64,
    /// What the first moment over the root of the second is multiplied by.
    pub(crate) step_size: f64,
    /// What the root of the second moment is divided by.
    pub(crate) second_root: f64,
    /// The share of the weights that does not decay.
    pub(crate) kept: f64,
}

impl Pull {
    /// That of a step after so many, at a learning rate, for a gradient of this norm; none where it is not finite.
    pub(crate) fn new(settings: &Settings, (steps_done, rate): (usize, f64), norm: f64) -> Option<Self> {
        let exponent = i32::try_from(steps_done + 1).unwrap_or(i32::MAX);
        norm.is_finite().then(|| Self {
            shortened: (settings.clip / (norm + 1e-6)).min(1.0),
            step_size: rate / (1.0 - settings.beta_1.powi(exponent)),
            second_root: (1.0 - settings.beta_2.powi(exponent)).sqrt(),
            kept: 1.0 - rate * settings.weight_decay,
        })
    }
}

impl Moments {
    /// Moments of tensors of so many numbers, before the first step.
    pub(crate) fn new(sizes: impl Iterator<Item = usize>) -> Self {
        let first: Vec<_> = sizes.map(|n_numbers| vec![0.0; n_numbers]).collect();
        Self {
            second: first.clone(),
            first,
        }
    }

    /// Moves the values against the gradient. `at` is how many steps were taken before and the learning rate, `decays` says
    /// which tensors decay. Returns whether the gradient is finite; where it is not, nothing is moved.
    #[expect(clippy::cast_possible_truncation, reason = "weights are single numbers")]
    pub(crate) fn step(
        &mut self,
        settings: &Settings,
        at: (usize, f64),
        values: &mut [&mut Numbers],
        decays: &[bool],
        gradient: &[Numbers],
    ) -> bool {
        let Some(pull) = Pull::new(settings, at, norm(gradient)) else {
            return false;
        };
        let (shortened, step_size, second_root) =
            (pull.shortened as f32, pull.step_size as f32, pull.second_root as f32);
        let (beta_1, beta_2) = (settings.beta_1 as f32, settings.beta_2 as f32);
        let moments = self.first.iter_mut().zip(&mut self.second);
        for (((values, decays), gradient), (first, second)) in values.iter_mut().zip(decays).zip(gradient).zip(moments)
        {
            let kept = if *decays { pull.kept as f32 } else { 1.0 };
            let values = values.as_mut_slice().par_chunks_mut(CHUNK);
            let moments = first.par_chunks_mut(CHUNK).zip(second.par_chunks_mut(CHUNK));
            let chunks = values.zip(gradient.as_slice().par_chunks(CHUNK)).zip(moments);
            chunks.for_each(|((values, gradient), (first, second))| {
                pulp::Arch::new().dispatch(|| {
                    let moments = first.iter_mut().zip(second);
                    for ((value, slope), (first, second)) in values.iter_mut().zip(gradient).zip(moments) {
                        let slope = slope * shortened;
                        *first = beta_1 * *first + (1.0 - beta_1) * slope;
                        *second = beta_2 * *second + (1.0 - beta_2) * slope * slope;
                        let spread = second.sqrt() / second_root + EPSILON;
                        *value = *value * kept - step_size * *first / spread;
                    }
                });
            });
        }
        true
    }
}

/// The Euclidean norm of all tensors together, summed up in a fixed order.
fn norm(gradient: &[Numbers]) -> f64 {
    let of_chunk = |chunk: &[f32]| -> f64 { chunk.iter().map(|slope| f64::from(*slope).powi(2)).sum() };
    let of_tensor = |tensor: &Numbers| -> f64 {
        let sums: Vec<f64> = tensor.as_slice().par_chunks(CHUNK).map(of_chunk).collect();
        sums.iter().sum()
    };
    gradient.iter().map(of_tensor).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_steps_are_those_worked_out_by_hand() {
        let settings = Settings {
            weight_decay: 0.1,
            clip: 100.0,
            ..Settings::default()
        };
        let mut moments = Moments::new([2].into_iter());
        let mut values = Numbers::new(vec![1.0, -2.0]);
        let (mut first, mut second, mut expected) = ([0.0_f64; 2], [0.0_f64; 2], [1.0_f64, -2.0]);
        for (done, slopes) in [[0.5_f32, -1.0], [0.25, 3.0]].into_iter().enumerate() {
            let gradient = [Numbers::new(slopes.to_vec())];
            assert!(moments.step(&settings, (done, 0.01), &mut [&mut values], &[true], &gradient));
            for idx in 0..2 {
                let slope = f64::from(slopes[idx]);
                first[idx] = 0.9 * first[idx] + 0.1 * slope;
                second[idx] = 0.999 * second[idx] + 0.001 * slope * slope;
                let power = i32::try_from(done).unwrap() + 1;
                let mean = first[idx] / (1.0 - 0.9_f64.powi(power));
                let spread = (second[idx] / (1.0 - 0.999_f64.powi(power))).sqrt() + 1e-8;
                expected[idx] = expected[idx] * (1.0 - 0.01 * 0.1) - 0.01 * mean / spread;
            }
        }
        for (value, expected) in values.as_slice().iter().zip(expected) {
            assert!((f64::from(*value) - expected).abs() < 1e-6, "{value} {expected}");
        }
    }

    #[test]
    fn a_gradient_that_is_no_number_moves_nothing() {
        let mut moments = Moments::new([1].into_iter());
        let before = moments.clone();
        let mut values = Numbers::new(vec![1.0]);
        let gradient = [Numbers::new(vec![f32::NAN])];
        assert!(!moments.step(&Settings::default(), (0, 0.1), &mut [&mut values], &[false], &gradient));
        assert_eq!(moments, before);
        assert_eq!(values.as_slice(), [1.0]);
    }
}

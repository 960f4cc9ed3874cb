//! Adam, with or without decoupled weight decay, on plain numbers in a fixed order.

use crate::settings::{Optimizer, Settings};
use crate::weights::{Leaf, Start};

/// Decay of the first moment.
const FIRST: f32 = 0.9;
/// Decay of the second moment.
const SECOND: f32 = 0.999;
/// Keeps the step finite.
const EPSILON: f32 = 1e-8;

/// The moments of every tensor.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Moments {
    /// Steps taken.
    pub(crate) steps: u64,
    pub(crate) first: Vec<Vec<f32>>,
    pub(crate) second: Vec<Vec<f32>>,
}

impl Moments {
    /// Nothing learned yet.
    pub(crate) fn new(leaves: &[Leaf]) -> Self {
        let zeros: Vec<_> = leaves.iter().map(|leaf| vec![0.0; leaf.len()]).collect();
        Self {
            steps: 0,
            first: zeros.clone(),
            second: zeros,
        }
    }

    /// Takes a step against the gradients, after bounding their norm. Returns false, and does nothing, where that is not
    /// finite.
    pub(crate) fn step(
        &mut self,
        settings: &Settings,
        leaves: &[Leaf],
        gradients: &mut [Vec<f32>],
        values: &mut [Vec<f32>],
    ) -> bool {
        for (leaf, gradient) in leaves.iter().zip(&mut *gradients) {
            if leaf.start == Start::Embedding {
                gradient.iter_mut().take(leaf.width()).for_each(|slope| *slope = 0.0);
            }
        }
        let squares = gradients
            .iter()
            .flatten()
            .map(|&slope| f64::from(slope) * f64::from(slope));
        let norm = squares.sum::<f64>().sqrt();
        if !norm.is_finite() {
            return false;
        }
        self.steps += 1;
        let rates = Rates::new(settings, self.steps, norm);
        let moments = self.first.iter_mut().zip(&mut self.second);
        for (((leaf, gradient), values), (first, second)) in leaves.iter().zip(gradients).zip(values).zip(moments) {
            let decay = if leaf.shape.len() > 1 { rates.decay } else { 1.0 };
            let moments = first.iter_mut().zip(second);
            for ((value, slope), (first, second)) in values.iter_mut().zip(gradient).zip(moments) {
                let slope = *slope * rates.clip;
                *first = FIRST * *first + (1.0 - FIRST) * slope;
                *second = SECOND * *second + (1.0 - SECOND) * slope * slope;
                let size = (*second * rates.second_scale).sqrt() + EPSILON;
                *value = *value * decay - rates.step * *first / size;
            }
        }
        true
    }
}

/// Factors of one step.
struct Rates {
    clip: f32,
    decay: f32,
    step: f32,
    second_scale: f32,
}

impl Rates {
    #[expect(clippy::cast_possible_truncation, reason = "weights are no more exact")]
    fn new(settings: &Settings, steps: u64, norm: f64) -> Self {
        let steps = i32::try_from(steps).unwrap_or(i32::MAX);
        let decay = match settings.optimizer {
            Optimizer::Adam => 0.0,
            Optimizer::AdamW { weight_decay } => weight_decay,
        };
        Self {
            clip: (settings.gradient_norm_max / (norm + 1e-6)).min(1.0) as f32,
            decay: (1.0 - settings.learning_rate * decay) as f32,
            step: (settings.learning_rate / (1.0 - f64::from(FIRST).powi(steps))) as f32,
            second_scale: (1.0 / (1.0 - f64::from(SECOND).powi(steps))) as f32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(name: &str, shape: &[usize], start: Start) -> Leaf {
        Leaf {
            name: name.to_owned(),
            shape: shape.to_vec(),
            start,
        }
    }

    #[test]
    fn first_step_has_the_size_of_the_learning_rate_and_spares_padding() {
        let leaves = [
            leaf("table", &[2, 2], Start::Embedding),
            leaf("bias", &[2], Start::Uniform(1.0)),
        ];
        let settings = Settings {
            learning_rate: 0.1,
            optimizer: Optimizer::AdamW { weight_decay: 0.5 },
            ..Settings::default()
        };
        let mut values = vec![vec![0.0, 0.0, 1.0, 1.0], vec![1.0, 1.0]];
        let mut gradients = vec![vec![9.0, 9.0, 3.0, -4.0], vec![0.0, 12.0]];
        let mut moments = Moments::new(&leaves);
        assert!(moments.step(&settings, &leaves, &mut gradients, &mut values));
        let expected = [[0.0, 0.0, 0.85, 1.05].as_slice(), &[1.0, 0.9]].concat();
        for (value, expected) in values.concat().iter().zip(expected) {
            assert!((value - expected).abs() < 1e-5, "{values:?}");
        }
        // The norm is 13 without the padding row, so the gradient was divided by 13.
        assert!((moments.first[0][2] - 0.1 * 3.0 / 13.0).abs() < 1e-6);
        gradients[1][0] = f32::NAN;
        assert!(!moments.step(&settings, &leaves, &mut gradients, &mut values));
        assert_eq!(moments.steps, 1);
    }
}

//! Cross-entropy of several heads at once, as one operation with its own gradient.

use crate::math::{arg_max, exp};
use candle_core::{CpuStorage, CustomOp1, Layout, Result, Shape, Tensor, bail};
use std::sync::{Arc, OnceLock};

/// What the loss says besides its value.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tally {
    /// Sum over targets and heads, weighted.
    pub(crate) loss: f64,
    /// For each head, how often the highest score was right.
    pub(crate) hits: Vec<usize>,
    /// Gradient of the mean loss by the scores.
    gradient: Vec<f32>,
}

/// The mean over the targets of the weighted cross-entropies of heads that lie side by side in the scores.
pub(crate) struct HeadsLoss {
    /// Classes of each head.
    pub(crate) classes: Vec<usize>,
    /// Weight of each head.
    pub(crate) weight: f32,
    /// For each row of scores the class of each head; none doesn't count.
    pub(crate) targets: Vec<Option<Vec<u8>>>,
    /// Filled by the forward pass.
    pub(crate) tally: Arc<OnceLock<Tally>>,
}

impl HeadsLoss {
    /// Loss, hits and gradient for these scores.
    fn tally(&self, scores: &[f32]) -> Tally {
        let width: usize = self.classes.iter().sum();
        let n_targets = self.targets.iter().flatten().count().max(1);
        #[expect(clippy::cast_precision_loss, reason = "a batch is small")]
        let factor = self.weight / n_targets as f32;
        let mut tally = Tally {
            loss: 0.0,
            hits: vec![0; self.classes.len()],
            gradient: vec![0.0; scores.len()],
        };
        let rows = scores.chunks_exact(width).zip(tally.gradient.chunks_exact_mut(width));
        for ((mut scores, mut gradient), targets) in rows.zip(&self.targets) {
            let Some(targets) = targets else { continue };
            for ((&n_classes, &target), hits) in self.classes.iter().zip(targets).zip(&mut tally.hits) {
                let (head, rest) = scores.split_at(n_classes);
                let (slope, rest_of_gradient) = gradient.split_at_mut(n_classes);
                (scores, gradient) = (rest, rest_of_gradient);
                let (entropy, hit) = cross_entropy(head, usize::from(target), factor, slope);
                tally.loss += f64::from(self.weight) * entropy;
                *hits += usize::from(hit);
            }
        }
        tally
    }
}

/// Cross-entropy of one head and whether its highest score is right; writes the gradient times the factor.
fn cross_entropy(scores: &[f32], target: usize, factor: f32, gradient: &mut [f32]) -> (f64, bool) {
    let best = arg_max(scores);
    let at = |idx: usize| scores.get(idx).copied().unwrap_or(f32::NAN);
    let highest = at(best);
    for (slope, score) in gradient.iter_mut().zip(scores) {
        *slope = exp(score - highest);
    }
    let total: f32 = gradient.iter().sum();
    for slope in &mut *gradient {
        *slope *= factor / total;
    }
    if let Some(slope) = gradient.get_mut(target) {
        *slope -= factor;
    }
    (f64::from(total.ln() + highest - at(target)), best == target)
}

impl CustomOp1 for HeadsLoss {
    fn name(&self) -> &'static str {
        "heads-loss"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let Some((from, to)) = layout.contiguous_offsets() else {
            bail!("scores must be contiguous");
        };
        let scores = storage.as_slice::<f32>()?.get(from..to).unwrap_or_default();
        let tally = self.tally(scores);
        let n_targets = self.targets.iter().flatten().count().max(1);
        #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "a loss is no more exact")]
        let mean = (tally.loss / n_targets as f64) as f32;
        self.tally.set(tally).map_err(|_| candle_core::Error::msg("a loss is computed once"))?;
        Ok((CpuStorage::F32(vec![mean]), Shape::from(())))
    }

    fn bwd(&self, scores: &Tensor, _: &Tensor, gradient: &Tensor) -> Result<Option<Tensor>> {
        let Some(tally) = self.tally.get() else {
            bail!("a gradient before the loss");
        };
        let slopes = Tensor::from_slice(&tally.gradient, scores.shape(), scores.device())?;
        Ok(Some(slopes.broadcast_mul(gradient)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::{Device, Var};

    #[test]
    fn loss_and_gradient_are_those_of_the_tensor_library() {
        let cpu = Device::Cpu;
        let scores: Vec<f32> = (0..40_u16).map(|idx| f32::from(idx * 37 % 23) / 5.0 - 2.0).collect();
        let scores = Var::from_vec(scores, (5, 8), &cpu).unwrap();
        let targets = [Some([2, 4]), None, Some([0, 0]), Some([1, 3]), None];
        let tally = Arc::new(OnceLock::new());
        let loss = HeadsLoss {
            classes: vec![3, 5],
            weight: 2.0,
            targets: targets.map(|target| target.map(|classes: [u8; 2]| classes.to_vec())).to_vec(),
            tally: tally.clone(),
        };
        let mean = scores.apply_op1(loss).unwrap();

        let rows = Tensor::new(&[0_u32, 2, 3], &cpu).unwrap();
        let counted = scores.index_select(&rows, 0).unwrap();
        let head = |from, len, classes: [u32; 3]| {
            let scores = counted.narrow(1, from, len).unwrap();
            candle_nn::loss::cross_entropy(&scores, &Tensor::new(&classes, &cpu).unwrap()).unwrap()
        };
        let expected = ((head(0, 3, [2, 0, 1]) + head(3, 5, [4, 0, 3])).unwrap() * 2.0).unwrap();
        let difference = (&mean - &expected).unwrap().abs().unwrap().to_scalar::<f32>().unwrap();
        assert!(difference < 1e-5, "{difference}");
        let tally = tally.get().unwrap();
        assert!((tally.loss / 3.0 - f64::from(mean.to_scalar::<f32>().unwrap())).abs() < 1e-5);

        let ours = mean.backward().unwrap();
        let theirs = expected.backward().unwrap();
        let difference = (ours.get(&scores).unwrap() - theirs.get(&scores).unwrap()).unwrap();
        let difference = difference.abs().unwrap().max_all().unwrap().to_scalar::<f32>().unwrap();
        assert!(difference < 1e-6, "{difference}");
    }
}

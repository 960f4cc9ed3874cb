//! Cross-entropy of several heads at once, with its gradient.

use crate::math::{arg_max, exp};
use crate::token::HEADS;

/// What the loss says.
#[derive(Debug)]
pub(crate) struct Tally {
    /// Sum over targets and heads, weighted.
    pub(crate) loss: f64,
    /// For each head, how often the highest score was right.
    pub(crate) hits: Vec<usize>,
    /// Gradient of the mean loss by the scores.
    pub(crate) gradient: Vec<f32>,
}

/// The mean over the targets of the weighted cross-entropies of heads that lie side by side in the scores.
pub(crate) struct HeadsLoss<'a> {
    /// Classes of each head.
    pub(crate) classes: &'a [usize],
    /// Index of the first of these heads in a target.
    pub(crate) first: usize,
    /// Weight of each head.
    pub(crate) weight: f32,
    /// For each row of scores the classes of all heads; none doesn't count.
    pub(crate) targets: &'a [Option<[u8; HEADS]>],
}

impl HeadsLoss<'_> {
    /// Loss, hits and gradient for these scores.
    pub(crate) fn tally(&self, mut scores: Vec<f32>) -> Tally {
        let width: usize = self.classes.iter().sum();
        let n_targets = self.targets.iter().flatten().count().max(1);
        #[expect(clippy::cast_precision_loss, reason = "a batch is small")]
        let factor = self.weight / n_targets as f32;
        let mut loss = 0.0;
        let mut hits = vec![0; self.classes.len()];
        for (mut row, target) in scores.chunks_exact_mut(width).zip(self.targets) {
            let Some(target) = target else {
                row.fill(0.0);
                continue;
            };
            let classes = target.iter().skip(self.first);
            for ((&n_classes, &class), hits) in self.classes.iter().zip(classes).zip(&mut hits) {
                let (head, rest) = row.split_at_mut(n_classes);
                row = rest;
                let (entropy, hit) = cross_entropy(head, usize::from(class), factor);
                loss += f64::from(self.weight) * entropy;
                *hits += usize::from(hit);
            }
        }
        Tally {
            loss,
            hits,
            gradient: scores,
        }
    }
}

/// Cross-entropy of one head and whether its highest score is right; the scores become the gradient times the factor.
fn cross_entropy(scores: &mut [f32], target: usize, factor: f32) -> (f64, bool) {
    let best = arg_max(scores);
    let at = |idx: usize| scores.get(idx).copied().unwrap_or(f32::NAN);
    let (highest, right) = (at(best), at(target));
    for score in &mut *scores {
        *score = exp(*score - highest);
    }
    let total: f32 = scores.iter().sum();
    for score in &mut *scores {
        *score *= factor / total;
    }
    if let Some(slope) = scores.get_mut(target) {
        *slope -= factor;
    }
    (f64::from(total.ln() + highest - right), best == target)
}

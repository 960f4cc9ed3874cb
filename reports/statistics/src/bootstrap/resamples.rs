//! What resamples of a sample give, sorted.

use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{BootstrapSettings, Sample};
use crate::descriptive::{mean, number};

/// Figures of resamples in ascending order.
#[derive(Clone, Debug)]
pub(super) struct Resamples {
    sorted: Vec<f64>,
}

impl Resamples {
    /// The means of resamples.
    pub(super) fn means(values: &[f64], settings: &BootstrapSettings) -> Self {
        let n = number(values.len());
        let center = mean(values).unwrap_or_default();
        Self::draw(values, center, settings, |sum, _| center + sum / n)
    }

    /// (mean of a resample − mean) / standard error of the resample. Infinite where the resample has no spread.
    pub(super) fn studentised(values: &[f64], sample: &Sample, settings: &BootstrapSettings) -> Self {
        /// A variance below this share of the sample's is what rounding leaves of none.
        const NO_SPREAD: f64 = 1e-12;
        let n = number(values.len());
        let variance_min = NO_SPREAD * sample.standard_error * sample.standard_error * n;
        Self::draw(values, sample.mean, settings, |sum, squares| {
            let shift = sum / n;
            let variance = (squares - sum * shift) / (n - 1.0);
            if variance > variance_min {
                shift / (variance / n).sqrt()
            } else {
                f64::INFINITY.copysign(shift)
            }
        })
    }

    /// One figure a resample, from the sums of deviations from `center` and of their squares.
    fn draw(values: &[f64], center: f64, settings: &BootstrapSettings, figure: impl Fn(f64, f64) -> f64) -> Self {
        let deviations: Vec<f64> = values.iter().map(|value| value - center).collect();
        let n = u32::try_from(deviations.len()).unwrap_or(u32::MAX);
        let mut random = ChaCha8Rng::seed_from_u64(settings.seed);
        let mut sorted: Vec<f64> = (0..settings.resamples)
            .map(|_| {
                let (mut sum, mut squares) = (0.0, 0.0);
                for _ in 0..n {
                    let deviation = deviations.get(below(&mut random, n)).copied().unwrap_or_default();
                    sum += deviation;
                    squares += deviation * deviation;
                }
                figure(sum, squares)
            })
            .collect();
        sorted.sort_by(f64::total_cmp);
        Self { sorted }
    }

    /// Share of the figures below a value, those equal to it up to `rounding` counted half.
    pub(super) fn share_below(&self, value: f64, rounding: f64) -> f64 {
        let below = self.sorted.partition_point(|figure| *figure < value - rounding);
        let at_most = self.sorted.partition_point(|figure| *figure <= value + rounding);
        number(below + at_most) / (2.0 * number(self.sorted.len()))
    }

    /// The figure below which a small share of all lies: the k-th from below for k = ⌊(B + 1) · share⌋ of B figures.
    pub(super) fn lower(&self, share: f64) -> f64 {
        self.sorted.get(self.place(share)).copied().unwrap_or(f64::NEG_INFINITY)
    }

    /// The figure above which a small share of all lies: the k-th from above.
    pub(super) fn upper(&self, share: f64) -> f64 {
        let place = self.place(share);
        self.sorted.iter().rev().nth(place).copied().unwrap_or(f64::INFINITY)
    }

    /// k − 1, at least 0 and at most the last place.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the place is bounded by the number of figures"
    )]
    fn place(&self, share: f64) -> usize {
        /// Takes away what rounding takes from a share such as (1 − 0.95) / 2.
        const NUDGE: f64 = 1e-6;
        let place = (number(self.sorted.len() + 1) * share + NUDGE).floor() as usize;
        place.saturating_sub(1).min(self.sorted.len().saturating_sub(1))
    }
}

/// A number below `n`, each as likely as the others up to one in 2^32 / n.
fn below(random: &mut ChaCha8Rng, n: u32) -> usize {
    let scaled = (u64::from(random.next_u32()) * u64::from(n)) >> 32;
    usize::try_from(scaled).unwrap_or_default()
}

//! From scores to probabilities: a rising step function fitted to what was taken and refused.

use serde::{Deserialize, Serialize};

/// The probability that a score stands for: scores between two knots lie between their probabilities.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// Scores, rising.
    scores: Vec<f32>,
    /// The probability at each of them, not falling.
    probabilities: Vec<f32>,
}

/// A score that was given, and whether the proposal was right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// The score.
    pub score: f32,
    /// Whether it was right.
    pub right: bool,
}

/// One point of a risk–coverage curve: what becomes of the proposals that are at least so sure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CoveragePoint {
    /// The least confidence with which a proposal is made.
    pub confidence: f32,
    /// The share of all chances at which one is made.
    pub coverage: f64,
    /// The share of proposals made that are wrong.
    pub risk: f64,
}

/// Knots that a calibration has at most.
const KNOTS_MAX: usize = 64;

impl Calibration {
    /// Fits probabilities that never fall as scores rise (pool adjacent violators), from at least one judged score.
    pub fn fit(judged: &[Judged]) -> Self {
        let mut sorted: Vec<Judged> = judged
            .iter()
            .copied()
            .filter(|judged| judged.score.is_finite())
            .collect();
        sorted.sort_by(|a, b| a.score.total_cmp(&b.score));
        let mut blocks: Vec<Block> = Vec::new();
        // Equal-sized groups first, so that a few outliers at the ends make no knot of their own.
        for group in sorted.chunks(sorted.len().div_ceil(KNOTS_MAX).max(1)) {
            blocks.push(Block::of(group));
            while let [.., before, last] = blocks.as_slice() {
                if before.share() < last.share() {
                    break;
                }
                let joined = before.joined(last);
                blocks.truncate(blocks.len() - 2);
                blocks.push(joined);
            }
        }
        Self {
            scores: blocks.iter().map(Block::score).collect(),
            probabilities: blocks.iter().map(Block::share).collect(),
        }
    }

    /// The probability that a proposal with this score is right.
    pub fn probability(&self, score: f32) -> f32 {
        let above = self.scores.partition_point(|knot| *knot <= score);
        let at = |idx: usize| Some((*self.scores.get(idx)?, *self.probabilities.get(idx)?));
        match (above.checked_sub(1).and_then(at), at(above)) {
            (Some((low, p_low)), Some((high, p_high))) => {
                let share = (score - low) / (high - low).max(f32::MIN_POSITIVE);
                p_low + share * (p_high - p_low)
            }
            (Some((_, probability)), None) | (None, Some((_, probability))) => probability,
            // Never fitted: the score is taken for log-odds.
            (None, None) => 1.0 / (1.0 + (-score).exp()),
        }
    }

    /// Whether the numbers are such as [`fit`](Self::fit) gives.
    pub fn is_sound(&self) -> bool {
        let rises = |numbers: &[f32]| numbers.windows(2).all(|pair| matches!(pair, [a, b] if a <= b));
        self.scores.len() == self.probabilities.len()
            && self.scores.iter().all(|score| score.is_finite())
            && self
                .probabilities
                .iter()
                .all(|probability| (0.0..=1.0).contains(probability))
            && rises(&self.scores)
            && rises(&self.probabilities)
    }
}

/// Scores that share one probability.
#[derive(Clone, Copy, Debug)]
struct Block {
    score_sum: f64,
    right: f64,
    n: f64,
}

impl Block {
    fn of(group: &[Judged]) -> Self {
        let sum = |number: fn(&Judged) -> f64| group.iter().map(number).sum();
        Self {
            score_sum: sum(|judged| judged.score.into()),
            right: sum(|judged| f64::from(u8::from(judged.right))),
            n: sum(|_| 1.0),
        }
    }

    fn joined(&self, other: &Self) -> Self {
        Self {
            score_sum: self.score_sum + other.score_sum,
            right: self.right + other.right,
            n: self.n + other.n,
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "a mean of floats")]
    fn score(&self) -> f32 {
        (self.score_sum / self.n) as f32
    }

    /// The share that was right, drawn a little to the middle so that none is certain.
    #[expect(clippy::cast_possible_truncation, reason = "a share")]
    fn share(&self) -> f32 {
        ((self.right + 0.5) / (self.n + 1.0)) as f32
    }
}

/// The confidences at which [`risk_coverage`] and the choice of a threshold look.
pub const CONFIDENCES: [f32; 15] = [
    0.0, 0.02, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8,
];

/// What becomes of the proposals at each confidence, of so many chances to make one.
pub fn risk_coverage(judged: &[(f32, bool)], n_chances: usize) -> Vec<CoveragePoint> {
    #[expect(clippy::cast_precision_loss, reason = "counts of proposals")]
    let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
    let point = |confidence: f32| {
        let made: Vec<bool> = judged
            .iter()
            .filter(|(sure, _)| *sure >= confidence)
            .map(|(_, right)| *right)
            .collect();
        let n_wrong = made.iter().filter(|right| !**right).count();
        CoveragePoint {
            confidence,
            coverage: share(made.len(), n_chances),
            risk: share(n_wrong, made.len()),
        }
    };
    CONFIDENCES.map(point).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(scores: &[(f32, bool)]) -> Vec<Judged> {
        scores
            .iter()
            .map(|(score, right)| Judged {
                score: *score,
                right: *right,
            })
            .collect()
    }

    #[test]
    fn probabilities_rise_with_scores() {
        let all: Vec<(f32, bool)> = (0..400_u16).map(|n| (f32::from(n), n % 400 > (n * 7) % 400)).collect();
        let calibration = Calibration::fit(&judged(&all));
        assert!(calibration.is_sound());
        let low = calibration.probability(10.0);
        let high = calibration.probability(390.0);
        assert!(low < 0.2 && high > 0.8, "{low} {high}");
        assert!(calibration.probability(-1e9) <= low && calibration.probability(1e9) >= high);
    }

    #[test]
    fn a_calibration_that_was_never_fitted_takes_log_odds() {
        assert!((Calibration::default().probability(0.0) - 0.5).abs() < 1e-6);
    }

    #[test]
    fn higher_confidence_covers_less() {
        let points = risk_coverage(&[(0.9, true), (0.3, false), (0.05, false)], 6);
        let at = |confidence: f32| {
            *points
                .iter()
                .find(|point| (point.confidence - confidence).abs() < 1e-6)
                .unwrap()
        };
        assert!((at(0.0).coverage - 0.5).abs() < 1e-9 && (at(0.0).risk - 2.0 / 3.0).abs() < 1e-9);
        assert!((at(0.5).coverage - 1.0 / 6.0).abs() < 1e-9 && at(0.5).risk.abs() < 1e-9);
    }
}

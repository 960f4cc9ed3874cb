//! What is predicted, and how margins become predictions.

/// What an ensemble predicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Objective {
    /// The probability of yes (`binary:logistic`); labels lie between 0 and 1.
    Logistic,
    /// A probability for each class (`multi:softprob`); labels are the classes' numbers from 0.
    Softprob {
        /// How many classes there are, at least 2.
        n_classes: u32,
    },
    /// A number (`reg:squarederror`); labels are any numbers.
    SquaredError,
}

impl Objective {
    /// How many numbers a prediction has: one for each class, otherwise one.
    pub fn n_outputs(self) -> usize {
        match self {
            Objective::Softprob { n_classes } => n_classes as usize,
            Objective::Logistic | Objective::SquaredError => 1,
        }
    }

    /// Turns the margins of one row, `[n_outputs]`, into its prediction: sigmoid, softmax or nothing.
    ///
    /// Exponentials are taken in double precision and rounded once, so that mathematical libraries which differ in the
    /// last bit give the same prediction.
    pub fn apply(self, margins: &mut [f32]) {
        match self {
            Objective::SquaredError => {}
            Objective::Logistic => {
                for margin in margins {
                    *margin = (1.0 / (1.0 + (-f64::from(*margin)).exp())) as f32;
                }
            }
            Objective::Softprob { .. } => {
                let largest = margins.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                let exponential = |margin: f32| f64::from(margin - largest).exp();
                let sum: f64 = margins.iter().map(|&margin| exponential(margin)).sum();
                for margin in margins {
                    *margin = (exponential(*margin) / sum) as f32;
                }
            }
        }
    }

    /// The margin that every row begins with where XGBoost's `base_score` is `base_score`.
    pub(crate) fn margin_of_base_score(self, base_score: f32) -> f32 {
        match self {
            Objective::Logistic => -(1.0 / base_score - 1.0).ln(),
            Objective::Softprob { .. } | Objective::SquaredError => base_score,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(objective: Objective, margins: &[f32], expect: &[f32]) {
        let mut got = margins.to_vec();
        objective.apply(&mut got);
        for (got, expect) in got.iter().zip(expect) {
            assert!(
                (got - expect).abs() < 1e-7,
                "{objective:?} of {margins:?} gave {got}, not {expect}"
            );
        }
    }

    #[test]
    fn margins_become_predictions() {
        check(Objective::SquaredError, &[-3.5], &[-3.5]);
        check(Objective::Logistic, &[0.0], &[0.5]);
        check(Objective::Logistic, &[200.0], &[1.0]);
        check(Objective::Logistic, &[-200.0], &[0.0]);
        check(Objective::Softprob { n_classes: 2 }, &[1000.0, 1000.0], &[0.5, 0.5]);
        check(
            Objective::Softprob { n_classes: 3 },
            &[0.0, 0.0, 2.0_f32.ln()],
            &[0.25, 0.25, 0.5],
        );
    }

    #[test]
    fn a_base_score_of_a_half_is_a_margin_of_zero_for_a_probability() {
        assert!(Objective::Logistic.margin_of_base_score(0.5).abs() < f32::MIN_POSITIVE);
        assert!((Objective::SquaredError.margin_of_base_score(0.5) - 0.5).abs() < f32::MIN_POSITIVE);
    }
}

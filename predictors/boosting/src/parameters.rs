//! How to train.

use thiserror::Error;

use crate::objective::Objective;

/// The deepest trees that can be asked for; all nodes of one then have a number of 16 bits.
pub const DEPTH_MAX: u32 = 15;

/// The most classes that can be told apart.
pub const CLASSES_MAX: u32 = 65_535;

/// How splits are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TreeMethod {
    /// Every value is a possible threshold. Slow with many rows.
    Exact,
    /// Each column is cut into bins once and the bounds of bins are the possible thresholds.
    Hist {
        /// How many bins a column has at most, at least 2.
        max_bins: u32,
    },
}

/// How to train. The defaults are 200 rounds of trees 6 deep at a learning rate of 0.1, seed 42, and XGBoost's defaults
/// for all else; splits are looked for among 256 bins.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameters {
    /// What to predict.
    pub objective: Objective,
    /// How many trees are made, or how many for each class.
    pub n_rounds: u32,
    /// How many splits lie between root and leaf at most, 1 to [`DEPTH_MAX`].
    pub depth_max: u32,
    /// What each tree's answer is multiplied by, above 0 and at most 1 (`eta`).
    pub learning_rate: f32,
    /// The least sum of hessians in a leaf, for squared errors its least number of rows. 0 or more.
    pub min_child_weight: f32,
    /// The share of rows that each tree sees, above 0 and at most 1.
    pub subsample: f32,
    /// The share of columns that each tree sees, above 0 and at most 1 (`colsample_bytree`).
    pub column_sample: f32,
    /// The weight of squared leaf values in the loss, 0 or more.
    pub lambda: f32,
    /// How splits are looked for.
    pub tree_method: TreeMethod,
    /// What rows and columns are drawn by where a share of them is asked for.
    pub seed: u32,
    /// Stop when so many rounds in a row did not lower the loss on the validation rows, and keep the trees of the best
    /// round and before. None trains all rounds and keeps them.
    pub early_stopping_rounds: Option<u32>,
}

/// A parameter out of its bounds.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("use {value} as {name} (expected {expected})")]
pub struct ParameterError {
    /// The field of [`Parameters`].
    pub name: &'static str,
    /// What it was.
    pub value: String,
    /// What it may be.
    pub expected: &'static str,
}

impl Parameters {
    /// The defaults for `objective`.
    pub fn new(objective: Objective) -> Parameters {
        Parameters {
            objective,
            n_rounds: 200,
            depth_max: 6,
            learning_rate: 0.1,
            min_child_weight: 1.0,
            subsample: 1.0,
            column_sample: 1.0,
            lambda: 1.0,
            tree_method: TreeMethod::Hist { max_bins: 256 },
            seed: 42,
            early_stopping_rounds: None,
        }
    }

    /// Tells whether all parameters lie within their bounds.
    ///
    /// # Errors
    ///
    /// Names the first that does not.
    pub fn check(&self) -> Result<(), ParameterError> {
        let share = |value: f32| value > 0.0 && value <= 1.0;
        let positive = |value: f32| value >= 0.0 && value.is_finite();
        let bounds: [(&'static str, String, bool, &'static str); 9] = [
            (
                "n_classes",
                format!("{:?}", self.objective),
                !matches!(self.objective, Objective::Softprob { n_classes } if !(2..=CLASSES_MAX).contains(&n_classes)),
                "2 to 65535 classes",
            ),
            (
                "n_rounds",
                self.n_rounds.to_string(),
                (1..=1_000_000).contains(&self.n_rounds),
                "1 to 1000000",
            ),
            (
                "depth_max",
                self.depth_max.to_string(),
                (1..=DEPTH_MAX).contains(&self.depth_max),
                "1 to 15",
            ),
            (
                "learning_rate",
                self.learning_rate.to_string(),
                share(self.learning_rate),
                "above 0 and at most 1",
            ),
            (
                "min_child_weight",
                self.min_child_weight.to_string(),
                positive(self.min_child_weight),
                "0 or more",
            ),
            (
                "subsample",
                self.subsample.to_string(),
                share(self.subsample),
                "above 0 and at most 1",
            ),
            (
                "column_sample",
                self.column_sample.to_string(),
                share(self.column_sample),
                "above 0 and at most 1",
            ),
            ("lambda", self.lambda.to_string(), positive(self.lambda), "0 or more"),
            (
                "tree_method",
                format!("{:?}", self.tree_method),
                !matches!(self.tree_method, TreeMethod::Hist { max_bins } if !(2..=65_536).contains(&max_bins)),
                "2 to 65536 bins",
            ),
        ];
        for (name, value, fits, expected) in bounds {
            if !fits {
                return Err(ParameterError { name, value, expected });
            }
        }
        if self.early_stopping_rounds == Some(0) {
            let (name, expected) = ("early_stopping_rounds", "1 or more, or none");
            return Err(ParameterError {
                name,
                value: "0".to_owned(),
                expected,
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_fit() {
        for objective in [
            Objective::Logistic,
            Objective::Softprob { n_classes: 24 },
            Objective::SquaredError,
        ] {
            assert_eq!(Parameters::new(objective).check(), Ok(()));
        }
    }

    #[test]
    fn a_parameter_out_of_bounds_is_named() {
        let check = |change: fn(&mut Parameters), expect: &str| {
            let mut parameters = Parameters::new(Objective::Logistic);
            change(&mut parameters);
            assert_eq!(parameters.check().unwrap_err().to_string(), expect);
        };
        check(|all| all.n_rounds = 0, "use 0 as n_rounds (expected 1 to 1000000)");
        check(|all| all.depth_max = 16, "use 16 as depth_max (expected 1 to 15)");
        check(
            |all| all.learning_rate = f32::NAN,
            "use NaN as learning_rate (expected above 0 and at most 1)",
        );
        check(
            |all| all.subsample = 0.0,
            "use 0 as subsample (expected above 0 and at most 1)",
        );
        check(|all| all.lambda = -1.0, "use -1 as lambda (expected 0 or more)");
        check(
            |all| all.early_stopping_rounds = Some(0),
            "use 0 as early_stopping_rounds (expected 1 or more, or none)",
        );
        check(
            |all| all.objective = Objective::Softprob { n_classes: 1 },
            "use Softprob { n_classes: 1 } as n_classes (expected 2 to 65535 classes)",
        );
        check(
            |all| all.tree_method = TreeMethod::Hist { max_bins: 1 },
            "use Hist { max_bins: 1 } as tree_method (expected 2 to 65536 bins)",
        );
    }
}

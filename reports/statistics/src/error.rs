//! What numbers cannot be given a figure.

/// Why a figure cannot be worked out.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StatisticsError {
    /// Fewer values than the figure needs.
    #[error("work out a figure from too few values: at least {needed} needed, found {found}")]
    TooFew {
        /// Values given.
        found: usize,
        /// Values needed.
        needed: usize,
    },
    /// A value that is infinite or not a number.
    #[error("work out a figure: value {number} is {value}, expected a finite number")]
    NotFinite {
        /// Place of the value, from 1.
        number: usize,
        /// The value.
        value: f64,
    },
    /// Lists of pairs that are not equally long.
    #[error("compare values in pairs: expected as many on either side, found {left} and {right}")]
    Unpaired {
        /// Values on the left.
        left: usize,
        /// Values on the right.
        right: usize,
    },
    /// A confidence level outside of what makes sense.
    #[error("take {0} as a confidence level: expected a number between 0.5 and 0.999")]
    Level(f64),
    /// Too few resamples for a quantile of them to mean something.
    #[error("bootstrap with too few resamples: at least {needed} are needed, found {found}")]
    Resamples {
        /// Resamples asked for.
        found: u32,
        /// Resamples needed.
        needed: u32,
    },
}

/// Makes sure that there are enough values and that all of them are numbers.
pub(crate) fn check(values: &[f64], needed: usize) -> Result<(), StatisticsError> {
    if let Some((idx, value)) = values.iter().enumerate().find(|(_, value)| !value.is_finite()) {
        return Err(StatisticsError::NotFinite {
            number: idx + 1,
            value: *value,
        });
    }
    if values.len() < needed {
        return Err(StatisticsError::TooFew {
            found: values.len(),
            needed,
        });
    }
    Ok(())
}

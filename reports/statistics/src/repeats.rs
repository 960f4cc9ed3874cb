//! How much of a figure's spread comes from repeats (seeds) and how much from trajectories.

use crate::descriptive::{all_equal, mean, number, standard_deviation, variance};
use crate::error::{StatisticsError, check};

/// The spread of a figure over repeats of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RepeatVariance {
    /// Repeats.
    pub repeats: usize,
    /// Trajectories that every repeat has.
    pub trajectories: usize,
    /// Mean over trajectories and repeats.
    pub mean: f64,
    /// Standard deviation of the repeats' means; absent for a single repeat.
    pub standard_deviation: Option<f64>,
    /// The lowest mean of a repeat.
    pub lowest: f64,
    /// The highest mean of a repeat.
    pub highest: f64,
    /// Variance within trajectories, that is between the repeats of one trajectory: the mean square within of a one-way
    /// analysis of variance. Absent for a single repeat.
    pub within: Option<f64>,
    /// Variance between trajectories after what repeats contribute is taken away: (mean square between − mean square
    /// within) / repeats, at least 0. Absent for a single repeat or trajectory.
    pub between: Option<f64>,
    /// Whether every trajectory has the same value in all repeats.
    pub identical: bool,
}

/// The spread of a figure over repeats: `values[repeat][trajectory]`, where all repeats have the same trajectories.
///
/// # Errors
/// No repeat, no trajectory, repeats of different lengths, or a value that is no finite number.
pub fn repeat_variance(values: &[Vec<f64>]) -> Result<RepeatVariance, StatisticsError> {
    let Some(first) = values.first() else {
        return Err(StatisticsError::TooFew { found: 0, needed: 1 });
    };
    for repeat in values {
        check(repeat, 1)?;
        if repeat.len() != first.len() {
            return Err(StatisticsError::Unpaired {
                left: first.len(),
                right: repeat.len(),
            });
        }
    }
    let means: Vec<f64> = values.iter().filter_map(|repeat| mean(repeat)).collect();
    let trajectories: Vec<Vec<f64>> = (0..first.len())
        .map(|idx| values.iter().filter_map(|repeat| repeat.get(idx)).copied().collect())
        .collect();
    let spreads: Option<Vec<f64>> = trajectories.iter().map(|repeats| variance(repeats)).collect();
    let within = spreads.and_then(|spreads| mean(&spreads));
    let centers: Vec<f64> = trajectories.iter().filter_map(|repeats| mean(repeats)).collect();
    let between = variance(&centers)
        .zip(within)
        .map(|(spread, within)| (spread - within / number(values.len())).max(0.0));
    let end = |choose: fn(f64, f64) -> f64| means.iter().copied().reduce(choose).unwrap_or_default();
    Ok(RepeatVariance {
        repeats: values.len(),
        trajectories: first.len(),
        mean: mean(&means).unwrap_or_default(),
        standard_deviation: standard_deviation(&means),
        lowest: end(f64::min),
        highest: end(f64::max),
        within,
        between,
        identical: trajectories.iter().all(|repeats| all_equal(repeats)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three repeats of two trajectories, by hand: trajectory means 2 and 5, spreads 1 and 4, so within 2.5; spread of
    /// the means 4.5, less 2.5 / 3.
    #[test]
    fn spread_is_split() {
        let found = repeat_variance(&[vec![1.0, 3.0], vec![2.0, 5.0], vec![3.0, 7.0]]).unwrap();
        assert_eq!((found.repeats, found.trajectories), (3, 2));
        assert_eq!((found.mean, found.lowest, found.highest), (3.5, 2.0, 5.0));
        assert_eq!((found.standard_deviation, found.within), (Some(1.5), Some(2.5)));
        assert!(
            found
                .between
                .is_some_and(|between| (between - (4.5 - 2.5 / 3.0)).abs() < 1e-14)
        );
        assert!(!found.identical);
    }

    #[test]
    fn repeats_that_change_nothing_are_known() {
        let found = repeat_variance(&[vec![0.1, 0.3], vec![0.1, 0.3]]).unwrap();
        assert!(found.identical);
        assert_eq!((found.standard_deviation, found.within), (Some(0.0), Some(0.0)));
        let single = repeat_variance(&[vec![0.1, 0.3]]).unwrap();
        assert_eq!(
            (single.standard_deviation, single.within, single.between),
            (None, None, None)
        );
    }

    #[test]
    fn what_makes_no_table_is_refused() {
        assert!(repeat_variance(&[]).is_err());
        assert!(repeat_variance(&[vec![]]).is_err());
        assert!(repeat_variance(&[vec![1.0], vec![1.0, 2.0]]).is_err());
        assert!(repeat_variance(&[vec![f64::NAN]]).is_err());
    }
}

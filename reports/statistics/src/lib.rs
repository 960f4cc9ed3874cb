//! Confidence intervals, paired tests and effect sizes for means over trajectories.
//!
//! Pure functions over numbers: no clock, no files, no threads. What is drawn at random is drawn by ChaCha8 from a seed,
//! and sums run in a fixed order, so that the same numbers give the same figures on every machine. Figures that pass
//! through a function of the system's mathematics library (logarithm, exponential) are rounded to 40 bits for that.

mod bootstrap;
mod descriptive;
mod distribution;
mod effect;
mod error;
mod holm;
mod interval;
mod paired;
mod repeats;
mod sign_flip;
mod wilcoxon;

pub use bootstrap::{BootstrapSettings, OTHERS_MIN, RESAMPLES_MIN, mean_interval, mean_interval_by};
pub use descriptive::{mean, median, quantile, standard_deviation, standard_error, variance};
pub use effect::{cohens_dz, rank_biserial};
pub use error::StatisticsError;
pub use holm::holm;
pub use interval::{Interval, Method};
pub use paired::{PairedDifference, differences, paired_difference};
pub use repeats::{RepeatVariance, repeat_variance};
pub use sign_flip::{PERMUTATIONS, SignFlip, sign_flip};
pub use wilcoxon::{TestMethod, Wilcoxon, wilcoxon};

//! Confidence intervals, paired tests and effect sizes for means over trajectories.

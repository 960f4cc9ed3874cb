//! Synthetic workbooks and trajectories without end.

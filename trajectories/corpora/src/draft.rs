//! Trajectories written by hand in a shorthand.

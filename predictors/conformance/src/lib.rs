//! What every predictor must hold to, as a suite of checks.

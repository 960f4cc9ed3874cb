//! Tests of the predictor.

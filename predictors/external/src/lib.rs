//! Predictors outside of the program: child processes and services that speak `napsim-predictor/1`.

//! The suite against toy predictors.

mod faults;
mod toys;
mod verdict;

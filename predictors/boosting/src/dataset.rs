//! Rows to train on.

use std::sync::Arc;

use thiserror::Error;

use crate::tree::COLUMNS_MAX;

/// Rows with their labels. `NaN` among the values says that the value is missing.
#[derive(Debug, Clone)]
pub struct Dataset {
    n_columns: usize,
    /// Shared between datasets that differ in their labels alone: they may be most of what fits into memory.
    values: Arc<Vec<f32>>,
    labels: Vec<f32>,
    weights: Option<Vec<f32>>,
}

/// Why numbers make no dataset.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum DatasetError {
    /// There is nothing to learn from.
    #[error("use a dataset without rows")]
    Empty,
    /// No column, or more than an ensemble can tell apart.
    #[error("use {n_columns} columns (expected 1 to {COLUMNS_MAX})")]
    Columns {
        /// How many were asked for.
        n_columns: usize,
    },
    /// Not as many values, or weights, as rows ask for.
    #[error("read {what}: expected {expected} for {n_rows} rows, got {got}")]
    Length {
        /// "values", "labels" or "weights".
        what: &'static str,
        /// How many rows there are, by the labels.
        n_rows: usize,
        /// How many numbers that makes.
        expected: usize,
        /// How many there were.
        got: usize,
    },
    /// A number that cannot be learnt from.
    #[error("use {value} in row {row} of the {what}")]
    Value {
        /// "values", "labels" or "weights".
        what: &'static str,
        /// The row, from 0.
        row: usize,
        /// The number.
        value: f32,
    },
}

impl Dataset {
    /// Makes a dataset of `values`, `[n_rows, n_columns]` row by row, `labels`, `[n_rows]`, and `weights`, `[n_rows]`.
    ///
    /// # Errors
    ///
    /// Fails where the lengths do not fit, a value is infinite, a label is not finite, or a weight is not finite or
    /// is negative.
    pub fn new(
        n_columns: usize,
        values: Vec<f32>,
        labels: Vec<f32>,
        weights: Option<Vec<f32>>,
    ) -> Result<Dataset, DatasetError> {
        let n_rows = labels.len();
        if n_rows == 0 {
            return Err(DatasetError::Empty);
        }
        if n_columns == 0 || n_columns > COLUMNS_MAX {
            return Err(DatasetError::Columns { n_columns });
        }
        check_length("values", n_rows, n_rows.saturating_mul(n_columns), values.len())?;
        check_values("values", n_columns, &values, |value| !value.is_infinite())?;
        check_values("labels", 1, &labels, f32::is_finite)?;
        if let Some(weights) = &weights {
            check_length("weights", n_rows, n_rows, weights.len())?;
            check_values("weights", 1, weights, |weight| weight.is_finite() && weight >= 0.0)?;
        }
        Ok(Dataset {
            n_columns,
            values: Arc::new(values),
            labels,
            weights,
        })
    }

    /// The same rows with other labels, `[n_rows]`, to predict something else from them. The values are not copied.
    ///
    /// # Errors
    ///
    /// Fails where there are not as many labels as rows, or one is not finite.
    pub fn relabelled(&self, labels: Vec<f32>) -> Result<Dataset, DatasetError> {
        check_length("labels", self.n_rows(), self.n_rows(), labels.len())?;
        check_values("labels", 1, &labels, f32::is_finite)?;
        Ok(Dataset { labels, ..self.clone() })
    }

    /// How many rows there are.
    pub fn n_rows(&self) -> usize {
        self.labels.len()
    }

    /// How many columns each row has.
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// The values, `[n_rows, n_columns]` row by row.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The labels, `[n_rows]`.
    pub fn labels(&self) -> &[f32] {
        &self.labels
    }

    /// The weights, `[n_rows]`; none means that all rows weigh 1.
    pub fn weights(&self) -> Option<&[f32]> {
        self.weights.as_deref()
    }
}

fn check_length(what: &'static str, n_rows: usize, expected: usize, got: usize) -> Result<(), DatasetError> {
    if expected == got {
        return Ok(());
    }
    Err(DatasetError::Length {
        what,
        n_rows,
        expected,
        got,
    })
}

fn check_values(
    what: &'static str,
    n_columns: usize,
    values: &[f32],
    allowed: impl Fn(f32) -> bool,
) -> Result<(), DatasetError> {
    match values.iter().position(|&value| !allowed(value)) {
        None => Ok(()),
        Some(position) => Err(DatasetError::Value {
            what,
            row: position / n_columns,
            value: values.get(position).copied().unwrap_or(f32::NAN),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_fit_make_a_dataset() {
        let dataset = Dataset::new(2, vec![1.0, f32::NAN, 3.0, 4.0], vec![0.0, 1.0], Some(vec![1.0, 0.0])).unwrap();
        assert_eq!((dataset.n_rows(), dataset.n_columns()), (2, 2));
        assert_eq!(dataset.weights(), Some([1.0, 0.0].as_slice()));
    }

    #[test]
    fn the_same_rows_take_other_labels() {
        let dataset = Dataset::new(1, vec![1.0, 2.0], vec![0.0, 1.0], None).unwrap();
        let other = dataset.relabelled(vec![5.0, 6.0]).unwrap();
        assert_eq!(
            (other.values(), other.labels()),
            (dataset.values(), [5.0, 6.0].as_slice())
        );
        let error = dataset.relabelled(vec![5.0]).unwrap_err();
        assert_eq!(error.to_string(), "read labels: expected 2 for 2 rows, got 1");
        assert!(dataset.relabelled(vec![5.0, f32::INFINITY]).is_err());
    }

    #[test]
    fn other_numbers_are_refused_with_the_place() {
        let check = |n_columns, values: &[f32], labels: &[f32], weights: Option<&[f32]>, expect: &str| {
            let error = Dataset::new(
                n_columns,
                values.to_vec(),
                labels.to_vec(),
                weights.map(<[f32]>::to_vec),
            );
            assert_eq!(error.unwrap_err().to_string(), expect);
        };
        check(1, &[], &[], None, "use a dataset without rows");
        check(0, &[], &[1.0], None, "use 0 columns (expected 1 to 16384)");
        check(2, &[1.0], &[1.0], None, "read values: expected 2 for 1 rows, got 1");
        check(
            1,
            &[1.0],
            &[1.0],
            Some(&[]),
            "read weights: expected 1 for 1 rows, got 0",
        );
        check(
            2,
            &[1.0, 2.0, 3.0, f32::INFINITY],
            &[1.0, 1.0],
            None,
            "use inf in row 1 of the values",
        );
        check(1, &[1.0], &[f32::NAN], None, "use NaN in row 0 of the labels");
        check(1, &[1.0], &[1.0], Some(&[-1.0]), "use -1 in row 0 of the weights");
    }
}

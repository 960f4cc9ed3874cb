//! A linear model of whether a candidate is taken, for predictors whose own model says how likely it is.

use serde::{Deserialize, Serialize};

/// Weights of a logistic regression: a number for each column of the rows it was fitted to, and one for none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Gate {
    weights: Vec<f32>,
    bias: f32,
}

/// Rows to fit a gate to: `[n_rows, n_columns]`, a label and a weight for each row.
#[derive(Clone, Copy, Debug)]
pub struct GateRows<'a> {
    /// Columns of a row.
    pub n_columns: usize,
    /// The rows one after the other.
    pub rows: &'a [f32],
    /// Whether each was taken.
    pub labels: &'a [f32],
    /// How much each counts.
    pub weights: &'a [f32],
}

/// Newton steps at most; more change nothing.
const STEPS_MAX: usize = 30;
/// Keeps weights of columns that say nothing near nothing.
const RIDGE: f64 = 1.0;

impl Gate {
    /// Fits a gate by Newton's method, with a small penalty on weights. The same rows give the same gate.
    pub fn fit(rows: GateRows<'_>) -> Self {
        let n = rows.n_columns + 1;
        let mut weights = vec![0.0_f64; n];
        for _ in 0..STEPS_MAX {
            let (gradient, hessian) = derivatives(&rows, &weights);
            let Some(step) = solve(hessian, gradient) else { break };
            let longest = step.iter().fold(0.0_f64, |longest, part| longest.max(part.abs()));
            // Long steps of a fit that has not settled yet are cut, so that it cannot run away.
            let scale = if longest > 2.0 { 2.0 / longest } else { 1.0 };
            for (weight, part) in weights.iter_mut().zip(&step) {
                *weight += scale * part;
            }
            if longest < 1e-6 {
                break;
            }
        }
        #[expect(clippy::cast_possible_truncation, reason = "weights need no more precision")]
        let mut weights: Vec<f32> = weights.into_iter().map(|weight| weight as f32).collect();
        let bias = weights.pop().unwrap_or_default();
        Self { weights, bias }
    }

    /// Columns that a row must have.
    pub fn n_columns(&self) -> usize {
        self.weights.len()
    }

    /// The log-odds of each row.
    pub fn score(&self, rows: &[f32], out: &mut Vec<f32>) {
        out.clear();
        let width = self.weights.len().max(1);
        out.extend(rows.chunks_exact(width).map(|row| {
            let products = row.iter().zip(&self.weights).map(|(value, weight)| value * weight);
            self.bias + products.sum::<f32>()
        }));
    }
}

/// Gradient and Hessian of the penalised log-likelihood; the last entry is the bias.
fn derivatives(rows: &GateRows<'_>, weights: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = weights.len();
    let mut gradient: Vec<f64> = weights.iter().map(|weight| -RIDGE * weight).collect();
    let mut hessian = vec![vec![0.0; n]; n];
    for (idx, line) in hessian.iter_mut().enumerate() {
        if let Some(diagonal) = line.get_mut(idx) {
            *diagonal = RIDGE;
        }
    }
    let lines = rows.rows.chunks_exact(rows.n_columns.max(1));
    let mut values = vec![1.0; n];
    for ((line, label), count) in lines.zip(rows.labels).zip(rows.weights) {
        for (value, given) in values.iter_mut().zip(line) {
            *value = f64::from(*given);
        }
        let margin: f64 = values.iter().zip(weights).map(|(value, weight)| value * weight).sum();
        let probability = 1.0 / (1.0 + (-margin).exp());
        let slope = f64::from(*count) * (f64::from(*label) - probability);
        let curve = f64::from(*count) * probability * (1.0 - probability);
        for ((own, part), line) in values.iter().zip(&mut gradient).zip(&mut hessian) {
            *part += slope * own;
            if *own != 0.0 {
                for (other, entry) in values.iter().zip(line) {
                    *entry += curve * own * other;
                }
            }
        }
    }
    (gradient, hessian)
}

/// Solves a symmetric system by elimination with pivots; none where it has no single solution.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let n = right.len();
    for column in 0..n {
        let pivot = (column..n).max_by(|a, b| {
            let size = |row: &usize| {
                matrix
                    .get(*row)
                    .and_then(|line| line.get(column))
                    .map_or(0.0, |entry| entry.abs())
            };
            size(a).total_cmp(&size(b))
        })?;
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        let line = matrix.get(column)?.clone();
        let (head, value) = (*line.get(column)?, *right.get(column)?);
        if head.abs() < 1e-12 {
            return None;
        }
        for row in 0..n {
            if row == column {
                continue;
            }
            let factor = *matrix.get(row)?.get(column)? / head;
            for (entry, above) in matrix.get_mut(row)?.iter_mut().zip(&line) {
                *entry -= factor * above;
            }
            *right.get_mut(row)? -= factor * value;
        }
    }
    let quotient = |idx: usize| Some(right.get(idx)? / matrix.get(idx)?.get(idx)?);
    (0..n).map(quotient).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_odds_of_two_groups() {
        // Of the rows with 0 one in four is taken, of those with 1 three in four.
        let rows: Vec<f32> = (0..800_u16).map(|n| f32::from(n % 2)).collect();
        let labels: Vec<f32> = (0..800_u16)
            .map(|n| f32::from(u8::from((n / 2) % 4 < 1 + 2 * (n % 2))))
            .collect();
        let gate = Gate::fit(GateRows {
            n_columns: 1,
            rows: &rows,
            labels: &labels,
            weights: &vec![1.0; 800],
        });
        let mut scores = Vec::new();
        gate.score(&[0.0, 1.0], &mut scores);
        assert!((scores[0] + 3.0_f32.ln()).abs() < 0.05, "{scores:?}");
        assert!((scores[1] - 3.0_f32.ln()).abs() < 0.05, "{scores:?}");
    }

    #[test]
    fn a_singular_system_has_no_solution() {
        assert_eq!(solve(vec![vec![1.0, 1.0], vec![1.0, 1.0]], vec![1.0, 2.0]), None);
        assert_eq!(
            solve(vec![vec![0.0, 2.0], vec![4.0, 0.0]], vec![2.0, 4.0]),
            Some(vec![1.0, 1.0])
        );
    }
}

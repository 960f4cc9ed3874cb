//! Matrix products and linear layers over the rows of a batch.
//!
//! The tensor library multiplies; what goes with it is done here, in place. Its own additions and reductions
//! wait for each other on spinning threads, and its gradients copy every tensor several times over.

use crate::weights::Linear;
use candle_core::{Device, Result, Tensor};

/// Rows of this width times a matrix that is stored one row for each output: (n, width) · (m, width)ᵀ → (n, m).
pub(crate) fn by_outputs(rows: &[f32], matrix: &[f32], width: usize) -> Result<Vec<f32>> {
    let matrix = tensor(matrix, width)?;
    tensor(rows, width)?.matmul(&matrix.t()?)?.flatten_all()?.to_vec1()
}

/// Rows times a matrix: (n, k) · (k, width) → (n, width).
pub(crate) fn by_rows(rows: &[f32], matrix: &[f32], width: usize) -> Result<Vec<f32>> {
    let matrix = tensor(matrix, width)?;
    tensor(rows, matrix.dim(0)?)?.matmul(&matrix)?.flatten_all()?.to_vec1()
}

/// Products summed over the rows: (n, height)ᵀ · (n, width) → (height, width).
pub(crate) fn over_rows(left: &[f32], height: usize, right: &[f32], width: usize) -> Result<Vec<f32>> {
    let right = tensor(right, width)?;
    tensor(left, height)?.t()?.matmul(&right)?.flatten_all()?.to_vec1()
}

/// Rows of this width as a tensor.
fn tensor(rows: &[f32], width: usize) -> Result<Tensor> {
    Tensor::from_slice(rows, (rows.len() / width.max(1), width), &Device::Cpu)
}

/// Adds a bias to every row.
pub(crate) fn add_bias(rows: &mut [f32], bias: &[f32]) {
    for row in rows.chunks_exact_mut(bias.len().max(1)) {
        add(row, bias);
    }
}

/// Adds numbers to numbers.
pub(crate) fn add(sums: &mut [f32], shares: &[f32]) {
    for (sum, share) in sums.iter_mut().zip(shares) {
        *sum += share;
    }
}

/// The sum of all rows.
pub(crate) fn sum_rows(rows: &[f32], width: usize) -> Vec<f32> {
    let mut sums = vec![0.0; width];
    for row in rows.chunks_exact(width.max(1)) {
        add(&mut sums, row);
    }
    sums
}

/// Sets what is negative to zero.
pub(crate) fn rectify(numbers: &mut [f32]) {
    for number in numbers {
        *number = number.max(0.0);
    }
}

/// Lets a gradient through only where a rectified layer is above zero.
pub(crate) fn rectify_gradient(gradient: &mut [f32], rectified: &[f32]) {
    for (slope, number) in gradient.iter_mut().zip(rectified) {
        *slope = if *number > 0.0 { *slope } else { 0.0 };
    }
}

impl Linear<Vec<f32>> {
    /// Length of a row of the input.
    fn width(&self) -> usize {
        self.weight.len() / self.bias.len().max(1)
    }

    /// The layer on every row.
    pub(crate) fn forward(&self, input: &[f32]) -> Result<Vec<f32>> {
        let mut output = by_outputs(input, &self.weight, self.width())?;
        add_bias(&mut output, &self.bias);
        Ok(output)
    }

    /// From the gradient of the output to that of the layer and that of the input.
    pub(crate) fn backward(&self, input: &[f32], gradient: &[f32]) -> Result<(Self, Vec<f32>)> {
        let of_layer = Self {
            weight: over_rows(gradient, self.bias.len(), input, self.width())?,
            bias: sum_rows(gradient, self.bias.len()),
        };
        Ok((of_layer, by_rows(gradient, &self.weight, self.width())?))
    }
}

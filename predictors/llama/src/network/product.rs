//! Matrix products of numbers where they lie.

use candle_core::backend::BackendStorage as _;
use candle_core::{CpuStorage, Layout, Result, Shape, bail};

/// Numbers in the storage of the tensor library, so that it multiplies them without copies.
#[derive(Clone, Debug)]
pub(crate) struct Numbers(CpuStorage);

impl Numbers {
    /// These numbers.
    pub(crate) fn new(numbers: Vec<f32>) -> Self {
        Self(CpuStorage::F32(numbers))
    }

    /// So many zeros.
    pub(crate) fn zeros(n_numbers: usize) -> Self {
        Self::new(vec![0.0; n_numbers])
    }

    /// The numbers.
    pub(crate) fn as_slice(&self) -> &[f32] {
        match &self.0 {
            CpuStorage::F32(numbers) => numbers,
            _ => &[],
        }
    }

    /// The numbers, to be changed.
    pub(crate) fn as_mut_slice(&mut self) -> &mut [f32] {
        match &mut self.0 {
            CpuStorage::F32(numbers) => numbers,
            _ => &mut [],
        }
    }

    /// The numbers as rows of this width.
    pub(crate) fn rows(&self, width: usize) -> View<'_> {
        let height = self.as_slice().len() / width.max(1);
        self.part(0, (height, width), width)
    }

    /// Part of the numbers as a matrix of this height and width, each row so many numbers after the one before.
    pub(crate) fn part(&self, offset: usize, (height, width): (usize, usize), row_step: usize) -> View<'_> {
        View {
            numbers: self,
            offset,
            height,
            width,
            row_step,
            column_step: 1,
        }
    }
}

/// Numbers seen as a matrix.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    numbers: &'a Numbers,
    offset: usize,
    height: usize,
    width: usize,
    row_step: usize,
    column_step: usize,
}

impl View<'_> {
    /// The matrix transposed.
    pub(crate) fn t(self) -> Self {
        Self {
            height: self.width,
            width: self.height,
            row_step: self.column_step,
            column_step: self.row_step,
            ..self
        }
    }

    /// Whether all of it lies within the numbers; the product itself would not look.
    fn lies_within(&self) -> bool {
        let last = self.offset + (self.height - 1) * self.row_step + (self.width - 1) * self.column_step;
        last < self.numbers.as_slice().len()
    }

    fn layout(&self) -> Layout {
        Layout::new(
            Shape::from((self.height, self.width)),
            vec![self.row_step, self.column_step],
            self.offset,
        )
    }
}

/// The product of two matrices, in rows.
pub(crate) fn product(left: View<'_>, right: View<'_>) -> Result<Numbers> {
    if left.width != right.height {
        bail!(
            "a matrix of width {} cannot be multiplied by one of height {}",
            left.width,
            right.height
        );
    }
    if left.height * left.width * right.width == 0 {
        return Ok(Numbers::zeros(left.height * right.width));
    }
    if !left.lies_within() || !right.lies_within() {
        bail!("a matrix of a product reaches beyond its numbers");
    }
    let sizes = (1, left.height, right.width, left.width);
    let storage = left
        .numbers
        .0
        .matmul(&right.numbers.0, sizes, &left.layout(), &right.layout())?;
    Ok(Numbers(storage))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_and_transposed_matrices_are_multiplied() {
        let numbers = Numbers::new((0_u8..12).map(f32::from).collect());
        // Rows (1, 2), (4, 5), (7, 8) times the transposed of (0, 1, 2), (3, 4, 5).
        let left = numbers.part(1, (3, 2), 3);
        let right = Numbers::new(vec![1.0, 10.0, 2.0, 20.0]);
        let by_rows = product(left, right.rows(2)).unwrap();
        assert_eq!(by_rows.as_slice(), [5.0, 50.0, 14.0, 140.0, 23.0, 230.0]);
        let over_rows = product(left.t(), numbers.part(0, (3, 1), 1)).unwrap();
        assert_eq!(over_rows.as_slice(), [18.0, 21.0]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let numbers = Numbers::zeros(6);
        assert!(product(numbers.rows(2), numbers.rows(2)).is_err());
        assert!(product(numbers.part(1, (3, 2), 2), numbers.rows(3)).is_err());
        let nothing = product(numbers.part(0, (0, 2), 2), numbers.rows(3)).unwrap();
        assert!(nothing.as_slice().is_empty());
    }
}

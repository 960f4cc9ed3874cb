//! Trees that predict together.

mod bytes;

use thiserror::Error;

pub use bytes::LayoutError;

use crate::objective::Objective;
use crate::tree::{COLUMNS_MAX, PackedNode, Tree, TreeError, pack, walk};

/// How many rows go through one tree after the other: their values, at a hundred columns, stay in the innermost cache,
/// and so does the tree.
const ROWS_AT_A_TIME: usize = 64;

/// How many walks go on at once, with which the processor is busy and its registers are full.
const LANES: usize = 8;

/// Trees that predict together, each adding to the margin of its output: tree `i` to that of output `i % n_outputs`.
///
/// Nothing in it changes once it is made, so any number of threads may share one.
#[derive(Debug, Clone, PartialEq)]
pub struct Ensemble {
    objective: Objective,
    n_columns: usize,
    /// The margin that every output begins with.
    base_margin: f32,
    /// The nodes of all trees one tree after the other.
    nodes: Vec<PackedNode>,
    trees: Vec<Extent>,
    /// By how much the splits on each column lowered the training loss, `[n_columns]`.
    gains: Vec<f64>,
}

/// Where a tree lies among the nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Extent {
    first: usize,
    /// Splits between root and deepest leaf.
    depth: u16,
}

/// Why a row, or the room for what comes out, does not fit an ensemble.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// Not the number of values that rows have.
    #[error("predict {got} values (expected rows of {n_columns})")]
    Row {
        /// How many values a row has.
        n_columns: usize,
        /// How many there were.
        got: usize,
    },
    /// Not the room that the outputs need.
    #[error("keep {expected} outputs in {got} places")]
    Out {
        /// How many outputs there are.
        expected: usize,
        /// How many places there were.
        got: usize,
    },
}

impl Ensemble {
    /// Makes an ensemble of `trees`, for each output in turn, that look at rows of `n_columns` values. Every output's
    /// margin begins with `base_margin`.
    ///
    /// # Errors
    ///
    /// Fails where a description is no tree, names a column that rows don't have, or holds numbers that are not finite;
    /// where there are no columns or more than [`COLUMNS_MAX`]; and where the trees do not go round evenly.
    pub fn from_trees(
        objective: Objective,
        n_columns: usize,
        base_margin: f32,
        trees: &[Tree],
    ) -> Result<Ensemble, LayoutError> {
        let mut ensemble = Ensemble {
            objective,
            n_columns,
            base_margin,
            nodes: Vec::new(),
            trees: Vec::with_capacity(trees.len()),
            gains: vec![0.0; n_columns.min(COLUMNS_MAX)],
        };
        ensemble.check_head(trees.len())?;
        for (index, tree) in trees.iter().enumerate() {
            let reason = |reason: TreeError| LayoutError::Tree { index, reason };
            let first = ensemble.nodes.len();
            let depth = pack(tree, &mut ensemble.nodes, &mut ensemble.gains).map_err(reason)?;
            ensemble.trees.push(Extent { first, depth });
        }
        Ok(ensemble)
    }

    /// Checks everything but the nodes of `n_trees` trees.
    fn check_head(&self, n_trees: usize) -> Result<(), LayoutError> {
        if self.n_columns == 0 || self.n_columns > COLUMNS_MAX {
            return Err(LayoutError::Columns {
                n_columns: self.n_columns,
            });
        }
        let n_outputs = self.n_outputs();
        let one_class = matches!(self.objective, Objective::Softprob { n_classes } if n_classes < 2);
        if one_class || !n_trees.is_multiple_of(n_outputs) {
            return Err(LayoutError::Outputs { n_trees, n_outputs });
        }
        if self.base_margin.is_finite() {
            Ok(())
        } else {
            Err(LayoutError::BaseMargin)
        }
    }

    /// What is predicted.
    pub fn objective(&self) -> Objective {
        self.objective
    }

    /// How many values a row has.
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// How many numbers a prediction has.
    pub fn n_outputs(&self) -> usize {
        self.objective.n_outputs()
    }

    /// How many trees there are, of all outputs.
    pub fn n_trees(&self) -> usize {
        self.trees.len()
    }

    /// How many nodes all trees have, leaves included.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// How much each column matters, `[n_columns]`: its share of what all splits lowered the training loss by (XGBoost's
    /// `total_gain`, divided by its sum). The shares add up to 1; without any split all are 0.
    pub fn importance(&self) -> Vec<f64> {
        let sum: f64 = self.gains.iter().sum();
        let share = |gain: &f64| if sum > 0.0 { gain / sum } else { 0.0 };
        self.gains.iter().map(share).collect()
    }

    /// Writes the margins of `row`, `[n_columns]`, to `out`, `[n_outputs]`: what the objective makes a prediction of.
    /// `NaN` in a row says that the value is missing.
    ///
    /// # Errors
    ///
    /// Fails where the lengths do not fit.
    pub fn margins(&self, row: &[f32], out: &mut [f32]) -> Result<(), ShapeError> {
        self.check_shape(1, row, out)?;
        self.add_up_row(row, out);
        Ok(())
    }

    /// Writes the prediction for `row`, `[n_columns]`, to `out`, `[n_outputs]`: probabilities or a number.
    ///
    /// # Errors
    ///
    /// As [`margins`](Ensemble::margins).
    pub fn predict(&self, row: &[f32], out: &mut [f32]) -> Result<(), ShapeError> {
        self.margins(row, out)?;
        self.objective.apply(out);
        Ok(())
    }

    /// Writes the margins of all `rows`, `[n_rows, n_columns]`, to `out`, `[n_rows, n_outputs]`; they are the same to
    /// the bit as those of [`margins`](Ensemble::margins).
    ///
    /// # Errors
    ///
    /// Fails where the lengths do not fit.
    pub fn margins_of_rows(&self, rows: &[f32], out: &mut [f32]) -> Result<(), ShapeError> {
        self.check_shape(rows.len() / self.n_columns, rows, out)?;
        let blocks = rows.chunks(ROWS_AT_A_TIME * self.n_columns);
        for (rows, out) in blocks.zip(out.chunks_mut(ROWS_AT_A_TIME * self.n_outputs())) {
            self.add_up_rows(rows, out);
        }
        Ok(())
    }

    fn check_shape(&self, n_rows: usize, rows: &[f32], out: &[f32]) -> Result<(), ShapeError> {
        let n_columns = self.n_columns;
        if rows.len() != n_rows * n_columns {
            return Err(ShapeError::Row {
                n_columns,
                got: rows.len(),
            });
        }
        let expected = n_rows * self.n_outputs();
        if out.len() != expected {
            return Err(ShapeError::Out {
                expected,
                got: out.len(),
            });
        }
        Ok(())
    }

    /// Adds up the trees in the order in which they were trained, as XGBoost does: sums of floats depend on the order.
    /// Walks through several trees at once.
    fn add_up_row(&self, row: &[f32], out: &mut [f32]) {
        out.fill(self.base_margin);
        let (groups, rest) = self.trees.as_chunks::<LANES>();
        let mut output = 0;
        let mut add = |value: f32| {
            if let Some(margin) = out.get_mut(output) {
                *margin += value;
            }
            output = if output + 1 == out.len() { 0 } else { output + 1 };
        };
        for trees in groups {
            let depth = trees.iter().map(|tree| tree.depth).max().unwrap_or(0);
            let ends = walk(&self.nodes, trees.map(|tree| tree.first), depth, [row; LANES]);
            ends.into_iter().for_each(&mut add);
        }
        for tree in rest {
            let [end] = walk(&self.nodes, [tree.first], tree.depth, [row]);
            add(end);
        }
    }

    /// The same for several rows, tree by tree. Walks with several rows at once.
    fn add_up_rows(&self, rows: &[f32], out: &mut [f32]) {
        out.fill(self.base_margin);
        let n_outputs = self.n_outputs();
        let rows: Vec<&[f32]> = rows.chunks_exact(self.n_columns).collect();
        let (groups, rest) = rows.as_chunks::<LANES>();
        for (index, tree) in self.trees.iter().enumerate() {
            let mut margins = out.iter_mut().skip(index % n_outputs).step_by(n_outputs);
            for rows in groups {
                let ends = walk(&self.nodes, [tree.first; LANES], tree.depth, *rows);
                for (end, margin) in ends.into_iter().zip(&mut margins) {
                    *margin += end;
                }
            }
            for (row, margin) in rest.iter().zip(&mut margins) {
                let [end] = walk(&self.nodes, [tree.first], tree.depth, [row]);
                *margin += end;
            }
        }
    }
}

//! One decision tree, as it is described and as it is kept.

use thiserror::Error;

/// The most columns that a split can name: two of its 16 bits say other things.
pub const COLUMNS_MAX: usize = 16_384;

/// The most nodes of one tree: a node has a number of 16 bits.
pub const NODES_MAX: usize = 65_535;

/// A tree as its maker describes it. Node 0 is the root; nodes that it does not lead to are left out.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    /// The nodes, in any order after the root.
    pub nodes: Vec<Node>,
}

/// A node of a [`Tree`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Node {
    /// Rows go on to one of two nodes.
    Split {
        /// The column looked at, from 0.
        column: u32,
        /// Rows whose value is below it go left, others right.
        threshold: f32,
        /// Whether rows without the value go left.
        missing_left: bool,
        /// The node on the left.
        left: u32,
        /// The node on the right.
        right: u32,
        /// By how much the split lowered the training loss; only importance is made of it.
        gain: f32,
    },
    /// Rows end here.
    Leaf {
        /// What is added to their margin.
        value: f32,
    },
}

/// Why a description is no tree.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum TreeError {
    /// A link leads nowhere.
    #[error("find node {node}")]
    NoNode {
        /// The number of the node.
        node: u32,
    },
    /// Two links lead to one node, or a node leads to itself.
    #[error("follow a second link to node {node}")]
    Tangled {
        /// The number of the node.
        node: u32,
    },
    /// The tree is too large.
    #[error("keep a tree of more than {NODES_MAX} nodes")]
    TooLarge,
    /// A column that rows don't have.
    #[error("split on column {column} of {n_columns}")]
    NoColumn {
        /// The column of the split.
        column: u32,
        /// How many columns rows have.
        n_columns: usize,
    },
    /// A threshold, leaf or gain that is not finite, or a negative gain.
    #[error("use {value} in a tree")]
    Value {
        /// The number.
        value: f32,
    },
}

/// A node in 8 bytes. The two nodes that a split leads to lie side by side, so only the left one is named.
///
/// A leaf leads to itself, so that a walk may take more steps than it needs: all walks through a tree take as many
/// steps as the tree is deep, without a branch that the processor could guess wrong.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PackedNode {
    /// The threshold of a split or the value of a leaf.
    pub(crate) value: f32,
    /// The column and, in the two highest bits, [`LEAF`] and [`MISSING_LEFT`].
    pub(crate) column: u16,
    /// The number of the left node in its tree, of a leaf its own.
    pub(crate) left: u16,
}

/// Marks a leaf; its column is 0.
pub(crate) const LEAF: u16 = 1 << 15;

/// Marks a split at which rows without the value go left.
pub(crate) const MISSING_LEFT: u16 = 1 << 14;

/// The bits of a [`PackedNode::column`] that are the column.
pub(crate) const COLUMN: u16 = MISSING_LEFT - 1;

/// What `N` walks end at: walk `i` through the tree that begins at node `firsts[i]`, with the row `rows[i]`, `depth`
/// splits down or, where the tree is less deep, to its leaf.
///
/// Each step of a walk waits for the one before it, so that one walk leaves the processor idle; several at once don't.
/// `nodes` holds whole trees, and rows have all columns that they name.
#[inline]
#[expect(
    clippy::indexing_slicing,
    reason = "trees are checked when they are made and rows when they come; the loop is the hot one"
)]
pub(crate) fn walk<const N: usize>(
    nodes: &[PackedNode],
    firsts: [usize; N],
    depth: u16,
    rows: [&[f32]; N],
) -> [f32; N] {
    let mut at = firsts.map(|first| nodes[first]);
    for _ in 0..depth {
        for lane in 0..N {
            let node = at[lane];
            let value = rows[lane][usize::from(node.column & COLUMN)];
            // Numbers rather than `&&` and `if`, which would be branches that nobody can guess.
            let left = u16::from(value < node.value) | (u16::from(value.is_nan()) & (node.column >> 14));
            let right = (left | (node.column >> 15)) & 1 ^ 1;
            at[lane] = nodes[firsts[lane] + usize::from(node.left) + usize::from(right)];
        }
    }
    at.map(|node| node.value)
}

/// Packs `tree` at the end of `nodes`, level by level, and adds its gains to `gains`, `[n_columns]`. Returns its depth.
pub(crate) fn pack(tree: &Tree, nodes: &mut Vec<PackedNode>, gains: &mut [f64]) -> Result<u16, TreeError> {
    let mut seen = vec![false; tree.nodes.len()];
    // The nodes in the order in which they are packed, each with its depth; it grows while it is walked through.
    let mut order: Vec<(u32, u16)> = vec![(0, 0)];
    let mut depth = 0;
    let mut position = 0;
    while let Some(&(number, node_depth)) = order.get(position) {
        let node = tree
            .nodes
            .get(number as usize)
            .ok_or(TreeError::NoNode { node: number })?;
        match seen.get_mut(number as usize) {
            Some(seen) if !*seen => *seen = true,
            _ => return Err(TreeError::Tangled { node: number }),
        }
        depth = depth.max(node_depth);
        nodes.push(match *node {
            Node::Leaf { value } => PackedNode {
                value: finite(value)?,
                column: LEAF,
                left: number_of(position)?,
            },
            Node::Split {
                column,
                threshold,
                missing_left,
                left,
                right,
                gain,
            } => {
                let n_columns = gains.len();
                let sum = gains.get_mut(column as usize);
                let sum = sum.ok_or(TreeError::NoColumn { column, n_columns })?;
                if gain < 0.0 {
                    return Err(TreeError::Value { value: gain });
                }
                *sum += f64::from(finite(gain)?);
                let first_child = number_of(order.len())?;
                number_of(order.len() + 1)?;
                order.extend([(left, node_depth + 1), (right, node_depth + 1)]);
                PackedNode {
                    value: finite(threshold)?,
                    // Below COLUMNS_MAX, since rows have no more columns.
                    column: (column as u16 & COLUMN) | if missing_left { MISSING_LEFT } else { 0 },
                    left: first_child,
                }
            }
        });
        position += 1;
    }
    Ok(depth)
}

fn number_of(position: usize) -> Result<u16, TreeError> {
    if position >= NODES_MAX {
        return Err(TreeError::TooLarge);
    }
    u16::try_from(position).map_err(|_| TreeError::TooLarge)
}

fn finite(value: f32) -> Result<f32, TreeError> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(TreeError::Value { value })
    }
}

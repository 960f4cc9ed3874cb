//! Ensembles as bytes.
//!
//! Little-endian, version 1:
//!
//! | bytes | what |
//! |---|---|
//! | 4 | `NGBT` |
//! | 2 | version, 1 |
//! | 2 | objective: 0 logistic, 1 softprob, 2 squared error |
//! | 4 | outputs |
//! | 4 | columns |
//! | 4 | trees |
//! | 4 | base margin, f32 |
//! | 8 a column | gain, f64 |
//! | 6 a node | column with the two bits of a packed node (u16), threshold or leaf value (f32) |
//!
//! The nodes of a tree come level by level, so a split leads to the next two nodes that no split before it leads to.
//! Links are not written; any sequence of nodes is a tree, and it ends where no split waits for a node. What is read is
//! what would be written: no two files say the same.

use thiserror::Error;

use super::{Ensemble, Extent};
use crate::objective::Objective;
use crate::tree::{COLUMN, COLUMNS_MAX, LEAF, NODES_MAX, PackedNode, TreeError};

const MAGIC: [u8; 4] = *b"NGBT";
const VERSION: u16 = 1;
const BYTES_A_NODE: usize = 6;

/// Why trees or bytes are no ensemble.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum LayoutError {
    /// The bytes do not begin as an ensemble does.
    #[error("read an ensemble: the first bytes are not NGBT")]
    Magic,
    /// The bytes are of another version.
    #[error("read version {version} of ensembles (this program reads {VERSION})")]
    Version {
        /// The version that the bytes claim.
        version: u16,
    },
    /// The number of the objective is not known.
    #[error("read an ensemble with objective {code}")]
    Objective {
        /// The number.
        code: u16,
    },
    /// The bytes end too early.
    #[error("read an ensemble: the bytes end within it")]
    Short,
    /// Bytes are left over.
    #[error("read an ensemble: {n_bytes} bytes are left over")]
    Long {
        /// How many.
        n_bytes: usize,
    },
    /// No column, or too many.
    #[error("use {n_columns} columns (expected 1 to {COLUMNS_MAX})")]
    Columns {
        /// How many there would be.
        n_columns: usize,
    },
    /// The number of outputs does not fit the objective or the number of trees.
    #[error("share {n_trees} trees among {n_outputs} outputs")]
    Outputs {
        /// How many trees there are.
        n_trees: usize,
        /// How many outputs there are.
        n_outputs: usize,
    },
    /// The base margin is not finite.
    #[error("use a base margin that is not finite")]
    BaseMargin,
    /// A gain is not finite or is negative.
    #[error("use {value} as the gain of column {column}")]
    Gain {
        /// The column.
        column: usize,
        /// Its gain.
        value: f64,
    },
    /// A tree is none.
    #[error("use tree {index}: failed to {reason}")]
    Tree {
        /// The number of the tree, from 0.
        index: usize,
        /// Why.
        reason: TreeError,
    },
}

impl Ensemble {
    /// The ensemble as bytes: 6 for each node, 8 for each column and 24 more. Equal ensembles give equal bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let n_bytes = 24 + 8 * self.n_columns + BYTES_A_NODE * self.nodes.len();
        let mut bytes = Vec::with_capacity(n_bytes);
        let code: u16 = match self.objective {
            Objective::Logistic => 0,
            Objective::Softprob { .. } => 1,
            Objective::SquaredError => 2,
        };
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(code.to_le_bytes());
        for count in [self.n_outputs(), self.n_columns, self.trees.len()] {
            // Counts come from 32 bits or, as trees, take memory that no machine has before they outgrow them.
            bytes.extend((count as u32).to_le_bytes());
        }
        bytes.extend(self.base_margin.to_le_bytes());
        bytes.extend(self.gains.iter().flat_map(|gain| gain.to_le_bytes()));
        for node in &self.nodes {
            bytes.extend(node.column.to_le_bytes());
            bytes.extend(node.value.to_le_bytes());
        }
        bytes
    }

    /// The ensemble that [`to_bytes`](Ensemble::to_bytes) gave the bytes of.
    ///
    /// # Errors
    ///
    /// Fails on all other bytes, and never reads more than there are or makes room for more than they can hold.
    pub fn from_bytes(bytes: &[u8]) -> Result<Ensemble, LayoutError> {
        let mut reader = Reader { rest: bytes };
        if reader.take::<4>()? != MAGIC {
            return Err(LayoutError::Magic);
        }
        let version = reader.u16()?;
        if version != VERSION {
            return Err(LayoutError::Version { version });
        }
        let code = reader.u16()?;
        let [n_outputs, n_columns, n_trees] = [reader.u32()?, reader.u32()?, reader.u32()?];
        let objective = match code {
            0 => Objective::Logistic,
            1 => Objective::Softprob { n_classes: n_outputs },
            2 => Objective::SquaredError,
            code => return Err(LayoutError::Objective { code }),
        };
        let [n_outputs, n_columns, n_trees] = [n_outputs, n_columns, n_trees].map(|count| count as usize);
        if objective.n_outputs() != n_outputs {
            return Err(LayoutError::Outputs { n_trees, n_outputs });
        }
        let mut ensemble = Ensemble {
            objective,
            n_columns,
            base_margin: f32::from_le_bytes(reader.take()?),
            nodes: Vec::with_capacity(reader.rest.len() / BYTES_A_NODE),
            trees: Vec::with_capacity(n_trees.min(reader.rest.len() / BYTES_A_NODE)),
            gains: Vec::new(),
        };
        ensemble.check_head(n_trees)?;
        for column in 0..n_columns {
            let value = f64::from_le_bytes(reader.take()?);
            if !value.is_finite() || value.is_sign_negative() {
                return Err(LayoutError::Gain { column, value });
            }
            ensemble.gains.push(value);
        }
        for index in 0..n_trees {
            ensemble.read_tree(index, &mut reader)?;
        }
        match reader.rest.len() {
            0 => Ok(ensemble),
            n_bytes => Err(LayoutError::Long { n_bytes }),
        }
    }

    fn read_tree(&mut self, index: usize, reader: &mut Reader) -> Result<(), LayoutError> {
        let refuse = |reason: TreeError| LayoutError::Tree { index, reason };
        let first = self.nodes.len();
        // How many nodes the splits so far lead to, the root included, and where the level being read ends.
        let (mut n_nodes, mut level_end, mut depth) = (1, 1, 0);
        let mut position = 0;
        while position < n_nodes {
            if position == level_end {
                (level_end, depth) = (n_nodes, depth + 1);
            }
            let column = reader.u16()?;
            let value = f32::from_le_bytes(reader.take()?);
            if !value.is_finite() {
                return Err(refuse(TreeError::Value { value }));
            }
            let leaf = column & LEAF != 0;
            let known = if leaf {
                column == LEAF
            } else {
                usize::from(column & COLUMN) < self.n_columns
            };
            if !known {
                let (column, n_columns) = (u32::from(column & COLUMN), self.n_columns);
                return Err(refuse(TreeError::NoColumn { column, n_columns }));
            }
            let left = if leaf { position } else { n_nodes };
            n_nodes += if leaf { 0 } else { 2 };
            if n_nodes > NODES_MAX {
                return Err(refuse(TreeError::TooLarge));
            }
            let left = u16::try_from(left).map_err(|_| refuse(TreeError::TooLarge))?;
            self.nodes.push(PackedNode { value, column, left });
            position += 1;
        }
        self.trees.push(Extent { first, depth });
        Ok(())
    }
}

/// What is left of the bytes.
struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], LayoutError> {
        let (taken, rest) = self.rest.split_first_chunk::<N>().ok_or(LayoutError::Short)?;
        self.rest = rest;
        Ok(*taken)
    }

    fn u16(&mut self) -> Result<u16, LayoutError> {
        self.take().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32, LayoutError> {
        self.take().map(u32::from_le_bytes)
    }
}

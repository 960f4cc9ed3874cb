//! Matrices packed for the inner loops: as many bits a number as the file has.

use pulp::Arch;

use super::kernel::{BLOCK, Product, Scratch, panel_width};
use crate::weights::{Numbers, StoredTensor, halves};

/// How the numbers of a packed matrix are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packed {
    /// 4 bits, a factor and a summand for 32 of them.
    Nibbles,
    /// 8 bits, a factor for 32 of them.
    Bytes,
    /// The upper halves of single-precision floats.
    BrainFloats,
    /// Half-precision floats.
    HalfFloats,
    /// Single-precision floats.
    Floats,
}

impl Packed {
    /// Numbers in a word of 32 bits.
    fn per_word(self) -> usize {
        match self {
            Self::Nibbles => 8,
            Self::Bytes => 4,
            Self::BrainFloats | Self::HalfFloats => 2,
            Self::Floats => 1,
        }
    }

    /// Scales of a block and row.
    fn n_scales(self) -> usize {
        match self {
            Self::Nibbles => 2,
            Self::Bytes => 1,
            _ => 0,
        }
    }
}

/// A matrix in panels of as many rows as two vectors hold; in a panel, the rows' numbers of one column lie together.
#[derive(Debug)]
pub(super) struct PackedMatrix {
    packed: Packed,
    rows: usize,
    columns: usize,
    /// Panel, block of columns, scale, row.
    scales: Vec<f32>,
    /// Panel, block of columns, word, row; the first column of a word is in its lowest bits.
    words: Vec<u32>,
}

impl PackedMatrix {
    /// Packs a matrix of `rows` × `columns`. What it stands for is exactly what the file holds.
    pub(super) fn pack(arch: Arch, tensor: &StoredTensor) -> Self {
        let (rows, columns) = tensor.matrix_shape();
        let source = Source::of(tensor.numbers(), columns);
        let packed = source.packed();
        let width = panel_width(arch);
        let n_panels = rows.div_ceil(width);
        let n_blocks = columns.div_ceil(BLOCK);
        let words_per_block = BLOCK / packed.per_word();
        let mut matrix = Self {
            packed,
            rows,
            columns,
            scales: vec![0.0; n_panels * n_blocks * packed.n_scales() * width],
            words: vec![0; n_panels * n_blocks * words_per_block * width],
        };
        for row in 0..rows {
            let (panel, lane) = (row / width, row % width);
            for block in 0..n_blocks {
                let block_idx = panel * n_blocks + block;
                let filled = source.block(row, block, columns);
                for (scale_idx, scale) in filled.scales.iter().take(packed.n_scales()).enumerate() {
                    let idx = (block_idx * packed.n_scales() + scale_idx) * width + lane;
                    set(&mut matrix.scales, idx, *scale);
                }
                for (word_idx, word) in filled.words.iter().take(words_per_block).enumerate() {
                    let idx = (block_idx * words_per_block + word_idx) * width + lane;
                    set(&mut matrix.words, idx, *word);
                }
            }
        }
        matrix
    }

    /// `output` = rows of `input` times the transposed matrix: as many rows of `rows()` numbers.
    pub(super) fn product(&self, arch: Arch, input: &[f32], output: &mut [f32], scratch: &mut Scratch) {
        arch.dispatch(Product {
            matrix: self,
            input,
            output,
            scratch,
        });
    }

    pub(super) fn packed(&self) -> Packed {
        self.packed
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    pub(super) fn scales(&self) -> &[f32] {
        &self.scales
    }

    pub(super) fn words(&self) -> &[u32] {
        &self.words
    }
}

fn set<T>(numbers: &mut [T], idx: usize, number: T) {
    if let Some(place) = numbers.get_mut(idx) {
        *place = number;
    }
}

/// A row's numbers in one block of columns.
struct Filled {
    scales: [f32; 2],
    words: [u32; BLOCK],
}

/// The numbers of a file, a row after the other.
enum Source<'a> {
    /// Blocks of so many bytes, in which the numbers begin after the scales.
    Nibbles {
        bytes: &'a [u8],
        per_row: usize,
        has_minimum: bool,
    },
    Bytes {
        bytes: &'a [u8],
        per_row: usize,
    },
    Halves {
        numbers: &'a [u16],
        packed: Packed,
    },
    Floats(&'a [f32]),
}

impl<'a> Source<'a> {
    fn of(numbers: &'a Numbers, columns: usize) -> Self {
        let per_row = columns / BLOCK;
        match numbers {
            Numbers::Q4_0(bytes) => Self::Nibbles {
                bytes,
                per_row,
                has_minimum: false,
            },
            Numbers::Q4_1(bytes) => Self::Nibbles {
                bytes,
                per_row,
                has_minimum: true,
            },
            Numbers::Q8_0(bytes) => Self::Bytes { bytes, per_row },
            Numbers::BF16(numbers) => Self::Halves {
                numbers,
                packed: Packed::BrainFloats,
            },
            Numbers::F16(numbers) => Self::Halves {
                numbers,
                packed: Packed::HalfFloats,
            },
            Numbers::F32(numbers) => Self::Floats(numbers),
        }
    }

    fn packed(&self) -> Packed {
        match self {
            Self::Nibbles { .. } => Packed::Nibbles,
            Self::Bytes { .. } => Packed::Bytes,
            Self::Halves { packed, .. } => *packed,
            Self::Floats(_) => Packed::Floats,
        }
    }

    fn block(&self, row: usize, block: usize, columns: usize) -> Filled {
        let mut filled = Filled {
            scales: [0.0; 2],
            words: [0; BLOCK],
        };
        match self {
            Self::Nibbles {
                bytes,
                per_row,
                has_minimum,
            } => filled.nibbles(
                block_of(bytes, row * per_row + block, if *has_minimum { 20 } else { 18 }),
                *has_minimum,
            ),
            Self::Bytes { bytes, per_row } => filled.bytes(block_of(bytes, row * per_row + block, 34)),
            Self::Halves { numbers, .. } => {
                for (k, number) in columns_of(numbers, row, block, columns).iter().enumerate() {
                    filled.put(k, 2, u32::from(*number));
                }
            }
            Self::Floats(numbers) => {
                for (k, number) in columns_of(numbers, row, block, columns).iter().enumerate() {
                    filled.put(k, 1, number.to_bits());
                }
            }
        }
        filled
    }
}

fn block_of(bytes: &[u8], idx: usize, size: usize) -> &[u8] {
    bytes.get(idx * size..(idx + 1) * size).unwrap_or_default()
}

fn columns_of<T>(numbers: &[T], row: usize, block: usize, columns: usize) -> &[T] {
    let start = row * columns + block * BLOCK;
    let end = start + BLOCK.min(columns - block * BLOCK);
    numbers.get(start..end).unwrap_or_default()
}

impl Filled {
    /// Puts number `k` of the block in its place, `per_word` being in a word.
    fn put(&mut self, k: usize, per_word: usize, bits: u32) {
        if let Some(word) = self.words.get_mut(k / per_word) {
            *word |= bits << ((k % per_word) * (32 / per_word));
        }
    }

    /// A block of Q4_0 or Q4_1: the scales, then 16 bytes whose low halves come before all high halves.
    fn nibbles(&mut self, block: &[u8], has_minimum: bool) {
        let (scales, nibbles) = block.split_at(if has_minimum { 4 } else { 2 }.min(block.len()));
        let mut scales = halves(scales);
        let factor = scales.next().unwrap_or_default();
        // Without a minimum the numbers are counted from -8.
        let summand = scales.next().unwrap_or(-8.0 * factor);
        self.scales = [factor, summand];
        for (k, byte) in nibbles.iter().enumerate() {
            self.put(k, 8, u32::from(byte & 15));
            self.put(k + 16, 8, u32::from(byte >> 4));
        }
    }

    /// A block of Q8_0: the factor, then 32 signed bytes.
    fn bytes(&mut self, block: &[u8]) {
        let (scale, bytes) = block.split_at(2.min(block.len()));
        self.scales = [halves(scale).next().unwrap_or_default(), 0.0];
        for (k, byte) in bytes.iter().enumerate() {
            // Counted from -128, the numbers have no sign.
            self.put(k, 4, u32::from(byte ^ 0x80));
        }
    }
}

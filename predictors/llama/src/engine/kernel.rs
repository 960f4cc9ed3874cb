//! The inner loops: products of packed matrices, written once for every vector unit.
//!
//! Every number that comes out is a sum over `k = 0, 1, 2, …` in that order, each step one fused multiply-add, whatever
//! the number of rows asked for at once. So the answer for a token does not depend on what else was computed beside it,
//! and a prompt whose beginning is remembered gives the same bits as one that is read anew.
#![expect(
    clippy::indexing_slicing,
    reason = "the slices are chunks of a length that is a constant after inlining, so that no check remains"
)]

use pulp::{Arch, Simd, WithSimd};

use super::matrix::{Packed, PackedMatrix};

/// Rows of numbers computed at once; 12 accumulators of two vectors each are what a register file holds.
pub(super) const TILE: usize = 6;

/// Input numbers in a block of a packed matrix.
pub(super) const BLOCK: usize = 32;

/// Numbers in a row of a panel: two vectors.
pub(super) fn panel_width(arch: Arch) -> usize {
    struct Width;
    impl WithSimd for Width {
        type Output = usize;
        #[inline(always)]
        fn with_simd<S: Simd>(self, _simd: S) -> usize {
            2 * S::F32_LANES
        }
    }
    arch.dispatch(Width)
}

/// How numbers lie in a packed matrix, and how they are had again.
trait Format {
    /// Words in a block of [`BLOCK`] × one lane.
    const WORDS: usize;
    /// Scales of a block and lane: none, a factor, or a factor and a summand.
    const SCALES: usize;

    /// The numbers `k` of a block, `v` being the first or the second vector.
    fn numbers<S: Simd>(simd: S, scales: &[S::f32s], words: &[S::u32s], k: usize, v: usize) -> S::f32s;
}

/// What makes a float out of a small whole number: the bits of 2²³, whose last place is 1.
const MAGIC: u32 = 0x4B00_0000;

#[inline(always)]
fn field<S: Simd>(simd: S, word: S::u32s, idx: usize, bits: usize) -> S::u32s {
    let shifted = if idx == 0 {
        word
    } else {
        simd.wrapping_dyn_shr_u32s(word, simd.splat_u32s((idx * bits) as u32))
    };
    simd.and_u32s(shifted, simd.splat_u32s((1 << bits) - 1))
}

#[inline(always)]
fn whole<S: Simd>(simd: S, number: S::u32s, zero: f32) -> S::f32s {
    let number = simd.or_u32s(number, simd.splat_u32s(MAGIC));
    simd.sub_f32s(
        simd.transmute_f32s_u32s(number),
        simd.splat_f32s(f32::from_bits(MAGIC) + zero),
    )
}

/// Whole numbers of 4 bits, with a factor and a summand.
struct Nibbles;

impl Format for Nibbles {
    const WORDS: usize = 4;
    const SCALES: usize = 2;

    #[inline(always)]
    fn numbers<S: Simd>(simd: S, scales: &[S::f32s], words: &[S::u32s], k: usize, v: usize) -> S::f32s {
        let nibble = field(simd, words[2 * (k / 8) + v], k % 8, 4);
        simd.mul_add_f32s(whole(simd, nibble, 0.0), scales[v], scales[2 + v])
    }
}

/// Whole numbers of 8 bits less 128, with a factor.
struct Bytes;

impl Format for Bytes {
    const WORDS: usize = 8;
    const SCALES: usize = 1;

    #[inline(always)]
    fn numbers<S: Simd>(simd: S, scales: &[S::f32s], words: &[S::u32s], k: usize, v: usize) -> S::f32s {
        let byte = field(simd, words[2 * (k / 4) + v], k % 4, 8);
        simd.mul_f32s(whole(simd, byte, 128.0), scales[v])
    }
}

/// The upper halves of single-precision floats.
struct BrainFloats;

impl Format for BrainFloats {
    const WORDS: usize = 16;
    const SCALES: usize = 0;

    #[inline(always)]
    fn numbers<S: Simd>(simd: S, _scales: &[S::f32s], words: &[S::u32s], k: usize, v: usize) -> S::f32s {
        let word = words[2 * (k / 2) + v];
        let bits = if k.is_multiple_of(2) {
            simd.wrapping_dyn_shl_u32s(word, simd.splat_u32s(16))
        } else {
            simd.and_u32s(word, simd.splat_u32s(0xFFFF_0000))
        };
        simd.transmute_f32s_u32s(bits)
    }
}

/// Half-precision floats.
struct HalfFloats;

impl Format for HalfFloats {
    const WORDS: usize = 16;
    const SCALES: usize = 0;

    #[inline(always)]
    fn numbers<S: Simd>(simd: S, _scales: &[S::f32s], words: &[S::u32s], k: usize, v: usize) -> S::f32s {
        let half = field(simd, words[2 * (k / 2) + v], k % 2, 16);
        // The exponent is moved by a multiplication, which is right for subnormal numbers too.
        let magnitude = simd.and_u32s(half, simd.splat_u32s(0x7FFF));
        let magnitude = simd.transmute_f32s_u32s(simd.wrapping_dyn_shl_u32s(magnitude, simd.splat_u32s(13)));
        let magnitude = simd.mul_f32s(magnitude, simd.splat_f32s(f32::from_bits(0x7780_0000)));
        let sign = simd.and_u32s(half, simd.splat_u32s(0x8000));
        let sign = simd.wrapping_dyn_shl_u32s(sign, simd.splat_u32s(16));
        simd.transmute_f32s_u32s(simd.or_u32s(simd.transmute_u32s_f32s(magnitude), sign))
    }
}

/// Single-precision floats.
struct Floats;

impl Format for Floats {
    const WORDS: usize = 32;
    const SCALES: usize = 0;

    #[inline(always)]
    fn numbers<S: Simd>(simd: S, _scales: &[S::f32s], words: &[S::u32s], k: usize, v: usize) -> S::f32s {
        simd.transmute_f32s_u32s(words[2 * k + v])
    }
}

/// A matrix times rows of numbers.
pub(super) struct Product<'a> {
    /// The matrix, of `rows` × `columns`.
    pub(super) matrix: &'a PackedMatrix,
    /// Rows of `columns` numbers, one after the other.
    pub(super) input: &'a [f32],
    /// As many rows of `rows` numbers.
    pub(super) output: &'a mut [f32],
    /// Room for intermediate results.
    pub(super) scratch: &'a mut Scratch,
}

/// Room for intermediate results, kept so that it need not be asked for each time.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    tiles: Vec<f32>,
    panel: Vec<f32>,
}

impl WithSimd for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        match self.matrix.packed() {
            Packed::Nibbles => product::<S, Nibbles>(simd, self),
            Packed::Bytes => product::<S, Bytes>(simd, self),
            Packed::BrainFloats => product::<S, BrainFloats>(simd, self),
            Packed::HalfFloats => product::<S, HalfFloats>(simd, self),
            Packed::Floats => product::<S, Floats>(simd, self),
        }
    }
}

/// One panel: `width` rows of the matrix, in blocks of [`BLOCK`] columns.
#[derive(Clone, Copy)]
struct Panel<'a, S: Simd> {
    scales: &'a [S::f32s],
    words: &'a [S::u32s],
}

impl<'a, S: Simd> Panel<'a, S> {
    #[inline(always)]
    fn blocks<F: Format>(&self) -> impl Iterator<Item = (&'a [S::f32s], &'a [S::u32s])> {
        let n_scales = 2 * F::SCALES;
        let scales = self.scales;
        self.words
            .chunks_exact(2 * F::WORDS)
            .enumerate()
            .map(move |(idx, words)| (&scales[idx * n_scales..(idx + 1) * n_scales], words))
    }
}

#[inline(always)]
fn product<S: Simd, F: Format>(simd: S, product: Product<'_>) {
    let Product {
        matrix,
        input,
        output,
        scratch,
    } = product;
    let (rows, columns) = (matrix.rows(), matrix.columns());
    let padded = columns.next_multiple_of(BLOCK);
    let n_blocks = padded / BLOCK;
    let (scales, _) = S::as_simd_f32s(matrix.scales());
    let (words, _) = S::as_simd_u32s(matrix.words());
    let (per_scales, per_words) = (2 * F::SCALES * n_blocks, 2 * F::WORDS * n_blocks);
    let panel = |idx: usize| Panel::<S> {
        scales: &scales[idx * per_scales..(idx + 1) * per_scales],
        words: &words[idx * per_words..(idx + 1) * per_words],
    };
    let width = 2 * S::F32_LANES;
    let n_panels = rows.div_ceil(width);
    let n = input.len() / columns;
    if n == 1 {
        scratch.tiles.clear();
        scratch.tiles.extend_from_slice(input);
        scratch.tiles.resize(padded, 0.0);
        let mut outputs = output.chunks_mut(2 * width);
        for pair in 0..n_panels / 2 {
            let sums = two_panels::<S, F>(simd, panel(2 * pair), panel(2 * pair + 1), &scratch.tiles);
            if let Some(output) = outputs.next() {
                store(simd, &sums, output);
            }
        }
        if n_panels % 2 == 1
            && let Some(output) = outputs.next()
        {
            let sums = two_panels::<S, F>(simd, panel(n_panels - 1), panel(n_panels - 1), &scratch.tiles);
            store(simd, &sums[..2], output);
        }
        return;
    }
    transpose(input, columns, padded, &mut scratch.tiles);
    scratch.panel.resize(padded * width, 0.0);
    for idx in 0..n_panels {
        unpack::<S, F>(simd, panel(idx), &mut scratch.panel);
        for (tile, tile_output) in scratch
            .tiles
            .chunks_exact(padded * TILE)
            .zip(output.chunks_mut(TILE * rows))
        {
            let n_rows = tile_output.len() / rows;
            multiply_tile(simd, tile, &scratch.panel, n_rows, &mut |row, sums: &[S::f32s; 2]| {
                let end = ((idx + 1) * width).min(rows);
                store(simd, sums, &mut tile_output[row * rows + idx * width..row * rows + end]);
            });
        }
    }
}

/// Writes vectors one after the other, as far as there is room.
#[inline(always)]
fn store<S: Simd>(simd: S, vectors: &[S::f32s], output: &mut [f32]) {
    for (vector, output) in vectors.iter().zip(output.chunks_mut(S::F32_LANES)) {
        simd.partial_store_f32s(output, *vector);
    }
}

/// Two panels times one row of numbers; two, so that the processor has four sums to work on at once.
#[inline(always)]
fn two_panels<S: Simd, F: Format>(simd: S, first: Panel<'_, S>, second: Panel<'_, S>, input: &[f32]) -> [S::f32s; 4] {
    let mut sums = [simd.splat_f32s(0.0); 4];
    let blocks = first.blocks::<F>().zip(second.blocks::<F>());
    for (((scales_a, words_a), (scales_b, words_b)), input) in blocks.zip(input.as_chunks::<BLOCK>().0) {
        for (k, number) in input.iter().enumerate() {
            let number = simd.splat_f32s(*number);
            for v in 0..2 {
                sums[v] = simd.mul_add_f32s(F::numbers(simd, scales_a, words_a, k, v), number, sums[v]);
                sums[2 + v] = simd.mul_add_f32s(F::numbers(simd, scales_b, words_b, k, v), number, sums[2 + v]);
            }
        }
    }
    sums
}

/// The numbers of a panel as floats: `width` of them for each column.
#[inline(always)]
fn unpack<S: Simd, F: Format>(simd: S, panel: Panel<'_, S>, unpacked: &mut [f32]) {
    let (unpacked, _) = S::as_mut_simd_f32s(unpacked);
    for ((scales, words), unpacked) in panel.blocks::<F>().zip(unpacked.chunks_exact_mut(2 * BLOCK)) {
        for k in 0..BLOCK {
            for v in 0..2 {
                unpacked[2 * k + v] = F::numbers(simd, scales, words, k, v);
            }
        }
    }
}

/// Rows of numbers as tiles of [`TILE`] rows, in which the numbers of a column lie together; what is missing is 0.
fn transpose(input: &[f32], columns: usize, padded: usize, tiles: &mut Vec<f32>) {
    let n_tiles = (input.len() / columns).div_ceil(TILE);
    tiles.clear();
    tiles.resize(n_tiles * padded * TILE, 0.0);
    for (rows, tile) in input.chunks(TILE * columns).zip(tiles.chunks_exact_mut(padded * TILE)) {
        for (idx, row) in rows.chunks_exact(columns).enumerate() {
            for (number, group) in row.iter().zip(tile.chunks_exact_mut(TILE)) {
                group[idx] = *number;
            }
        }
    }
}

/// The first `n_rows` rows of a tile times an unpacked panel; `each` gets the two vectors of each row.
#[inline(always)]
pub(super) fn multiply_tile<S: Simd>(
    simd: S,
    tile: &[f32],
    panel: &[f32],
    n_rows: usize,
    each: &mut impl FnMut(usize, &[S::f32s; 2]),
) {
    match n_rows {
        0 => {}
        1 => multiply::<S, 1>(simd, tile, panel, each),
        2 => multiply::<S, 2>(simd, tile, panel, each),
        3 => multiply::<S, 3>(simd, tile, panel, each),
        4 => multiply::<S, 4>(simd, tile, panel, each),
        5 => multiply::<S, 5>(simd, tile, panel, each),
        _ => multiply::<S, 6>(simd, tile, panel, each),
    }
}

#[inline(always)]
fn multiply<S: Simd, const N: usize>(
    simd: S,
    tile: &[f32],
    panel: &[f32],
    each: &mut impl FnMut(usize, &[S::f32s; 2]),
) {
    let (panel, _) = S::as_simd_f32s(panel);
    let mut sums = [[simd.splat_f32s(0.0); 2]; N];
    for (numbers, group) in panel.as_chunks::<2>().0.iter().zip(tile.as_chunks::<TILE>().0) {
        for (sums, number) in sums.iter_mut().zip(group) {
            let number = simd.splat_f32s(*number);
            sums[0] = simd.mul_add_f32s(numbers[0], number, sums[0]);
            sums[1] = simd.mul_add_f32s(numbers[1], number, sums[1]);
        }
    }
    for (row, sums) in sums.iter().enumerate() {
        each(row, sums);
    }
}

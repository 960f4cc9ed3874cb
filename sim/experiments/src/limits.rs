//! What an experiment file may hold at most.

/// Bytes of a file.
pub const FILE_BYTES_MAX: usize = 1 << 20;

/// Lists and tables inside of each other.
pub const DEPTH_MAX: usize = 16;

/// Values, lists and tables of a file, those that YAML's aliases stand for counted each time.
pub const NODES_MAX: usize = 200_000;

/// Variants of an experiment.
pub const VARIANTS_MAX: usize = 100_000;

/// Repeats of a variant, each with a seed of its own.
pub const REPEATS_MAX: u32 = 10_000;

/// Characters in the name of an experiment, which becomes part of file names.
pub const NAME_CHARS_MAX: usize = 100;

/// Characters in the name of a variant, which stands in tables.
pub const VARIANT_NAME_CHARS_MAX: usize = 200;

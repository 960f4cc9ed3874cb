//! Tests of the import: files made here, and files outside the repository where they are at hand.

mod benchmark;
mod shared;

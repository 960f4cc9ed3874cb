//! Tests of the import: files made here, and files outside the repository where they are at hand.

mod benchmark;
mod contents;
mod formats;
mod hostile;
mod made;
mod open_document;
mod shared;

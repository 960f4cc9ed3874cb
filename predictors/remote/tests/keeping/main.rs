//! Answers that are kept: the cache, journals and recordings, and what they cost.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot be set up fails"
)]

mod amounts;
mod full_disk;
mod journals;
mod poison;
mod processes;
mod recordings;
mod shrinking;
mod threads;

use napsim_remote::entry::Entry;

/// An entry of a model, with an answer that names who gave it.
fn entry(number: usize, by: &str) -> Entry {
    let request = format!(r#"{{"provider":"test","model":"m{}","number":{number}}}"#, number % 3);
    let text = format!("{number:06} ").repeat(1 + number % 40);
    Entry::new(request, format!(r#"{{"by":"{by}","text":"{text}"}}"#)).unwrap()
}

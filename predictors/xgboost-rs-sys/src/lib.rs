//! The functions of XGBoost that `xgboost-rs` uses, found in libxgboost at run time.
//!
//! The published `xgboost-rs-sys` compiles XGBoost with cmake and reads its headers with clang, so that everybody who
//! builds a program needs both, and minutes, whether or not they ever train. This crate has the same name and version
//! and takes its place through `[patch.crates-io]`; `xgboost-rs` is unchanged. Nothing is linked: the first call opens
//! the library and looks every function up once.
//!
//! Where the library or a function is missing, calls return -1, as XGBoost does for its own errors, and
//! [`XGBGetLastError`] says what to do about it. [`availability`] tells beforehand.

mod api;
mod library;

use std::ffi::c_void;

pub use api::*;

/// A matrix that XGBoost holds.
pub type DMatrixHandle = *mut c_void;

/// A model that XGBoost holds.
pub type BoosterHandle = *mut c_void;

/// XGBoost's type of lengths, 64 bits everywhere.
#[expect(non_camel_case_types, reason = "the name that XGBoost gave it")]
pub type bst_ulong = u64;

/// Tells whether models can be trained: libxgboost is there and has the functions for it.
///
/// # Errors
///
/// Says what is missing and how to install it.
pub fn availability() -> Result<(), String> {
    let functions = library::functions().map_err(str::to_owned)?;
    match functions.first_missing() {
        None => Ok(()),
        Some(name) => Err(library::too_old(name)),
    }
}

/// The version of the library that was found: major, minor, patch.
///
/// # Errors
///
/// As [`availability`].
pub fn version() -> Result<(i32, i32, i32), String> {
    let (mut major, mut minor, mut patch) = (0, 0, 0);
    let function = library::functions().map_err(str::to_owned)?.version()?;
    // SAFETY: XGBoost writes one int through each of the three pointers, which are valid for the whole call.
    unsafe { function(&raw mut major, &raw mut minor, &raw mut patch) };
    Ok((major, minor, patch))
}

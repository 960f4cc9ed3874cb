//! What is said where the library cannot be opened. A file of its own, because the library is looked for once a process.

use std::ffi::CStr;

#[test]
fn a_missing_library_is_an_error_that_names_what_was_tried() {
    // SAFETY: no other thread of this process reads or writes the environment: it has this one test.
    unsafe { std::env::set_var("NAPSIM_XGBOOST", "no/such/libxgboost.so") };

    let reason = xgboost_rs_sys::availability().unwrap_err();
    assert!(reason.contains("NAPSIM_XGBOOST=no/such/libxgboost.so"), "{reason}");
    assert_eq!(xgboost_rs_sys::version(), Err(reason.clone()));

    let mut n_rows = 7;
    // SAFETY: without a library nobody looks at the handle.
    let code = unsafe { xgboost_rs_sys::XGDMatrixNumRow(std::ptr::null_mut(), &raw mut n_rows) };
    assert_eq!((code, n_rows), (-1, 7));
    // SAFETY: it has no preconditions.
    let text = unsafe { xgboost_rs_sys::XGBGetLastError() };
    // SAFETY: the pointer is that of a C string, valid until the next call.
    let text = unsafe { CStr::from_ptr(text) };
    assert_eq!(text.to_str(), Ok(reason.as_str()));
}

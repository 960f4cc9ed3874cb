//! Finding libxgboost, and what is said where it is missing.

use std::cell::RefCell;
use std::env;
use std::ffi::{CString, c_char};
use std::sync::OnceLock;

use libloading::Library;

use crate::api::Functions;

/// Environment variable that names the library by its path.
const PATH_VARIABLE: &str = "NAPSIM_XGBOOST";

/// Names that the system's loader is asked for, in this order.
const CANDIDATES: &[&str] = if cfg!(target_os = "macos") {
    &[
        "libxgboost.dylib",
        "/opt/homebrew/lib/libxgboost.dylib",
        "/usr/local/lib/libxgboost.dylib",
    ]
} else if cfg!(windows) {
    &["xgboost.dll"]
} else {
    &["libxgboost.so.0", "libxgboost.so"]
};

/// What to do about a missing library.
const ADVICE: &str = "apt-get install libxgboost-dev (Debian, Ubuntu), brew install xgboost, \
                      or set NAPSIM_XGBOOST to the path of libxgboost";

/// The functions of the library, which is opened on the first call and stays open; or why there is none.
pub(crate) fn functions() -> Result<&'static Functions, &'static str> {
    static FOUND: OnceLock<Result<Functions, String>> = OnceLock::new();
    FOUND.get_or_init(open).as_ref().map_err(String::as_str)
}

fn open() -> Result<Functions, String> {
    if let Some(path) = env::var_os(PATH_VARIABLE).filter(|path| !path.is_empty()) {
        // Whoever names a library wants that one, so no other is tried.
        // SAFETY: opening a library runs its initialisers; that of XGBoost has no preconditions, and whoever sets the
        // variable vouches that the file is XGBoost.
        return match unsafe { Library::new(&path) } {
            Ok(library) => Ok(Functions::of(library)),
            Err(error) => Err(format!(
                "XGBoost cannot be loaded from {PATH_VARIABLE}={}: {error}",
                path.display()
            )),
        };
    }
    for candidate in CANDIDATES {
        // SAFETY: as above; the names are those under which systems install XGBoost and nothing else.
        if let Ok(library) = unsafe { Library::new(candidate) } {
            return Ok(Functions::of(library));
        }
    }
    Err(format!("XGBoost is not installed: {ADVICE}"))
}

/// What is said where the library lacks the function `name`.
pub(crate) fn too_old(name: &str) -> String {
    format!("this version of XGBoost has no {name}, 1.6 and later are known to have it: {ADVICE}")
}

thread_local! {
    /// Our own complaint about the last call of this thread, where XGBoost was not reached.
    static COMPLAINT: RefCell<Option<CString>> = const { RefCell::new(None) };
}

/// Keeps `message` as the last error of this thread.
pub(crate) fn complain(message: &str) {
    let text = CString::new(message.replace('\0', " ")).unwrap_or_default();
    COMPLAINT.with_borrow_mut(|complaint| *complaint = Some(text));
}

/// Forgets our own complaint, since XGBoost is about to be called.
pub(crate) fn forget() {
    COMPLAINT.with_borrow_mut(|complaint| *complaint = None);
}

/// Our own complaint, valid until the next call on this thread.
pub(crate) fn complaint() -> Option<*const c_char> {
    COMPLAINT.with_borrow(|complaint| complaint.as_ref().map(|text| text.as_ptr()))
}

#[cfg(test)]
mod tests {
    use std::ffi::CStr;

    use super::*;

    #[test]
    fn a_complaint_is_the_last_error_of_its_thread_alone() {
        complain("no library");
        // SAFETY: it has no preconditions.
        let text = unsafe { crate::XGBGetLastError() };
        // SAFETY: the pointer is that of a C string which lives until the next call on this thread.
        let text = unsafe { CStr::from_ptr(text) };
        assert_eq!(text.to_str(), Ok("no library"));
        std::thread::scope(|scope| {
            scope.spawn(|| assert!(complaint().is_none()));
        });
        forget();
        assert!(complaint().is_none());
    }

    #[test]
    fn the_advice_names_the_package_and_the_variable() {
        let text = too_old("XGBoosterSaveModelToBuffer");
        for part in ["XGBoosterSaveModelToBuffer", "libxgboost-dev", PATH_VARIABLE] {
            assert!(text.contains(part), "{text}");
        }
    }
}

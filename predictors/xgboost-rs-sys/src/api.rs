//! The functions, under the names and with the signatures of XGBoost's C interface.

use std::ffi::{c_char, c_float, c_int, c_uint, c_void};

use libloading::{Library, Symbol};

use crate::library::{complain, complaint, forget, functions, too_old};
use crate::{BoosterHandle, DMatrixHandle, bst_ulong};

/// Tells the version; the only function besides that of the last error that returns no code.
type Version = unsafe extern "C" fn(*mut c_int, *mut c_int, *mut c_int);

/// Tells the last error of this thread.
type LastError = unsafe extern "C" fn() -> *const c_char;

/// Looks one function up.
///
/// # Safety
///
/// `T` must be the type of the function of that name.
unsafe fn find<T: Copy>(library: &Library, name: &str) -> Option<T> {
    // SAFETY: the caller vouches for the type.
    let symbol: Result<Symbol<T>, _> = unsafe { library.get(name.as_bytes()) };
    symbol.ok().map(|function| *function)
}

/// Declares the table of functions, how it is filled, and for each function the one that forwards to it.
///
/// `needed` ones are those without which nothing can be trained.
macro_rules! declare {
    ($($(#[$doc:meta])* $need:ident fn $name:ident($($argument:ident: $kind:ty),*);)*) => {
        /// What was found in the library.
        #[expect(non_snake_case, reason = "the names are XGBoost's")]
        pub(crate) struct Functions {
            XGBoostVersion: Option<Version>,
            XGBGetLastError: Option<LastError>,
            $($name: Option<unsafe extern "C" fn($($kind),*) -> c_int>,)*
            /// Keeps the library open as long as there are pointers into it.
            _library: Library,
        }

        impl Functions {
            /// Looks all functions up.
            pub(crate) fn of(library: Library) -> Functions {
                Functions {
                    // SAFETY: the type is that of c_api.h.
                    XGBoostVersion: unsafe { find(&library, "XGBoostVersion") },
                    // SAFETY: the type is that of c_api.h.
                    XGBGetLastError: unsafe { find(&library, "XGBGetLastError") },
                    $(
                        // SAFETY: the types below are those of c_api.h.
                        $name: unsafe { find(&library, stringify!($name)) },
                    )*
                    _library: library,
                }
            }

            /// The first function that training needs and the library lacks.
            pub(crate) fn first_missing(&self) -> Option<&'static str> {
                let found = [$((stringify!($need), stringify!($name), self.$name.is_some())),*];
                let missing = found.iter().find(|(need, _, found)| *need == "needed" && !found);
                missing.map(|(_, name, _)| *name)
            }
        }

        $(
            $(#[$doc])*
            ///
            /// Returns 0, or -1 where it failed or was not found; [`XGBGetLastError`] then says why.
            ///
            /// # Safety
            ///
            /// As XGBoost's c_api.h has it: handles must be alive, pointers valid for the lengths given.
            #[expect(non_snake_case, reason = "the name is XGBoost's")]
            #[allow(clippy::too_many_arguments, reason = "they are XGBoost's")]
            pub unsafe fn $name($($argument: $kind),*) -> c_int {
                match functions().map(|functions| functions.$name) {
                    Ok(Some(function)) => {
                        forget();
                        // SAFETY: the caller keeps what c_api.h asks for.
                        unsafe { function($($argument),*) }
                    }
                    Ok(None) => {
                        complain(&too_old(stringify!($name)));
                        -1
                    }
                    Err(reason) => {
                        complain(reason);
                        -1
                    }
                }
            }
        )*
    };
}

impl Functions {
    /// The function that tells the version.
    pub(crate) fn version(&self) -> Result<Version, String> {
        self.XGBoostVersion.ok_or_else(|| too_old("XGBoostVersion"))
    }
}

/// Why the last call on this thread failed: a C string that is valid until the next call.
///
/// # Safety
///
/// None is needed; it is declared as the published bindings declare it.
#[expect(non_snake_case, reason = "the name is XGBoost's")]
pub unsafe fn XGBGetLastError() -> *const c_char {
    if let Some(text) = complaint() {
        return text;
    }
    match functions().map(|functions| functions.XGBGetLastError) {
        // SAFETY: the function has no preconditions.
        Ok(Some(function)) => unsafe { function() },
        _ => c"".as_ptr(),
    }
}

declare! {
    /// Makes a matrix of an array described in JSON.
    needed fn XGDMatrixCreateFromDense(data: *const c_char, config: *const c_char, out: *mut DMatrixHandle);

    /// Makes a matrix of `nrow` x `ncol` floats, row by row.
    further fn XGDMatrixCreateFromMat(
        data: *const c_float,
        nrow: bst_ulong,
        ncol: bst_ulong,
        missing: c_float,
        out: *mut DMatrixHandle
    );

    /// Makes a matrix of compressed rows.
    further fn XGDMatrixCreateFromCSREx(
        indptr: *const u64,
        indices: *const c_uint,
        data: *const c_float,
        nindptr: u64,
        nelem: u64,
        num_col: u64,
        out: *mut DMatrixHandle
    );

    /// Makes a matrix of compressed columns.
    further fn XGDMatrixCreateFromCSCEx(
        col_ptr: *const u64,
        indices: *const c_uint,
        data: *const c_float,
        nindptr: u64,
        nelem: u64,
        num_row: u64,
        out: *mut DMatrixHandle
    );

    /// Reads a matrix from a file.
    further fn XGDMatrixCreateFromFile(fname: *const c_char, silent: c_int, out: *mut DMatrixHandle);

    /// Writes a matrix to a file.
    further fn XGDMatrixSaveBinary(handle: DMatrixHandle, fname: *const c_char, silent: c_int);

    /// Makes a matrix of some rows of another.
    further fn XGDMatrixSliceDMatrix(
        handle: DMatrixHandle,
        idxset: *const c_int,
        len: bst_ulong,
        out: *mut DMatrixHandle
    );

    /// Counts the rows.
    needed fn XGDMatrixNumRow(handle: DMatrixHandle, out: *mut bst_ulong);

    /// Counts the columns.
    needed fn XGDMatrixNumCol(handle: DMatrixHandle, out: *mut bst_ulong);

    /// Frees a matrix.
    needed fn XGDMatrixFree(handle: DMatrixHandle);

    /// Reads labels, weights or margins.
    further fn XGDMatrixGetFloatInfo(
        handle: DMatrixHandle,
        field: *const c_char,
        out_len: *mut bst_ulong,
        out_dptr: *mut *const c_float
    );

    /// Sets labels, weights or margins.
    needed fn XGDMatrixSetFloatInfo(handle: DMatrixHandle, field: *const c_char, array: *const c_float, len: bst_ulong);

    /// Reads groups.
    further fn XGDMatrixGetUIntInfo(
        handle: DMatrixHandle,
        field: *const c_char,
        out_len: *mut bst_ulong,
        out_dptr: *mut *const c_uint
    );

    /// Sets groups.
    further fn XGDMatrixSetUIntInfo(handle: DMatrixHandle, field: *const c_char, array: *const c_uint, len: bst_ulong);

    /// Sets groups by their lengths.
    further fn XGDMatrixSetGroup(handle: DMatrixHandle, group: *const c_uint, len: bst_ulong);

    /// Makes a model that keeps what it knows of `len` matrices.
    needed fn XGBoosterCreate(dmats: *const DMatrixHandle, len: bst_ulong, out: *mut BoosterHandle);

    /// Frees a model.
    needed fn XGBoosterFree(handle: BoosterHandle);

    /// Sets a parameter.
    needed fn XGBoosterSetParam(handle: BoosterHandle, name: *const c_char, value: *const c_char);

    /// Trains one round.
    needed fn XGBoosterUpdateOneIter(handle: BoosterHandle, iter: c_int, dtrain: DMatrixHandle);

    /// Trains one round on given gradients.
    further fn XGBoosterBoostOneIter(
        handle: BoosterHandle,
        dtrain: DMatrixHandle,
        grad: *mut c_float,
        hess: *mut c_float,
        len: bst_ulong
    );

    /// Measures the losses on `len` matrices.
    needed fn XGBoosterEvalOneIter(
        handle: BoosterHandle,
        iter: c_int,
        dmats: *mut DMatrixHandle,
        evnames: *mut *const c_char,
        len: bst_ulong,
        out_result: *mut *const c_char
    );

    /// Predicts all rows of a matrix.
    further fn XGBoosterPredict(
        handle: BoosterHandle,
        dmat: DMatrixHandle,
        option_mask: c_int,
        ntree_limit: c_uint,
        training: c_int,
        out_len: *mut bst_ulong,
        out_result: *mut *const c_float
    );

    /// Predicts all rows of a matrix as described in JSON.
    further fn XGBoosterPredictFromDMatrix(
        handle: BoosterHandle,
        dmat: DMatrixHandle,
        config: *const c_char,
        out_shape: *mut *const bst_ulong,
        out_dim: *mut bst_ulong,
        out_result: *mut *const c_float
    );

    /// Reads a model from a file.
    further fn XGBoosterLoadModel(handle: BoosterHandle, fname: *const c_char);

    /// Writes a model to a file.
    further fn XGBoosterSaveModel(handle: BoosterHandle, fname: *const c_char);

    /// Reads a model from memory.
    further fn XGBoosterLoadModelFromBuffer(handle: BoosterHandle, buf: *const c_void, len: bst_ulong);

    /// Writes a model to memory that XGBoost owns. `xgboost-rs` says `i8` where C says `char`.
    needed fn XGBoosterSaveModelToBuffer(
        handle: BoosterHandle,
        config: *const c_char,
        out_len: *mut bst_ulong,
        out_dptr: *mut *const i8
    );

    /// Writes a model and its training state to memory that XGBoost owns.
    further fn XGBoosterSerializeToBuffer(handle: BoosterHandle, out_len: *mut bst_ulong, out_dptr: *mut *const c_char);

    /// Reads a model and its training state from memory.
    further fn XGBoosterUnserializeFromBuffer(handle: BoosterHandle, buf: *const c_void, len: bst_ulong);

    /// Writes the parameters as JSON.
    further fn XGBoosterSaveJsonConfig(handle: BoosterHandle, out_len: *mut bst_ulong, out_str: *mut *const c_char);

    /// Prints the trees.
    further fn XGBoosterDumpModelEx(
        handle: BoosterHandle,
        fmap: *const c_char,
        with_stats: c_int,
        format: *const c_char,
        out_len: *mut bst_ulong,
        out_dump_array: *mut *mut *const c_char
    );

    /// Reads an attribute.
    further fn XGBoosterGetAttr(
        handle: BoosterHandle,
        key: *const c_char,
        out: *mut *const c_char,
        success: *mut c_int
    );

    /// Sets an attribute.
    further fn XGBoosterSetAttr(handle: BoosterHandle, key: *const c_char, value: *const c_char);

    /// Lists the attributes.
    further fn XGBoosterGetAttrNames(handle: BoosterHandle, out_len: *mut bst_ulong, out: *mut *mut *const c_char);

    /// Takes up a distributed training.
    further fn XGBoosterLoadRabitCheckpoint(handle: BoosterHandle, version: *mut c_int);

    /// Marks where a distributed training stands.
    further fn XGBoosterSaveRabitCheckpoint(handle: BoosterHandle);

    /// Counts the workers of a distributed training.
    further fn RabitGetWorldSize();

    /// Tells the number of this worker.
    further fn RabitGetRank();

    /// Tells how many checkpoints there were.
    further fn RabitVersionNumber();
}

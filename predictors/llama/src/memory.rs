//! Whether a model fits into memory, told before it is read.

use std::path::Path;

use crate::error::LlamaError;

/// What a model takes beside its weights: vocabulary, angles, and room for one text.
const BESIDE_BYTES: u64 = 256 << 20;

/// Refuses a model that is larger than the memory that is free, where the system tells.
///
/// # Errors
/// [`LlamaError::Memory`] where it does not fit.
pub fn check_memory(path: &Path) -> Result<(), LlamaError> {
    let meminfo = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    check(n_bytes(path), available_bytes(&meminfo))
}

fn check(n_weights: u64, available: Option<u64>) -> Result<(), LlamaError> {
    let needed = n_weights.saturating_add(BESIDE_BYTES);
    match available.filter(|available| *available < needed) {
        None => Ok(()),
        Some(available) => Err(LlamaError::Memory {
            needed_mib: needed >> 20,
            available_mib: available >> 20,
        }),
    }
}

/// Bytes of the files that hold weights.
fn n_bytes(path: &Path) -> u64 {
    let size = |path: &Path| path.metadata().map_or(0, |metadata| metadata.len());
    let Ok(entries) = path.read_dir() else {
        return size(path);
    };
    let paths = entries.filter_map(Result::ok).map(|entry| entry.path());
    let weights = paths.filter(|path| path.extension().is_some_and(|extension| extension == "safetensors"));
    weights.map(|path| size(&path)).sum()
}

/// The memory that is free, as Linux tells it.
fn available_bytes(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_does_not_fit_is_refused() {
        let available = available_bytes("MemTotal:  100 kB\nMemAvailable:    1048576 kB\n");
        assert_eq!(available, Some(1 << 30));
        assert!(check(700 << 20, available).is_ok());
        let error = check(900 << 20, available).unwrap_err().to_string();
        assert!(error.contains("1156 MiB") && error.contains("1024 MiB"), "{error}");
        assert!(check(u64::MAX, None).is_ok(), "where nobody knows, nothing is refused");
    }

    #[test]
    fn the_weights_of_a_folder_are_counted() {
        let folder = tempfile::tempdir().unwrap();
        for (name, n_bytes) in [("a.safetensors", 10), ("b.safetensors", 20), ("config.json", 5)] {
            std::fs::write(folder.path().join(name), vec![0; n_bytes]).unwrap();
        }
        assert_eq!(n_bytes(folder.path()), 30);
        assert_eq!(n_bytes(&folder.path().join("config.json")), 5);
        assert_eq!(n_bytes(&folder.path().join("absent")), 0);
    }
}

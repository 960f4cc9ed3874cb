//! Where the cache lies unless told otherwise.

use std::ffi::OsString;
use std::path::PathBuf;

use super::CacheError;

/// The folder of the cache: `NAPSIM_CACHE`, or else `$XDG_CACHE_HOME/napsim`, or else `~/.cache/napsim`, of the values
/// of environment variables. Relative paths count as none, as the XDG specification has it. It need not be there yet.
///
/// # Errors
/// [`CacheError::NoFolder`] where there is no value that is of use.
pub fn default_dir(value: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf, CacheError> {
    let absolute = |variable| value(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute("NAPSIM_CACHE")
        .or_else(|| absolute("XDG_CACHE_HOME").map(|cache| cache.join("napsim")))
        .or_else(|| absolute("HOME").map(|home| home.join(".cache").join("napsim")))
        .ok_or(CacheError::NoFolder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn the_environment_says_where_the_cache_lies() {
        let folder_of = |pairs: &[(&str, &str)]| {
            let value = |variable: &str| {
                let (_, value) = pairs.iter().find(|(name, _)| *name == variable)?;
                Some(OsString::from(value))
            };
            default_dir(value).ok()
        };
        let all = [("NAPSIM_CACHE", "/c"), ("XDG_CACHE_HOME", "/x"), ("HOME", "/h")];
        assert_eq!(folder_of(&all), Some("/c".into()));
        let relative = [("NAPSIM_CACHE", "c"), ("XDG_CACHE_HOME", "/x"), ("HOME", "/h")];
        assert_eq!(folder_of(&relative), Some("/x/napsim".into()));
        let home = [("NAPSIM_CACHE", ""), ("XDG_CACHE_HOME", "x"), ("HOME", "/h")];
        assert_eq!(folder_of(&home), Some("/h/.cache/napsim".into()));
        assert_eq!(folder_of(&[("HOME", "h")]), None);
    }
}

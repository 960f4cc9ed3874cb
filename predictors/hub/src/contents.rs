//! What a model's folder holds.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::HubError;
use crate::manifest::{MANIFEST, Manifest, PART, UNFINISHED};
use crate::selection::{CONFIG, INDEX, TOKENIZER, WEIGHTS, shards};

/// How other downloaders end the names of files that are there in part.
const ELSEWHERE_UNFINISHED: &str = ".incomplete";

/// How a file begins that stands for one that Git LFS did not fetch.
const POINTER: &[u8] = b"version https://git-lfs";

/// How a model is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A folder with config.json, tokenizer.json and safetensors.
    HuggingFace,
    /// One .gguf file.
    Gguf,
}

impl Kind {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::HuggingFace => "hugging-face",
            Self::Gguf => "gguf",
        }
    }
}

/// A whole model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// How it is kept.
    pub kind: Kind,
    /// The folder, or the .gguf file.
    pub path: PathBuf,
}

/// Why what a folder holds cannot be used. The text completes "it is not whole, …" or stands alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Defect {
    /// A model is there in part.
    Unfinished(String),
    /// There is no model, or more than one.
    Unusable(String),
}

/// Looks at a model's folder, without reading weights.
///
/// # Errors
/// [`HubError::Io`] where the folder cannot be read.
pub fn examine(folder: &Path) -> Result<Result<Contents, Defect>, HubError> {
    let names = file_names(folder)?;
    if let Some(defect) = unfinished(folder, &names)? {
        return Ok(Err(defect));
    }
    let unusable = |what: String| Ok(Err(Defect::Unusable(what)));
    let ggufs: Vec<&str> = with_end(&names, ".gguf").collect();
    let safetensors: Vec<&str> = with_end(&names, ".safetensors").collect();
    match (ggufs.as_slice(), safetensors.as_slice()) {
        ([gguf], []) => {
            let path = folder.join(gguf);
            Ok(match broken_weights(folder, gguf)? {
                Some(defect) => Err(defect),
                None => Ok(Contents { kind: Kind::Gguf, path }),
            })
        }
        ([], []) if !names.contains(CONFIG) && !names.contains(INDEX) => unusable("it holds no model".to_owned()),
        ([], _) => Ok(hugging_face(folder, &names)?.map(|()| Contents {
            kind: Kind::HuggingFace,
            path: folder.to_owned(),
        })),
        (several, []) => unusable(format!("it holds several models ({})", several.join(", "))),
        (several, _) => unusable(format!(
            "it holds safetensors and {}; one of them may stay",
            several.join(", ")
        )),
    }
}

/// The names of the files in a folder.
pub(crate) fn file_names(folder: &Path) -> Result<BTreeSet<String>, HubError> {
    let failed = |reason| HubError::io("read", folder, reason);
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if !entry.path().is_dir() {
            names.insert(entry.file_name().to_string_lossy().into_owned());
        }
    }
    Ok(names)
}

/// The names that end so, in whatever case.
pub(crate) fn with_end<'a>(names: &'a BTreeSet<String>, end: &'a str) -> impl Iterator<Item = &'a str> {
    names
        .iter()
        .map(String::as_str)
        .filter(move |name| name.to_lowercase().ends_with(end))
}

/// What shows that a download, an import or a copy did not end.
fn unfinished(folder: &Path, names: &BTreeSet<String>) -> Result<Option<Defect>, HubError> {
    let defect = |what: String| Ok(Some(Defect::Unfinished(what)));
    let mut parts = with_end(names, PART).chain(with_end(names, ELSEWHERE_UNFINISHED));
    if let Some(part) = parts.next() {
        return defect(format!("{part} is half of a file"));
    }
    if names.contains(UNFINISHED) {
        return defect("a download or an import did not end".to_owned());
    }
    let records = Manifest::read(&folder.join(MANIFEST))?.map_or_else(Vec::new, |manifest| manifest.files);
    for record in records {
        let path = folder.join(&record.name);
        match fs::metadata(&path) {
            Ok(metadata) if metadata.len() == record.size => {}
            Ok(metadata) => {
                return defect(format!(
                    "{} has {} bytes and came with {}",
                    record.name,
                    metadata.len(),
                    record.size
                ));
            }
            Err(_) => return defect(format!("{} is missing", record.name)),
        }
    }
    Ok(None)
}

/// Looks for everything that a Hugging Face folder needs. A single file of weights goes before shards.
fn hugging_face(folder: &Path, names: &BTreeSet<String>) -> Result<Result<(), Defect>, HubError> {
    let defect = |what: String| Ok(Err(Defect::Unfinished(what)));
    for needed in [CONFIG, TOKENIZER] {
        if !names.contains(needed) {
            return defect(format!("{needed} is missing"));
        }
    }
    let weights = if names.contains(WEIGHTS) {
        vec![WEIGHTS.to_owned()]
    } else if names.contains(INDEX) {
        let path = folder.join(INDEX);
        let index = fs::read(&path).map_err(|reason| HubError::io("read", &path, reason))?;
        match shards(&index) {
            Ok(shards) => shards,
            Err(what) => return Ok(Err(Defect::Unusable(format!("{INDEX} {what}")))),
        }
    } else {
        return defect(format!("{WEIGHTS} or {INDEX} is missing"));
    };
    for file in weights {
        if !names.contains(&file) {
            return defect(format!("{file}, which {INDEX} names, is missing"));
        }
        if let Some(defect) = broken_weights(folder, &file)? {
            return Ok(Err(defect));
        }
    }
    Ok(Ok(()))
}

/// What shows at the beginning of a file that it holds no weights.
fn broken_weights(folder: &Path, name: &str) -> Result<Option<Defect>, HubError> {
    let path = folder.join(name);
    let mut beginning = Vec::new();
    let read = File::open(&path).and_then(|file| file.take(POINTER.len() as u64).read_to_end(&mut beginning));
    read.map_err(|reason| HubError::io("read", &path, reason))?;
    if beginning == POINTER {
        let what = format!("{name} is only Git LFS's note of the file (`git lfs pull` fetches it)");
        return Ok(Some(Defect::Unfinished(what)));
    }
    Ok(beginning
        .is_empty()
        .then(|| Defect::Unfinished(format!("{name} is empty"))))
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;
    use crate::manifest::{FileRecord, Origin};

    fn with_files(files: &[(&str, &str)]) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        folder
    }

    fn looked_at(files: &[(&str, &str)]) -> Result<Kind, Defect> {
        let folder = with_files(files);
        examine(folder.path()).unwrap().map(|contents| contents.kind)
    }

    fn unfinished(what: &str) -> Result<Kind, Defect> {
        Err(Defect::Unfinished(what.to_owned()))
    }

    const NEEDED: [(&str, &str); 2] = [(CONFIG, "{}"), (TOKENIZER, "{}")];
    const TWO_SHARDS: (&str, &str) = (INDEX, r#"{"weight_map":{"x":"a.safetensors","y":"b.safetensors"}}"#);

    #[test]
    fn whole_models_are_known_by_their_files() {
        assert_eq!(looked_at(&[("a.gguf", "GGUF")]), Ok(Kind::Gguf));
        let single = [NEEDED[0], NEEDED[1], (WEIGHTS, "x")];
        assert_eq!(looked_at(&single), Ok(Kind::HuggingFace));
        let sharded = [
            NEEDED[0],
            NEEDED[1],
            TWO_SHARDS,
            ("a.safetensors", "x"),
            ("b.safetensors", "x"),
        ];
        assert_eq!(looked_at(&sharded), Ok(Kind::HuggingFace));
    }

    #[test]
    fn parts_of_models_are_known_as_such() {
        let [config, tokenizer] = NEEDED;
        let weights = (WEIGHTS, "x");
        let shard = ("a.safetensors", "x");
        assert_eq!(looked_at(&[config, weights]), unfinished("tokenizer.json is missing"));
        assert_eq!(looked_at(&[tokenizer, weights]), unfinished("config.json is missing"));
        assert_eq!(
            looked_at(&[config, tokenizer]),
            unfinished("model.safetensors or model.safetensors.index.json is missing")
        );
        assert_eq!(
            looked_at(&[config, tokenizer, TWO_SHARDS, shard]),
            unfinished("b.safetensors, which model.safetensors.index.json names, is missing")
        );
        assert_eq!(
            looked_at(&[config, tokenizer, weights, ("x.part", "")]),
            unfinished("x.part is half of a file")
        );
        assert_eq!(
            looked_at(&[("a.gguf", "GGUF"), (UNFINISHED, "")]),
            unfinished("a download or an import did not end")
        );
        assert_eq!(looked_at(&[("a.gguf", "")]), unfinished("a.gguf is empty"));
        let pointer = [
            config,
            tokenizer,
            (WEIGHTS, "version https://git-lfs.github.com/spec/v1\n"),
        ];
        assert!(matches!(looked_at(&pointer), Err(Defect::Unfinished(what)) if what.contains("git lfs pull")));
    }

    #[test]
    fn a_file_shorter_than_it_came_is_noticed() {
        let folder = with_files(&[("a.gguf", "GGU")]);
        let origin = Origin::Archive {
            archive: "x.whl".to_owned(),
        };
        let record = FileRecord {
            name: "a.gguf".to_owned(),
            size: 4,
            sha256: String::new(),
        };
        let manifest = Manifest::new(origin, vec![record]);
        manifest.write(&folder.path().join(MANIFEST)).unwrap();
        let found = examine(folder.path()).unwrap();
        assert_eq!(
            found,
            Err(Defect::Unfinished("a.gguf has 3 bytes and came with 4".to_owned()))
        );
    }

    #[test]
    fn folders_without_exactly_one_model_are_unusable() {
        for files in [
            &[][..],
            &[("notes.txt", "")],
            &[("a.gguf", "GGUF"), ("b.gguf", "GGUF")],
            &[("a.gguf", "GGUF"), (WEIGHTS, "x")],
            &[
                NEEDED[0],
                NEEDED[1],
                (INDEX, r#"{"weight_map":{"x":"../a.safetensors"}}"#),
            ],
        ] {
            assert!(matches!(looked_at(files), Err(Defect::Unusable(_))), "{files:?}");
        }
    }
}

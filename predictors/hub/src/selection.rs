//! Which files of a repository make a model.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::Value;

use crate::listing::RemoteFile;
use crate::model_name::is_word;

pub(crate) const CONFIG: &str = "config.json";
pub(crate) const TOKENIZER: &str = "tokenizer.json";
pub(crate) const WEIGHTS: &str = "model.safetensors";
pub(crate) const INDEX: &str = "model.safetensors.index.json";

/// Files that are fetched where there are any; the last two are for other tools that read such folders.
const OPTIONAL: [&str; 3] = [
    "generation_config.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
];

/// Most shards of one model.
const SHARDS_MAX: usize = 1000;

/// What to fetch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Selection {
    /// These files, and nothing more.
    Files(Vec<RemoteFile>),
    /// These files, of which the last is the index that names the others.
    Sharded(Vec<RemoteFile>),
}

/// Chooses among the files at the top of a repository: the one that is named, or else those of a Hugging Face folder. The
/// error says what the repository lacks.
pub(crate) fn select(listing: &[RemoteFile], named: Option<&str>) -> Result<Selection, String> {
    let find = |name: &str| listing.iter().find(|file| file.name == name).cloned();
    let ggufs = listing
        .iter()
        .map(|file| file.name.as_str())
        .filter(|name| is_gguf(name))
        .collect::<Vec<_>>()
        .join(", ");
    if let Some(name) = named {
        if !is_gguf(name) {
            return Err(format!("`{name}` is no .gguf file"));
        }
        let held = if ggufs.is_empty() {
            "no .gguf file".to_owned()
        } else {
            ggufs
        };
        return find(name)
            .map(|file| Selection::Files(vec![file]))
            .ok_or_else(|| format!("there is no {name} at its top; it holds {held}"));
    }
    let weights = find(WEIGHTS);
    let Some(last) = weights.clone().or_else(|| find(INDEX)) else {
        return Err(if ggufs.is_empty() {
            format!("it holds neither {WEIGHTS} nor {INDEX}")
        } else {
            format!("it holds no safetensors; choose one of its .gguf files with --file: {ggufs}")
        });
    };
    let mut files = Vec::new();
    for needed in [CONFIG, TOKENIZER] {
        files.push(find(needed).ok_or_else(|| format!("it holds no {needed}"))?);
    }
    files.extend(OPTIONAL.into_iter().filter_map(find));
    files.push(last);
    Ok(if weights.is_some() {
        Selection::Files(files)
    } else {
        Selection::Sharded(files)
    })
}

/// The shards that an index names. The error completes "the index …".
pub(crate) fn shards(index: &[u8]) -> Result<Vec<String>, String> {
    #[derive(Deserialize)]
    struct Index {
        weight_map: serde_json::Map<String, Value>,
    }

    let index: Index = serde_json::from_slice(index).map_err(|error| format!("is no index of shards ({error})"))?;
    let mut shards = BTreeSet::new();
    for shard in index.weight_map.values() {
        match shard.as_str() {
            Some(shard) if is_word(shard) && shard.ends_with(".safetensors") => shards.insert(shard.to_owned()),
            _ => {
                return Err(format!(
                    "names {shard} as a shard, which is no safetensors file beside it"
                ));
            }
        };
    }
    match shards.len() {
        0 => Err("names no shards".to_owned()),
        1..=SHARDS_MAX => Ok(shards.into_iter().collect()),
        n => Err(format!("names {n} shards, and {SHARDS_MAX} are the most that are read")),
    }
}

fn is_gguf(name: &str) -> bool {
    name.to_lowercase().ends_with(".gguf")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selected(names: &[&str], named: Option<&str>) -> Result<(Vec<String>, bool), String> {
        let listing: Vec<_> = names
            .iter()
            .map(|name| RemoteFile {
                name: (*name).to_owned(),
                size: 1,
                checksum: None,
            })
            .collect();
        select(&listing, named).map(|selection| match selection {
            Selection::Files(files) => (files.into_iter().map(|file| file.name).collect(), false),
            Selection::Sharded(files) => (files.into_iter().map(|file| file.name).collect(), true),
        })
    }

    #[test]
    fn the_files_of_a_model_are_chosen() {
        let names = [
            "README.md",
            "tokenizer.json",
            "pytorch_model.bin",
            "config.json",
            "model.safetensors",
            INDEX,
        ];
        let chosen = ["config.json", "tokenizer.json", "model.safetensors"];
        assert_eq!(selected(&names, None), Ok((chosen.map(str::to_owned).to_vec(), false)));
        let names = [INDEX, "generation_config.json", "tokenizer.json", "config.json"];
        let chosen = ["config.json", "tokenizer.json", "generation_config.json", INDEX];
        assert_eq!(selected(&names, None), Ok((chosen.map(str::to_owned).to_vec(), true)));
        let names = ["a.gguf", "b.gguf", "config.json"];
        assert_eq!(selected(&names, Some("b.gguf")), Ok((vec!["b.gguf".to_owned()], false)));
    }

    #[test]
    fn what_a_repository_lacks_is_named() {
        let ggufs = ["a.gguf", "b.gguf"];
        let refusal = |names, named| selected(names, named).unwrap_err();
        assert!(refusal(&ggufs, None).contains("--file: a.gguf, b.gguf"));
        assert!(refusal(&ggufs, Some("c.gguf")).contains("it holds a.gguf, b.gguf"));
        assert!(refusal(&ggufs, Some("a.bin")).contains("no .gguf file"));
        assert!(refusal(&["config.json", "tokenizer.json"], None).contains("neither model.safetensors"));
        assert!(refusal(&["config.json", "model.safetensors"], None).contains("no tokenizer.json"));
    }

    #[test]
    fn shards_lie_beside_their_index() {
        let index = br#"{"metadata":{},"weight_map":{"x":"b.safetensors","y":"a.safetensors","z":"b.safetensors"}}"#;
        assert_eq!(
            shards(index),
            Ok(vec!["a.safetensors".to_owned(), "b.safetensors".to_owned()])
        );
        for index in [
            r#"{"weight_map":{"x":"../a.safetensors"}}"#,
            r#"{"weight_map":{"x":"a.bin"}}"#,
            r#"{"weight_map":{"x":3}}"#,
            r#"{"weight_map":{}}"#,
            "{}",
            "",
        ] {
            assert!(shards(index.as_bytes()).is_err(), "{index}");
        }
    }
}

//! Models in the Hugging Face layout: `config.json`, `tokenizer.json` and safetensors, in one file or several.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufReader, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, Metadata, TensorInfo};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use super::{Numbers, Pretrained, StoredTensor};
use crate::config::LlamaConfig;
use crate::error::LlamaError;
use crate::tokenizer::ModelTokenizer;

/// Longer headers are no headers.
const HEADER_BYTES_MAX: u64 = 100_000_000;

/// `model.safetensors.index.json`.
#[derive(Deserialize)]
struct Index {
    /// The file of each tensor.
    weight_map: BTreeMap<String, String>,
}

pub(super) fn load(folder: &Path) -> Result<Pretrained, LlamaError> {
    let config = read_text(&folder.join("config.json"), "it tells the shape of the model")?;
    let tokenizer_path = folder.join("tokenizer.json");
    let tokenizer = read_text(&tokenizer_path, "it holds the vocabulary")?;
    let mut hash = Sha256::new();
    hash.update(&config);
    hash.update(&tokenizer);
    let mut tensors = BTreeMap::new();
    for name in shards(folder)? {
        let path = folder.join(&name);
        if !path.exists() {
            return Err(LlamaError::Missing {
                path,
                needed: "model.safetensors.index.json names it; was it downloaded whole?",
            });
        }
        read_shard(&path, &mut tensors, &mut hash)?;
    }
    finish(folder, &config, tokenizer.as_bytes(), tensors, hash)
}

pub(super) fn from_bytes(
    name: &Path,
    config: &str,
    tokenizer: &[u8],
    safetensors: &[u8],
) -> Result<Pretrained, LlamaError> {
    let mut hash = Sha256::new();
    hash.update(config);
    hash.update(tokenizer);
    hash.update(safetensors);
    let parsed = SafeTensors::deserialize(safetensors).map_err(|error| LlamaError::damaged(name, error))?;
    let mut tensors = BTreeMap::new();
    for (tensor_name, view) in parsed.tensors() {
        let tensor = stored(view.dtype(), view.shape(), view.data())
            .ok_or_else(|| unreadable(name, &tensor_name, view.dtype()))?;
        tensors.insert(tensor_name, tensor);
    }
    finish(name, config, tokenizer, tensors, hash)
}

fn finish(
    path: &Path,
    config: &str,
    tokenizer: &[u8],
    tensors: BTreeMap<String, StoredTensor>,
    hash: Sha256,
) -> Result<Pretrained, LlamaError> {
    let mut config = LlamaConfig::from_json(config).map_err(|source| LlamaError::Config {
        path: path.join("config.json"),
        source,
    })?;
    // Some files say nothing of it, and have an output layer of their own or not.
    if !tensors.contains_key("lm_head.weight") {
        config.tie_word_embeddings = true;
    }
    let tokenizer = ModelTokenizer::from_json(tokenizer)
        .map_err(|error| LlamaError::damaged(&path.join("tokenizer.json"), error))?
        .with_end_tokens(&config.eos_token_id.0);
    Ok(Pretrained {
        path: path.to_owned(),
        config,
        tokenizer,
        tensors,
        sha256: hexadecimal(&hash.finalize()),
    })
}

pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn read_text(path: &Path, needed: &'static str) -> Result<String, LlamaError> {
    std::fs::read_to_string(path).map_err(|source| match source.kind() {
        std::io::ErrorKind::NotFound => LlamaError::Missing {
            path: path.to_owned(),
            needed,
        },
        std::io::ErrorKind::InvalidData => LlamaError::damaged(path, "it is no text in UTF-8"),
        _ => LlamaError::io(path)(source),
    })
}

/// The names of the files that hold weights.
fn shards(folder: &Path) -> Result<BTreeSet<String>, LlamaError> {
    let index = folder.join("model.safetensors.index.json");
    if !index.exists() {
        let single = folder.join("model.safetensors");
        if !single.exists() {
            return Err(LlamaError::Missing {
                path: single,
                needed: "it holds the weights",
            });
        }
        return Ok(BTreeSet::from(["model.safetensors".to_owned()]));
    }
    let text = read_text(&index, "it names the files of the weights")?;
    let parsed: Index = serde_json::from_str(&text).map_err(|error| LlamaError::damaged(&index, error))?;
    let names: BTreeSet<String> = parsed.weight_map.into_values().collect();
    match names.iter().find(|name| name.contains(['/', '\\'])) {
        Some(name) => Err(LlamaError::damaged(&index, format!("`{name}` is no name of a file"))),
        None => Ok(names),
    }
}

/// Reads the tensors of one file, one at a time, so that no more than one of them is there twice.
fn read_shard(path: &Path, tensors: &mut BTreeMap<String, StoredTensor>, hash: &mut Sha256) -> Result<(), LlamaError> {
    let file = File::open(path).map_err(LlamaError::io(path))?;
    let n_bytes = file.metadata().map_err(LlamaError::io(path))?.len();
    let mut file = BufReader::new(file);
    let mut length = [0; 8];
    file.read_exact(&mut length).map_err(|_| cut_short(path))?;
    let header_bytes = u64::from_le_bytes(length);
    if header_bytes > HEADER_BYTES_MAX || header_bytes + 8 > n_bytes {
        return Err(LlamaError::damaged(
            path,
            "it is no safetensors file, or it is cut short",
        ));
    }
    let mut header = vec![0; usize::try_from(header_bytes).unwrap_or_default()];
    file.read_exact(&mut header).map_err(|_| cut_short(path))?;
    hash.update(&header);
    let metadata: Metadata = serde_json::from_slice(&header).map_err(|error| LlamaError::damaged(path, error))?;
    let expected = metadata.tensors().values().map(|info| info.data_offsets.1).max();
    let expected = 8 + header_bytes + u64::try_from(expected.unwrap_or_default()).unwrap_or(u64::MAX);
    if n_bytes < expected {
        let reason = format!("it has {n_bytes} bytes of {expected}; was it downloaded whole?");
        return Err(LlamaError::damaged(path, reason));
    }
    let infos: BTreeMap<String, &TensorInfo> = metadata.tensors().into_iter().collect();
    for (name, info) in infos {
        let start = 8 + header_bytes + u64::try_from(info.data_offsets.0).unwrap_or(u64::MAX);
        file.seek(SeekFrom::Start(start)).map_err(LlamaError::io(path))?;
        let mut bytes = vec![0; info.data_offsets.1.saturating_sub(info.data_offsets.0)];
        file.read_exact(&mut bytes).map_err(|_| cut_short(path))?;
        hash.update(&bytes);
        let tensor = stored(info.dtype, &info.shape, &bytes).ok_or_else(|| unreadable(path, &name, info.dtype))?;
        tensors.insert(name, tensor);
    }
    Ok(())
}

fn cut_short(path: &Path) -> LlamaError {
    LlamaError::damaged(path, "it is cut short")
}

fn unreadable(path: &Path, name: &str, dtype: Dtype) -> LlamaError {
    LlamaError::tensor(
        path,
        name,
        format!("their numbers are {dtype:?}; only F32, F16 and BF16 can be read"),
    )
}

fn stored(dtype: Dtype, shape: &[usize], bytes: &[u8]) -> Option<StoredTensor> {
    let numbers = match dtype {
        Dtype::F32 => Numbers::F32(
            bytes
                .as_chunks::<4>()
                .0
                .iter()
                .map(|bytes| f32::from_le_bytes(*bytes))
                .collect(),
        ),
        Dtype::F16 => Numbers::F16(words(bytes)),
        Dtype::BF16 => Numbers::BF16(words(bytes)),
        _ => return None,
    };
    Some(StoredTensor::new(shape.to_vec(), numbers))
}

fn words(bytes: &[u8]) -> Vec<u16> {
    bytes
        .as_chunks::<2>()
        .0
        .iter()
        .map(|bytes| u16::from_le_bytes(*bytes))
        .collect()
}

//! Models in GGUF files, as llama.cpp has them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use candle_core::Device;
use candle_core::quantized::gguf_file::{Content, Value};
use candle_core::quantized::{GgmlDType, QTensor};
use sha2::{Digest as _, Sha256};

use super::folder::hexadecimal;
use super::{Numbers, Pretrained, StoredTensor};
use crate::config::{ConfigError, EndTokens, LlamaConfig};
use crate::error::LlamaError;
use crate::tokenizer::ModelTokenizer;

pub(super) fn load(path: &Path) -> Result<Pretrained, LlamaError> {
    let mut file = BufReader::new(File::open(path).map_err(LlamaError::io(path))?);
    let content = Content::read(&mut file)
        .map_err(|error| LlamaError::damaged(path, format!("it is no GGUF file, or it is cut short ({error})")))?;
    let config = config(path, &content)?;
    let tokenizer = ModelTokenizer::from_gguf(&content)
        .map_err(|error| LlamaError::damaged(path, format!("its vocabulary cannot be used: {error}")))?
        .with_end_tokens(&config.eos_token_id.0);
    let mut tensors = BTreeMap::new();
    let mut names: Vec<&String> = content.tensor_infos.keys().collect();
    names.sort();
    for name in names {
        let Some(hugging_face) = hugging_face_name(name) else {
            continue;
        };
        let tensor = content
            .tensor(&mut file, name, &Device::Cpu)
            .map_err(|error| LlamaError::damaged(path, format!("{error}; was it downloaded whole?")))?;
        let stored = stored(&tensor)?;
        let heads = match hugging_face.rsplit('.').nth(1) {
            Some("q_proj") => Some(config.num_attention_heads),
            Some("k_proj") => Some(config.n_kv_heads()),
            _ => None,
        };
        let stored = match heads {
            Some(n_heads) => unrotated(path, name, &stored, n_heads)?,
            None => stored,
        };
        tensors.insert(hugging_face, stored);
    }
    drop(file);
    let mut config = config;
    config.tie_word_embeddings = !tensors.contains_key("lm_head.weight");
    Ok(Pretrained {
        path: path.to_owned(),
        config,
        tokenizer,
        tensors,
        sha256: hash(path)?,
    })
}

fn hash(path: &Path) -> Result<String, LlamaError> {
    let mut file = File::open(path).map_err(LlamaError::io(path))?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        let n_read = file.read(&mut buffer).map_err(LlamaError::io(path))?;
        match buffer.get(..n_read) {
            Some(read) if !read.is_empty() => hash.update(read),
            _ => return Ok(hexadecimal(&hash.finalize())),
        }
    }
}

/// The shape of the model, from the file's metadata.
fn config(path: &Path, content: &Content) -> Result<LlamaConfig, LlamaError> {
    let of_config = |source| LlamaError::Config {
        path: path.to_owned(),
        source,
    };
    let architecture = content.metadata.get("general.architecture");
    let architecture = architecture.and_then(|value| value.to_string().ok());
    if architecture.is_none_or(|name| name != "llama") {
        let found = architecture.cloned().unwrap_or_default();
        return Err(of_config(ConfigError::Architecture { found }));
    }
    if content.metadata.contains_key("llama.rope.scaling.type") {
        return Err(of_config(ConfigError::Unsupported {
            member: "llama.rope.scaling.type",
            reason: "scaled rotary embeddings are not supported",
        }));
    }
    let number = |key: &str| {
        let found = whole_number(content, key);
        found.ok_or_else(|| LlamaError::damaged(path, format!("its metadata lack the number `{key}`")))
    };
    let real = |key: &str| content.metadata.get(key).and_then(|value| value.to_f32().ok());
    let n_heads = number("llama.attention.head_count")?;
    let n_kv_heads = whole_number(content, "llama.attention.head_count_kv");
    let vocabulary = content.metadata.get("tokenizer.ggml.tokens");
    let n_tokens = vocabulary.and_then(|value| value.to_vec().ok()).map(Vec::len);
    let vocab_size = whole_number(content, "llama.vocab_size").or(n_tokens);
    let token = |key: &str| whole_number(content, key).and_then(|number| u32::try_from(number).ok());
    let config = LlamaConfig {
        hidden_size: number("llama.embedding_length")?,
        intermediate_size: number("llama.feed_forward_length")?,
        vocab_size: vocab_size.ok_or_else(|| LlamaError::damaged(path, "its metadata lack a vocabulary"))?,
        num_hidden_layers: number("llama.block_count")?,
        num_attention_heads: n_heads,
        num_key_value_heads: n_kv_heads,
        head_dim: whole_number(content, "llama.attention.key_length"),
        rms_norm_eps: real("llama.attention.layer_norm_rms_epsilon").map_or(1e-5, f64::from),
        rope_theta: real("llama.rope.freq_base").unwrap_or(10_000.0),
        max_position_embeddings: number("llama.context_length")?,
        tie_word_embeddings: false,
        bos_token_id: token("tokenizer.ggml.bos_token_id"),
        eos_token_id: EndTokens(token("tokenizer.ggml.eos_token_id").into_iter().collect()),
    };
    config.check().map_err(of_config)?;
    Ok(config)
}

fn whole_number(content: &Content, key: &str) -> Option<usize> {
    let number = match content.metadata.get(key)? {
        Value::U8(number) => u64::from(*number),
        Value::U16(number) => u64::from(*number),
        Value::U32(number) => u64::from(*number),
        Value::U64(number) => *number,
        Value::I32(number) => u64::try_from(*number).ok()?,
        Value::I64(number) => u64::try_from(*number).ok()?,
        _ => return None,
    };
    usize::try_from(number).ok()
}

/// The name of the same weights in the Hugging Face layout; none of what a Llama model does not need.
fn hugging_face_name(name: &str) -> Option<String> {
    let name = match name {
        "token_embd.weight" => "model.embed_tokens.weight",
        "output_norm.weight" => "model.norm.weight",
        "output.weight" => "lm_head.weight",
        _ => {
            let (layer, part) = name.strip_prefix("blk.")?.split_once('.')?;
            let part = match part.strip_suffix(".weight")? {
                "attn_norm" => "input_layernorm",
                "attn_q" => "self_attn.q_proj",
                "attn_k" => "self_attn.k_proj",
                "attn_v" => "self_attn.v_proj",
                "attn_output" => "self_attn.o_proj",
                "ffn_norm" => "post_attention_layernorm",
                "ffn_gate" => "mlp.gate_proj",
                "ffn_up" => "mlp.up_proj",
                "ffn_down" => "mlp.down_proj",
                _ => return None,
            };
            return Some(format!("model.layers.{layer}.{part}.weight"));
        }
    };
    Some(name.to_owned())
}

/// The numbers of a tensor; those in a notation that is not read here become single precision.
fn stored(tensor: &QTensor) -> Result<StoredTensor, LlamaError> {
    let shape = tensor.shape().dims().to_vec();
    let bytes = || tensor.data().map(std::borrow::Cow::into_owned);
    let whole_blocks = shape.last().is_some_and(|columns| columns.is_multiple_of(32));
    let numbers = match tensor.dtype() {
        _ if !whole_blocks => Numbers::F32(tensor.dequantize(&Device::Cpu)?.flatten_all()?.to_vec1()?),
        GgmlDType::Q4_0 => Numbers::Q4_0(bytes()?),
        GgmlDType::Q4_1 => Numbers::Q4_1(bytes()?),
        GgmlDType::Q8_0 => Numbers::Q8_0(bytes()?),
        _ => Numbers::F32(tensor.dequantize(&Device::Cpu)?.flatten_all()?.to_vec1()?),
    };
    Ok(StoredTensor::new(shape, numbers))
}

/// GGUF files have the rows of queries and keys in the order of another rotary embedding: pairs of neighbours are turned
/// where the Hugging Face layout turns the first against the second half of a head.
fn unrotated(path: &Path, name: &str, tensor: &StoredTensor, n_heads: usize) -> Result<StoredTensor, LlamaError> {
    let (rows, _) = tensor.matrix_shape();
    let head_dim = rows / n_heads.max(1);
    if head_dim * n_heads != rows || !head_dim.is_multiple_of(2) {
        return Err(LlamaError::tensor(
            path,
            name,
            format!("{rows} rows are not {n_heads} heads"),
        ));
    }
    let order = (0..rows).map(|row| {
        let (head, place) = (row / head_dim, row % head_dim);
        head * head_dim + 2 * (place % (head_dim / 2)) + place / (head_dim / 2)
    });
    let numbers = match tensor.numbers() {
        Numbers::F32(numbers) => Numbers::F32(reordered(numbers, rows, order)),
        Numbers::BF16(numbers) => Numbers::BF16(reordered(numbers, rows, order)),
        Numbers::F16(numbers) => Numbers::F16(reordered(numbers, rows, order)),
        Numbers::Q4_0(bytes) => Numbers::Q4_0(reordered(bytes, rows, order)),
        Numbers::Q4_1(bytes) => Numbers::Q4_1(reordered(bytes, rows, order)),
        Numbers::Q8_0(bytes) => Numbers::Q8_0(reordered(bytes, rows, order)),
    };
    Ok(StoredTensor::new(tensor.shape().to_vec(), numbers))
}

fn reordered<T: Copy>(numbers: &[T], rows: usize, order: impl Iterator<Item = usize>) -> Vec<T> {
    let per_row = numbers.len() / rows.max(1);
    order
        .filter_map(|row| numbers.get(row * per_row..(row + 1) * per_row))
        .flatten()
        .copied()
        .collect()
}

//! The shape of a Llama model, as `config.json` of a Hugging Face folder gives it.

use serde::{Deserialize, Serialize};

/// The shape of a Llama model.
///
/// The members have the names of `config.json` in the Hugging Face layout; those that do not matter here are left out on
/// writing and ignored on reading.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LlamaConfig {
    /// Width of the residual stream.
    pub hidden_size: usize,
    /// Width of the feed-forward layers.
    pub intermediate_size: usize,
    /// Tokens in the vocabulary.
    pub vocab_size: usize,
    /// Blocks.
    pub num_hidden_layers: usize,
    /// Query heads of a block.
    pub num_attention_heads: usize,
    /// Key and value heads of a block; each serves as many query heads.
    #[serde(default)]
    pub num_key_value_heads: Option<usize>,
    /// Width of a head where it is not `hidden_size / num_attention_heads`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head_dim: Option<usize>,
    /// What is added to the mean square before its root divides.
    #[serde(default = "default_rms_norm_eps")]
    pub rms_norm_eps: f64,
    /// Base of the rotary embedding's wave lengths.
    #[serde(default = "default_rope_theta")]
    pub rope_theta: f32,
    /// Tokens that the model can look at.
    #[serde(default = "default_positions")]
    pub max_position_embeddings: usize,
    /// Whether the output layer is the embedding again.
    #[serde(default)]
    pub tie_word_embeddings: bool,
    /// Token that begins a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bos_token_id: Option<u32>,
    /// Tokens that end a text.
    #[serde(default, skip_serializing_if = "EndTokens::is_empty")]
    pub eos_token_id: EndTokens,
}

/// Tokens that end a text: `config.json` holds one, a list of them or `null`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EndTokens(pub Vec<u32>);

impl EndTokens {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for EndTokens {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.as_slice() {
            [one] => one.serialize(serializer),
            many => many.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for EndTokens {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error as _;
        let value = serde_json::Value::deserialize(deserializer)?;
        let number = |value: &serde_json::Value| {
            let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
            number.ok_or_else(|| D::Error::custom(format!("`{value}` is no token")))
        };
        match &value {
            serde_json::Value::Null => Ok(Self::default()),
            serde_json::Value::Array(many) => many.iter().map(number).collect::<Result<_, _>>().map(Self),
            one => Ok(Self(vec![number(one)?])),
        }
    }
}

fn default_rms_norm_eps() -> f64 {
    1e-5
}

fn default_rope_theta() -> f32 {
    10_000.0
}

fn default_positions() -> usize {
    2048
}

/// Why a `config.json` describes no model that can be run here.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// Not JSON, or a member is missing or of another type.
    #[error("read the shape of the model: {0}")]
    Json(#[from] serde_json::Error),
    /// Another architecture.
    #[error("run a model of architecture `{found}`: only Llama models (`model_type` \"llama\") can be run")]
    Architecture {
        /// What `model_type` says.
        found: String,
    },
    /// A variety of Llama that is not supported.
    #[error("run a Llama model with `{member}`: {reason}")]
    Unsupported {
        /// The member of `config.json`.
        member: &'static str,
        /// Why not.
        reason: &'static str,
    },
    /// Numbers that contradict each other.
    #[error("use the shape of the model: {0}")]
    Shape(&'static str),
}

/// The members that only tell whether a model can be run.
#[derive(Deserialize)]
struct Variety {
    model_type: Option<String>,
    #[serde(default)]
    attention_bias: bool,
    #[serde(default)]
    mlp_bias: bool,
    rope_scaling: Option<serde_json::Value>,
    hidden_act: Option<String>,
}

impl LlamaConfig {
    /// Reads `config.json`.
    ///
    /// # Errors
    /// [`ConfigError`] for another architecture, for varieties that cannot be run and for a shape that contradicts itself.
    pub fn from_json(json: &str) -> Result<Self, ConfigError> {
        let variety: Variety = serde_json::from_str(json)?;
        let unsupported = |member, reason| Err(ConfigError::Unsupported { member, reason });
        if let Some(found) = variety.model_type.filter(|found| found != "llama") {
            return Err(ConfigError::Architecture { found });
        }
        if variety.attention_bias {
            return unsupported("attention_bias", "attention layers with a bias are not supported");
        }
        if variety.mlp_bias {
            return unsupported("mlp_bias", "feed-forward layers with a bias are not supported");
        }
        if variety.rope_scaling.is_some() {
            return unsupported("rope_scaling", "scaled rotary embeddings are not supported");
        }
        if variety.hidden_act.is_some_and(|name| name != "silu") {
            return unsupported("hidden_act", "only `silu` is supported");
        }
        let config: Self = serde_json::from_str(json)?;
        config.check()?;
        Ok(config)
    }

    /// Whether the numbers go together.
    ///
    /// # Errors
    /// [`ConfigError::Shape`] where they do not.
    pub fn check(&self) -> Result<(), ConfigError> {
        let sizes = [
            self.hidden_size,
            self.intermediate_size,
            self.vocab_size,
            self.num_hidden_layers,
            self.num_attention_heads,
            self.n_kv_heads(),
            self.head_dim(),
            self.max_position_embeddings,
        ];
        if sizes.contains(&0) {
            return Err(ConfigError::Shape("a size is 0"));
        }
        if !self.num_attention_heads.is_multiple_of(self.n_kv_heads()) {
            return Err(ConfigError::Shape(
                "the number of query heads is no multiple of that of key and value heads",
            ));
        }
        if !self.head_dim().is_multiple_of(2) {
            return Err(ConfigError::Shape("heads of odd width cannot be rotated"));
        }
        if self.head_dim.is_none() && !self.hidden_size.is_multiple_of(self.num_attention_heads) {
            return Err(ConfigError::Shape(
                "the hidden size is no multiple of the number of query heads",
            ));
        }
        Ok(())
    }

    /// Key and value heads of a block.
    pub fn n_kv_heads(&self) -> usize {
        self.num_key_value_heads.unwrap_or(self.num_attention_heads)
    }

    /// Width of a head.
    pub fn head_dim(&self) -> usize {
        self.head_dim
            .unwrap_or(self.hidden_size / self.num_attention_heads.max(1))
    }

    /// Width of all query heads together.
    pub fn query_size(&self) -> usize {
        self.num_attention_heads * self.head_dim()
    }

    /// Width of all key heads together, and of all value heads.
    pub fn kv_size(&self) -> usize {
        self.n_kv_heads() * self.head_dim()
    }

    /// The parameters that a model of this shape has.
    pub fn n_parameters(&self) -> usize {
        let (hidden, kv, query) = (self.hidden_size, self.kv_size(), self.query_size());
        let block = 2 * hidden * query + 2 * hidden * kv + 3 * hidden * self.intermediate_size + 2 * hidden;
        let embeddings = if self.tie_word_embeddings { 1 } else { 2 };
        embeddings * self.vocab_size * hidden + self.num_hidden_layers * block + hidden
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = r#"{"model_type": "llama", "hidden_size": 48, "intermediate_size": 128, "vocab_size": 512,
        "num_hidden_layers": 2, "num_attention_heads": 3, "num_key_value_heads": 1, "eos_token_id": [1, 2],
        "torch_dtype": "bfloat16", "tie_word_embeddings": true, "rope_scaling": null}"#;

    #[test]
    fn a_folder_s_shape_is_read_and_written() {
        let config = LlamaConfig::from_json(SMALL).unwrap();
        assert_eq!((config.head_dim(), config.kv_size(), config.query_size()), (16, 16, 48));
        assert_eq!(config.eos_token_id, EndTokens(vec![1, 2]));
        let written = serde_json::to_string(&config).unwrap();
        assert_eq!(LlamaConfig::from_json(&written).unwrap(), config);
    }

    #[test]
    fn what_cannot_be_run_is_refused_by_name() {
        let cases = [
            (r#""llama""#, r#""qwen2""#, "architecture `qwen2`"),
            ("null", r#"{"factor": 8}"#, "rope_scaling"),
            ("48", "49", "no multiple"),
            ("512", "0", "a size is 0"),
        ];
        for (from, to, expected) in cases {
            let error = LlamaConfig::from_json(&SMALL.replacen(from, to, 1))
                .unwrap_err()
                .to_string();
            assert!(error.contains(expected), "{error}");
        }
        assert!(LlamaConfig::from_json("{}").is_err());
    }
}

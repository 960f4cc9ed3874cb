//! Models run on the processor, from weights that stay as small as they are in the file.
//!
//! A [`Model`] holds the weights, a [`Session`] what one text has left behind: the keys and values of its tokens. A text
//! that begins like the one before costs only the tokens that are new, and the answer is the same to the last bit.

mod cache;
mod kernel;
mod math;
mod matrix;

use std::collections::BTreeMap;
use std::sync::Arc;

use pulp::Arch;

use crate::config::LlamaConfig;
use crate::error::LlamaError;
use crate::weights::StoredTensor;

use cache::KeyValueCache;
use kernel::{Scratch, panel_width};
use math::{Activation, Attention, AttentionScratch, LogSumExp, normalise, rotate};
use matrix::PackedMatrix;

/// Tokens that go through the model at once; more need more room and are no faster.
const CHUNK: usize = 96;

/// The weights of a model, ready to be run.
#[derive(Debug)]
pub struct Model {
    config: LlamaConfig,
    arch: Arch,
    embeddings: StoredTensor,
    output: PackedMatrix,
    blocks: Vec<Block>,
    norm: Vec<f32>,
    /// Cosines and sines: position, then half of a head.
    angles: Angles,
}

#[derive(Debug)]
struct Angles {
    cosines: Vec<f32>,
    sines: Vec<f32>,
}

#[derive(Debug)]
struct Block {
    attention_norm: Vec<f32>,
    query: PackedMatrix,
    key: PackedMatrix,
    value: PackedMatrix,
    output: PackedMatrix,
    feed_forward_norm: Vec<f32>,
    gate: PackedMatrix,
    up: PackedMatrix,
    down: PackedMatrix,
}

impl Model {
    /// Packs the weights, whose shapes were checked when they were read.
    ///
    /// # Errors
    /// [`LlamaError::Tensor`] where weights are missing.
    pub fn new(config: LlamaConfig, mut tensors: BTreeMap<String, StoredTensor>) -> Result<Self, LlamaError> {
        let arch = Arch::new();
        let mut take = |name: &str| {
            let tensor = tensors.remove(name);
            tensor.ok_or_else(|| LlamaError::tensor("the model".as_ref(), name, "they are missing"))
        };
        let embeddings = take("model.embed_tokens.weight")?;
        let output = if config.tie_word_embeddings {
            PackedMatrix::pack(arch, &embeddings)
        } else {
            PackedMatrix::pack(arch, &take("lm_head.weight")?)
        };
        let norm = take("model.norm.weight")?.to_f32();
        let mut blocks = Vec::with_capacity(config.num_hidden_layers);
        for block in 0..config.num_hidden_layers {
            let mut part = |name: &str| take(&format!("model.layers.{block}.{name}.weight"));
            let mut matrix = |name: &str| part(name).map(|tensor| PackedMatrix::pack(arch, &tensor));
            blocks.push(Block {
                query: matrix("self_attn.q_proj")?,
                key: matrix("self_attn.k_proj")?,
                value: matrix("self_attn.v_proj")?,
                output: matrix("self_attn.o_proj")?,
                gate: matrix("mlp.gate_proj")?,
                up: matrix("mlp.up_proj")?,
                down: matrix("mlp.down_proj")?,
                attention_norm: part("input_layernorm")?.to_f32(),
                feed_forward_norm: part("post_attention_layernorm")?.to_f32(),
            });
        }
        Ok(Self {
            angles: Angles::new(&config),
            config,
            arch,
            embeddings,
            output,
            blocks,
            norm,
        })
    }

    /// The shape of the model.
    pub fn config(&self) -> &LlamaConfig {
        &self.config
    }

    /// A session without tokens.
    pub fn session(self: &Arc<Self>) -> Session {
        Session {
            cache: KeyValueCache::new(&self.config, panel_width(self.arch)),
            model: Arc::clone(self),
            tokens: Vec::new(),
            logits: Vec::new(),
            room: Room::default(),
        }
    }
}

impl Angles {
    fn new(config: &LlamaConfig) -> Self {
        let half = config.head_dim() / 2;
        let n = config.max_position_embeddings * half;
        let (mut cosines, mut sines) = (Vec::with_capacity(n), Vec::with_capacity(n));
        let frequencies: Vec<f32> = (0..half)
            .map(|idx| 1.0 / config.rope_theta.powf((2 * idx) as f32 / config.head_dim() as f32))
            .collect();
        for position in 0..config.max_position_embeddings {
            for frequency in &frequencies {
                let angle = position as f32 * frequency;
                cosines.push(angle.cos());
                sines.push(angle.sin());
            }
        }
        Self { cosines, sines }
    }

    fn at(&self, position: usize, half: usize) -> (&[f32], &[f32]) {
        let range = position * half..(position + 1) * half;
        (
            self.cosines.get(range.clone()).unwrap_or_default(),
            self.sines.get(range).unwrap_or_default(),
        )
    }
}

/// What one text has left behind in a model.
#[derive(Debug)]
pub struct Session {
    model: Arc<Model>,
    cache: KeyValueCache,
    tokens: Vec<u32>,
    logits: Vec<f32>,
    room: Room,
}

/// Room for intermediate results, in rows of one token each.
#[derive(Debug, Default)]
struct Room {
    stream: Vec<f32>,
    normed: Vec<f32>,
    query: Vec<f32>,
    key: Vec<f32>,
    value: Vec<f32>,
    /// Queries of one key head, then what attention gives for them.
    grouped: Vec<f32>,
    mixed: Vec<f32>,
    attended: Vec<f32>,
    added: Vec<f32>,
    gate: Vec<f32>,
    up: Vec<f32>,
    scratch: Scratch,
    attention: AttentionScratch,
}

impl Session {
    /// The tokens that were read.
    pub fn tokens(&self) -> &[u32] {
        &self.tokens
    }

    /// Makes `tokens` the text; what it has in common with the one before is not read again. Returns how many tokens were.
    ///
    /// # Errors
    /// [`LlamaError::TooLong`] for more tokens than the model can look at, [`LlamaError::NoTokens`] for none.
    pub fn read(&mut self, tokens: &[u32]) -> Result<usize, LlamaError> {
        let common = self.tokens.iter().zip(tokens).take_while(|(a, b)| a == b).count();
        // What comes next is only known after the last token has been read, also where nothing is new.
        let kept = common.min(tokens.len().saturating_sub(1));
        self.tokens.truncate(kept);
        self.extend(tokens.get(kept..).unwrap_or_default())?;
        Ok(tokens.len() - kept)
    }

    /// Adds tokens to the text.
    ///
    /// # Errors
    /// As those of [`read`](Self::read).
    pub fn extend(&mut self, tokens: &[u32]) -> Result<(), LlamaError> {
        let n_tokens = self.tokens.len() + tokens.len();
        let n_max = self.model.config.max_position_embeddings;
        if n_tokens > n_max {
            return Err(LlamaError::TooLong { n_tokens, n_max });
        }
        if tokens.is_empty() {
            return Err(LlamaError::NoTokens);
        }
        let model = Arc::clone(&self.model);
        let mut chunks = tokens.chunks(CHUNK).peekable();
        while let Some(chunk) = chunks.next() {
            let start = self.tokens.len();
            self.room.embed(&model, chunk);
            for (idx, block) in model.blocks.iter().enumerate() {
                self.room.block(&model, block, self.cache.block_mut(idx), start);
            }
            self.tokens.extend_from_slice(chunk);
            if chunks.peek().is_none() {
                self.room.logits(&model, &mut self.logits);
            }
        }
        Ok(())
    }

    /// The logit of every token to be the next one.
    pub fn logits(&self) -> &[f32] {
        &self.logits
    }

    /// The logarithm of the sum of the logits' exponentials: a token's log-probability is its logit less this.
    pub fn log_normaliser(&self) -> f32 {
        self.model.arch.dispatch(LogSumExp(&self.logits))
    }
}

impl Room {
    fn embed(&mut self, model: &Model, tokens: &[u32]) {
        self.stream.clear();
        for token in tokens {
            let row = usize::try_from(*token).unwrap_or(usize::MAX);
            self.stream.extend(model.embeddings.row(row));
        }
    }

    fn block(&mut self, model: &Model, block: &Block, heads: &mut [cache::HeadCache], start: usize) {
        let config = &model.config;
        let arch = model.arch;
        let (hidden, head_dim) = (config.hidden_size, config.head_dim());
        let n = self.stream.len() / hidden;
        let epsilon = config.rms_norm_eps as f32;
        resize(&mut self.normed, n * hidden);
        normalise(&self.stream, &block.attention_norm, epsilon, &mut self.normed);
        resize(&mut self.query, n * config.query_size());
        resize(&mut self.key, n * config.kv_size());
        resize(&mut self.value, n * config.kv_size());
        block
            .query
            .product(arch, &self.normed, &mut self.query, &mut self.scratch);
        block.key.product(arch, &self.normed, &mut self.key, &mut self.scratch);
        block
            .value
            .product(arch, &self.normed, &mut self.value, &mut self.scratch);
        for (rows, width) in [
            (&mut self.query, config.query_size()),
            (&mut self.key, config.kv_size()),
        ] {
            for (idx, row) in rows.chunks_exact_mut(width).enumerate() {
                let (cosines, sines) = model.angles.at(start + idx, head_dim / 2);
                row.chunks_exact_mut(head_dim)
                    .for_each(|head| rotate(head, cosines, sines));
            }
        }
        self.attend(model, heads, start, n);
        resize(&mut self.added, n * hidden);
        block
            .output
            .product(arch, &self.attended, &mut self.added, &mut self.scratch);
        add(&mut self.stream, &self.added);

        normalise(&self.stream, &block.feed_forward_norm, epsilon, &mut self.normed);
        resize(&mut self.gate, n * config.intermediate_size);
        resize(&mut self.up, n * config.intermediate_size);
        block
            .gate
            .product(arch, &self.normed, &mut self.gate, &mut self.scratch);
        block.up.product(arch, &self.normed, &mut self.up, &mut self.scratch);
        arch.dispatch(Activation {
            gate: &mut self.gate,
            up: &self.up,
        });
        block.down.product(arch, &self.gate, &mut self.added, &mut self.scratch);
        add(&mut self.stream, &self.added);
    }

    /// Attention of all heads; the keys and values of these tokens join those of the text.
    fn attend(&mut self, model: &Model, heads: &mut [cache::HeadCache], start: usize, n: usize) {
        let config = &model.config;
        let head_dim = config.head_dim();
        let n_heads = heads.len();
        let group = config.num_attention_heads / n_heads;
        let group_size = group * head_dim;
        resize(&mut self.attended, n * config.query_size());
        for (head_idx, head) in heads.iter_mut().enumerate() {
            let rows = self.key.chunks_exact(head_dim).zip(self.value.chunks_exact(head_dim));
            for (idx, (key, value)) in rows.skip(head_idx).step_by(n_heads).enumerate() {
                head.set(start + idx, key, value);
            }
            self.grouped.clear();
            for queries in self.query.chunks_exact(group_size).skip(head_idx).step_by(n_heads) {
                self.grouped.extend_from_slice(queries);
            }
            resize(&mut self.mixed, n * group_size);
            model.arch.dispatch(Attention {
                queries: &self.grouped,
                output: &mut self.mixed,
                cache: head,
                start,
                group,
                scratch: &mut self.attention,
            });
            let places = self
                .attended
                .chunks_exact_mut(group_size)
                .skip(head_idx)
                .step_by(n_heads);
            for (place, mixed) in places.zip(self.mixed.chunks_exact(group_size)) {
                place.copy_from_slice(mixed);
            }
        }
    }

    /// The logits after the last token.
    fn logits(&mut self, model: &Model, logits: &mut Vec<f32>) {
        let hidden = model.config.hidden_size;
        let last = self.stream.len().saturating_sub(hidden);
        let last = self.stream.get(last..).unwrap_or_default();
        resize(&mut self.normed, hidden);
        normalise(last, &model.norm, model.config.rms_norm_eps as f32, &mut self.normed);
        resize(logits, model.config.vocab_size);
        model
            .output
            .product(model.arch, &self.normed, logits, &mut self.scratch);
    }
}

fn resize(numbers: &mut Vec<f32>, n: usize) {
    numbers.resize(n, 0.0);
}

fn add(stream: &mut [f32], added: &[f32]) {
    for (number, added) in stream.iter_mut().zip(added) {
        *number += added;
    }
}

#[cfg(test)]
mod tests;

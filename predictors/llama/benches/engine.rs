//! What reading and writing cost a model of the shape of SmolLM2-135M, in 4 bits as in the GGUF file, on one thread.
//!
//! `cargo bench -p napsim-llama --bench engine`. The weights are made up; the time does not depend on them.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use napsim_llama::{EndTokens, LlamaConfig, Model, Numbers, StoredTensor, expected_tensors};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

fn main() {
    divan::main();
}

static MODEL: LazyLock<Arc<Model>> = LazyLock::new(model);

#[expect(clippy::expect_used, reason = "a bench without its model has failed")]
fn model() -> Arc<Model> {
    let config = LlamaConfig {
        hidden_size: 576,
        intermediate_size: 1536,
        vocab_size: 49_152,
        num_hidden_layers: 30,
        num_attention_heads: 9,
        num_key_value_heads: Some(3),
        head_dim: None,
        rms_norm_eps: 1e-5,
        rope_theta: 100_000.0,
        max_position_embeddings: 8192,
        tie_word_embeddings: true,
        bos_token_id: None,
        eos_token_id: EndTokens::default(),
    };
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let tensors: BTreeMap<String, StoredTensor> = expected_tensors(&config)
        .into_iter()
        .map(|(name, shape)| {
            let n: usize = shape.iter().product();
            let mut blocks = |scales: &[u8], n_bytes: usize| -> Vec<u8> {
                let mut bytes = Vec::with_capacity(n / 32 * (scales.len() + n_bytes));
                for _ in 0..n / 32 {
                    bytes.extend_from_slice(scales);
                    bytes.extend((0..n_bytes).map(|_| random.random::<u8>()));
                }
                bytes
            };
            let numbers = match name.as_str() {
                _ if shape.len() == 1 => Numbers::F32(vec![1.0; n]),
                "model.embed_tokens.weight" => Numbers::Q8_0(blocks(&[0x00, 0x08], 32)),
                // Factor 1/64 and summand -8/64.
                _ => Numbers::Q4_1(blocks(&[0x00, 0x24, 0x00, 0xB0], 16)),
            };
            (name, StoredTensor::new(shape, numbers))
        })
        .collect();
    Arc::new(Model::new(config, tensors).expect("all weights are there"))
}

fn tokens(n: u32) -> Vec<u32> {
    (0..n).map(|idx| idx * 7919 % 49_152).collect()
}

/// A prompt that is read from its beginning.
#[divan::bench(args = [16, 128, 512, 1024], sample_count = 3, sample_size = 1)]
fn read(bencher: divan::Bencher<'_, '_>, n_tokens: u32) {
    let tokens = tokens(n_tokens);
    bencher
        .counter(divan::counter::ItemsCount::new(n_tokens))
        .with_inputs(|| MODEL.session())
        .bench_local_values(|mut session| {
            let _ = session.read(&tokens);
            session
        });
}

/// Tokens written one by one after a prompt of 512.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn write(bencher: divan::Bencher<'_, '_>) {
    let mut session = MODEL.session();
    let _ = session.read(&tokens(512));
    bencher
        .counter(divan::counter::ItemsCount::new(16_u32))
        .bench_local(|| {
            let _ = session.read(&tokens(512));
            for token in 0..15 {
                let _ = session.extend(&[token]);
            }
        });
}

/// A prompt of 512 tokens of which all but the last 16 were read before: a prediction in a run.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn read_what_is_new(bencher: divan::Bencher<'_, '_>) {
    let tokens = tokens(512);
    let mut session = MODEL.session();
    bencher
        .counter(divan::counter::ItemsCount::new(16_u32))
        .bench_local(|| {
            let (before, _) = tokens.split_at(496);
            let mut other = before.to_vec();
            other.push(1);
            let _ = session.read(&other);
            let _ = session.read(&tokens);
        });
}

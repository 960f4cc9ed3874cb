//! The engine against the tensor library's own Llama, and against itself.

use std::collections::HashMap;

use candle_core::{DType, Device, Tensor};
use candle_nn::VarBuilder;
use candle_transformers::models::llama::{Cache, Config, Llama};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::config::EndTokens;
use crate::weights::Numbers;
use crate::weights::expected_tensors;

fn config() -> LlamaConfig {
    LlamaConfig {
        hidden_size: 96,
        intermediate_size: 160,
        vocab_size: 211,
        num_hidden_layers: 3,
        num_attention_heads: 6,
        num_key_value_heads: Some(2),
        head_dim: None,
        rms_norm_eps: 1e-5,
        rope_theta: 10_000.0,
        max_position_embeddings: 256,
        tie_word_embeddings: false,
        bos_token_id: None,
        eos_token_id: EndTokens::default(),
    }
}

/// Random weights, each tensor in another notation.
fn tensors(config: &LlamaConfig) -> BTreeMap<String, StoredTensor> {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let expected = expected_tensors(config).into_iter().enumerate();
    let tensor = |(idx, (name, shape)): (usize, (String, Vec<usize>))| {
        let n: usize = shape.iter().product();
        let mut half = || -> u16 { (random.random::<u16>() & 0x83FF) | 0x2C00 };
        let numbers = if shape.len() == 1 {
            Numbers::F32((0..n).map(|_| 1.0 + f32::from(half() & 0x3F) / 256.0).collect())
        } else {
            match idx % 6 {
                0 => Numbers::F32((0..n).map(|_| f32::from(half() & 0x3FF) / 4096.0 - 0.125).collect()),
                1 => Numbers::F16((0..n).map(|_| half()).collect()),
                2 => Numbers::BF16((0..n).map(|_| (half() & 0x80FF) | 0x3D00).collect()),
                3 => Numbers::Q8_0((0..n / 32).flat_map(|_| blocks(&[0x10, 0x14], 32, &mut half)).collect()),
                4 => Numbers::Q4_0((0..n / 32).flat_map(|_| blocks(&[0x10, 0x24], 16, &mut half)).collect()),
                _ => Numbers::Q4_1(
                    (0..n / 32)
                        .flat_map(|_| blocks(&[0x10, 0x24, 0, 0xAC], 16, &mut half))
                        .collect(),
                ),
            }
        };
        (name, StoredTensor::new(shape, numbers))
    };
    expected.map(tensor).collect()
}

fn blocks(scales: &[u8], n_bytes: usize, half: &mut impl FnMut() -> u16) -> Vec<u8> {
    let bytes = (0..n_bytes).map(|_| (half() & 0xFF) as u8);
    scales.iter().copied().chain(bytes).collect()
}

/// The logits after each of the last tokens by the tensor library, read in one go.
fn by_candle(config: &LlamaConfig, tokens: &[u32]) -> Vec<f32> {
    let device = Device::Cpu;
    let tensors: HashMap<String, Tensor> = tensors(config)
        .iter()
        .map(|(name, tensor)| (name.clone(), tensor.to_tensor(&device).unwrap()))
        .collect();
    let llama = Config {
        hidden_size: config.hidden_size,
        intermediate_size: config.intermediate_size,
        vocab_size: config.vocab_size,
        num_hidden_layers: config.num_hidden_layers,
        num_attention_heads: config.num_attention_heads,
        num_key_value_heads: config.n_kv_heads(),
        use_flash_attn: false,
        rms_norm_eps: config.rms_norm_eps,
        rope_theta: config.rope_theta,
        bos_token_id: None,
        eos_token_id: None,
        rope_scaling: None,
        max_position_embeddings: config.max_position_embeddings,
        tie_word_embeddings: config.tie_word_embeddings,
    };
    let model = Llama::load(VarBuilder::from_tensors(tensors, DType::F32, &device), &llama).unwrap();
    let mut cache = Cache::new(false, DType::F32, &llama, &device).unwrap();
    let input = Tensor::new(tokens, &device).unwrap().unsqueeze(0).unwrap();
    let logits = model.forward(&input, 0, &mut cache).unwrap();
    logits.flatten_all().unwrap().to_vec1().unwrap()
}

fn text(n: usize) -> Vec<u32> {
    let mut random = ChaCha8Rng::seed_from_u64(9);
    (0..n).map(|_| random.random_range(0..211)).collect()
}

fn model() -> Arc<Model> {
    let config = config();
    let tensors = tensors(&config);
    Arc::new(Model::new(config, tensors).unwrap())
}

#[test]
fn logits_are_those_of_the_tensor_library() {
    let model = model();
    for n in [1, 2, 7, 150] {
        let tokens = text(n);
        let mut session = model.session();
        assert_eq!(session.read(&tokens).unwrap(), n);
        let expected = by_candle(model.config(), &tokens);
        assert_eq!(session.logits().len(), expected.len());
        let largest = expected.iter().fold(0f32, |largest, logit| largest.max(logit.abs()));
        for (logit, expected) in session.logits().iter().zip(&expected) {
            assert!(
                (logit - expected).abs() < 1e-4 * largest.max(1.0),
                "{logit} {expected} of {n}"
            );
        }
        assert!(largest > 0.5, "the logits tell nothing: {largest}");
    }
}

#[test]
fn a_remembered_beginning_gives_the_same_bits() {
    let model = model();
    let tokens = text(150);
    let mut once = model.session();
    once.read(&tokens).unwrap();
    let mut one_by_one = model.session();
    for token in &tokens {
        one_by_one.extend(&[*token]).unwrap();
    }
    assert_eq!(once.logits(), one_by_one.logits());
    // Another ending, then the first one again.
    let mut other = tokens[..70].to_vec();
    other.extend(text(40).iter().map(|token| 210 - token));
    assert_eq!(one_by_one.read(&other).unwrap(), 40);
    let mut anew = model.session();
    anew.read(&other).unwrap();
    assert_eq!(one_by_one.logits(), anew.logits());
    assert_eq!(one_by_one.read(&tokens).unwrap(), 80);
    assert_eq!(once.logits(), one_by_one.logits());
    assert_eq!(
        one_by_one.read(&tokens).unwrap(),
        1,
        "what follows is computed from the last token"
    );
    assert_eq!(once.logits(), one_by_one.logits());
}

#[test]
fn probabilities_sum_to_one() {
    let mut session = model().session();
    session.read(&text(5)).unwrap();
    let normaliser = session.log_normaliser();
    let sum: f32 = session.logits().iter().map(|logit| (logit - normaliser).exp()).sum();
    assert!((sum - 1.0).abs() < 1e-5, "{sum}");
}

#[test]
fn a_text_that_does_not_fit_is_refused() {
    let mut session = model().session();
    assert!(matches!(session.read(&[]), Err(LlamaError::NoTokens)));
    session.read(&text(256)).unwrap();
    assert!(matches!(
        session.extend(&[1]),
        Err(LlamaError::TooLong {
            n_tokens: 257,
            n_max: 256
        })
    ));
    assert_eq!(session.tokens().len(), 256);
}

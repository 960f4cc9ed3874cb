use candle_core::{DType, Device, Tensor};
use candle_nn::VarBuilder;
use candle_transformers::models::llama;

use super::testing::{batch, config, lively, loss, state, tokens, untied};
use super::*;

/// The logits by the tensor library's own model.
fn library(network: &LlamaNetwork, tokens: &[u32]) -> Vec<Vec<f32>> {
    let shape = network.config();
    let config = llama::Config {
        hidden_size: shape.hidden_size,
        intermediate_size: shape.intermediate_size,
        vocab_size: shape.vocab_size,
        num_hidden_layers: shape.num_hidden_layers,
        num_attention_heads: shape.num_attention_heads,
        num_key_value_heads: shape.n_kv_heads(),
        use_flash_attn: false,
        rms_norm_eps: shape.rms_norm_eps,
        rope_theta: shape.rope_theta,
        bos_token_id: None,
        eos_token_id: None,
        rope_scaling: None,
        max_position_embeddings: shape.max_position_embeddings,
        tie_word_embeddings: shape.tie_word_embeddings,
    };
    let tensor = |(leaf, numbers): (Leaf, &[f32])| {
        let tensor = Tensor::from_slice(numbers, leaf.shape.as_slice(), &Device::Cpu).unwrap();
        (leaf.name, tensor)
    };
    let tensors = network.named().map(tensor).collect();
    let builder = VarBuilder::from_tensors(tensors, DType::F32, &Device::Cpu);
    let model = llama::Llama::load(builder, &config).unwrap();
    // The model gives the logits of the last token alone.
    (1..=tokens.len())
        .map(|n_tokens| {
            let mut cache = llama::Cache::new(false, DType::F32, &config, &Device::Cpu).unwrap();
            let input = Tensor::new(&tokens[..n_tokens], &Device::Cpu)
                .unwrap()
                .unsqueeze(0)
                .unwrap();
            let logits = model.forward(&input, 0, &mut cache).unwrap();
            logits.flatten_all().unwrap().to_vec1().unwrap()
        })
        .collect()
}

#[test]
fn logits_are_those_of_the_library() {
    for config in [config(), untied()] {
        let network = lively(&config);
        let tokens: Vec<u32> = tokens(140).collect();
        let ours = network.logits(&tokens).unwrap();
        let theirs = library(&network, &tokens).concat();
        assert_eq!(ours.len(), theirs.len());
        let differences = ours.iter().zip(&theirs).map(|(ours, theirs)| (ours - theirs).abs());
        let greatest = differences.fold(0.0, f32::max);
        assert!(greatest < 1e-4, "{greatest}");
        assert!(
            theirs.iter().copied().fold(0.0, f32::max) > 1.0,
            "the logits are lively"
        );
    }
}

#[test]
fn the_loss_is_that_of_the_logits() {
    let network = lively(&config());
    let batch = batch();
    let mut expected = 0.0;
    for text in &batch.texts {
        let logits = network.logits(&batch.tokens[text.clone()]).unwrap();
        for (place, target) in batch.targets.iter().filter(|(place, _)| text.contains(place)) {
            let row = &logits[(place - text.start) * 31..][..31];
            let total: f64 = row.iter().map(|logit| f64::from(*logit).exp()).sum();
            expected += total.ln() - f64::from(row[*target as usize]);
        }
    }
    let ours = loss(&network, None, &batch);
    assert!((ours - expected).abs() < 1e-4 * expected, "{ours} {expected}");
    let learned = state(&network, None).learn(&batch, 1.0, None).unwrap();
    assert!((learned.loss - ours).abs() < 1e-9 * ours, "{} {ours}", learned.loss);
}

/// Moves numbers along a direction and compares how the loss changes with what the gradient says.
fn check_slope(name: &str, gradient: &[f32], mut loss_when_moved: impl FnMut(&dyn Fn(&mut [f32])) -> f64) {
    let norm = gradient
        .iter()
        .map(|slope| f64::from(*slope).powi(2))
        .sum::<f64>()
        .sqrt();
    assert!(norm > 1e-3, "{name} gets a gradient: {norm}");
    let distance = 2e-3 / norm.max(1.0);
    #[expect(clippy::cast_possible_truncation, reason = "weights are single numbers")]
    let moved = |sign: f64| {
        move |numbers: &mut [f32]| {
            for (number, slope) in numbers.iter_mut().zip(gradient) {
                *number += (sign * distance * f64::from(*slope) / norm.max(1e-12)) as f32;
            }
        }
    };
    let slope = (loss_when_moved(&moved(1.0)) - loss_when_moved(&moved(-1.0))) / (2.0 * distance);
    assert!(
        (slope - norm).abs() < 0.02 * norm + 1e-3,
        "{name}: {slope} instead of {norm}"
    );
}

#[test]
fn every_tensor_gets_its_gradient() {
    for config in [config(), untied()] {
        let network = lively(&config);
        let batch = batch();
        let learned = state(&network, None).learn(&batch, 1.0, None).unwrap();
        let leaves = leaves(&config);
        assert_eq!(learned.gradient.len(), leaves.len());
        for (idx, (leaf, gradient)) in leaves.iter().zip(&learned.gradient).enumerate() {
            assert_eq!(gradient.as_slice().len(), leaf.n_numbers(), "{}", leaf.name);
            check_slope(&leaf.name, gradient.as_slice(), |change| {
                let mut network = network.clone();
                change(network.weights_mut().in_order_mut()[idx].as_mut_slice());
                loss(&network, None, &batch)
            });
        }
    }
}

fn adapters(config: &LlamaConfig) -> Adapters<Numbers> {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    Adapters::build(config, 3, 2.0, |leaf| {
        Numbers::new(normal(&mut random, leaf.n_numbers(), 0.2))
    })
}

#[test]
fn every_adapter_gets_its_gradient() {
    let config = config();
    let network = lively(&config);
    let adapters = adapters(&config);
    let batch = batch();
    let learned = state(&network, Some(&adapters)).learn(&batch, 1.0, None).unwrap();
    assert_eq!(learned.gradient.len(), 2 * 7 * 2);
    for (idx, gradient) in learned.gradient.iter().enumerate() {
        check_slope(&format!("matrix {idx}"), gradient.as_slice(), |change| {
            let mut adapters = adapters.clone();
            change(adapters.in_order_mut()[idx].as_mut_slice());
            loss(&network, Some(&adapters), &batch)
        });
    }
}

/// Tensors of these numbers; those that are trained are variables.
fn tensors<'a>(leaves: &[Leaf], numbers: impl Iterator<Item = &'a [f32]>, trained: bool) -> Vec<Tensor> {
    let tensor = |(leaf, numbers): (&Leaf, &[f32])| {
        let tensor = Tensor::from_slice(numbers, leaf.shape.as_slice(), &Device::Cpu).unwrap();
        match trained {
            true => candle_core::Var::from_tensor(&tensor).unwrap().into_inner(),
            false => tensor,
        }
    };
    leaves.iter().zip(numbers).map(tensor).collect()
}

/// Compares loss and gradients with those of the graph.
fn check_graph(network: &LlamaNetwork, adapters: Option<&Adapters<Numbers>>) {
    let config = network.config();
    let numbers = network.named().map(|(_, numbers)| numbers);
    let model_tensors = tensors(&leaves(config), numbers, adapters.is_none());
    let mut next = model_tensors.iter().cloned();
    let model = Model::build(config, |_| next.next().ok_or(())).unwrap();
    let mut trained = (leaves(config), model_tensors.clone());
    let on_graph = adapters.map(|adapters| {
        let leaves = Adapters::build(config, adapters.rank, 1.0, Leaf::clone).into_order();
        let numbers = adapters.in_order().into_iter().map(Numbers::as_slice);
        let adapter_tensors = tensors(&leaves, numbers, true);
        let mut next = adapter_tensors.clone().into_iter();
        trained = (leaves, adapter_tensors);
        Adapters::build(config, adapters.rank, adapters.scale, |_| next.next().unwrap())
    });
    let graph = graph::Graph {
        config,
        model: &model,
        adapters: on_graph.as_ref(),
        dropout: 0.0,
        device: &Device::Cpu,
    };
    let batch = batch();
    let loss = graph.loss(&batch).unwrap();
    let learned = state(network, adapters).learn(&batch, 1.0, None).unwrap();
    let theirs = f64::from(loss.to_scalar::<f32>().unwrap());
    assert!(
        (learned.loss - theirs).abs() < 1e-4 * theirs,
        "{} {theirs}",
        learned.loss
    );
    let gradients = loss.backward().unwrap();
    assert_eq!(learned.gradient.len(), trained.0.len());
    for ((leaf, tensor), ours) in trained.0.iter().zip(&trained.1).zip(&learned.gradient) {
        let theirs = gradients.get(tensor).expect("a gradient reaches every tensor");
        let theirs: Vec<f32> = theirs.flatten_all().unwrap().to_vec1().unwrap();
        let greatest = theirs.iter().fold(0.0_f32, |greatest, slope| greatest.max(slope.abs()));
        assert!(greatest > 0.0, "{}", leaf.name);
        for (ours, theirs) in ours.as_slice().iter().zip(&theirs) {
            let difference = (ours - theirs).abs();
            assert!(difference < 1e-3 * greatest + 1e-5, "{}: {ours} {theirs}", leaf.name);
        }
    }
}

#[test]
fn the_graph_of_the_library_has_the_same_gradients() {
    for config in [config(), untied()] {
        let network = lively(&config);
        check_graph(&network, None);
        check_graph(&network, Some(&adapters(&config)));
    }
}

#[test]
fn merged_adapters_give_what_adapters_give() {
    let config = config();
    let mut network = lively(&config);
    let adapters = adapters(&config);
    let tokens: Vec<u32> = tokens(40).collect();
    let beside = pass::logits(&config, network.weights(), Some(&adapters), &tokens).unwrap();
    let without = network.logits(&tokens).unwrap();
    merge(network.weights_mut(), &adapters).unwrap();
    let merged = network.logits(&tokens).unwrap();
    let greatest = |left: &[f32], right: &[f32]| {
        let differences = left.iter().zip(right).map(|(left, right)| (left - right).abs());
        differences.fold(0.0, f32::max)
    };
    assert!(greatest(&beside, &merged) < 1e-4, "{}", greatest(&beside, &merged));
    assert!(greatest(&without, &merged) > 0.1, "the adapters do something");
}

#[test]
fn dropout_leaves_out_the_same_numbers_on_the_way_back() {
    let config = config();
    let network = lively(&config);
    let adapters = adapters(&config);
    let batch = batch();
    let dropout = |stream| {
        Some(Dropout {
            share: 0.3,
            seed: 1,
            stream,
        })
    };
    let learn =
        |adapters: &Adapters<Numbers>, stream| state(&network, Some(adapters)).learn(&batch, 1.0, dropout(stream));
    let learned = learn(&adapters, 8).unwrap();
    assert!(
        (learned.loss - learn(&adapters, 9).unwrap().loss).abs() > 1e-3,
        "another stream, other numbers"
    );
    for idx in [0, 9, 13] {
        check_slope(&format!("matrix {idx}"), learned.gradient[idx].as_slice(), |change| {
            let mut adapters = adapters.clone();
            change(adapters.in_order_mut()[idx].as_mut_slice());
            learn(&adapters, 8).unwrap().loss
        });
    }
}

#[test]
fn tensors_come_back_and_wrong_ones_are_named() {
    let network = LlamaNetwork::random(&untied(), 1).unwrap();
    let stored = |(leaf, numbers): (Leaf, &[f32])| {
        let numbers = crate::weights::Numbers::F32(numbers.to_vec());
        (leaf.name, StoredTensor::new(leaf.shape, numbers))
    };
    let mut tensors: BTreeMap<_, _> = network.named().map(stored).collect();
    let again = LlamaNetwork::from_stored(&untied(), tensors.clone()).unwrap();
    assert!(network.named().eq(again.named()));
    assert_eq!(
        network.named().map(|(leaf, _)| leaf.n_numbers()).sum::<usize>(),
        untied().n_parameters()
    );

    let name = "model.layers.1.mlp.up_proj.weight";
    let wrong = StoredTensor::new(vec![2, 2], crate::weights::Numbers::F32(vec![0.0; 4]));
    tensors.insert(name.to_owned(), wrong);
    let error = LlamaNetwork::from_stored(&untied(), tensors.clone())
        .unwrap_err()
        .to_string();
    assert!(error.contains(name) && error.contains("[48, 32]"), "{error}");
    tensors.remove(name);
    let error = LlamaNetwork::from_stored(&untied(), tensors).unwrap_err();
    assert!(matches!(error, NetworkError::Missing(missing) if missing == name));
}

#[test]
fn tokens_out_of_the_vocabulary_are_refused() {
    let network = LlamaNetwork::random(&config(), 1).unwrap();
    assert!(network.logits(&[1, 31]).is_err());
}

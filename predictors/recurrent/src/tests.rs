//! Training and prediction held against each other and against the tensor library.

use crate::network::State;
use crate::train::testing;
use crate::{Cell, Ending, Heads, Loss, Measures, Network, Optimizer, Padding, Progress, Settings, Token, train};
use std::ops::ControlFlow;

/// A small network.
fn tiny() -> Settings {
    Settings {
        hidden: 12,
        op_type_embedding: 6,
        range_embedding: 3,
        value_type_embedding: 4,
        projection: 10,
        window: 8,
        batch: 4,
        epochs_max: 3,
        learning_rate: 0.01,
        ..Settings::default()
    }
}

/// All kinds of network.
fn kinds() -> Vec<Settings> {
    let mut kinds = Vec::new();
    for cell in [Cell::Gru, Cell::Lstm] {
        for padding in [Padding::Masked, Padding::Fed] {
            for loss in [Loss::EveryStep, Loss::LastStep] {
                for heads in [Heads::Independent, Heads::Conditional] {
                    kinds.push(Settings {
                        cell,
                        padding,
                        loss,
                        heads,
                        ..tiny()
                    });
                }
            }
        }
    }
    kinds
}

/// A pattern that repeats: four op types with moves of their own, begun anywhere.
fn periodic(n_tokens: usize, begin: usize) -> Vec<Token> {
    let token = |position: usize| {
        let phase = u8::try_from((position + begin) % 4).unwrap();
        Token::from_classes(3 * phase, [50 + phase, 51, 50, 50], phase).unwrap()
    };
    (0..n_tokens).map(token).collect()
}

fn sequences(n_tokens: usize) -> Vec<Vec<Token>> {
    (0..6).map(|begin| periodic(n_tokens + begin, begin)).collect()
}

fn quiet(_: Progress<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn trained(settings: &Settings) -> Network {
    train(settings, &sequences(20), &sequences(9), None, &mut quiet)
        .unwrap()
        .network
}

#[test]
fn prediction_agrees_with_the_forward_pass_of_training() {
    for settings in kinds() {
        let network = trained(&settings);
        let tokens = periodic(30, 1);
        for n_tokens in [1, 3, 8, 9, 30] {
            let tokens = &tokens[..n_tokens];
            let scores = network.scores_of_window(tokens);
            let expected = testing::log_probabilities(&network, tokens, scores.best_op_type());
            let details = &scores.details;
            let ours = scores
                .op_type
                .iter()
                .chain(details.ranges.iter().flatten())
                .chain(&details.value_type);
            assert_eq!(expected.len(), 450);
            for (ours, expected) in ours.zip(&expected) {
                assert!(
                    (ours - expected).abs() < 1e-4,
                    "{settings:?} {n_tokens}: {ours} {expected}"
                );
            }
        }
    }
}

#[test]
fn the_carried_state_makes_the_length_of_pieces_invisible() {
    for settings in kinds()
        .into_iter()
        .filter(|settings| settings.loss == Loss::EveryStep && settings.padding == Padding::Masked)
    {
        let network = trained(&settings);
        let loss_in_pieces_of = |window| testing::validation_loss(&network, window, &sequences(40));
        let whole = loss_in_pieces_of(100);
        for window in [1, 7, 8] {
            let difference = (loss_in_pieces_of(window) - whole).abs();
            assert!(difference < 1e-5 * whole, "{settings:?} {window}: {difference}");
        }
    }
}

#[test]
fn loss_and_gradients_are_those_of_the_tensor_library_for_every_tensor() {
    for settings in kinds() {
        testing::check_gradients(&settings, &sequences(20));
    }
}

#[test]
fn same_seed_same_bytes_on_any_number_of_threads() {
    let settings = Settings {
        hidden: 96,
        batch: 32,
        window: 16,
        epochs_max: 1,
        ..tiny()
    };
    let sequences: Vec<_> = (0..32).map(|begin| periodic(40, begin)).collect();
    let bytes = |settings: &Settings, n_threads| {
        let work = || testing::train_here(settings, &sequences).network.to_bytes().unwrap();
        rayon::ThreadPoolBuilder::new()
            .num_threads(n_threads)
            .build()
            .unwrap()
            .install(work)
    };
    let one = bytes(&settings, 1);
    assert_eq!(one, bytes(&settings, 1));
    assert_eq!(one, bytes(&settings, 4));
    let whole = train(&settings, &sequences, &[], None, &mut quiet).unwrap();
    assert_eq!(one, whole.network.to_bytes().unwrap());
    let other = Settings { seed: 1, ..settings };
    assert_ne!(one, bytes(&other, 1));
}

#[test]
fn a_killed_run_goes_on_to_the_same_bytes() {
    for settings in [
        Settings {
            epochs_max: 4,
            ..tiny()
        },
        Settings {
            epochs_max: 4,
            cell: Cell::Lstm,
            loss: Loss::LastStep,
            optimizer: Optimizer::Adam,
            tokens_per_epoch_max: Some(50),
            ..tiny()
        },
    ] {
        let (learn, check) = (sequences(20), sequences(9));
        let whole = train(&settings, &learn, &check, None, &mut quiet).unwrap();
        let mut kept = Vec::new();
        // Killed in the middle of the third epoch: what is left is the file written after the second.
        let mut killer = |progress: Progress<'_>| match progress {
            Progress::Epoch { checkpoint, .. } => {
                kept = checkpoint.to_bytes().unwrap();
                ControlFlow::Continue(())
            }
            Progress::Batch { epoch: 3, batch: 2, .. } => ControlFlow::Break(()),
            Progress::Batch { .. } => ControlFlow::Continue(()),
        };
        let broken = train(&settings, &learn, &check, None, &mut killer).unwrap();
        assert_eq!((broken.ending, broken.epochs.len()), (Ending::Interrupted, 2));
        let checkpoint = crate::Checkpoint::from_bytes(&kept).unwrap();
        assert_eq!(checkpoint, broken.checkpoint);
        let resumed = train(&settings, &learn, &check, Some(checkpoint.clone()), &mut quiet).unwrap();
        assert_eq!(resumed.network.to_bytes().unwrap(), whole.network.to_bytes().unwrap());
        assert_eq!(
            resumed.checkpoint.to_bytes().unwrap(),
            whole.checkpoint.to_bytes().unwrap()
        );
        assert_eq!(resumed.epochs, whole.epochs);

        let other = Settings {
            hidden: 13,
            ..settings.clone()
        };
        assert!(train(&other, &learn, &check, Some(checkpoint.clone()), &mut quiet).is_err());
        assert!(train(&settings, &learn, &learn, Some(checkpoint), &mut quiet).is_err());
    }
}

/// Next-type accuracy after a warm-up of four tokens, by the way of prediction that goes with the loss.
fn accuracy(network: &Network, tokens: &[Token]) -> f64 {
    let mut state = network.start();
    let mut hits = Vec::new();
    for (n_read, pair) in (1..).zip(tokens.windows(2)) {
        network.advance(&mut state, pair[0]);
        let scores = match network.settings().loss {
            Loss::EveryStep => network.scores(&state),
            Loss::LastStep => network.scores_of_window(&tokens[..n_read]),
        };
        hits.push(scores.best_op_type() + 1 == pair[1].ids()[0]);
    }
    let judged = &hits[4..];
    judged.iter().filter(|&&hit| hit).count() as f64 / judged.len() as f64
}

#[test]
fn a_periodic_pattern_is_learned() {
    for cell in [Cell::Gru, Cell::Lstm] {
        for loss in [Loss::EveryStep, Loss::LastStep] {
            let settings = Settings {
                cell,
                loss,
                // Two narrow layers would need long to find out that the input matters.
                layers: 1,
                hidden: 32,
                projection: 32,
                epochs_max: if loss == Loss::EveryStep { 30 } else { 4 },
                patience: None,
                ..tiny()
            };
            let done = train(&settings, &sequences(40), &sequences(21), None, &mut quiet).unwrap();
            // Far longer than a window, so that a carried state has to hold.
            let share = accuracy(&done.network, &periodic(200, 2));
            assert!(share > 0.9, "{cell:?} {loss:?}: {share}");
            let valid = |report: Option<&crate::EpochReport>| report.and_then(|report| report.valid.clone()).unwrap();
            let (first, last): (Measures, Measures) = (valid(done.epochs.first()), valid(done.epochs.last()));
            assert!(last.loss < first.loss && last.accuracy[0] > 0.9, "{first:?} {last:?}");
        }
    }
}

#[test]
fn the_best_weights_are_kept_and_patience_ends() {
    // Validation on another pattern: what is learned makes it worse sooner or later.
    let settings = Settings {
        patience: Some(2),
        epochs_max: 200,
        learning_rate: 0.05,
        ..tiny()
    };
    let mut other: Vec<_> = sequences(20);
    other.iter_mut().for_each(|tokens| tokens.reverse());
    let mut best = Vec::new();
    let mut listener = |progress: Progress<'_>| {
        if let Progress::Epoch { report, checkpoint } = progress
            && report.best
        {
            best = checkpoint.network().to_bytes().unwrap();
        }
        ControlFlow::Continue(())
    };
    let done = train(&settings, &sequences(20), &other, None, &mut listener).unwrap();
    assert_eq!(done.ending, Ending::NoProgress);
    let n_since: usize = done.epochs.iter().rev().take_while(|report| !report.best).count();
    assert_eq!(n_since, 2);
    assert_eq!(done.network.to_bytes().unwrap(), best);
}

#[test]
fn masked_padding_leaves_the_state_alone_and_fed_padding_does_not() {
    for (padding, moves) in [(Padding::Masked, false), (Padding::Fed, true)] {
        let network = trained(&Settings { padding, ..tiny() });
        let mut state = network.start();
        network.advance(&mut state, Token::PADDING);
        assert_eq!(state != network.start(), moves);
        // A full window is the same as advancing from the start.
        let tokens = periodic(8, 0);
        let mut state = network.start();
        tokens.iter().for_each(|&token| network.advance(&mut state, token));
        assert_eq!(network.scores_of_window(&tokens), network.scores(&state));
        let short = network.scores_of_window(&tokens[..2]);
        let mut state = network.start();
        tokens[..2].iter().for_each(|&token| network.advance(&mut state, token));
        assert_eq!(short != network.scores(&state), moves);
    }
}

#[test]
fn conditional_heads_listen_to_the_op_type_and_independent_ones_do_not() {
    for (heads, differ) in [(Heads::Conditional, true), (Heads::Independent, false)] {
        let network = trained(&Settings { heads, ..tiny() });
        let state: State = network.read_window(&periodic(5, 0));
        let scores = network.scores(&state);
        let best = scores.best_op_type();
        assert_eq!(network.scores_given(&state, best).unwrap(), scores.details);
        for op_type in 0..29 {
            let given = network.scores_given(&state, op_type).unwrap();
            assert_eq!(network.details_given(&scores, op_type).unwrap(), given);
            assert_eq!(given != scores.details, differ && op_type != best, "{op_type}");
            let sum: f32 = given.ranges[1].iter().map(|log| log.exp()).sum();
            assert!((sum - 1.0).abs() < 1e-5);
        }
        assert!(network.scores_given(&state, 29).is_err() && network.details_given(&scores, 29).is_err());
    }
}

#[test]
fn foreign_data_is_refused() {
    let mut listener = quiet;
    let short = vec![periodic(1, 0), Vec::new()];
    assert!(train(&tiny(), &short, &[], None, &mut listener).is_err());
    let padded = vec![vec![Token::PADDING; 4]];
    assert!(train(&tiny(), &padded, &[], None, &mut listener).is_err());
    let wild = Settings {
        learning_rate: 1e6,
        gradient_norm_max: 1e6,
        epochs_max: 50,
        ..tiny()
    };
    let outcome = train(&wild, &sequences(20), &[], None, &mut listener);
    assert!(
        matches!(outcome, Err(crate::RecurrentError::Diverged { .. })),
        "{:?}",
        outcome.map(|done| done.epochs)
    );
}

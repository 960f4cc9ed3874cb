use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::network::testing::config;

/// Texts of repeating tokens.
fn windows(n_windows: usize) -> Windows {
    let tokens: Vec<u32> = (0..40 * n_windows)
        .map(|idx| 1 + (idx / 3 % 7 + idx % 5) as u32)
        .collect();
    let window = |idx: usize| Window {
        start: idx * 40,
        end: idx * 40 + 20 + idx % 21,
        learned_from: if idx.is_multiple_of(3) { 0 } else { 12 },
    };
    Windows {
        beginning: vec![29, 30],
        tokens,
        windows: (0..n_windows).map(window).collect(),
    }
}

fn settings() -> Settings {
    Settings {
        epochs: 3,
        batch: 8,
        micro_batch: 3,
        learning_rate: 5e-3,
        report_every: Some(2),
        ..Settings::default()
    }
}

fn with_adapters() -> Settings {
    Settings {
        adapters: Some(AdapterSettings {
            rank: 4,
            ..AdapterSettings::default()
        }),
        ..settings()
    }
}

/// Trains until so many steps are done, and gives the outcome and the last checkpoint.
fn until(settings: &Settings, start: Option<&[u8]>, steps: usize, n_threads: usize) -> (Trained, Vec<u8>) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
    pool.install(|| at(&Place::processor(), settings, start, steps))
}

/// The same at a place.
fn at(place: &Place, settings: &Settings, start: Option<&[u8]>, steps: usize) -> (Trained, Vec<u8>) {
    let network = LlamaNetwork::random(&config(), 1).unwrap();
    let n_done = AtomicUsize::new(0);
    let mut last = Vec::new();
    let mut listener = |progress: Progress<'_>| match progress {
        Progress::Step { step, .. } => n_done.store(step, Ordering::SeqCst),
        Progress::Report { snapshot, .. } | Progress::Interrupted { snapshot } => last = snapshot.to_bytes().unwrap(),
    };
    let halt = || (n_done.load(Ordering::SeqCst) >= steps).then_some(Halt::Interrupt);
    let start = start.map(|bytes| Checkpoint::from_bytes(bytes).unwrap());
    let mut watch = Watch {
        listener: &mut listener,
        halt: &halt,
    };
    let trained = train(network, settings, place, &windows(20), &windows(5), start, &mut watch);
    (trained.unwrap(), last)
}

fn weights(trained: &Trained) -> Vec<u32> {
    let numbers = trained.network.named().flat_map(|(_, numbers)| numbers.iter());
    numbers.map(|number| number.to_bits()).collect()
}

#[test]
fn the_loss_falls_and_the_best_weights_are_kept() {
    for (settings, bound) in [(settings(), 0.8), (with_adapters(), 0.97)] {
        let settings = Settings { epochs: 12, ..settings };
        let (trained, _) = until(&settings, None, usize::MAX, 2);
        assert_eq!((trained.ending, trained.steps), (Ending::Complete, 36));
        let first = trained.reports.first().unwrap();
        let best = trained.reports.iter().rfind(|report| report.best).unwrap();
        assert!(best.valid.unwrap() < bound * first.valid.unwrap(), "{first:?} {best:?}");
        let valid = windows(5);
        let batch = valid.batch(&[0, 1, 2, 3, 4]);
        let state = crate::network::testing::state(&trained.network, None);
        let mean = state.loss(&batch).unwrap() / batch.targets.len() as f64;
        assert!((mean - best.valid.unwrap()).abs() < 1e-4, "{mean} {best:?}");
    }
}

#[test]
fn the_number_of_threads_makes_no_difference() {
    for settings in [settings(), with_adapters()] {
        let (one, checkpoint_of_one) = until(&settings, None, usize::MAX, 1);
        let (three, checkpoint_of_three) = until(&settings, None, usize::MAX, 3);
        assert_eq!(weights(&one), weights(&three));
        assert_eq!(checkpoint_of_one, checkpoint_of_three);
        assert_eq!(one.reports, three.reports);
    }
}

#[test]
fn an_interrupted_run_goes_on_to_the_same_bytes() {
    for settings in [settings(), with_adapters()] {
        let (whole, checkpoint) = until(&settings, None, usize::MAX, 2);
        for steps in [0, 3, 4] {
            let (broken_off, kept) = until(&settings, None, steps, 2);
            assert_eq!((broken_off.ending, broken_off.steps), (Ending::Interrupted, steps));
            let (resumed, checkpoint_of_resumed) = until(&settings, Some(&kept), usize::MAX, 1);
            assert_eq!(weights(&resumed), weights(&whole));
            assert_eq!(resumed.reports, whole.reports);
            assert_eq!(checkpoint_of_resumed, checkpoint);
        }
    }
}

#[test]
fn a_checkpoint_of_another_run_is_refused() {
    let (_, kept) = until(&settings(), None, 2, 1);
    let other = |settings: &Settings, network: LlamaNetwork, valid: Windows| {
        let start = Some(Checkpoint::from_bytes(&kept).unwrap());
        let mut watch = Watch {
            listener: &mut |_| {},
            halt: &|| None,
        };
        train(
            network,
            settings,
            &Place::processor(),
            &windows(20),
            &valid,
            start,
            &mut watch,
        )
        .unwrap_err()
        .to_string()
    };
    let network = |seed| LlamaNetwork::random(&config(), seed).unwrap();
    let seed = Settings { seed: 1, ..settings() };
    assert!(other(&seed, network(1), windows(5)).contains("set of settings"));
    assert!(other(&settings(), network(2), windows(5)).contains("another model"));
    assert!(other(&settings(), network(1), windows(4)).contains("set of data"));
    assert!(Checkpoint::from_bytes(&kept[..kept.len() - 1]).is_err());
    assert!(Checkpoint::from_bytes(b"something else").is_err());
}

#[test]
fn a_run_can_be_finished_early() {
    let network = LlamaNetwork::random(&config(), 1).unwrap();
    let n_done = AtomicUsize::new(0);
    let mut watch = Watch {
        listener: &mut |progress| {
            if let Progress::Step { step, .. } = progress {
                n_done.store(step, Ordering::SeqCst);
            }
        },
        halt: &|| (n_done.load(Ordering::SeqCst) >= 3).then_some(Halt::Finish),
    };
    let trained = train(
        network,
        &settings(),
        &Place::processor(),
        &windows(20),
        &windows(5),
        None,
        &mut watch,
    )
    .unwrap();
    assert_eq!((trained.ending, trained.steps), (Ending::Finished, 3));
    assert_eq!(trained.reports.last().map(|report| report.step), Some(3));
}

#[test]
fn another_device_goes_the_same_way() {
    // The graph of the tensor library, on the processor here.
    let place = Place(Some(candle_core::Device::Cpu));
    let without_dropout = AdapterSettings {
        rank: 4,
        dropout: 0.0,
        ..AdapterSettings::default()
    };
    for adapters in [None, Some(without_dropout)] {
        let settings = Settings { adapters, ..settings() };
        let (here, _) = until(&settings, None, usize::MAX, 2);
        let (broken_off, kept) = at(&place, &settings, None, 4);
        assert_eq!(broken_off.ending, Ending::Interrupted);
        let (there, _) = at(&place, &settings, Some(&kept), usize::MAX);
        assert_eq!(there.reports.len(), here.reports.len());
        for (here, there) in here.reports.iter().zip(&there.reports) {
            let difference = (here.valid.unwrap() - there.valid.unwrap()).abs();
            assert!(here.step == there.step && difference < 2e-3, "{here:?} {there:?}");
        }
    }
    let (trained, _) = at(&place, &with_adapters(), None, usize::MAX);
    let losses = |report: Option<&Report>| report.unwrap().valid.unwrap();
    assert!(
        losses(trained.reports.last()) < losses(trained.reports.first()),
        "{:?}",
        trained.reports
    );
}

#[test]
fn nothing_is_learned_from_nothing() {
    let network = LlamaNetwork::random(&config(), 1).unwrap();
    let mut watch = Watch {
        listener: &mut |_| {},
        halt: &|| None,
    };
    let error = train(
        network,
        &settings(),
        &Place::processor(),
        &windows(0),
        &windows(5),
        None,
        &mut watch,
    )
    .unwrap_err();
    assert!(matches!(error, TrainError::NothingToLearn));
}

//! Tests of the training.

use std::fs;

use napsim_recurrent::{Heads, Loss, Padding};

use super::*;

/// A folder with sequences of one pattern begun at different rows, one in four for validation.
fn data() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let lines = (0..40).map(|idx| {
        let row = idx % 7 + 1;
        let part = if idx % 4 == 0 { "valid" } else { "train" };
        let actions: Vec<String> = (row..row + 10)
            .flat_map(|row| [format!("INPUT | A{row} | 1"), format!("FONT_BOLD | A{row} | true")])
            .collect();
        json!({"id": format!("s{idx}"), "split": part, "actions": actions}).to_string() + "\n"
    });
    fs::write(folder.path().join("data.jsonl"), lines.collect::<String>()).unwrap();
    folder
}

fn job(folder: &tempfile::TempDir) -> Job {
    Job {
        corpora: vec![folder.path().join("data.jsonl")],
        seed: 5,
        date: "2026-02-03".to_owned(),
        program: "0.0.0".to_owned(),
        positions_max: 60,
    }
}

fn tiny() -> LstmSettings {
    LstmSettings {
        network: Settings {
            hidden: 12,
            layers: 1,
            projection: 12,
            window: 5,
            batch: 4,
            epochs_max: 6,
            patience: None,
            learning_rate: 0.02,
            ..Settings::default()
        },
        ranking: Some(RankingSettings {
            n_train: 4,
            n_valid: 2,
            ..RankingSettings::default()
        }),
        ..LstmSettings::default()
    }
}

/// Trains, from a checkpoint on if there is one, until so many epochs are done; with the last checkpoint.
fn trained(settings: &LstmSettings, start: Option<Checkpoint>, n_epochs: usize) -> (LstmTrained, Option<Checkpoint>) {
    let folder = data();
    let mut last = None;
    let mut listener = |step: napsim_recurrent::Progress<'_>| match step {
        napsim_recurrent::Progress::Epoch { report, checkpoint } => {
            last = Some(checkpoint.clone());
            if report.epoch >= n_epochs {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        }
        _ => ControlFlow::Continue(()),
    };
    let outcome = train(&job(&folder), settings, start, &|_| (), &mut listener).unwrap();
    (outcome, last)
}

fn bytes(outcome: &LstmTrained) -> Vec<u8> {
    outcome.trained.as_ref().unwrap().model.to_bytes().unwrap()
}

#[test]
fn interruption_and_threads_make_no_difference() {
    let whole = bytes(&trained(&tiny(), None, usize::MAX).0);
    let (broken_off, checkpoint) = trained(&tiny(), None, 2);
    assert!(broken_off.trained.is_none());
    assert_eq!((broken_off.ending, broken_off.epochs.len()), (Ending::Interrupted, 2));
    let checkpoint = Checkpoint::from_bytes(&checkpoint.unwrap().to_bytes().unwrap()).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let (resumed, _) = pool.install(|| trained(&tiny(), Some(checkpoint.clone()), usize::MAX));
    assert!(bytes(&resumed) == whole);
    assert_eq!(resumed.epochs.len(), 6);
    let other = LstmSettings {
        range_mode: RangeMode::Absolute,
        ..tiny()
    };
    let folder = data();
    let mut listener = |_: napsim_recurrent::Progress<'_>| ControlFlow::Continue(());
    let error = train(&job(&folder), &other, Some(checkpoint), &|_| (), &mut listener).unwrap_err();
    assert_eq!(error.to_string(), "resume: the checkpoint comes from other data");
}

#[test]
fn a_pattern_is_learnt_and_the_card_says_how() {
    let (outcome, _) = trained(&tiny(), None, usize::MAX);
    let Trained { model, report } = outcome.trained.unwrap();
    let card = model.card();
    assert_eq!(
        (card.kind, card.seed, &card.data),
        (ModelKind::Lstm, 5, &report.sources)
    );
    assert_eq!(card.settings["range_mode"], json!("relative"));
    assert_eq!(
        (&card.settings["hidden"], &card.settings["seed"]),
        (&json!(12), &json!(5))
    );
    let epochs: Vec<EpochReport> = serde_json::from_value(card.metrics["epochs"].clone()).unwrap();
    assert_eq!(epochs, outcome.epochs);
    let best = &epochs[usize::try_from(card.metrics["best_epoch"].as_u64().unwrap()).unwrap() - 1];
    assert_eq!(
        card.metrics["validation_loss"],
        json!(best.valid.as_ref().unwrap().loss)
    );
    let all = &card.metrics["next_action"]["all"];
    assert_eq!((&all["n_positions"], &all["answered"]), (&json!(60), &json!(60)));
    assert!(all["action"].as_u64().unwrap() > 50, "{all}");
    assert!(card.metrics["ranking"]["on_policy"].is_array());
    let read = LstmModel::from_model(&model).unwrap();
    assert!(read.ranking().is_some());
}

#[test]
fn the_published_settings_leave_short_sequences_out() {
    let published = LstmSettings::published();
    let network = &published.network;
    assert_eq!(
        (
            network.loss,
            network.padding,
            network.heads,
            network.window,
            published.actions_min
        ),
        (Loss::LastStep, Padding::Fed, Heads::Independent, 32, 3)
    );
    let settings = LstmSettings {
        network: Settings {
            epochs_max: 1,
            window: 4,
            hidden: 8,
            layers: 1,
            ..published.network.clone()
        },
        ranking: None,
        sequences_max: Some(3),
        ..published
    };
    let (outcome, _) = trained(&settings, None, usize::MAX);
    // Three sequences of twenty actions.
    assert_eq!(outcome.epochs[0].train.targets, 57);
    let model = outcome.trained.unwrap().model;
    assert!(LstmModel::from_model(&model).unwrap().ranking().is_none());
    let too_short = LstmSettings {
        actions_min: 21,
        ..settings
    };
    let folder = data();
    let mut listener = |_: napsim_recurrent::Progress<'_>| ControlFlow::Continue(());
    let error = train(&job(&folder), &too_short, None, &|_| (), &mut listener).unwrap_err();
    assert_eq!(error.to_string(), "learn: no sequence has two tokens or more");
}

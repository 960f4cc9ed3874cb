//! Predictors that keep actions typed where they can, against plain ones, which go by texts.
//!
//! Embedded and random trajectories are always compared. The published ones are compared where `$NAPSIM_SHARED` or
//! else `../shared` has them.

#![expect(clippy::indexing_slicing, reason = "a test")]

mod actions;
mod plain;

use std::path::{Path, PathBuf};

use napsim_predictors::feature::{Feature, RangeMode};
use napsim_predictors::{OnlineNgram, OnlineNgramConfig, RepeatLast};
use napsim_sim::predictor::{Budget, CurrentWorkbook, Predictor, Proposals, View};
use napsim_trajectories::{Action, Corpus, ReadOptions};
use proptest::prelude::*;

use actions::{action, history};

/// So many times as many cases as usual; `PROPTEST_CASES` scales them.
fn more_cases(factor: u32) -> ProptestConfig {
    let usual = ProptestConfig::default();
    ProptestConfig {
        cases: usual.cases * factor,
        ..usual
    }
}

fn configs() -> Vec<OnlineNgramConfig> {
    let default = OnlineNgramConfig::default();
    let context = |n: &str| n.parse().unwrap_or_default();
    vec![
        default.clone(),
        OnlineNgramConfig {
            range_mode: RangeMode::Absolute,
            min_match: 1,
            ..default.clone()
        },
        OnlineNgramConfig {
            min_match: 4,
            max_n: 3,
            stop_on_type_change: false,
            ..default.clone()
        },
        OnlineNgramConfig {
            context: context("4"),
            min_match: 3,
            stop_on_type_change: false,
            ..default.clone()
        },
        OnlineNgramConfig {
            context: context("32"),
            range_mode: RangeMode::Absolute,
            min_match: 6,
            max_n: 2,
            max_actions: 9,
            ..default.clone()
        },
        OnlineNgramConfig {
            context: context("24"),
            max_n: 9,
            ..default
        },
    ]
}

/// Everything about proposals that a record could tell.
fn told(out: &Proposals) -> (Vec<String>, Vec<(String, String)>) {
    let actions = out.actions().iter().map(|proposal| {
        let action = &proposal.action;
        let line = proposal.line.clone().unwrap_or_else(|| action.to_string());
        let (range, bounds) = (action.range(), action.range().bounds());
        format!(
            "{line}\n{action}\n{range} {bounds:?} {:?} {:?}",
            action.edit(),
            (range.walk(), action.is_inverse())
        )
    });
    let rejected = out
        .rejected()
        .iter()
        .map(|rejected| (rejected.text.clone(), rejected.reason.clone()));
    (actions.collect(), rejected.collect())
}

fn proposed(predictor: &mut dyn Predictor, actions_max: Option<u32>) -> Result<Proposals, TestCaseError> {
    let current = CurrentWorkbook::default();
    let view = View {
        history: &[],
        current: &current,
        user_steps: 0,
        call_idx: 0,
    };
    let mut out = Proposals::default();
    let usage = predictor.predict(view, Budget { actions_max }, &mut out);
    usage.map_err(|error| TestCaseError::fail(error.to_string()))?;
    Ok(out)
}

/// Compares the answers after each action, or after every `stride`-th one.
fn check(config: &OnlineNgramConfig, actions: &[Action], stride: usize) -> Result<(), TestCaseError> {
    let mut predictor = OnlineNgram::new(config.clone());
    let mut features = Vec::new();
    for (idx, action) in actions.iter().enumerate() {
        predictor.observe(std::slice::from_ref(action));
        features.push(Feature::of_first(&action.to_string()));
        if idx % stride != 0 {
            continue;
        }
        let n_dropped = config.context.n_dropped(features.len());
        let expect = plain::answer(&features[n_dropped..], config);
        let mut given = Proposals::default();
        for text in &expect.texts {
            let _ = given.push_text(text, None);
        }
        prop_assert_eq!(&predictor.answer(), &expect, "after action {}: {}", idx, action);
        prop_assert_eq!(
            told(&proposed(&mut predictor, None)?),
            told(&given),
            "after action {}",
            idx
        );
        given.truncate(1);
        prop_assert_eq!(
            told(&proposed(&mut predictor, Some(1))?),
            told(&given),
            "after action {}",
            idx
        );
    }
    Ok(())
}

fn check_corpus(corpus: &Corpus) {
    for trajectory in &corpus.trajectories {
        for config in configs() {
            let stride = 1 + trajectory.actions.len() / 64;
            let outcome = check(&config, &trajectory.actions, stride);
            assert!(outcome.is_ok(), "{} with {config:?}: {outcome:?}", trajectory.name);
        }
    }
}

#[test]
fn embedded_trajectories_are_answered_alike() {
    check_corpus(&Corpus::embedded().unwrap());
}

#[test]
fn published_trajectories_are_answered_alike() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let folder = std::env::var_os("NAPSIM_SHARED")
        .map_or(beside, PathBuf::from)
        .join("nape");
    if folder.is_dir() {
        check_corpus(&Corpus::open(folder, ReadOptions::default()).unwrap());
    }
}

proptest! {
    #[test]
    fn random_actions_are_answered_alike(history in history()) {
        for config in configs() {
            check(&config, &history, 1)?;
        }
    }
}

proptest! {
    #![proptest_config(more_cases(80))]

    #[test]
    fn random_actions_are_repeated_alike(action in action()) {
        let mut predictor = RepeatLast::new(2);
        predictor.observe(std::slice::from_ref(&action));
        let mut given = Proposals::default();
        for _ in 0..2 {
            let _ = given.push_text(&action.to_string(), None);
        }
        prop_assert_eq!(told(&proposed(&mut predictor, None)?), told(&given));
    }
}

proptest! {
    #![proptest_config(more_cases(8))]

    #[test]
    fn random_sequences_are_answered_alike(history in prop::collection::vec(action(), 0..8)) {
        for config in configs() {
            check(&config, &history, 1)?;
        }
    }
}

//! Rows and calibrations are the same on any number of threads, and a ranking learns from them.

use std::sync::Arc;

use napsim_predictors::feature::{Feature, RangeMode};
use napsim_predictors::ngram::{NgramModel, NgramRanker, Trainer, TrainerOptions};
use napsim_predictors::ranking::{Gate, GateRows};
use napsim_trajectories::Action;

use super::*;
use crate::sequences::Part;

/// A list of numbered rows, each with a bold name.
fn sequence(n_rows: usize) -> Sequence {
    let lines = (1..=n_rows).flat_map(|row| {
        [
            format!("INPUT | Sheet1!A{row} | {row}"),
            format!("INPUT | Sheet1!B{row} | \"name {row}\""),
            format!("FONT_BOLD | Sheet1!B{row} | true"),
        ]
    });
    Sequence {
        id: format!("list-{n_rows}"),
        group: String::new(),
        part: Part::Train,
        actions: lines.map(|line| Action::parse(&line).unwrap()).collect(),
    }
}

fn model(sequences: &[Sequence]) -> Arc<NgramModel> {
    let mut trainer = Trainer::new(TrainerOptions {
        range_mode: RangeMode::Relative,
        max_n: 3,
    });
    for sequence in sequences {
        let mut features: Vec<Feature> = Vec::new();
        for action in &sequence.actions {
            let feature = Feature::of_next(&action.to_string(), features.last());
            features.push(feature);
        }
        trainer.push(&features);
    }
    Arc::new(NgramModel::new(trainer.finish(1), String::new()))
}

#[test]
fn a_ranking_learns_and_gives_the_same_on_any_number_of_threads() {
    let sequences: Vec<Sequence> = (8..14).map(sequence).collect();
    let drawn = draw(&sequences, 5, 1);
    assert_eq!(drawn.len(), 5);
    let model = model(&sequences);
    let settings = RankingSettings {
        measured: 0.5,
        ..RankingSettings::default()
    };
    let fit = |n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        pool.install(|| {
            let untrained = || -> Box<dyn Ranker> { Box::new(NgramRanker::new(model.clone(), Arc::default())) };
            let rows = gather(&drawn, &untrained, true, &settings, 3, &|_| {});
            assert!(rows.n_reachable > 10 && rows.n_reachable <= rows.n_moments);
            let gate = Arc::new(Gate::fit(GateRows {
                n_columns: untrained().n_columns(),
                rows: &rows.values,
                labels: &rows.labels,
                weights: &rows.weights,
            }));
            let trained = || -> Box<dyn Ranker> { Box::new(NgramRanker::new(model.clone(), gate.clone())) };
            (rows, calibrate(&drawn, &trained, &|_| {}))
        })
    };
    let (rows, calibrated) = fit(1);
    assert_eq!((rows, calibrated.clone()), fit(3));
    let all = calibrated.on_policy.first().unwrap();
    assert!(all.uas > 0.4, "{all:?}");
    assert!(calibrated.calibration.is_sound());
}

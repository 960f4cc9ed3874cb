//! What holds whatever the events.

use napsim_sim::event::{Divergence, Event};
use proptest::prelude::*;

use crate::by::By;
use crate::run::RunAnalysis;
use crate::unit::UnitAnalysis;
use crate::unit::fixtures::{accepted, empty, failed, rejected, step, unit};
use crate::user_model::UserModel;

const ACTIONS: [&str; 8] = [
    "INPUT | Sheet1!A1 | 1",
    "INPUT | Sheet1!C9 | \"text\"",
    "FONT_BOLD | Sheet1!A1:B7 | true",
    "MERGE | Sheet1!A1:B1 | true",
    "AUTOFILL | Sheet2!A1:A9 | Sheet2!A1",
    "BORDER_ALL | Sheet1!Z99 | Thin, Continuous, #000000",
    "NUMBER_FORMAT | Sheet1!A1 | 0.00",
    "nonsense",
];

fn prediction() -> impl Strategy<Value = Vec<Event>> {
    (
        any::<bool>(),
        prop::collection::vec(prop::sample::select(ACTIONS.to_vec()), 1..20),
        prop::option::of(0.0..=1.0),
        (0_u32..3, 0_u32..5, 0_u32..4, -3_i64..9),
        (0_u32..30, 0.0..=1.0),
        prop::collection::vec(prop::sample::select(ACTIONS.to_vec()), 0..3),
        prop::bool::weighted(0.1),
    )
        .prop_map(
            |(is_accepted, actions, confidence, counts, (future, precision), more, diverges)| {
                let actions = actions.join("; ");
                let proposed = if is_accepted {
                    accepted(&actions)
                } else {
                    rejected(&actions)
                };
                let proposed = proposed.with_undo(&more).with_removed(&more).with(|prediction| {
                    prediction.confidence = confidence;
                    prediction.metrics.tp = counts.0;
                    prediction.metrics.lookahead_matches = counts.1;
                    prediction.metrics.exact_matches = counts.2;
                    prediction.metrics.ops_saved = counts.3;
                    prediction.metrics.precision = precision;
                    prediction.future_before = future;
                });
                let divergence = (diverges && !is_accepted).then(|| {
                    Event::Divergence(Divergence {
                        t: 0,
                        prediction_idx: 0,
                        description: String::new(),
                    })
                });
                divergence.into_iter().chain([proposed.into()]).collect()
            },
        )
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let event = prop_oneof![
        4 => prediction(),
        3 => prop::sample::select(ACTIONS.to_vec()).prop_map(|action| vec![step(action)]),
        1 => Just(vec![empty()]),
        1 => Just(vec![failed()]),
    ];
    prop::collection::vec(event, 0..25).prop_map(|events| events.concat())
}

fn units() -> impl Strategy<Value = Vec<UnitAnalysis>> {
    let unit = (events(), 0_usize..8, 0_usize..9, 1_u32..3, prop::bool::weighted(0.1)).prop_map(
        |(events, name, n_actions, stride, is_aborted)| {
            let names = ["a", "b-tidy", "c-typist", "d", "e", "f", "g", "h"];
            let mut unit = unit(names[name], &ACTIONS[..n_actions.min(8)], &events);
            unit.setup.settings.stride = stride;
            unit.summary.error = is_aborted.then(String::new);
            unit
        },
    );
    prop::collection::vec(unit, 0..8)
}

/// Everything that can be asked, as one text.
fn everything(run: &RunAnalysis) -> String {
    let mut texts: Vec<String> = By::ALL
        .map(|by| serde_json::to_string(&run.breakdown(by)).unwrap())
        .into();
    texts.push(serde_json::to_string(&run.streaks()).unwrap());
    texts.push(serde_json::to_string(&run.kind_shares()).unwrap());
    texts.push(serde_json::to_string(&run.errors()).unwrap());
    texts.push(serde_json::to_string(&run.undo()).unwrap());
    texts.push(serde_json::to_string(&run.false_positives()).unwrap());
    texts.push(serde_json::to_string(&run.calibration()).unwrap());
    texts.push(serde_json::to_string(&run.time_saved(&UserModel::default())).unwrap());
    texts.join("\n")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_prediction_is_in_exactly_one_row(units in units()) {
        let run = RunAnalysis::new(units);
        let basis = run.basis();
        for by in By::ALL {
            let breakdown = run.breakdown(by);
            let sum = |n: fn(&crate::BreakdownRow) -> u64| breakdown.rows.iter().map(n).sum::<u64>();
            prop_assert_eq!(sum(|row| row.predictions), basis.predictions, "{:?}", by);
            prop_assert_eq!(sum(|row| row.accepted), basis.accepted);
            prop_assert_eq!(sum(|row| row.undo_actions), breakdown.all.undo_actions);
            prop_assert_eq!(sum(|row| row.proposed_actions), breakdown.all.proposed_actions);
            let saved: i64 = breakdown.rows.iter().map(|row| row.ops_saved).sum();
            prop_assert_eq!(saved, breakdown.all.ops_saved);
            for row in &breakdown.rows {
                if let (Some(rate), Some(interval)) = (row.rate, row.interval) {
                    prop_assert!(0.0 <= interval.low && interval.low <= interval.high && interval.high <= 1.0);
                    // An interval of a rate over draws of trajectories need not hold the rate, but almost does.
                    prop_assert!(interval.low <= rate + 0.1 && rate <= interval.high + 0.1, "{:?}", row);
                }
            }
        }
    }

    #[test]
    fn streaks_hold_every_accepted_prediction(units in units()) {
        let run = RunAnalysis::new(units);
        let streaks = run.streaks();
        let sum = |lengths: &crate::streaks::Lengths| {
            lengths.histogram.iter().map(|count| u64::from(count.length) * count.n).sum::<u64>()
        };
        prop_assert_eq!(sum(&streaks.streaks), run.basis().accepted);
        prop_assert_eq!(sum(&streaks.chains), run.basis().accepted);
        prop_assert!(streaks.chains.n >= streaks.streaks.n);
        let ends: u64 = streaks.ends.rows().iter().map(|(_, n)| n).sum();
        prop_assert_eq!(ends, streaks.streaks.n);
        for turns in [&streaks.by_kind, &streaks.by_trigger] {
            prop_assert_eq!(turns.iter().map(|turn| turn.starts).sum::<u64>(), streaks.streaks.n);
            prop_assert_eq!(turns.iter().map(|turn| turn.ends).sum::<u64>(), streaks.ends.rejected);
        }
        let after = streaks.after;
        let n_after = after.accepted.predictions + after.rejected.predictions + after.first.predictions;
        prop_assert_eq!(n_after, run.basis().predictions);
    }

    #[test]
    fn survival_never_rises(units in units()) {
        let streaks = RunAnalysis::new(units).streaks();
        let starts_at_one = streaks.survival.first().is_none_or(|point| {
            let shares = [point.share, point.expected, point.expected_pooled];
            shares.iter().all(|share| (share - 1.0).abs() < 1e-12)
        });
        prop_assert!(starts_at_one);
        for pair in streaks.survival.windows(2) {
            prop_assert!(pair[0].share >= pair[1].share);
            prop_assert!(pair[0].expected + 1e-12 >= pair[1].expected);
            prop_assert!(pair[0].expected_pooled >= pair[1].expected_pooled);
        }
        if let Some(test) = streaks.runs_test {
            prop_assert!(test.p > 0.0 && test.p <= 1.0, "{:?}", test);
        }
    }

    #[test]
    fn shares_sum_to_one(units in units()) {
        let run = RunAnalysis::new(units);
        let sums_to_one = |shares: Vec<Option<f64>>| {
            let sum: f64 = shares.iter().flatten().sum();
            shares.iter().all(Option::is_none) || (sum - 1.0).abs() < 1e-9
        };
        let shares = run.kind_shares();
        for share in [
            |row: &crate::KindShare| row.truth_share,
            |row: &crate::KindShare| row.proposed_share,
            |row: &crate::KindShare| row.accepted_share,
            |row: &crate::KindShare| row.rejected_share,
        ] {
            prop_assert!(sums_to_one(shares.rows.iter().map(share).collect()));
        }
        let errors = run.errors();
        prop_assert!(sums_to_one(errors.rows.iter().map(|row| row.rejected_share).collect()));
        prop_assert!(sums_to_one(errors.rows.iter().map(|row| row.accepted_share).collect()));
        let proposed: u64 = shares.rows.iter().map(|row| row.proposed).sum();
        let told_apart: u64 = errors.rows.iter().map(|row| row.rejected + row.accepted).sum();
        prop_assert_eq!(told_apart, proposed);
    }

    #[test]
    fn the_order_of_the_units_does_not_matter(units in units(), turn in 0_usize..8) {
        let mut turned = units.clone();
        let n = turned.len().max(1);
        turned.rotate_left(turn % n);
        turned.reverse();
        let (forwards, backwards) = (RunAnalysis::new(units), RunAnalysis::new(turned));
        prop_assert_eq!(everything(&forwards), everything(&backwards));
    }

    #[test]
    fn every_text_and_table_can_be_made(units in units(), width in 20_u16..140) {
        let run = RunAnalysis::new(units);
        let streaks = run.streaks();
        let mut texts = vec![crate::streaks::text(&streaks, width)];
        for by in By::ALL {
            let breakdown = run.breakdown(by);
            texts.push(crate::breakdown::text(&breakdown, width));
            let csv = breakdown.csv();
            prop_assert!(csv.rows.iter().all(|row| row.len() == csv.header.len()));
            texts.push(csv.to_text().unwrap());
        }
        prop_assert!(texts.iter().all(|text| !text.contains("NaN") && text.ends_with('\n')));
    }
}

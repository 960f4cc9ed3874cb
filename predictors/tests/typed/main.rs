//! Predictors that keep actions typed where they can, against plain ones, which go by texts.
//!
//! Embedded and random trajectories are always compared. The published ones are compared where `$NAPSIM_SHARED` or
//! else `../shared` has them.

mod plain;

use std::path::{Path, PathBuf};

use napsim_predictors::feature::{Feature, RangeMode};
use napsim_predictors::{OnlineNgram, OnlineNgramConfig, RepeatLast};
use napsim_sim::predictor::{Budget, CurrentWorkbook, Predictor, Proposals, View};
use napsim_trajectories::action::{Axis, BorderLine, BorderSide, Edit, FontProperty};
use napsim_trajectories::{Action, Bounds, Corpus, Range, ReadOptions, Value};
use proptest::prelude::*;

/// Random histories that each test tries; every one is answered after each action under each configuration.
const CASES: u32 = 100;

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
        format!("{line}\n{action}\n{range} {bounds:?} {:?} {:?}", action.edit(), (range.walk(), action.is_inverse()))
    });
    let rejected = out.rejected().iter().map(|rejected| (rejected.text.clone(), rejected.reason.clone()));
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
        prop_assert_eq!(told(&proposed(&mut predictor, None)?), told(&given), "after action {}", idx);
        given.truncate(1);
        prop_assert_eq!(told(&proposed(&mut predictor, Some(1))?), told(&given), "after action {}", idx);
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
    let folder = std::env::var_os("NAPSIM_SHARED").map_or(beside, PathBuf::from).join("nape");
    if folder.is_dir() {
        check_corpus(&Corpus::open(folder, ReadOptions::default()).unwrap());
    }
}

/// Texts that stay, that change when they are read, and that look like something else.
fn text() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "tea", "#AABBCC", "#aabbcc", "none", "None", "null", "clear", "", " x", "x ", "=A1+1", "=$B2 ", "12:30", "2024",
        "a | b", "a|b", "Thin", "Calibri", "Ünï", "CENTER", "center", "1", "\u{10D83D}\u{10DC00}", "single", "a, b",
        "Sheet1!A1", "A1:A3", "\"x\"", "\"=A1\"",
    ])
    .prop_map(str::to_owned)
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        2 => any::<i8>().prop_map(|integer| Value::Int(integer.into())),
        2 => text().prop_map(Value::text),
        1 => any::<bool>().prop_map(Value::Bool),
        1 => Just(Value::Null),
        1 => prop::sample::select(vec![0.0, -0.0, 5.0, 2.5, 1e300, 1e-7, f64::NAN, f64::INFINITY]).prop_map(Value::Float),
        1 => any::<i128>().prop_map(|integer| Value::from_bigint(integer.into())),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let row = prop::collection::vec(scalar(), 0..3).prop_map(Value::list);
    prop_oneof![
        4 => scalar(),
        1 => prop::collection::vec(row, 0..3).prop_map(Value::list),
        1 => prop::collection::vec(scalar(), 0..3).prop_map(Value::list),
        1 => text().prop_map(|key| Value::Object(vec![(key.into(), Value::Int(1))].into())),
    ]
}

fn edit() -> impl Strategy<Value = Edit> {
    let arc = || text().prop_map(|text| std::sync::Arc::from(text.as_str()));
    let option = || prop::option::weighted(0.8, arc());
    let property = prop::sample::select(vec![
        FontProperty::Bold, FontProperty::Italic, FontProperty::Size, FontProperty::Color, FontProperty::Underline,
        FontProperty::Name,
    ]);
    let axis = prop::sample::select(vec![Axis::Horizontal, Axis::Vertical]);
    let side = prop::sample::select(vec![BorderSide::All, BorderSide::Left, BorderSide::DiagonalUp]);
    prop_oneof![
        (value(), prop::option::weighted(0.1, arc())).prop_map(|(value, datatype)| Edit::Value { value, datatype }),
        option().prop_map(|text| Edit::Formula { text }),
        value().prop_map(|value| Edit::Input { value }),
        arc().prop_map(|format| Edit::NumberFormat { format }),
        option().prop_map(|color| Edit::Fill { color }),
        (property, value()).prop_map(|(property, value)| Edit::Font { property, value }),
        (axis, arc()).prop_map(|(axis, value)| Edit::Align { axis, value }),
        any::<bool>().prop_map(|on| Edit::Wrap { on }),
        any::<bool>().prop_map(|on| Edit::Merge { on }),
        scalar().prop_map(|degrees| Edit::Orientation { degrees }),
        (side, option(), option(), option())
            .prop_map(|(side, weight, style, color)| Edit::Border { side, line: BorderLine { weight, style, color } }),
        (arc(), arc()).prop_map(|(source, mode)| Edit::Paste { source, mode }),
        arc().prop_map(|source| Edit::Autofill { source }),
    ]
}

fn range() -> impl Strategy<Value = Range> {
    let sheet = prop::sample::select(vec![
        "Sheet1", "Sheet1", "'My list'", "", " x", "x ", "a!b", "a|b", "a | b", "| b", "Dépôt",
    ]);
    let written = prop::sample::select(vec![
        "A1", "B2", "a1", "$A$1", "A1:B2", "B2:A1", "A0", "A01", "A٣", "A1\n", "ZZZ1", "A1:ZZZ9", "A1:A250000",
        "A999999999999", "B2:B3", "B4:B5", "C3", "C4", "C5",
    ]);
    let bounds = (0..5_i64, 0..4_i64, 0..3_i64, 0..3_i64).prop_map(|(row, col, rows, cols)| Bounds {
        first_row: row,
        first_col: col,
        last_row: row + rows,
        last_col: col + cols,
    });
    prop_oneof![
        (sheet.clone(), written).prop_filter_map("no range", |(sheet, text)| Range::new(sheet, text).ok()),
        (sheet, bounds).prop_map(|(sheet, bounds)| Range::from_bounds(sheet.into(), bounds)),
        (0..4_i64, 0..3_i64).prop_map(|(row, col)| {
            let (row, col) = (row + 1, col + 1);
            let bounds = Bounds { first_row: row, first_col: col, last_row: row, last_col: col };
            Range::from_bounds("Sheet1".into(), bounds)
        }),
    ]
}

fn action() -> impl Strategy<Value = Action> {
    (range(), edit(), any::<bool>()).prop_map(|(range, edit, inverse)| Action::new(range, edit).with_inverse(inverse))
}

/// A few different actions in any order, so that something repeats.
fn history() -> impl Strategy<Value = Vec<Action>> {
    (prop::collection::vec(action(), 1..5), prop::collection::vec(any::<prop::sample::Index>(), 0..25))
        .prop_map(|(some, order)| order.iter().map(|idx| idx.get(&some).clone()).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(CASES))]
    #[test]
    fn random_actions_are_answered_alike(history in history()) {
        for config in configs() {
            check(&config, &history, 1)?;
        }
    }

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

    #[test]
    fn random_sequences_are_answered_alike(history in prop::collection::vec(action(), 0..8)) {
        for config in configs() {
            check(&config, &history, 1)?;
        }
    }
}

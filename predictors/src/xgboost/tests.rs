//! Tests of decoding with ensembles made by hand.

use napsim_boosting::{Ensemble, Node, Objective, Tree};
use napsim_sim::predictor::CurrentWorkbook;
use serde_json::json;

use super::*;
use crate::feature::{RangeMode, UNKNOWN_KEYWORD, keyword_id};
use crate::gbm_vector;
use crate::model::Card;

const WINDOW: usize = 3;

fn leaf(value: f32) -> Tree {
    Tree {
        nodes: vec![Node::Leaf { value }],
    }
}

fn number(value: f32, n_columns: usize) -> Ensemble {
    Ensemble::from_trees(Objective::SquaredError, n_columns, 0.0, &[leaf(value)]).unwrap()
}

/// Keywords with their margins, and the range numbers that are always predicted.
fn five(mode: RangeMode, margins: &[(u8, f32)], ranges: [f32; 4]) -> FiveEnsembles {
    let n_columns = gbm_vector::length(WINDOW);
    let objective = Objective::Softprob {
        n_classes: u32::try_from(margins.len()).unwrap(),
    };
    let trees: Vec<Tree> = margins.iter().map(|(_, margin)| leaf(*margin)).collect();
    let op_type = Ensemble::from_trees(objective, n_columns, 0.5, &trees).unwrap();
    let classes = margins.iter().map(|(class, _)| *class).collect();
    let ranges = ranges.map(|value| number(value, n_columns));
    FiveEnsembles::new(mode, WINDOW, classes, op_type, ranges, "by hand".to_owned()).unwrap()
}

fn id(keyword: &str) -> u8 {
    keyword_id(keyword)
}

fn model(five: &FiveEnsembles, features: &str) -> Model {
    let mut card = Card::new(ModelKind::Xgboost, KIND_VERSION, "0", "2026-01-01", 0);
    card.settings.insert("features".to_owned(), json!(features));
    Model::new(card, sections(five).unwrap())
}

fn answer(five: FiveEnsembles, config: XgboostConfig, history: &[&str]) -> Vec<String> {
    let mut predictor = Xgboost::new(Arc::new(five), config);
    for text in history {
        predictor.learn(text);
    }
    predictor.answer()
}

fn check(mode: RangeMode, ranges: [f32; 4], history: &[&str], expect: &str) {
    let five = five(mode, &[(id("FORMULA"), 2.0), (id("INPUT"), 1.0)], ranges);
    let config = XgboostConfig {
        max_actions: 1,
        ..XgboostConfig::default()
    };
    assert_eq!(answer(five, config, history), [expect], "{mode:?} {ranges:?}");
}

#[test]
fn numbers_are_rounded_to_even_and_held_on_the_sheet() {
    use RangeMode::{Absolute, Relative};
    let history = ["FORMULA | Depot!D4:E5 | x"];
    check(Relative, [0.5, 1.5, 0.4, -0.6], &history, "FORMULA | Depot!F4:F5 | x");
    check(Relative, [2.5, -0.5, -9.0, 2.0], &history, "FORMULA | Depot!D6:G6 | x");
    check(Relative, [-9.0, -9.0, 0.0, 0.0], &history, "FORMULA | Depot!A1:B2 | x");
    check(Absolute, [6.5, 2.4, 0.2, 2.5], &history, "FORMULA | Depot!B6:C6 | x");
    check(Absolute, [-3.0, 0.0, -1.0, 1.0], &history, "FORMULA | Depot!A1 | x");
    check(
        Absolute,
        [f32::MAX, 1.0, 1.0, 1.0],
        &history,
        "FORMULA | Depot!A999999999999 | x",
    );
}

#[test]
fn references_move_where_the_latest_value_was_a_formula() {
    let down = [1.0, 0.0, 0.0, 0.0];
    check(
        RangeMode::Relative,
        down,
        &["FORMULA | Sheet1!C1 | =A1+$B$1", "INPUT | Sheet1!C4 | 1"],
        "FORMULA | Sheet1!C5 | =A5+$B$1",
    );
    check(
        RangeMode::Relative,
        down,
        &["INPUT | Sheet1!C4 | 1"],
        "FORMULA | Sheet1!C5 | =0",
    );
}

#[test]
fn the_limits_of_an_answer_hold() {
    let make = || {
        five(
            RangeMode::Relative,
            &[(id("FORMULA"), 1.0), (id("INPUT"), 2.0)],
            [1.0, 0.0, 0.0, 0.0],
        )
    };
    let history = ["INPUT | Sheet1!A1 | 1"];
    let answers = answer(make(), XgboostConfig::default(), &history);
    assert_eq!(answers.len(), 5);
    assert_eq!(answers[4], "INPUT | Sheet1!A6 | 1");
    assert!(answer(make(), XgboostConfig::default(), &[]).is_empty());
    let mut predictor = Xgboost::new(Arc::new(make()), XgboostConfig::default());
    predictor.observe(&[Action::parse("INPUT | A1 | 1").unwrap()]);
    let current = CurrentWorkbook::default();
    let view = View {
        history: &[],
        current: &current,
        user_steps: 1,
        call_idx: 0,
    };
    let mut out = Proposals::default();
    predictor
        .predict(view, Budget { actions_max: Some(2) }, &mut out)
        .unwrap();
    assert_eq!(out.actions().len(), 2);
    assert_eq!(out.confidence(), None);
}

#[test]
fn unknown_keywords_have_no_way_back_and_ties_go_to_the_first() {
    let steps = [1.0, 0.0, 0.0, 0.0];
    let own = five(
        RangeMode::Relative,
        &[(id("INPUT"), 1.0), (UNKNOWN_KEYWORD, 2.0)],
        steps,
    );
    assert!(answer(own, XgboostConfig::default(), &["INPUT | Sheet1!A1 | 1"]).is_empty());
    let tie = five(RangeMode::Relative, &[(id("FORMULA"), 1.0), (id("INPUT"), 1.0)], steps);
    assert!(answer(tie, XgboostConfig::default(), &["INPUT | Sheet1!A1 | 1"])[0].starts_with("FORMULA"));
}

#[test]
fn the_vector_is_that_of_the_last_actions_imagined_ones_included() {
    let five = five(RangeMode::Relative, &[(0, 1.0), (1, 1.0)], [0.0; 4]);
    let mut history = History::default();
    let texts = [
        "INPUT | Sheet1!A1 | 1",
        "INPUT | Sheet1!A3 | 2",
        "FONT_BOLD | Sheet1!B3 | true",
        "INPUT | Sheet1!B9 | 3",
    ];
    let mut features: Vec<Feature> = Vec::new();
    for text in texts {
        features.push(Feature::of_next(text, features.last()));
    }
    for text in &texts[..2] {
        history.push(Feature::of_first(text));
    }
    let mut continuation = Continuation::of(&history);
    for text in &texts[2..] {
        continuation.push(text);
    }
    let expect = gbm_vector::vector(&features, WINDOW, RangeMode::Relative);
    assert_eq!(five.vector_after(&continuation), expect);
}

#[test]
fn models_come_back_from_their_sections() {
    let five = five(
        RangeMode::Absolute,
        &[(3, 1.0), (UNKNOWN_KEYWORD, 0.0)],
        [1.0, 2.0, 3.0, 4.0],
    );
    let model = model(&five, "v1");
    let XgboostModel::Five(read) = XgboostModel::from_model(&model).unwrap() else {
        panic!("another model");
    };
    assert_eq!(sections(&read).unwrap(), sections(&five).unwrap());
    assert_eq!(
        (read.range_mode(), read.window(), read.classes()),
        (RangeMode::Absolute, WINDOW, &[3, 28][..])
    );
    assert_eq!(read.fingerprint(), model.card().fingerprint);
}

#[test]
fn other_features_are_refused_by_name() {
    let five = five(RangeMode::Absolute, &[(3, 1.0), (4, 0.0)], [0.0; 4]);
    let error = XgboostModel::from_model(&model(&five, "v9")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "it was trained on the features v9, and this program makes v1 and v2"
    );
}

#[test]
fn ensembles_that_do_not_fit_are_refused() {
    let n_columns = gbm_vector::length(WINDOW);
    let op_type = |n_classes: u32, n_columns| {
        let trees: Vec<Tree> = (0..n_classes).map(|_| leaf(0.0)).collect();
        Ensemble::from_trees(Objective::Softprob { n_classes }, n_columns, 0.5, &trees).unwrap()
    };
    let check = |classes: &[u8], op_type: Ensemble, column_of: usize, expect: &str| {
        let ranges = [0, 1, 2, 3].map(|_| number(0.0, column_of));
        let made = FiveEnsembles::new(
            RangeMode::Relative,
            WINDOW,
            classes.to_vec(),
            op_type,
            ranges,
            String::new(),
        );
        assert_eq!(made.unwrap_err().to_string(), expect);
    };
    check(&[1], op_type(2, n_columns), n_columns, "[1] are no classes of keywords");
    check(
        &[2, 1],
        op_type(2, n_columns),
        n_columns,
        "[2, 1] are no classes of keywords",
    );
    check(
        &[1, 29],
        op_type(2, n_columns),
        n_columns,
        "[1, 29] are no classes of keywords",
    );
    check(
        &[1, 2],
        op_type(3, n_columns),
        n_columns,
        "ensemble `op-type` predicts something else",
    );
    check(
        &[1, 2],
        op_type(2, 4),
        n_columns,
        "ensemble `op-type` has 4 columns where a window of 3 actions makes 54",
    );
    check(
        &[1, 2],
        op_type(2, n_columns),
        4,
        "ensemble `row` has 4 columns where a window of 3 actions makes 54",
    );
}

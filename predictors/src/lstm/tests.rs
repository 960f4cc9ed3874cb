//! Tests of the recurrent predictor.

use std::ops::ControlFlow;
use std::sync::LazyLock;

use napsim_recurrent::{Heads, Loss, Padding, Settings, train};
use proptest::prelude::*;

use super::*;
use crate::model::{Card, ModelKind, Section};
use crate::ranked::Ranker;
use crate::ranking::{Calibration, Desk, Gate};

/// A list of numbered rows, each with a bold name beside the number.
fn list(n_rows: usize) -> Vec<String> {
    let row = |row: usize| {
        [
            format!("INPUT | Sheet1!A{row} | {row}"),
            format!("INPUT | Sheet1!B{row} | \"name {row}\""),
            format!("FONT_BOLD | Sheet1!B{row} | true"),
        ]
    };
    (1..=n_rows).flat_map(row).collect()
}

fn tiny() -> Settings {
    Settings {
        hidden: 16,
        layers: 1,
        op_type_embedding: 8,
        range_embedding: 4,
        value_type_embedding: 4,
        projection: 16,
        dropout: 0.0,
        window: 6,
        batch: 4,
        epochs_max: 60,
        patience: None,
        learning_rate: 0.02,
        ..Settings::default()
    }
}

fn network(settings: &Settings, range_mode: RangeMode) -> Network {
    // Where rows stand by their number, the same ones again and again are quicker to learn.
    let n_rows = |idx| if range_mode == RangeMode::Absolute { 5 } else { idx };
    let sequences: Vec<_> = (3..9).map(|idx| tokens(list(n_rows(idx)), range_mode)).collect();
    train(settings, &sequences, &[], None, &mut |_| ControlFlow::Continue(()))
        .unwrap()
        .network
}

fn model(settings: &Settings, range_mode: RangeMode) -> Arc<LstmModel> {
    Arc::new(LstmModel::new(
        network(settings, range_mode),
        range_mode,
        "test".to_owned(),
    ))
}

fn predictor(model: &Arc<LstmModel>, config: LstmConfig, texts: &[String]) -> Lstm {
    let mut predictor = Lstm::new(Arc::clone(model), config);
    texts.iter().for_each(|text| predictor.learn(text));
    predictor
}

/// All ways in which networks read and answer.
fn kinds() -> Vec<(Settings, RangeMode)> {
    let mut kinds = Vec::new();
    for range_mode in [RangeMode::Relative, RangeMode::Absolute] {
        for loss in [Loss::EveryStep, Loss::LastStep] {
            for heads in [Heads::Conditional, Heads::Independent] {
                let padding = if loss == Loss::LastStep {
                    Padding::Fed
                } else {
                    Padding::Masked
                };
                kinds.push((
                    Settings {
                        loss,
                        heads,
                        padding,
                        ..tiny()
                    },
                    range_mode,
                ));
            }
        }
    }
    kinds
}

#[test]
fn a_pattern_is_gone_on_with() {
    for (settings, range_mode) in kinds() {
        // Rows by their number share nothing, so that each is to be learnt for itself; windows are many to an epoch.
        let n_epochs = match (range_mode, settings.loss) {
            (RangeMode::Absolute, Loss::EveryStep) => 300,
            (RangeMode::Absolute, Loss::LastStep) => 75,
            (RangeMode::Relative, Loss::EveryStep) => 60,
            (RangeMode::Relative, Loss::LastStep) => 30,
        };
        let settings = Settings {
            epochs_max: n_epochs,
            ..settings
        };
        let model = model(&settings, range_mode);
        let all = list(5);
        // The number typed next is imagined as the last text, which says something else where columns have numbers too.
        let max_actions = if range_mode == RangeMode::Absolute { 1 } else { 3 };
        let config = LstmConfig {
            max_actions,
            stop_on_type_change: false,
            ..LstmConfig::default()
        };
        let answer = predictor(&model, config, &all[..12]).answer();
        let expect = [
            // The value is that of the last action with the keyword.
            "INPUT | Sheet1!A5 | \"name 4\"",
            "INPUT | Sheet1!B5 | \"name 4\"",
            "FONT_BOLD | Sheet1!B5 | true",
        ];
        assert_eq!(answer, expect[..max_actions], "{settings:?} {range_mode:?}");
        let config = LstmConfig {
            stop_on_type_change: true,
            ..config
        };
        let answer = predictor(&model, config, &all[..12]).answer();
        assert_eq!(answer, expect[..max_actions.min(2)]);
        assert!(predictor(&model, config, &[]).answer().is_empty());
    }
}

#[test]
fn each_head_answers_for_itself_and_places_stay_on_the_sheet() {
    let model = model(&tiny(), RangeMode::Relative);
    let mut scores = model.network.scores(&model.network.start());
    let mut history = History::default();
    history.push(Feature::of_first("INPUT | 'My list'!B2:C4 | =A1"));
    let history = Continuation::of(&history);
    let mut choose = |op_type: usize, ranges: [usize; 4], value_type: ValueType| {
        scores.op_type = [-9.0; 29];
        scores.op_type[op_type] = 0.0;
        for (head, bucket) in scores.details.ranges.iter_mut().zip(ranges) {
            *head = [-9.0; 101];
            head[bucket] = 0.0;
        }
        scores.details.value_type = [-9.0; 17];
        scores.details.value_type[usize::from(value_type.id())] = 0.0;
        [RangeMode::Relative, RangeMode::Absolute].map(|mode| next(&scores, mode, &history).unwrap_or_default())
    };
    assert_eq!(
        choose(20, [51, 50, 49, 50], ValueType::Formula),
        ["INPUT | 'My list'!B3:C4 | =A2", "INPUT | 'My list'!AY52:CW101 | =AX51"]
    );
    // Heads may contradict each other (Q12).
    assert_eq!(
        choose(13, [0, 0, 0, 100], ValueType::Color),
        [
            "FONT_BOLD | 'My list'!A1:AZ1 | True",
            "FONT_BOLD | 'My list'!A1:CW1 | True"
        ]
    );
    assert_eq!(choose(28, [50; 4], ValueType::Other), ["", ""], "an unknown op type");
}

#[test]
fn a_limited_context_knows_nothing_older() {
    for (settings, range_mode) in kinds().into_iter().step_by(3) {
        let model = model(&settings, range_mode);
        let all = list(4);
        let config = |context: &str| LstmConfig {
            context: context.parse().unwrap(),
            ..LstmConfig::default()
        };
        for n in 1..=all.len() {
            let last_four = &all[n.saturating_sub(4)..n];
            let answer = |context: &str, texts: &[String]| predictor(&model, config(context), texts).answer();
            assert_eq!(answer("4", &all[..n]), answer("all", last_four), "{n}");
            assert_eq!(answer("100", &all[..n]), answer("all", &all[..n]), "{n}");
        }
    }
}

fn file_of(network: &Network, range_mode: RangeMode, more: Option<Section>) -> Model {
    let mut sections = sections(network, range_mode).unwrap();
    sections.extend(more);
    Model::new(Card::new(ModelKind::Lstm, KIND_VERSION, "0", "2026-01-01", 0), sections)
}

/// What a training leaves for ranking, with weights for so many columns.
fn stored(n_columns: usize) -> Stored {
    let weights: Vec<f32> = (0..n_columns)
        .map(|column| if column == 0 { 1.0 } else { 0.0 })
        .collect();
    let gate = serde_json::json!({"weights": weights, "bias": 0.0});
    Stored {
        confidence: 0.25,
        calibration: Arc::new(Calibration::default()),
        gate: Some(Arc::new(serde_json::from_value::<Gate>(gate).unwrap())),
    }
}

#[test]
fn what_is_written_is_read() {
    for (settings, range_mode) in kinds() {
        let settings = Settings {
            epochs_max: 1,
            ..settings
        };
        let network = network(&settings, range_mode);
        let ranking = stored(likelihood::N_COLUMNS);
        let file = file_of(&network, range_mode, Some(ranking.section().unwrap()));
        let read = LstmModel::from_model(&Model::read(&file.to_bytes().unwrap()).unwrap()).unwrap();
        assert_eq!(read.network(), &network);
        assert_eq!(
            (read.range_mode(), read.fingerprint()),
            (range_mode, file.card().fingerprint.as_str())
        );
        assert_eq!(read.ranking(), Some(&ranking));
        let without = LstmModel::from_model(&file_of(&network, range_mode, None)).unwrap();
        assert_eq!(without.ranking(), None);
    }
}

#[test]
fn what_is_no_network_is_refused() {
    let settings = Settings {
        epochs_max: 1,
        ..tiny()
    };
    let network = network(&settings, RangeMode::Relative);
    let good = file_of(&network, RangeMode::Relative, None);
    let refused = |sections: Vec<Section>| {
        let model = Model::new(good.card().clone(), sections);
        LstmModel::from_model(&model).unwrap_err().to_string()
    };
    let (reading, weights) = (good.sections()[0].clone(), good.sections()[1].clone());
    assert_eq!(refused(vec![weights.clone()]), "section `reading` is missing");
    assert_eq!(refused(vec![reading.clone()]), "section `network` is missing");
    let sideways = Section::plain("reading", br#"{"range_mode":"sideways"}"#.to_vec());
    assert_eq!(
        refused(vec![sideways, weights.clone()]),
        "section `reading` cannot be understood: `sideways` is no range mode"
    );
    let cut = Section::plain("network", weights.content[..weights.content.len() / 2].to_vec());
    assert!(
        refused(vec![reading.clone(), cut]).starts_with("section `network` cannot be understood: read the network")
    );
    let other_gate = stored(3).section().unwrap();
    assert!(refused(vec![reading, weights, other_gate]).contains("a gate of 3 columns"));
    let other = Model::new(
        Card {
            kind: ModelKind::Ngram,
            ..good.card().clone()
        },
        Vec::new(),
    );
    let error = LstmModel::from_model(&other).unwrap_err().to_string();
    assert!(error.starts_with("it is a model of the kind ngram"), "{error}");
}

#[test]
fn fingerprints_name_model_and_parameters() {
    let settings = Settings {
        epochs_max: 1,
        ..tiny()
    };
    let fingerprint = Lstm::new(model(&settings, RangeMode::Relative), LstmConfig::default()).fingerprint();
    let expect = format!(
        "lstm/{}?model=test&max_actions=5&stop_on_type_change=true&context=all",
        env!("CARGO_PKG_VERSION")
    );
    assert_eq!(fingerprint.to_string(), expect);
}

/// The log-probability of each candidate of the desk, as the first column of its row has it.
fn log_probabilities(ranker: &mut LstmRanker, desk: &mut Desk) -> Vec<f32> {
    let mut rows = Vec::new();
    desk.make_candidates();
    ranker.describe(desk, &mut rows);
    assert_eq!(rows.len(), desk.candidates().len() * ranker.n_columns());
    rows.chunks_exact(ranker.n_columns()).map(|row| row[0]).collect()
}

/// The same by the text of the candidate, from the beginning.
fn by_text(model: &LstmModel, history: &[String], candidate: &Action) -> f32 {
    let mut texts = history.to_vec();
    texts.push(candidate.to_string());
    let tokens = tokens(&texts, model.range_mode);
    let (candidate, before) = tokens.split_last().unwrap();
    let network = &model.network;
    let state = match network.settings().loss {
        Loss::LastStep => network.read_window(before),
        Loss::EveryStep => {
            let mut state = network.start();
            before.iter().for_each(|token| network.advance(&mut state, *token));
            state
        }
    };
    let [op_type, ranges @ .., value_type] = candidate.ids().map(|id| id - 1);
    let details = network.scores_given(&state, op_type).unwrap();
    let ranges: f32 = details
        .ranges
        .iter()
        .zip(ranges)
        .map(|(range, bucket)| range[usize::from(bucket)])
        .sum();
    network.scores(&state).op_type[usize::from(op_type)] + ranges + details.value_type[usize::from(value_type)]
}

#[test]
fn candidates_are_as_likely_as_their_texts() {
    for (settings, range_mode) in kinds() {
        let settings = Settings {
            epochs_max: 15,
            ..settings
        };
        let model = model(&settings, range_mode);
        let mut ranker = LstmRanker::new(Arc::clone(&model), Arc::default());
        ranker.begin();
        let mut desk = Desk::default();
        let mut history: Vec<String> = Vec::new();
        let mut n_compared = 0;
        for text in list(4) {
            desk.observe(&[Action::parse(&text).unwrap()]);
            history.push(text);
            let got = log_probabilities(&mut ranker, &mut desk);
            for (candidate, got) in desk.candidates().iter().zip(got).step_by(5) {
                let expect = by_text(&model, &history, &desk.action(candidate).unwrap()).max(-20.0);
                assert!(
                    (got - expect).abs() < 1e-3,
                    "{got} {expect} {:?}",
                    desk.action(candidate)
                );
                n_compared += 1;
            }
        }
        assert!(n_compared > 50, "{n_compared}");
    }
}

#[test]
fn what_is_imagined_counts_until_waking() {
    let model = model(&tiny(), RangeMode::Relative);
    let mut ranker = LstmRanker::new(Arc::clone(&model), Arc::default());
    ranker.begin();
    let mut desk = Desk::default();
    let mut history = list(3);
    for text in &history {
        desk.observe(&[Action::parse(text).unwrap()]);
    }
    let before = log_probabilities(&mut ranker, &mut desk);
    let candidate = desk.candidates()[0];
    history.push(desk.action(&candidate).unwrap().to_string());
    desk.scene.imagine(candidate.edit, candidate.place);
    let imagined = log_probabilities(&mut ranker, &mut desk);
    for (candidate, got) in desk.candidates().iter().zip(imagined) {
        let expect = by_text(&model, &history, &desk.action(candidate).unwrap()).max(-20.0);
        assert!((got - expect).abs() < 1e-3);
    }
    desk.scene.wake();
    assert_eq!(log_probabilities(&mut ranker, &mut desk), before);
}

proptest! {
    #[test]
    fn any_text_is_read(texts in proptest::collection::vec(".{0,30}", 0..8), seed in 0_usize..3) {
        // Weights that have hardly learnt answer wildly, and must be answered for all the same.
        static MODELS: LazyLock<Vec<Arc<LstmModel>>> = LazyLock::new(|| {
            let settings = |seed| Settings { epochs_max: 1, seed, ..tiny() };
            (0..3).map(|seed| model(&settings(seed), RangeMode::Relative)).collect()
        });
        let mut predictor = predictor(&MODELS[seed], LstmConfig::default(), &list(1));
        texts.iter().for_each(|text| predictor.learn(text));
        predictor.answer();
    }
}

//! Laws that every predictor of the registry keeps.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock};

use napsim_boosting::{Ensemble, Node, Objective, Tree};
use napsim_predictors::feature::{Feature, RangeMode, keyword_id};
use napsim_predictors::model::{Card, Model, ModelKind};
use napsim_predictors::ngram::{KIND_VERSION, Trainer, TrainerOptions, sections};
use napsim_predictors::registry::{PREDICTORS, SpecError};
use napsim_predictors::xgboost::{self, FiveEnsembles};
use napsim_predictors::{Playback, PredictorFactory, RecordedCall, gbm_vector};
use napsim_sim::predictor::{Budget, CurrentWorkbook, PredictError, Predictor, Proposals, Seed, TrajectoryHead, View};
use napsim_trajectories::{Action, Corpus};
use proptest::prelude::*;
use tempfile::NamedTempFile;

const HEAD: TrajectoryHead<'_> = TrajectoryHead {
    name: "test",
    sheet: "Sheet1",
};

/// Options that name a small model of the embedded trajectories.
#[expect(clippy::unwrap_used, reason = "a test")]
fn ngram_model() -> String {
    static FILE: OnceLock<NamedTempFile> = OnceLock::new();
    let file = FILE.get_or_init(|| {
        let mut trainer = Trainer::new(TrainerOptions {
            range_mode: RangeMode::Relative,
            max_n: 3,
        });
        for trajectory in Corpus::embedded().unwrap().trajectories {
            let mut features: Vec<Feature> = Vec::new();
            for action in &trajectory.actions {
                let feature = Feature::of_next(&action.to_string(), features.last());
                features.push(feature);
            }
            trainer.push(&features);
        }
        let card = Card::new(ModelKind::Ngram, KIND_VERSION, "0", "2026-01-01", 0);
        let mut file = NamedTempFile::new().unwrap();
        let model = Model::new(card, sections(&trainer.finish(2)).unwrap());
        model.write(&mut file).unwrap();
        file
    });
    format!("model={}", file.path().display())
}

/// Whether a predictor can be named without others.
fn stands_alone(name: &str) -> bool {
    !matches!(
        PredictorFactory::parse(name, None),
        Err(SpecError::Parts { .. } | SpecError::NoModel { .. } | SpecError::NoPlace { .. })
    )
}

/// Options that name boosted trees which go one row down and switch between typing and bold.
#[expect(clippy::unwrap_used, reason = "a test")]
fn xgboost_model() -> String {
    static FILE: OnceLock<NamedTempFile> = OnceLock::new();
    let file = FILE.get_or_init(|| {
        const WINDOW: usize = 2;
        let n_columns = gbm_vector::length(WINDOW);
        let leaf = |value: f32| Node::Leaf { value };
        let plain = |value: f32| {
            vec![Tree {
                nodes: vec![leaf(value)],
            }]
        };
        // Column 6 holds the keyword of the last action.
        let split = Node::Split {
            column: 6,
            threshold: 19.5,
            missing_left: true,
            left: 1,
            right: 2,
            gain: 1.0,
        };
        let bold = Tree {
            nodes: vec![split, leaf(-1.0), leaf(1.0)],
        };
        let kinds = [vec![bold], plain(0.0)].concat();
        let two = Objective::Softprob { n_classes: 2 };
        let kinds = Ensemble::from_trees(two, n_columns, 0.5, &kinds).unwrap();
        let ranges = [1.0, 0.4, 0.0, 0.0]
            .map(|value| Ensemble::from_trees(Objective::SquaredError, n_columns, 0.0, &plain(value)).unwrap());
        let classes = vec![keyword_id("FONT_BOLD"), keyword_id("INPUT")];
        let five = FiveEnsembles::new(RangeMode::Relative, WINDOW, classes, kinds, ranges, String::new()).unwrap();
        let mut card = Card::new(ModelKind::Xgboost, xgboost::KIND_VERSION, "0", "2026-01-01", 0);
        card.settings.insert("features".to_owned(), "v1".into());
        let mut file = NamedTempFile::new().unwrap();
        Model::new(card, xgboost::sections(&five).unwrap())
            .write(&mut file)
            .unwrap();
        file
    });
    format!("model={}", file.path().display())
}

/// Specs of predictors that learn from what becomes of their answers, so that being asked does change them.
fn learning_specs() -> Vec<String> {
    let mut specs = vec![
        "best-of(online-ngram,repeat-last)".to_owned(),
        format!(
            "best-of(repeat-last?count=2,xgboost?{},none)?confidence=0.1",
            xgboost_model()
        ),
    ];
    specs.extend(RANKED.map(str::to_owned));
    specs
}

/// Predictors that rank candidates: they learn from what is refused, and so by being asked.
const RANKED: [&str; 3] = ["ngram", "xgboost", "lstm"];

/// Specs of every predictor with its defaults, and of some with other parameters.
fn specs() -> Vec<String> {
    let mut specs: Vec<String> = PREDICTORS.iter().map(|info| info.name.to_owned()).collect();
    specs.retain(|name| stands_alone(name) && !RANKED.contains(&name.as_str()));
    let model = ngram_model();
    specs.push(format!("ngram?{model}&values=v1"));
    specs.push(format!("ngram?{model}&values=v1&stop_on_type_change=false&context=3"));
    let model = xgboost_model();
    specs.push(format!("xgboost?{model}"));
    specs.push(format!("xgboost?{model}&stop_on_type_change=false&context=2"));
    specs.extend(
        [
            "online-ngram?context=3",
            "online-ngram?range_mode=absolute&min_match=1",
            "repeat-last?count=2",
        ]
        .map(String::from),
    );
    specs
}

#[expect(clippy::unwrap_used, reason = "a test")]
fn begun(spec: &str) -> Box<dyn Predictor> {
    // A model is read once, and not for each of hundreds of histories.
    static FACTORIES: Mutex<BTreeMap<String, PredictorFactory>> = Mutex::new(BTreeMap::new());
    let mut factories = FACTORIES.lock().unwrap();
    let factory = factories
        .entry(spec.to_owned())
        .or_insert_with(|| PredictorFactory::parse(spec, None).unwrap());
    let mut predictor = factory.build();
    predictor.begin(HEAD, Seed(0));
    predictor
}

/// What a predictor answers to a call: proposed actions and rejected texts.
fn answer(predictor: &mut dyn Predictor, call_idx: u32) -> Result<(Vec<String>, Vec<String>), PredictError> {
    let current = CurrentWorkbook::default();
    let view = View {
        history: &[],
        current: &current,
        user_steps: 0,
        call_idx,
    };
    let mut out = Proposals::default();
    predictor.predict(view, Budget { actions_max: None }, &mut out)?;
    let actions = out
        .actions()
        .iter()
        .map(|proposal| proposal.action.to_string())
        .collect();
    Ok((
        actions,
        out.rejected().iter().map(|rejected| rejected.text.clone()).collect(),
    ))
}

fn action() -> impl Strategy<Value = Action> {
    let value = prop_oneof![
        Just("INPUT | {} | 5"),
        Just("INPUT | {} | \"tea\""),
        Just("INPUT | {} | \"=B2*2\""),
        Just("FORMULA | {} | =B2*2"),
        Just("FONT_BOLD | {}:D9 | true"),
        Just("AUTOFILL | {}:A40 | {}"),
        Just("PASTE_FROM | {} | Sheet1!A1 | all"),
        Just("MERGE | Depot!{} | true"),
    ];
    (value, 1..4_u8, prop_oneof![Just('A'), Just('B')]).prop_filter_map("not an action", |(line, row, column)| {
        Action::parse(&line.replace("{}", &format!("{column}{row}"))).ok()
    })
}

fn history() -> impl Strategy<Value = Vec<Action>> {
    prop::collection::vec(action(), 0..30)
}

proptest! {
    #[test]
    fn chunks_make_no_difference(history in history(), cuts in prop::collection::vec(0..6_usize, 0..12)) {
        let learning = learning_specs();
        for spec in specs().iter().chain(&learning) {
            let (mut whole, mut chunked) = (begun(spec), begun(spec));
            whole.observe(&history);
            let mut rest = history.as_slice();
            for cut in &cuts {
                let (chunk, later) = rest.split_at((*cut).min(rest.len()));
                chunked.observe(chunk);
                if !learning.contains(spec) {
                    // Being asked changes nothing.
                    answer(chunked.as_mut(), 0).unwrap();
                }
                rest = later;
            }
            chunked.observe(rest);
            prop_assert_eq!(answer(whole.as_mut(), 0).unwrap(), answer(chunked.as_mut(), 0).unwrap(), "{}", spec);
        }
    }

    #[test]
    fn beginning_forgets(earlier in history(), history in history()) {
        for spec in specs().into_iter().chain(learning_specs()) {
            let (mut used, mut fresh) = (begun(&spec), begun(&spec));
            used.observe(&earlier);
            answer(used.as_mut(), 0).unwrap();
            used.begin(HEAD, Seed(0));
            used.observe(&history);
            fresh.observe(&history);
            prop_assert_eq!(answer(used.as_mut(), 0).unwrap(), answer(fresh.as_mut(), 0).unwrap(), "{}", spec);
        }
    }

    #[test]
    fn a_limited_context_knows_the_last_actions_alone(history in history(), n in 1..12_usize) {
        let mut limited = begun(&format!("online-ngram?context={n}"));
        let mut fresh = begun("online-ngram");
        limited.observe(&history);
        fresh.observe(&history[history.len().saturating_sub(n)..]);
        prop_assert_eq!(answer(limited.as_mut(), 0).unwrap(), answer(fresh.as_mut(), 0).unwrap());
    }
}

#[test]
fn nothing_is_known_of_an_empty_history() {
    // A language model has read of beginnings.
    let silent = specs().into_iter().filter(|spec| spec != "smollm");
    for spec in silent.chain(learning_specs()) {
        assert_eq!(answer(begun(&spec).as_mut(), 0).unwrap(), (vec![], vec![]), "{spec}");
    }
}

#[test]
fn the_last_action_is_repeated() {
    let mut predictor = begun("repeat-last?count=2");
    predictor.observe(&[
        Action::parse("INPUT | A1 | 1").unwrap(),
        Action::parse("FONT_BOLD | A1 | True").unwrap(),
    ]);
    let expect = "FONT_BOLD | Sheet1!A1 | true".to_owned();
    assert_eq!(answer(predictor.as_mut(), 7).unwrap().0, [expect.clone(), expect]);
}

#[test]
fn a_recording_is_played_by_call() {
    let mut playback = Playback::new(vec![
        RecordedCall::Lines(vec!["FONT_BOLD | A1 | true".to_owned(), "nonsense".to_owned()]),
        RecordedCall::Lines(vec![]),
        RecordedCall::Failed("no answer".to_owned()),
        RecordedCall::Fatal("out of memory".to_owned()),
    ]);
    let expect = (
        vec!["FONT_BOLD | Sheet1!A1 | true".to_owned()],
        vec!["nonsense".to_owned()],
    );
    assert_eq!(answer(&mut playback, 0).unwrap(), expect);
    assert_eq!(answer(&mut playback, 1).unwrap(), (vec![], vec![]));
    assert!(matches!(answer(&mut playback, 2), Err(PredictError::Call(message)) if message == "no answer"));
    assert!(matches!(answer(&mut playback, 3), Err(PredictError::Fatal(message)) if message == "out of memory"));
    assert_eq!(answer(&mut playback, 4).unwrap(), (vec![], vec![]));
}

#[test]
fn a_recording_is_known_by_its_content() {
    let fingerprint = |calls| Playback::new(calls).fingerprint();
    let lines = |lines: &[&str]| RecordedCall::Lines(lines.iter().map(|line| (*line).to_owned()).collect());
    assert_eq!(
        fingerprint(vec![lines(&["a", "b"])]),
        fingerprint(vec![lines(&["a", "b"])])
    );
    assert_ne!(
        fingerprint(vec![lines(&["a", "b"])]),
        fingerprint(vec![lines(&["a"]), lines(&["b"])])
    );
    assert_ne!(
        fingerprint(vec![lines(&["a"])]),
        fingerprint(vec![RecordedCall::Failed("a".to_owned())])
    );
}

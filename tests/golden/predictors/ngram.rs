//! `ngram.jsonl`: training, back-off and answers of the trained n-gram.

use std::sync::Arc;

use napsim_predictors::feature::{Feature, Place, RangeMode};
use napsim_predictors::model::{Card, Model, ModelKind};
use napsim_predictors::ngram::{KIND_VERSION, NgramModel, Tables, Trainer, TrainerOptions, sections};
use napsim_predictors::{Context, Ngram, NgramConfig};
use napsim_sim::predictor::{Budget, CurrentWorkbook, Predictor, Proposals, View};
use napsim_trajectories::{Action, Value, json};

use super::{flag, history, number, range_mode};
use crate::vectors::{Vector, check_same, for_each_vector, int, texts};

const FILE: &str = "ngram.jsonl";

#[test]
fn golden_ngram_answers() {
    for_each_vector(FILE, "predict", |vector| {
        let tables = train(vector)?;
        check_symbols(vector, tables.range_mode())?;
        let mut predictor = predictor(vector, &tables)?;
        for text in vector.lines("history")? {
            predictor.learn(text);
        }
        check_explanation(vector, &predictor)?;
        check_same(texts(&predictor.answer()), vector.get("raw")?)?;
        check_same(texts(&proposed(&mut predictor)?), vector.get("predicted")?)
    });
}

/// The tables of the training lines of a vector, by way of a model file.
fn train(vector: &Vector) -> Result<Tables, String> {
    let config = vector.get("config")?;
    let mut trainer = Trainer::new(TrainerOptions {
        range_mode: range_mode(config.get("range_mode"))?,
        max_n: number(config.get("max_n"))?,
    });
    for line in vector.lines("training_lines")? {
        trainer.push(&sequence(line));
    }
    Ok(trainer.finish(1))
}

/// The features of a training line; none where it is no record of actions (spec chapter 03, 4.1).
fn sequence(line: &str) -> Vec<Feature> {
    let Ok(record) = json::read(line) else {
        return Vec::new();
    };
    let Some(Value::List(texts)) = record.get("ops") else {
        return Vec::new();
    };
    let mut features: Vec<Feature> = Vec::new();
    for text in texts.iter().filter_map(Value::as_text) {
        let feature = Feature::of_next(text, features.last());
        features.push(feature);
    }
    features
}

fn predictor(vector: &Vector, tables: &Tables) -> Result<Ngram, String> {
    let card = Card::new(ModelKind::Ngram, KIND_VERSION, "golden", "2026-01-01", 0);
    let model = Model::new(card, sections(tables).map_err(|error| error.to_string())?);
    let bytes = model.to_bytes().map_err(|error| error.to_string())?;
    let model = Model::read(&bytes).and_then(|model| NgramModel::from_model(&model));
    let config = vector.get("config")?;
    let config = NgramConfig {
        max_actions: number(config.get("max_predictions"))?,
        stop_on_type_change: flag(config.get("stop_on_type_change"))?,
        context: Context::All,
    };
    Ok(Ngram::new(Arc::new(model.map_err(|error| error.to_string())?), config))
}

/// The symbols of the history, whether they occurred in training or not.
fn check_symbols(vector: &Vector, mode: RangeMode) -> Result<(), String> {
    let history = history(vector, "history")?;
    let symbols = history.features().iter().map(|feature| {
        let place = Place::of(feature.step, feature.height, feature.width, mode);
        symbol(&feature.keyword, place, feature.value_type.name())
    });
    check_same(
        Value::list(symbols.collect::<Vec<_>>()),
        vector.get("abstract_history")?,
    )
}

fn check_explanation(vector: &Vector, predictor: &Ngram) -> Result<(), String> {
    let explanation = predictor.explain();
    let order = explanation.map_or(Value::Null, |explanation| int(explanation.order));
    check_same(order, vector.get("order_hit")?)?;
    let predicted = explanation.map_or(Value::Null, |explanation| {
        symbol(explanation.keyword, explanation.place, explanation.value_type.name())
    });
    check_same(predicted, vector.get("predicted_abstract")?)
}

fn symbol(keyword: &str, place: Place, value_type: &str) -> Value {
    let place = match place {
        Place::Movement(movement) => vec![Value::text(movement.name())],
        Place::Shape { height, width } => vec![int(height), int(width)],
    };
    let mut parts = vec![Value::text(keyword)];
    parts.extend(place);
    parts.push(Value::text(value_type));
    Value::list(parts)
}

/// The lines of the proposals that are actions.
fn proposed(predictor: &mut Ngram) -> Result<Vec<String>, String> {
    let current = CurrentWorkbook::default();
    let view = View {
        history: &[],
        current: &current,
        user_steps: 0,
        call_idx: 0,
    };
    let mut out = Proposals::default();
    let usage = predictor.predict(view, Budget { actions_max: None }, &mut out);
    usage.map_err(|error| error.to_string())?;
    let line = |proposal: &napsim_sim::predictor::Proposal| {
        let line = proposal.line.clone().unwrap_or_default();
        let same = Action::parse(&line).is_ok_and(|action| action == proposal.action);
        same.then_some(line)
            .ok_or_else(|| "a proposal is not its line".to_owned())
    };
    out.actions().iter().map(line).collect()
}

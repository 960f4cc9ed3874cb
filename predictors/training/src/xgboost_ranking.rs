//! Training of the `xgboost` model that ranks candidates (features `v2`).

use napsim_predictors::model::{Model, ModelKind};
use napsim_predictors::xgboost::{FEATURES_V2, KIND_VERSION, ranking_sections};
use serde_json::{Map, Value, json};

use crate::job::{Job, Trained, TrainingError};
use crate::progress::Progress;
use crate::ranking::{BoostedSettings, Reservoir, draw, fit_boosted};
use crate::sequences::{Part, visit};

/// Grows trees that rank candidates, and measures them on the validation sequences.
///
/// # Errors
/// [`TrainingError`] where the data cannot be used or XGBoost is missing.
pub fn train_ranking(
    job: &Job,
    settings: &BoostedSettings,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Trained, TrainingError> {
    let mut kept = Reservoir::new(settings.ranking.n_train, job.seed);
    let mut valid = Vec::new();
    let report = visit(
        &job.corpora,
        job.reading(),
        progress,
        |sequence| sequence,
        |sequence| match sequence.part {
            Part::Train => kept.push(sequence),
            _ => valid.push(sequence),
        },
    )?;
    let train = kept.into_sequences();
    let (train, valid) = (
        draw(&train, settings.ranking.n_train, job.seed),
        draw(&valid, settings.ranking.n_valid, job.seed),
    );
    if train.is_empty() || valid.is_empty() {
        return Err(TrainingError::TooFew {
            n_train: train.len(),
            n_valid: valid.len(),
        });
    }
    let ranking = fit_boosted(&train, &valid, settings, job.seed, progress)?;
    let mut card = job.card(ModelKind::Xgboost, KIND_VERSION, &report);
    card.settings = described(settings)?;
    let members = [
        ("n_trees", json!(ranking.ensemble.n_trees())),
        ("n_nodes", json!(ranking.ensemble.n_nodes())),
        ("losses", json!(ranking.losses)),
        ("ranking", ranking.calibrated.metrics()),
    ];
    card.metrics
        .extend(members.map(|(name, value)| (name.to_owned(), value)));
    let sections = ranking_sections(&ranking.ensemble, &ranking.stored).map_err(std::io::Error::from)?;
    let model = Model::new(card, sections);
    Ok(Trained { model, report })
}

fn described(settings: &BoostedSettings) -> Result<Map<String, Value>, TrainingError> {
    let mut members = Map::new();
    members.insert("features".to_owned(), json!(FEATURES_V2));
    if let Value::Object(own) = serde_json::to_value(settings).map_err(std::io::Error::from)? {
        members.extend(own);
    }
    Ok(members)
}

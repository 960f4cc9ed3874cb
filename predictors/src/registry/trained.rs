//! The trained models that predictors are made of.

use std::path::Path;
use std::sync::Arc;

use super::SpecError;
use super::in_use::InUse;
use crate::feature::RangeMode;
use crate::lstm::LstmModel;
use crate::model::{LoadError, Model, ModelError, ModelKind};
use crate::ngram::NgramModel;
use crate::xgboost::{FiveEnsembles, XgboostModel};

const XGBOOST: &str = "xgboost";

/// The n-gram at a path, if it was trained in the mode that is asked for.
pub(super) fn ngram(path: &str, range_mode: Option<RangeMode>) -> Result<Arc<NgramModel>, SpecError> {
    const PREDICTOR: &str = "ngram";
    static IN_USE: InUse<NgramModel> = InUse::new();
    let model = IN_USE.get(path, || load(ModelKind::Ngram, path, NgramModel::from_model))?;
    check_mode(PREDICTOR, range_mode, model.tables().range_mode())?;
    Ok(model)
}

/// The boosted trees at a path.
pub(super) fn xgboost(path: &str) -> Result<XgboostModel, SpecError> {
    load(ModelKind::Xgboost, path, XgboostModel::from_model)
}

/// Refuses another mode than five models were trained in.
pub(super) fn check_five(range_mode: Option<RangeMode>, five: &FiveEnsembles) -> Result<(), SpecError> {
    check_mode(XGBOOST, range_mode, five.range_mode())
}

/// What is in the file at a path; the empty path stands for the model that comes with the program.
fn load<T>(kind: ModelKind, path: &str, read: impl Fn(&Model) -> Result<T, ModelError>) -> Result<T, SpecError> {
    let (model, path) = if path.is_empty() {
        (Model::built_in(kind)?, kind.name())
    } else {
        (Model::load(Path::new(path))?, path)
    };
    Ok(read(&model).map_err(|reason| LoadError::new(Path::new(path), reason))?)
}

/// Refuses another mode than the model was trained in.
fn check_mode(predictor: &'static str, asked: Option<RangeMode>, trained: RangeMode) -> Result<(), SpecError> {
    match asked.filter(|asked| *asked != trained) {
        None => Ok(()),
        Some(asked) => Err(SpecError::ContradictsModel {
            predictor,
            option: "range_mode",
            value: asked.name().to_owned(),
            trained: trained.name().to_owned(),
        }),
    }
}

/// The network at a path.
pub(super) fn lstm(path: &str) -> Result<Arc<LstmModel>, SpecError> {
    static IN_USE: InUse<LstmModel> = InUse::new();
    IN_USE.get(path, || load(ModelKind::Lstm, path, LstmModel::from_model))
}

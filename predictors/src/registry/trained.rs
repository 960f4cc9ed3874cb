//! The trained models that predictors are made of.

use std::path::Path;
use std::sync::Arc;

use super::SpecError;
use crate::feature::RangeMode;
use crate::lstm::LstmModel;
use crate::model::{LoadError, Model};
use crate::ngram::NgramModel;
use crate::xgboost::XgboostModel;

/// The n-gram at a path, if it was trained in the mode that is asked for.
///
/// The empty path stands for a model that comes with the program. There is none yet: once there is, its bytes take the
/// place of this error.
pub(super) fn ngram(path: &str, range_mode: Option<RangeMode>) -> Result<Arc<NgramModel>, SpecError> {
    const PREDICTOR: &str = "ngram";
    if path.is_empty() {
        return Err(SpecError::NoModel { predictor: PREDICTOR });
    }
    let path = Path::new(path);
    let model = NgramModel::from_model(&Model::load(path)?).map_err(|reason| LoadError::new(path, reason))?;
    let trained = model.tables().range_mode();
    match range_mode.filter(|asked| *asked != trained) {
        None => Ok(Arc::new(model)),
        Some(asked) => Err(SpecError::ContradictsModel {
            predictor: PREDICTOR,
            option: "range_mode",
            value: asked.name().to_owned(),
            trained: trained.name().to_owned(),
        }),
    }
}

/// The trees at a path.
pub(super) fn xgboost(path: &str) -> Result<Arc<XgboostModel>, SpecError> {
    if path.is_empty() {
        return Err(SpecError::NoModel { predictor: "xgboost" });
    }
    let path = Path::new(path);
    let model = XgboostModel::from_model(&Model::load(path)?).map_err(|reason| LoadError::new(path, reason))?;
    Ok(Arc::new(model))
}

/// The network at a path. The empty path stands for one that comes with the program, as for [`ngram`].
pub(super) fn lstm(path: &str) -> Result<Arc<LstmModel>, SpecError> {
    if path.is_empty() {
        return Err(SpecError::NoModel { predictor: "lstm" });
    }
    let path = Path::new(path);
    let model = LstmModel::from_model(&Model::load(path)?).map_err(|reason| LoadError::new(path, reason))?;
    Ok(Arc::new(model))
}

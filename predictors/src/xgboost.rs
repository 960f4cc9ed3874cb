//! Gradient-boosted trees: as published, five models of the next action (spec chapter 03, section 7); or a ranking of
//! candidates by what stands around them.

mod ranking;

use crate::model::{Model, ModelError, ModelKind};

pub use ranking::{FEATURES_V2, RankingModel, ranking_sections};

/// The version of the sections in a model file.
pub const KIND_VERSION: u32 = 1;

/// A model of the `xgboost` predictor.
#[derive(Clone, Debug)]
pub enum XgboostModel {
    /// Features `v2`: candidates are ranked.
    Ranking(RankingModel),
}

impl XgboostModel {
    /// The model in a file.
    ///
    /// # Errors
    /// [`ModelError`] where it is of another kind or version, or was trained on features that this program does not know.
    pub fn from_model(model: &Model) -> Result<Self, ModelError> {
        model.expect(ModelKind::Xgboost, KIND_VERSION)?;
        match model
            .card()
            .settings
            .get("features")
            .and_then(serde_json::Value::as_str)
        {
            Some(FEATURES_V2) => Ok(Self::Ranking(RankingModel::from_model(model)?)),
            other => Err(ModelError::OtherFeatures {
                found: other.unwrap_or("without a name").to_owned(),
                known: FEATURES_V2,
            }),
        }
    }
}

//! The ranking model of an `xgboost` model file: features `v2`.

use std::sync::Arc;

use napsim_boosting::Ensemble;

use crate::model::{Model, ModelError, ModelKind, Section};
use crate::ranked::{Ranked, RankedConfig, Stored};
use crate::ranking::{BoostedRanker, FEATURES};

use super::KIND_VERSION;

/// What the card's setting `features` says of such a model.
pub const FEATURES_V2: &str = "v2";

const TREES: &str = "trees";
const COLUMNS: &str = "columns";

/// Trees that rank candidates, shared between any number of predictors.
#[derive(Clone, Debug)]
pub struct RankingModel {
    ranker: BoostedRanker,
    stored: Stored,
    fingerprint: String,
}

impl RankingModel {
    /// The trees in a model file.
    ///
    /// # Errors
    /// [`ModelError`] where they are of another version, were trained on other features, or make no sense.
    pub fn from_model(model: &Model) -> Result<Self, ModelError> {
        model.expect(ModelKind::Xgboost, KIND_VERSION)?;
        let malformed = |section, reason: String| ModelError::MalformedSection { section, reason };
        let columns: Vec<String> =
            serde_json::from_slice(model.section(COLUMNS)?).map_err(|error| malformed(COLUMNS, error.to_string()))?;
        if columns != FEATURES {
            return Err(ModelError::OtherFeatures {
                found: format!("{FEATURES_V2} with {} columns", columns.len()),
                known: known_columns(),
            });
        }
        let ensemble =
            Ensemble::from_bytes(model.section(TREES)?).map_err(|error| malformed(TREES, error.to_string()))?;
        let ranker = BoostedRanker::new(Arc::new(ensemble))
            .ok_or_else(|| malformed(TREES, "they have other columns than the model says".to_owned()))?;
        let stored = Stored::read(model, None)?.ok_or_else(|| ModelError::MissingSection {
            name: Stored::SECTION.to_owned(),
        })?;
        Ok(Self {
            ranker,
            stored,
            fingerprint: model.card().fingerprint.clone(),
        })
    }

    /// Calibration and threshold.
    pub fn stored(&self) -> &Stored {
        &self.stored
    }

    /// A predictor that ranks by these trees.
    pub fn predictor(&self, config: RankedConfig) -> Ranked {
        let identity = format!("xgboost/{}", self.fingerprint);
        let calibration = Arc::clone(&self.stored.calibration);
        Ranked::new(&identity, config, calibration, Box::new(self.ranker.clone()))
    }
}

/// What the features of this program are called in an error.
fn known_columns() -> &'static str {
    static KNOWN: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    KNOWN.get_or_init(|| format!("{FEATURES_V2} with {} columns", FEATURES.len()))
}

/// The sections of a model file.
///
/// # Errors
/// What serialisation says.
pub fn ranking_sections(ensemble: &Ensemble, stored: &Stored) -> Result<Vec<Section>, serde_json::Error> {
    Ok(vec![
        Section::compressed(COLUMNS, serde_json::to_vec(FEATURES.as_slice())?),
        Section::compressed(TREES, ensemble.to_bytes()),
        stored.section()?,
    ])
}

//! What a model file holds for ranking candidates, beside the model itself.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::model::{Model, ModelError, Section};
use crate::ranking::{Calibration, Gate};

/// Calibration and threshold, and for models that only know likelihoods the gate that weighs them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stored {
    /// The least confidence with which to propose unless the user says otherwise.
    pub confidence: f32,
    /// From scores to probabilities.
    pub calibration: Arc<Calibration>,
    /// Weights of a row; none where the model weighs rows itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<Arc<Gate>>,
}

impl Stored {
    /// The name of the section in a model file.
    pub const SECTION: &str = "ranking";

    /// The section of a model file.
    ///
    /// # Errors
    /// What serialisation says.
    pub fn section(&self) -> Result<Section, serde_json::Error> {
        Ok(Section::compressed(Self::SECTION, serde_json::to_vec(self)?))
    }

    /// What a model file holds; none where the model was trained without ranking. `n_columns` are the columns that the
    /// gate must have, none where there must be no gate.
    ///
    /// # Errors
    /// [`ModelError`] where the section makes no sense or its gate was fitted to other features.
    pub fn read(model: &Model, n_columns: Option<usize>) -> Result<Option<Self>, ModelError> {
        let bytes = match model.section(Self::SECTION) {
            Ok(bytes) => bytes,
            Err(ModelError::MissingSection { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let malformed = |reason: String| ModelError::MalformedSection {
            section: Self::SECTION,
            reason,
        };
        let stored: Self = serde_json::from_slice(bytes).map_err(|error| malformed(error.to_string()))?;
        if !(stored.calibration.is_sound() && (0.0..=1.0).contains(&stored.confidence)) {
            return Err(malformed("its probabilities do not rise".to_owned()));
        }
        let found = stored.gate.as_ref().map(|gate| gate.n_columns());
        if found != n_columns || stored.gate.as_ref().is_some_and(|gate| !gate.is_finite()) {
            let words = |n: Option<usize>| n.map_or_else(|| "no gate".to_owned(), |n| format!("a gate of {n} columns"));
            return Err(malformed(format!(
                "it has {}, and this program needs {}",
                words(found),
                words(n_columns)
            )));
        }
        Ok(Some(stored))
    }
}

//! Options that a user gives once for whatever predictor she names.

use super::SpecError;
use super::options::Options;
use crate::context::Context;

/// Values of options where the text of a predictor gives none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Defaults {
    /// How much of the history is known; predictors that know no history take no notice.
    pub context: Option<Context>,
    /// `values`, as written; a predictor without this option refuses it.
    pub values: Option<String>,
    /// `confidence`, as written; a predictor without this option refuses it.
    pub confidence: Option<String>,
    /// `context_block`, as written; a predictor without this option refuses it.
    pub context_block: Option<String>,
}

impl From<Option<Context>> for Defaults {
    fn from(context: Option<Context>) -> Self {
        Self {
            context,
            ..Self::default()
        }
    }
}

impl Defaults {
    /// Sets what the text did not. `values` of several predictors are those of its parts.
    pub(super) fn apply(&self, options: &mut Options, of_several: bool) -> Result<(), SpecError> {
        if let Some(context) = self.context {
            let _ = options.set_default("context", &context.to_string());
        }
        if let Some(values) = self.values.as_deref().filter(|_| !of_several) {
            options.set_default("values", values)?;
        }
        if let Some(confidence) = &self.confidence {
            options.set_default("confidence", confidence)?;
        }
        if let Some(block) = self.context_block.as_deref().filter(|_| !of_several) {
            options.set_default("context_block", block)?;
        }
        Ok(())
    }

    /// What holds for the parts of several predictors: their confidence is their own.
    pub(super) fn of_parts(&self) -> Self {
        Self {
            confidence: None,
            ..self.clone()
        }
    }

    /// The same for a part that may lack the options `values` and `context_block`.
    pub(super) fn without_values(&self) -> Self {
        Self {
            values: None,
            context_block: None,
            ..self.clone()
        }
    }
}

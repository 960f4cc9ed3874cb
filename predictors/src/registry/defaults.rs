//! Options that a user gives once for whatever predictor she names.

use napsim_external::ExternalSettings;

use super::SpecError;
use super::options::Options;
use crate::context::Context;

/// Values of options where the text of a predictor gives none.
#[derive(Clone, Debug, Default)]
pub struct Defaults {
    /// How much of the history is known; predictors that know no history take no notice.
    pub context: Option<Context>,
    /// `values`, as written; a predictor without this option refuses it.
    pub values: Option<String>,
    /// `confidence`, as written; a predictor without this option refuses it.
    pub confidence: Option<String>,
    /// `context_block`, as written; a predictor without this option refuses it.
    pub context_block: Option<String>,
    /// Options of language models that others serve, by name, as written; a predictor without them refuses them.
    pub remote: Vec<(&'static str, String)>,
    /// How programs and services are treated.
    pub external: ExternalSettings,
}

impl From<Option<Context>> for Defaults {
    fn from(context: Option<Context>) -> Self {
        Self {
            context,
            ..Self::default()
        }
    }
}

/// Where a predictor stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// By itself.
    Alone,
    /// Around the parts that it is made of.
    Around,
    /// Among the parts of another one.
    Part,
}

impl Defaults {
    /// Sets what the text did not.
    ///
    /// Of several predictors, `confidence` is that of the whole, and all others are those of the parts that have them.
    pub(super) fn apply(&self, options: &mut Options, place: Place) -> Result<(), SpecError> {
        if let Some(context) = self.context {
            let _ = options.set_default("context", &context.to_string());
        }
        let of_parts = [("values", &self.values), ("context_block", &self.context_block)];
        let of_parts = of_parts
            .into_iter()
            .filter_map(|(name, value)| Some((name, value.as_ref()?)));
        let remote = self.remote.iter().map(|(name, value)| (*name, value));
        let of_parts = of_parts.chain(remote).filter(|_| place != Place::Around);
        let of_whole = self.confidence.iter().map(|value| ("confidence", value));
        let of_whole = of_whole.filter(|_| place != Place::Part);
        for (name, value) in of_parts.chain(of_whole) {
            match options.set_default(name, value) {
                Err(_) if place == Place::Part => {}
                set => set?,
            }
        }
        Ok(())
    }
}

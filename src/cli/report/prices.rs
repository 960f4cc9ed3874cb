//! What the answers of models would cost at a list of prices.

use std::path::Path;

use anyhow::anyhow;
use napsim_remote::TokenUse;
use napsim_remote::price::Prices;
use napsim_reports::UnitResult;
use napsim_reports::report::Cost;

use crate::exit::Failure;

/// A list of prices.
pub(super) struct PricesOfModels(Prices);

impl PricesOfModels {
    /// Reads the list.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let text =
            std::fs::read_to_string(path).map_err(|error| Failure::Input(anyhow!("failed to read {name}: {error}")))?;
        let prices = Prices::read(&text, &name).map_err(|error| Failure::Input(anyhow!("failed to {error}")))?;
        Ok(Self(prices))
    }

    /// What all answers of a run would cost, those too that were kept from before; none where the model has no price.
    pub(super) fn cost(&self, predictor: &str, results: &[UnitResult]) -> Option<Cost> {
        let model = predictor.split('?').next().unwrap_or(predictor);
        let price = self.0.of(model)?;
        let sum = |of: fn(&UnitResult) -> u64| results.iter().map(of).sum::<u64>();
        let calls = sum(|unit| {
            let summary = &unit.summary;
            u64::from(summary.predictions) + u64::from(summary.empty) + u64::from(summary.errors)
        });
        let tokens = TokenUse {
            input: sum(|unit| unit.summary.usage.input_tokens),
            output: sum(|unit| unit.summary.usage.output_tokens),
            ..TokenUse::default()
        };
        Some(Cost {
            calls,
            cached_calls: 0,
            unconfirmed_calls: 0,
            input_tokens: tokens.input,
            cached_input_tokens: 0,
            output_tokens: tokens.output,
            reasoning_tokens: 0,
            money: Some(price.of(tokens).to_string()),
            currency: Some(self.0.currency.clone()),
            prices_of: Some(self.0.date.clone()).filter(|date| !date.is_empty()),
        })
    }
}

//! What measuring the missing units of an experiment would ask of language models.

use std::num::NonZeroU32;

use napsim_predictors::LlmSetup;
use napsim_predictors::llm::Estimate;
use napsim_remote::TokenUse;
use napsim_remote::price::Prices;
use napsim_reports::table::{count, counts_table};
use napsim_trajectories::Trajectory;

use super::planned::Planned;
use crate::cli::measure::estimate::estimates;
use crate::console;
use crate::exit::Failure;
use crate::signals::Interruption;

/// What one model would be asked by one variant.
struct Row<'a> {
    variant: &'a str,
    model: LlmSetup,
    estimate: Estimate,
}

/// Prints what would be asked by each variant that asks language models over HTTP.
pub(in crate::cli) fn say_costs(
    planned: &Planned,
    wanted: &[bool],
    prices: &Prices,
    jobs: Option<NonZeroU32>,
    interruption: &Interruption,
) -> Result<(), Failure> {
    let mut rows: Vec<Row<'_>> = Vec::new();
    for (variant_idx, plan) in planned.variants.iter().enumerate() {
        let models = plan.variant.factory.remote_models();
        if models.is_empty() {
            continue;
        }
        let mut totals = vec![Estimate::default(); models.len()];
        for seed in &plan.seeds {
            let units = planned.units.iter().zip(wanted).filter(|(unit, wanted)| {
                **wanted && !unit.state.is_done() && unit.variant_idx == variant_idx && unit.seed == *seed
            });
            let trajectories: Vec<&Trajectory> = units
                .filter_map(|(unit, _)| plan.trajectories().get(unit.trajectory_idx))
                .collect();
            let of_seed = estimates(
                &plan.variant,
                &plan.setup(*seed).settings,
                &trajectories,
                jobs,
                interruption,
            )?;
            for (total, estimate) in totals.iter_mut().zip(of_seed) {
                total.calls += estimate.calls;
                total.known_calls += estimate.known_calls;
                total.tokens += estimate.tokens;
                total.tokens_max += estimate.tokens_max;
            }
        }
        rows.extend(models.into_iter().zip(totals).map(|(model, estimate)| Row {
            variant: &plan.name,
            model,
            estimate,
        }));
    }
    if rows.is_empty() || interruption.signal().is_some() {
        return Ok(());
    }
    let header = [
        "variant", "model", "calls", "kept", "read", "written", "cost", "cost max",
    ];
    let cost = |model: &LlmSetup, tokens: TokenUse| {
        let price = prices.of(&model.endpoint.name());
        price.map_or_else(
            || "-".to_owned(),
            |price| format!("{} {:.3}", prices.currency, price.of(tokens)),
        )
    };
    let cells = |row: &Row<'_>| {
        vec![
            row.variant.to_owned(),
            row.model.endpoint.name(),
            count(row.estimate.calls),
            count(row.estimate.known_calls),
            count(row.estimate.tokens.input),
            count(row.estimate.tokens.output),
            cost(&row.model, row.estimate.tokens),
            cost(&row.model, row.estimate.tokens_max),
        ]
    };
    let rows: Vec<Vec<String>> = rows.iter().map(cells).collect();
    console::print(&counts_table(&header.map(str::to_owned), &rows, console::width()))?;
    console::say(
        "napsim: an estimate: a question after each of the user's steps, a token for every four characters; variants that ask \
         the same pay for it once; nobody was asked",
    );
    Ok(())
}

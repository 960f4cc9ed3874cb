//! `napsim run --dry-run`: what a run would ask and what that would take.

use napsim_predictors::LlmSetup;
use napsim_predictors::llm::Estimate;
use napsim_remote::TokenUse;
use napsim_remote::price::Prices;
use napsim_reports::table::{count, counts_table};
use napsim_trajectories::Trajectory;
use serde_json::json;

use super::args::RunArgs;
use super::plan::Plan;
use crate::cli::measure::estimate::estimates;
use crate::console;
use crate::exit::{Exit, Failure};
use crate::signals::Interruption;

/// Works out what would be asked, and prints it.
pub(super) fn dry_run(plan: &Plan, args: &RunArgs, interruption: &Interruption) -> Result<Exit, Failure> {
    let setups = plan.variant.factory.remote_models();
    let (variant, trajectories) = (&plan.variant, &plan.corpus.trajectories);
    let trajectories: Vec<&Trajectory> = trajectories.iter().collect();
    let estimates = estimates(variant, &variant.setup.settings, &trajectories, args.jobs, interruption)?;
    if let Some(signal) = interruption.signal() {
        return Ok(Exit::Signal(signal));
    }
    let prices = plan
        .exchange
        .as_ref()
        .map(|exchange| exchange.ledger().prices().clone());
    print(plan, &setups, &estimates, &prices.unwrap_or_default(), args.json)?;
    Ok(Exit::Complete)
}

fn print(
    plan: &Plan,
    setups: &[LlmSetup],
    estimates: &[Estimate],
    prices: &Prices,
    as_json: bool,
) -> Result<(), Failure> {
    let money = |setup: &LlmSetup, tokens: TokenUse| {
        let price = prices.of(&setup.endpoint.name())?;
        Some(price.of(tokens))
    };
    if as_json {
        let model = |(setup, estimate): (&LlmSetup, &Estimate)| {
            json!({
                "model": setup.endpoint.name(),
                "address": setup.endpoint.address(),
                "calls": estimate.calls,
                "known_calls": estimate.known_calls,
                "tokens": estimate.tokens,
                "tokens_max": estimate.tokens_max,
                "money": money(setup, estimate.tokens),
                "money_max": money(setup, estimate.tokens_max),
            })
        };
        let object = json!({
            "schema": "napsim-dry-run/1",
            "protocol": plan.variant.setup.protocol,
            "corpus": plan.variant.setup.corpus,
            "predictor": plan.variant.setup.predictor,
            "trajectories": plan.corpus.trajectories.len(),
            "currency": Some(&prices.currency).filter(|currency| !currency.is_empty()),
            "prices_of": Some(&prices.date).filter(|date| !date.is_empty()),
            "models": setups.iter().zip(estimates).map(model).collect::<Vec<_>>(),
        });
        return console::print(&format!("{object}\n"));
    }
    let header = [
        "model",
        "calls",
        "kept",
        "read",
        "written",
        "written max",
        "cost",
        "cost max",
    ];
    let row = |(setup, estimate): (&LlmSetup, &Estimate)| {
        let cost = |tokens| {
            money(setup, tokens).map_or_else(|| "-".to_owned(), |money| format!("{} {money:.3}", prices.currency))
        };
        vec![
            setup.endpoint.name(),
            count(estimate.calls),
            count(estimate.known_calls),
            count(estimate.tokens.input),
            count(estimate.tokens.output),
            count(estimate.tokens_max.output),
            cost(estimate.tokens),
            cost(estimate.tokens_max),
        ]
    };
    let rows: Vec<Vec<String>> = setups.iter().zip(estimates).map(row).collect();
    console::print(&counts_table(&header.map(str::to_owned), &rows, console::width()))?;
    let first = "napsim: an estimate: a question after each of the user's steps, a token for every four characters; nobody was \
                 asked";
    console::say(first);
    if prices.currency.is_empty() {
        console::say("napsim: note: with --prices FILE it says what that costs (examples/prices.toml)");
    } else {
        console::say(&format!("napsim: prices of {}", prices.date));
    }
    Ok(())
}

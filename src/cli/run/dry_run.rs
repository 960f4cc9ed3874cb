//! `napsim run --dry-run`: what a run would ask and what that would take.

use std::sync::{Arc, Mutex, PoisonError};

use napsim_predictors::LlmSetup;
use napsim_predictors::llm::{Estimate, Rehearsal};
use napsim_remote::TokenUse;
use napsim_remote::price::Prices;
use napsim_reports::table::{count, counts_table};
use napsim_sim::event::Event;
use napsim_sim::rollout::{Task, rollout};
use serde_json::json;

use super::args::RunArgs;
use super::plan::Plan;
use crate::cli::measure::threads::{self, Queue};
use crate::cli::measure::timed::TimedPredictor;
use crate::console;
use crate::exit::{Exit, Failure};
use crate::signals::Interruption;

/// Goes through every trajectory with a user who takes nothing, and adds up the questions.
pub(super) fn dry_run(plan: &Plan, args: &RunArgs, interruption: &Interruption) -> Result<Exit, Failure> {
    let setups = plan.variant.factory.remote_models();
    let estimates = Arc::new(Mutex::new(Vec::new()));
    let trajectories = &plan.corpus.trajectories;
    let queue = Queue::new((0..trajectories.len()).collect());
    let threads = threads::for_rollouts(args.jobs, trajectories.len(), false)?;
    let failures = threads.broadcast(|_| {
        let rehearsal = Box::new(Rehearsal::new(&setups, &estimates));
        let mut predictor = TimedPredictor::around(rehearsal, interruption);
        let mut failure = None;
        while let Some(trajectory) = queue.take().and_then(|idx| trajectories.get(idx)) {
            let task = Task {
                name: &trajectory.name,
                actions: &trajectory.actions,
                policy: &plan.variant.policy,
                protocol: &plan.variant.protocol,
                settings: &plan.variant.setup.settings,
            };
            let summary = rollout(task, &mut predictor, &mut Vec::<Event>::new());
            failure = failure.or(summary.error.map(|error| format!("{}: {error}", trajectory.name)));
        }
        failure
    });
    if let Some(signal) = interruption.signal() {
        return Ok(Exit::Signal(signal));
    }
    if let Some(failure) = failures.into_iter().flatten().next() {
        return Err(Failure::Input(anyhow::anyhow!("{failure}")));
    }
    let mut estimates = std::mem::take(&mut *estimates.lock().unwrap_or_else(PoisonError::into_inner));
    estimates.resize(setups.len(), Estimate::default());
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

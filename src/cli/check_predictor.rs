//! `napsim check-predictor`: whether a predictor holds to what every predictor must hold to.

use std::time::Duration;

use clap::Args;
use indicatif::ProgressBar;
use napsim_conformance::{Finding, Suite, Verdict};
use napsim_external::{check_program, program_checks};

use super::chosen::ChosenArgs;
use crate::console;
use crate::exit::{Exit, Failure};
use crate::signals::Interruption;
use napsim_experiments::nearest::hint;

/// Check whether a predictor is one: deterministic, within its budget, nothing kept between trajectories, and so on.
#[derive(Debug, Args)]
#[command(about = "Check that a predictor holds to what every predictor must hold to", after_help = EXAMPLES, after_long_help = EXAMPLES)]
pub(super) struct CheckPredictorArgs {
    /// The predictor, as in `napsim run --predictor`.
    #[arg(value_name = "PREDICTOR", required_unless_present = "list")]
    predictor: Option<String>,

    /// Print what is checked, and check nothing.
    #[arg(long)]
    list: bool,

    /// Carry out this check alone (see `--list`); repeatable.
    #[arg(long, value_name = "CHECK", value_parser = check_name)]
    only: Vec<&'static str>,

    /// Length of the longest history that it is told.
    #[arg(long, value_name = "N", default_value_t = Suite::default().long_history)]
    long_history: usize,

    /// Print one JSON object (schema napsim-conformance/1) instead.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    chosen: ChosenArgs,
}

const EXAMPLES: &str = "\
Examples:
  napsim check-predictor 'exec:python3 my_predictor.py'
  napsim check-predictor http://127.0.0.1:8000/predict
  napsim check-predictor 'ngram?model=my.model' --json
  napsim check-predictor --list

Exit codes: 0 it holds to everything, 10 it does not, 2 it cannot be used at all.";

/// Every check: name, and what is demanded.
fn all_checks() -> impl Iterator<Item = (&'static str, &'static str)> {
    Suite::checks()
        .map(|check| (check.name, check.about))
        .chain(program_checks())
}

fn is_of_suite(name: &str) -> bool {
    Suite::checks().any(|check| check.name == name)
}

/// A check by its name.
fn check_name(text: &str) -> Result<&'static str, String> {
    let names = || all_checks().map(|(name, _)| name);
    names()
        .find(|name| *name == text)
        .ok_or_else(|| format!("there is no such check{}; --list names them", hint(text, names())))
}

/// Checks, and says what was found as it is found.
pub(super) fn check_predictor(args: &CheckPredictorArgs) -> Result<Exit, Failure> {
    if args.list {
        let line = |(name, about)| format!("{name:<22} {about}\n");
        console::print(&all_checks().map(line).collect::<String>())?;
        return Ok(Exit::Complete);
    }
    let interruption = Interruption::listen()?;
    let name = args.predictor.as_deref().unwrap_or_default();
    let factory = match args.chosen.factory(name, &interruption) {
        Ok(factory) => factory,
        Err(failure) => return interruption.or(failure),
    };
    let suite = Suite {
        seed: args.chosen.seed,
        long_history: args.long_history,
        only: args.only.iter().copied().filter(|name| is_of_suite(name)).collect(),
        ..Suite::default()
    };
    // Only a terminal shows it, and only while there is something to wait for.
    let progress = ProgressBar::new_spinner();
    progress.enable_steady_tick(Duration::from_millis(100));
    let mut n_found = 0;
    let mut watch = |finding: &Finding| {
        n_found += 1;
        progress.set_message(format!(
            "{n_found} checks done, the last one {}: {}",
            finding.check,
            finding.outcome.word()
        ));
    };
    let mut stop = || interruption.signal().is_some();
    let is_asked = |name: &str| args.only.is_empty() || args.only.contains(&name);
    let mut verdict = Verdict::default();
    if Suite::checks().any(|check| is_asked(check.name)) {
        verdict = suite.run_until(&mut || factory.build(), &mut watch, &mut stop);
    }
    let is_program_asked = program_checks().any(|(name, _)| is_asked(name));
    if let Some(command) = name.strip_prefix("exec:").filter(|_| is_program_asked) {
        let settings = args.chosen.external_settings(&interruption);
        let findings =
            check_program(command, settings).map_err(|error| Failure::Input(anyhow::anyhow!("failed to {error}")))?;
        let asked = findings.into_iter().filter(|finding| is_asked(finding.check));
        verdict.findings.extend(asked.inspect(&mut watch));
    }
    progress.finish_and_clear();
    if let Some(signal) = interruption.signal() {
        console::say("napsim: interrupted; what was not checked by then is unknown");
        return Ok(Exit::Signal(signal));
    }
    print(&verdict, factory.id(), args.json)?;
    Ok(if verdict.passed() {
        Exit::Complete
    } else {
        Exit::GateMissed
    })
}

fn print(verdict: &Verdict, predictor: &str, json: bool) -> Result<(), Failure> {
    if json {
        let object = serde_json::json!({
            "schema": "napsim-conformance/1",
            "predictor": predictor,
            "passed": verdict.passed(),
            "findings": verdict.findings,
        });
        return console::print(&format!("{object}\n"));
    }
    console::print_untrusted(&format!("{predictor}\n{verdict}\n"))
}

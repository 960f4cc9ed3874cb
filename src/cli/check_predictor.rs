//! `napsim check-predictor`: whether a predictor holds to what every predictor must hold to.

use clap::Args;
use napsim_conformance::{Finding, Outcome, Suite, Verdict};
use napsim_external::{check_program, program_checks};

use super::chosen::ChosenArgs;
use crate::console;
use crate::exit::{Exit, Failure};
use crate::signals::Interruption;

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

/// Checks, and says what was found as it is found.
pub(super) fn check_predictor(args: &CheckPredictorArgs) -> Result<Exit, Failure> {
    if args.list {
        let of_suite = Suite::checks().map(|check| (check.name, check.about));
        let line = |(name, about)| format!("{name:<22} {about}\n");
        console::print(&of_suite.chain(program_checks()).map(line).collect::<String>())?;
        return Ok(Exit::Complete);
    }
    let interruption = Interruption::listen()?;
    let name = args.predictor.as_deref().unwrap_or_default();
    let factory = args.chosen.factory(name, &interruption)?;
    let suite = Suite {
        seed: args.chosen.seed,
        long_history: args.long_history,
        ..Suite::default()
    };
    let mut watch = |finding: &Finding| {
        if !args.json && finding.outcome != Outcome::Skipped {
            console::say(&format!("{:<8} {}", finding.outcome.word(), finding.check));
        }
    };
    let mut stop = || interruption.signal().is_some();
    let mut verdict = suite.run_until(&mut || factory.build(), &mut watch, &mut stop);
    if let Some(command) = name.strip_prefix("exec:") {
        let settings = args.chosen.external_settings(&interruption);
        let findings =
            check_program(command, settings).map_err(|error| Failure::Input(anyhow::anyhow!("failed to {error}")))?;
        findings.iter().for_each(&mut watch);
        verdict.findings.extend(findings);
    }
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
    console::print_untrusted(&format!("{predictor}\n{verdict}"))
}

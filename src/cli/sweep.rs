//! `napsim sweep`: measures what is missing of an experiment, and compares its variants.

use std::num::NonZeroU32;
use std::str::FromStr;
use std::sync::Arc;

use clap::Args;
use napsim_remote::{Exchange, NoAnswerKind};
use napsim_reports::gate::Gate;
use napsim_reports::store::UnitStore;

use super::comparing::{self, ComparingArgs};
use super::experiment::{Ended, ExperimentArgs, Measuring, Planned, SelectionArgs, State, refuse_exchange, say_costs};
use super::measure::{programs, spending};
use super::plan::{self, PlanTable};
use super::remote::{self, ExchangeArgs};
use super::run::EngineArg;
use super::sources::{self, Source};
use crate::console;
use crate::exit::{Exit, Failure};
use crate::signals::Interruption;

/// Measure what is missing of an experiment, and compare its variants.
///
/// Units that the store has are not measured again, so the same command goes on where an interrupted one stopped, and
/// experiments share what they have in common. Whatever changes in the experiment, its corpus or its predictors makes other
/// units.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, after_long_help = EXAMPLES)]
pub(super) struct SweepArgs {
    #[command(flatten)]
    experiment: ExperimentArgs,

    #[command(flatten)]
    selection: SelectionArgs,

    /// Units at a time [default: the number of cores, or more where models are asked over HTTP]; makes no difference to any
    /// figure.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroU32>,

    /// Order in which units are measured: `longest` first, or `shuffled:SEED`; makes no difference to any figure. Processes
    /// that work in one store at the same time do less twice in different orders.
    #[arg(long, value_name = "ORDER", default_value = "longest")]
    order: Order,

    /// How proposals are judged; `plain` is slow, for checking, and makes no difference to any figure.
    #[arg(long, value_enum, default_value_t = EngineArg::Fast)]
    engine: EngineArg,

    /// Say how many units are done and to be done and what asking language models would take, and measure nothing.
    #[arg(long, conflicts_with = "gate")]
    dry_run: bool,

    /// Fail with exit code 10 unless every variant keeps this: 'uas >= 0.12', 'precision > 20% and uas.low >= 0.1';
    /// repeatable.
    #[arg(long, value_name = "RULE", value_parser = Gate::from_str)]
    gate: Vec<Gate>,

    #[command(flatten)]
    comparing: ComparingArgs,

    /// Show no progress.
    #[arg(long)]
    quiet: bool,

    #[command(flatten)]
    exchange: ExchangeArgs,
}

const EXAMPLES: &str = "\
Examples:
  napsim sweep experiments/paper/stride.toml
  napsim sweep experiments/paper/stride.toml --dry-run
  napsim sweep experiments/paper/context.toml --set first=10 --set policy=p90
  napsim sweep my.toml --gate 'uas >= 0.12' --export md > table.md
  napsim sweep my.toml --store /shared/units --partition slice:3/8

Exit codes: 0 all units asked for are done, 2 bad input, 10 a gate was missed, 20 some units failed, 30 environment, 130 and
143 interrupted; after 20, 30, 130 and 143 the same command goes on.";

/// In which order units are measured.
#[derive(Clone, Copy, Debug)]
enum Order {
    Longest,
    Shuffled(u64),
}

impl FromStr for Order {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let seed = text.strip_prefix("shuffled:").and_then(|seed| seed.parse().ok());
        match (text, seed) {
            ("longest", _) => Ok(Self::Longest),
            (_, Some(seed)) => Ok(Self::Shuffled(seed)),
            _ => Err("write longest or shuffled:SEED with a number, such as shuffled:1".to_owned()),
        }
    }
}

/// Measures what is missing, then compares.
pub(super) fn sweep(args: &SweepArgs) -> Result<Exit, Failure> {
    let interruption = Interruption::listen()?;
    let experiment = args.experiment.experiment()?;
    let file = args.experiment.file.display().to_string();
    let planned = Planned::new(experiment, &file, args.engine.engine(), &interruption);
    let mut planned = match planned {
        Ok(planned) => planned,
        Err(failure) => return interruption.or(failure),
    };
    // A rule about a variant that there is none of is better known before the work than after it.
    let names = planned.variants.iter().map(|plan| plan.name.as_str());
    let settings = args.comparing.statistics.settings(planned.baseline(), names)?;
    let wanted = args.selection.select(&planned.units)?;
    if args.dry_run {
        return dry_run(args, &mut planned, &wanted, &interruption);
    }
    let exchange = open_exchange(args, &mut planned, &interruption)?;
    let store = args.experiment.store.begin()?;
    let _at_work = store.measure()?;
    planned.look_up(&store, &interruption);
    if let Some(signal) = interruption.signal() {
        return Ok(Exit::Signal(signal));
    }
    store.keep_plan(&planned.record())?;
    say_what_is_there(args, &planned, &wanted);
    let measuring = Measuring {
        store: &store,
        interruption: &interruption,
        exchange: exchange.as_ref(),
        jobs: args.jobs,
        quiet: args.quiet,
        shuffle: match args.order {
            Order::Longest => None,
            Order::Shuffled(seed) => Some(seed),
        },
    };
    let ended = measuring.measure(&mut planned, &wanted)?;
    // Where locks do not reach, somebody may have removed it meanwhile.
    store.keep_plan(&planned.record())?;
    let is_complete = planned
        .units
        .iter()
        .zip(&wanted)
        .all(|(unit, wanted)| !wanted || unit.state.is_done());
    spending::finish(exchange.as_deref(), is_complete)?;
    if let Some(exit) = stopped(&planned, &wanted, &store, exchange.as_deref(), &interruption) {
        return Ok(exit);
    }
    say_ended(args, &planned, &wanted, &ended, exchange.as_deref());
    programs::say_all(&planned.externals(), Some(&store.stderr_path()), args.quiet);
    conclude(args, &planned, &wanted, &settings).map(|exit| planned.ending(exit))
}

/// Prints the comparison, and says what is missing or missed.
fn conclude(
    args: &SweepArgs,
    planned: &Planned,
    wanted: &[bool],
    settings: &comparing::Settings,
) -> Result<Exit, Failure> {
    let has_failures = say_failures(planned, wanted);
    let n_missing = planned
        .units
        .iter()
        .filter(|unit| matches!(unit.state, State::Missing))
        .count();
    if n_missing > 0 && !args.selection.is_everything() {
        // The part is done; whoever does the last part, or asks again, sees the whole.
        if !args.quiet {
            console::say(&format!(
                "napsim: {} of the experiment are still to be done; `napsim sweep` without a selection compares when all are",
                console::counted(n_missing, "unit", "units")
            ));
        }
        if args.comparing.json {
            let everything = vec![true; planned.units.len()];
            console::print(&PlanTable::new(planned, &everything).to_json()?)?;
        }
        if !args.gate.is_empty() {
            console::say("napsim: no gate is judged before all units are done");
        }
        let is_open = has_failures || !args.gate.is_empty();
        return Ok(if is_open { Exit::Incomplete } else { Exit::Complete });
    }
    let runs = sources::compared(&[Source::of_experiment(planned, None)]);
    let missed = comparing::conclude(&runs, settings, &args.comparing, &args.gate)?;
    Ok(if has_failures {
        Exit::Incomplete
    } else if missed {
        Exit::GateMissed
    } else {
        Exit::Complete
    })
}

/// Says what would be measured and what that would take.
fn dry_run(
    args: &SweepArgs,
    planned: &mut Planned,
    wanted: &[bool],
    interruption: &Interruption,
) -> Result<Exit, Failure> {
    if let Some(store) = args.experiment.store.open_if_there()? {
        planned.look_up(&store, interruption);
    }
    let exchange = open_exchange(args, planned, interruption)?;
    let table = PlanTable::new(planned, wanted);
    if args.comparing.json {
        return console::print(&table.to_json()?).map(|()| planned.ending(Exit::Complete));
    }
    console::print_untrusted(&table.text())?;
    let prices = exchange
        .map(|exchange| exchange.ledger().prices().clone())
        .unwrap_or_default();
    say_costs(planned, wanted, &prices, args.jobs, interruption)?;
    match interruption.signal() {
        Some(signal) => Ok(Exit::Signal(signal)),
        None => Ok(planned.ending(Exit::Complete)),
    }
}

/// Opens the places where answers are kept, if models are asked over HTTP.
fn open_exchange(
    args: &SweepArgs,
    planned: &mut Planned,
    interruption: &Interruption,
) -> Result<Option<Arc<Exchange>>, Failure> {
    let models = planned.remote_models();
    if models.is_empty() {
        refuse_exchange(&args.exchange)?;
        return Ok(None);
    }
    let exchange = Arc::new(args.exchange.open(&models, None, interruption)?);
    planned.ask_through(&exchange);
    Ok(Some(exchange))
}

fn say_what_is_there(args: &SweepArgs, planned: &Planned, wanted: &[bool]) {
    if args.quiet {
        return;
    }
    let table = PlanTable::new(planned, wanted);
    console::say(&format!("napsim: {}", table.sentence(&args.experiment.store.store)));
    plan::say_programs_without_fingerprint(planned, wanted);
}

/// A clean end before the work is done.
fn stopped(
    planned: &Planned,
    wanted: &[bool],
    store: &UnitStore,
    exchange: Option<&Exchange>,
    interruption: &Interruption,
) -> Option<Exit> {
    let done = |unit: &super::experiment::Unit| unit.state.is_done();
    let n_done = planned
        .units
        .iter()
        .zip(wanted)
        .filter(|(unit, wanted)| **wanted && done(unit))
        .count();
    let n_all = wanted.iter().filter(|wanted| **wanted).count();
    let kept = format!("{n_done} of {n_all} units are kept in {}", store.root().display());
    if let Some((exchange, halt)) = exchange.and_then(|exchange| Some((exchange, exchange.halted()?))) {
        let how = remote::go_on_hint(halt.kind, exchange);
        console::say(&format!("napsim: stopped: {}", halt.message));
        console::say(&format!("napsim: {kept}; {how}"));
        console::say(&format!("napsim: {}", spending::in_all(exchange)));
        return Some(remote::exit_of(halt.kind));
    }
    let signal = interruption.signal()?;
    console::say(&format!(
        "napsim: interrupted; {kept}; the same command goes on from there"
    ));
    if let Some(exchange) = exchange.filter(|exchange| !exchange.places().is_empty()) {
        console::say(&format!(
            "napsim: {}",
            remote::go_on_hint(NoAnswerKind::Stopped, exchange)
        ));
    }
    Some(Exit::Signal(signal))
}

fn say_ended(args: &SweepArgs, planned: &Planned, wanted: &[bool], ended: &Ended, exchange: Option<&Exchange>) {
    if args.quiet {
        return;
    }
    let n_wanted = wanted.iter().filter(|wanted| **wanted).count();
    let mut text = format!("{} measured", console::counted(ended.n_measured, "unit", "units"));
    if ended.n_elsewhere > 0 {
        text.push_str(&format!(", {} done by another process meanwhile", ended.n_elsewhere));
    }
    let n_kept = planned
        .units
        .iter()
        .zip(wanted)
        .filter(|(unit, wanted)| **wanted && unit.state.is_done())
        .count();
    console::say(&format!("napsim: {text}; {n_kept} of {n_wanted} done"));
    if let Some(exchange) = exchange {
        console::say(&format!("napsim: {}", spending::in_all(exchange)));
    }
}

/// Says which units failed; whether there are any.
fn say_failures(planned: &Planned, wanted: &[bool]) -> bool {
    /// More are only counted.
    const SHOWN_MAX: usize = 5;
    let failed: Vec<String> = planned
        .units
        .iter()
        .zip(wanted)
        .filter(|(_, wanted)| **wanted)
        .filter_map(|(unit, _)| {
            let State::Failed(result) = &unit.state else {
                return None;
            };
            let (plan, trajectory) = planned.of(unit)?;
            let reason = result.summary.error.as_deref().unwrap_or("calls failed");
            Some(format!(
                "{} in `{}` (seed {}): {reason}",
                trajectory.name, plan.name, unit.seed
            ))
        })
        .collect();
    for line in failed.iter().take(SHOWN_MAX) {
        console::say(&format!("napsim: failed: {line}"));
    }
    if !failed.is_empty() {
        let n = console::counted(failed.len(), "unit", "units");
        console::say(&format!("napsim: {n} failed; the same command measures them again"));
    }
    !failed.is_empty()
}

//! `napsim run`: measures a predictor on a corpus.

mod args;
mod dry_run;
mod keeper;
mod plan;
mod rollouts;
mod values;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use napsim_predictors::smollm::ActivityReport;
use napsim_remote::{NoAnswer, NoAnswerKind};
use napsim_reports::store::{LineFile, write_file};
use napsim_reports::table::{self, PredictionTime};
use napsim_reports::times::{RunClock, RunTimes};
use napsim_reports::{ComparedRun, ComparisonSettings, RunReport};

pub(super) use args::{EngineArg, ModeArg, RunArgs};
use keeper::Keeper;
use plan::Plan;
pub(super) use plan::read_corpus;
use rollouts::Unit;

use super::measure::{programs, spending};
use super::{comparing, output, remote};
use crate::console;
use crate::exit::{Exit, Failure};
use crate::signals::Interruption;

/// Measures, prints the figures, and keeps the record if asked to.
pub(super) fn run(args: &RunArgs) -> Result<Exit, Failure> {
    if args.json && args.logs_to_stdout() {
        let both = "the log of calls and the JSON object cannot both go to the standard output";
        return Err(Failure::Input(anyhow::anyhow!("{both}; give --log-calls a file")));
    }
    if let Some(log) = args.log_calls.as_deref().filter(|_| !args.logs_to_stdout()) {
        refuse_input(log, &args.corpus)?;
        // What cannot be written is better known before the work than after it; one that is dropped leaves nothing.
        LineFile::create(log)?;
    }
    let begin = Instant::now();
    let interruption = Interruption::listen()?;
    let mut plan = match Plan::new(args, &interruption) {
        Ok(plan) => plan,
        Err(failure) => return interruption.or(failure),
    };
    if args.remote.dry_run {
        plan.open_exchange(|models| args.remote.exchange.open(models, None, &interruption), false)?;
        return dry_run::dry_run(&plan, args, &interruption);
    }
    let keeper = Keeper::begin(args, &plan)?;
    let journal = keeper.as_ref().map(Keeper::answers_path);
    plan.open_exchange(
        |models| args.remote.exchange.open(models, journal, &interruption),
        args.remote.goes_on(),
    )?;
    let start = Instant::now();
    let kept = keeper
        .as_ref()
        .map(|keeper| keeper.kept(args, &plan))
        .unwrap_or_default();
    if let Some(keeper) = keeper.as_ref().filter(|_| !args.quiet) {
        keeper.say_kept(&kept, &plan);
    }
    let rollouts = rollouts::all(&plan, args, keeper.as_ref(), kept, &interruption)?;
    let seconds = start.elapsed().as_secs_f64();
    let is_complete = |unit: &Option<Unit>| unit.as_ref().is_some_and(|unit| unit.result.summary.error.is_none());
    spending::finish(plan.exchange.as_deref(), rollouts.units.iter().all(is_complete))?;
    if let Some(halt) = plan.halted() {
        return halted(halt, &plan, keeper.as_ref(), &rollouts.units, seconds);
    }
    if let Some(signal) = interruption.signal() {
        return interrupted(signal, &plan, keeper.as_ref(), &rollouts.units, seconds);
    }
    let (time_of_rollouts, n_threads) = (rollouts.time, rollouts.n_threads);
    let units: Vec<Unit> = rollouts.units.into_iter().flatten().collect();
    write_log(args, &units)?;
    let time = PredictionTime::sum(units.iter().filter_map(|unit| unit.time).map(|time| time.prediction));
    let results: Vec<_> = units.iter().map(|unit| unit.result.clone()).collect();
    let wall_s = keeper.as_ref().map_or(seconds, |keeper| keeper.wall_s(seconds));
    let mut report = RunReport::new(&plan.variant.setup, &results, Some(wall_s));
    if let Some(keeper) = &keeper {
        keeper.conclude(&report, &units, seconds)?;
    }
    if args.timings {
        let clock = RunClock {
            wall_s: begin.elapsed().as_secs_f64(),
            load_s: plan.load_s,
            rollouts_s: seconds,
            n_threads,
        };
        report.timings = Some(RunTimes::new(clock, time_of_rollouts));
    }
    report.cost = plan.exchange.as_ref().map(|exchange| spending::cost(exchange));
    output::figures(
        &report,
        Some(time),
        args.json,
        args.per_trajectory,
        args.logs_to_stdout(),
    )?;
    if !args.quiet {
        for (name, activity) in plan.variant.factory.activity() {
            console::say(&activity_line(name, &activity));
        }
        if let Some(exchange) = &plan.exchange {
            console::say(&format!("napsim: {}", spending::in_all(exchange)));
        }
    }
    let stderr_path = keeper.as_ref().map(Keeper::stderr_path);
    programs::say_all(&plan.variant.externals, stderr_path.as_deref(), args.quiet);
    if let Some(timings) = report.timings.filter(|_| !args.json) {
        console::say(table::times(&timings, console::width()).trim_end());
    }
    let mut exit = output::say_failures(&report);
    if !args.gate.is_empty() {
        let run = ComparedRun {
            name: plan.variant.setup.predictor.clone(),
            setup: plan.variant.setup.clone(),
            repeats: vec![results],
            digests: BTreeMap::new(),
            missing: 0,
        };
        let missed = comparing::are_missed(&[run], &ComparisonSettings::default(), &args.gate)?;
        if missed && exit == Exit::Complete {
            exit = Exit::GateMissed;
        }
    }
    let unfinished = plan
        .exchange
        .as_ref()
        .and_then(|exchange| exchange.unfinished_recording());
    if let Some(partial) = unfinished {
        console::say(&format!(
            "napsim: note: the recording is not complete; its answers are in {}, and the same command finishes it",
            partial.display()
        ));
    }
    Ok(exit)
}

/// What a language model has read and written, and how fast.
fn activity_line(name: &str, activity: &ActivityReport) -> String {
    format!(
        "napsim: {name}: {:.0} of {:.0} prompt tokens a prediction had to be read, at {:.0} tokens/s; {} written, at {:.0} \
         tokens/s a thread",
        activity.read_tokens_per_prediction(),
        activity.prompt_tokens_per_prediction(),
        activity.read_tokens_per_second(),
        activity.n_written_tokens,
        activity.written_tokens_per_second(),
    )
}

/// A log must not take the place of a file that the corpus is read from.
fn refuse_input(log: &Path, corpus: &Path) -> Result<(), Failure> {
    let (Ok(log_path), Ok(corpus_path)) = (log.canonicalize(), corpus.canonicalize()) else {
        return Ok(());
    };
    if log_path.is_file() && log_path.starts_with(&corpus_path) {
        let why = "it is a file of the corpus";
        return Err(Failure::Input(anyhow::anyhow!(
            "failed to write the log of calls to {}: {why}",
            log.display()
        )));
    }
    Ok(())
}

/// A clean end because nobody can be asked any more.
fn halted(
    halt: &NoAnswer,
    plan: &Plan,
    keeper: Option<&Keeper>,
    units: &[Option<Unit>],
    seconds: f64,
) -> Result<Exit, Failure> {
    if let Some(keeper) = keeper {
        keeper.keep_timings(units.iter().flatten(), seconds)?;
    }
    let n_done = units.iter().flatten().count();
    console::say(&format!("napsim: stopped: {}", halt.message));
    if let Some(exchange) = &plan.exchange {
        let how = remote::go_on_hint(halt.kind, exchange);
        console::say(&format!(
            "napsim: {n_done} of {} trajectories are done; {how}",
            units.len()
        ));
        console::say(&format!("napsim: {}", spending::in_all(exchange)));
    }
    Ok(remote::exit_of(halt.kind))
}

/// A clean end before the work is done.
fn interrupted(
    signal: u8,
    plan: &Plan,
    keeper: Option<&Keeper>,
    units: &[Option<Unit>],
    seconds: f64,
) -> Result<Exit, Failure> {
    let n_done = units.iter().flatten().count();
    match keeper {
        Some(keeper) => {
            keeper.keep_timings(units.iter().flatten(), seconds)?;
            console::say(&format!(
                "napsim: interrupted; {n_done} of {} trajectories are kept in {}; the same command goes on from there",
                units.len(),
                keeper.root().display()
            ));
        }
        None => match plan.exchange.as_ref().filter(|exchange| !exchange.places().is_empty()) {
            Some(exchange) => {
                let how = remote::go_on_hint(NoAnswerKind::Stopped, exchange);
                console::say(&format!("napsim: interrupted; {how}"));
            }
            None => console::say("napsim: interrupted; nothing is kept (with --out DIR the same command could go on)"),
        },
    }
    Ok(Exit::Signal(signal))
}

/// The log of calls, in corpus order.
fn write_log(args: &RunArgs, units: &[Unit]) -> Result<(), Failure> {
    let Some(path) = &args.log_calls else { return Ok(()) };
    let text: String = units.iter().filter_map(|unit| unit.log.as_deref()).collect();
    if args.logs_to_stdout() {
        console::print(&text)
    } else {
        Ok(write_file(path, text.as_bytes())?)
    }
}

//! `napsim suggest`: what a predictor proposes next for one history, or for whoever asks over the process protocol.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::anyhow;
use clap::Args;
use napsim_external::{Served, serve};
use napsim_predictors::PredictorFactory;
use napsim_sim::predictor::{
    Budget, CurrentWorkbook, Fingerprint, PredictError, Proposals, RejectedProposal, Remarks, Seed, TrajectoryHead,
    Usage, View,
};
use napsim_trajectories::read::{read_file, read_lines};
use napsim_trajectories::{Action, ReadError, ReadOptions, Trajectory};
use serde::Serialize;

use super::chosen::ChosenArgs;
use crate::console;
use crate::exit::{Exit, Failure};
use crate::signals::Interruption;

/// Print what a predictor proposes next for one history.
#[derive(Debug, Args)]
#[command(about = "Print what a predictor proposes next for one history", after_help = EXAMPLES, after_long_help = EXAMPLES)]
pub(super) struct SuggestArgs {
    /// The actions so far: one action a line, or .json; `-` reads lines from the standard input; without it there are none.
    #[arg(long, value_name = "FILE", conflicts_with = "serve")]
    history: Option<PathBuf>,

    /// Take only the first N actions, and show the one that followed.
    #[arg(long, value_name = "N", requires = "history")]
    step: Option<usize>,

    /// Predictor to ask (see `napsim list predictors`).
    #[arg(long, value_name = "NAME", default_value = "online-ngram")]
    predictor: String,

    /// Most actions wanted [default: as many as the predictor likes].
    #[arg(long, value_name = "N", conflicts_with = "serve")]
    max_actions: Option<NonZeroU32>,

    /// Print one JSON object (schema napsim-suggestion/1) instead.
    #[arg(long, conflicts_with = "serve")]
    json: bool,

    /// Answer on the standard output what is asked on the standard input (docs/PREDICTOR-PROTOCOL.md), for an add-in.
    #[arg(long)]
    serve: bool,

    #[command(flatten)]
    chosen: ChosenArgs,
}

const EXAMPLES: &str = "\
Examples:
  napsim suggest --history plan.txt
  napsim suggest --history plan.txt --step 40 --predictor xgboost --max-actions 1
  napsim suggest --history plan.txt --predictor 'exec:python3 my_predictor.py' --json
  napsim suggest --serve --predictor 'best-of(online-ngram,xgboost,lstm)'";

/// Asks once, or answers until nobody asks.
pub(super) fn suggest(args: &SuggestArgs) -> Result<Exit, Failure> {
    let interruption = Interruption::listen()?;
    let factory = match args.chosen.factory(&args.predictor, &interruption) {
        Ok(factory) => factory,
        Err(failure) => return interruption.or(failure),
    };
    if args.serve {
        return answer_until_the_end(&factory);
    }
    let trajectory = args.history.as_deref().map(read).transpose()?.flatten();
    let name = trajectory.as_ref().map_or("", |trajectory| &trajectory.name);
    let actions = trajectory.as_ref().map(|trajectory| trajectory.actions.as_slice());
    let actions = actions.unwrap_or_default();
    let step = args.step.unwrap_or(actions.len());
    let Some((history, future)) = actions.split_at_checked(step) else {
        let n = actions.len();
        return Err(Failure::Input(anyhow!(
            "failed to take the first {step} actions: {name} has {n}"
        )));
    };
    let start = Instant::now();
    let (usage, proposals) = match ask(&factory, args, name, history) {
        Ok(answer) => answer,
        Err(error) => return interruption.or(failure(&factory, &error)),
    };
    let seconds = start.elapsed().as_secs_f64();
    if let Some(signal) = interruption.signal() {
        return Ok(Exit::Signal(signal));
    }
    let suggestion = Suggestion::new(&factory, name, history, &proposals, usage);
    if args.json {
        let object = serde_json::to_string(&suggestion).map_err(Failure::environment)?;
        console::print(&format!("{object}\n"))?;
        return Ok(Exit::Complete);
    }
    console::print_untrusted(&suggestion.text())?;
    suggestion.say_more(seconds, future.first());
    Ok(Exit::Complete)
}

/// Reads a history, of which there is none in an empty file; there is nothing but text on the standard input.
fn read(path: &Path) -> Result<Option<Trajectory>, Failure> {
    let options = ReadOptions::default();
    let read = if path.as_os_str() == "-" {
        read_lines(std::io::stdin().lock(), Path::new("standard input"), options)
    } else {
        read_file(path, options)
    };
    match read {
        Ok(read) => Ok(Some(read.trajectory)),
        Err(ReadError::NoActions { .. }) => Ok(None),
        Err(error) => Err(Failure::Input(anyhow!("failed to {error}"))),
    }
}

/// Tells a new predictor the history and asks it.
fn ask(
    factory: &PredictorFactory,
    args: &SuggestArgs,
    name: &str,
    history: &[Action],
) -> Result<(Usage, Proposals), PredictError> {
    let mut predictor = factory.build();
    let sheet = history.first().map_or("Sheet1", |action| action.range().sheet());
    predictor.begin(TrajectoryHead { name, sheet }, Seed(args.chosen.seed));
    predictor.observe(history);
    let current = CurrentWorkbook::default();
    let view = View {
        history,
        current: &current,
        user_steps: u32::try_from(history.len()).unwrap_or(u32::MAX),
        call_idx: 0,
    };
    let budget = Budget {
        actions_max: args.max_actions.map(u32::from),
    };
    let mut proposals = Proposals::default();
    let usage = predictor.predict(view, budget, &mut proposals)?;
    if let Some(actions_max) = budget.actions_max {
        proposals.truncate(usize::try_from(actions_max).unwrap_or(usize::MAX));
    }
    Ok((usage, proposals))
}

fn failure(factory: &PredictorFactory, error: &PredictError) -> Failure {
    let kind = match error {
        PredictError::Unanswered(call) => format!(" ({})", call.kind),
        _ => String::new(),
    };
    Failure::Environment(anyhow!("failed to get an answer of {}: {error}{kind}", factory.id()))
}

/// The other end of the process protocol.
fn answer_until_the_end(factory: &PredictorFactory) -> Result<Exit, Failure> {
    let fingerprint = factory.fingerprint().0;
    let served = Served {
        name: factory.id(),
        fingerprint: Some(&fingerprint),
        wants_feedback: true,
    };
    let mut input = std::io::stdin().lock();
    let mut output = std::io::stdout().lock();
    serve(served, &mut || factory.build(), &mut input, &mut output)
        .map_err(|error| Failure::Environment(anyhow!("failed to {error}")))?;
    Ok(Exit::Complete)
}

/// A proposal as others read it.
#[derive(Serialize)]
struct SuggestedAction {
    action: String,
    confidence: Option<f64>,
}

/// What a predictor proposes, for other programs.
#[derive(Serialize)]
struct Suggestion<'a> {
    schema: &'static str,
    predictor: &'a str,
    fingerprint: Fingerprint,
    history: &'a str,
    n_history: usize,
    actions: Vec<SuggestedAction>,
    rejected: &'a [RejectedProposal],
    remarks: Option<&'a Remarks>,
    usage: Usage,
}

impl<'a> Suggestion<'a> {
    fn new(
        factory: &'a PredictorFactory,
        name: &'a str,
        history: &[Action],
        proposals: &'a Proposals,
        usage: Usage,
    ) -> Self {
        let suggested = proposals.actions().iter().map(|proposal| SuggestedAction {
            action: proposal.action.to_string(),
            confidence: proposal.confidence,
        });
        Self {
            schema: "napsim-suggestion/1",
            predictor: factory.id(),
            fingerprint: factory.fingerprint(),
            history: name,
            n_history: history.len(),
            actions: suggested.collect(),
            rejected: proposals.rejected(),
            remarks: proposals.remarks(),
            usage,
        }
    }

    /// One action a line, with its confidence before it where there is any.
    fn text(&self) -> String {
        let has_confidence = self.actions.iter().any(|action| action.confidence.is_some());
        let line = |action: &SuggestedAction| match action.confidence {
            Some(confidence) => format!("{:>3.0} %  {}\n", 100.0 * confidence, action.action),
            None if has_confidence => format!("       {}\n", action.action),
            None => format!("{}\n", action.action),
        };
        self.actions.iter().map(line).collect()
    }

    /// What is no data: what was lost, what really followed, how long it took.
    fn say_more(&self, seconds: f64, next: Option<&Action>) {
        if self.actions.is_empty() {
            console::say("napsim: no suggestion");
        }
        for rejected in self.rejected {
            console::say(&format!("napsim: no action: `{}`: {}", rejected.text, rejected.reason));
        }
        for dropped in self.remarks.iter().flat_map(|remarks| &remarks.dropped) {
            console::say(&format!(
                "napsim: not taken as a proposal: `{}`: {}",
                dropped.text, dropped.why
            ));
        }
        if let Some(intent) = self.remarks.and_then(|remarks| remarks.intent.as_deref()) {
            console::say(&format!("napsim: intent: {intent}"));
        }
        if let Some(next) = next {
            console::say(&format!("napsim: what followed: {next}"));
        }
        let n = console::counted(self.n_history, "action", "actions");
        console::say(&format!(
            "napsim: {} after {n}, in {:.1} ms",
            self.predictor,
            1000.0 * seconds
        ));
    }
}

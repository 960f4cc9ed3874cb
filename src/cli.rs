//! The command line: what can be asked for, and who answers.

mod analysed;
mod breakdown;
mod cache;
mod check_predictor;
mod chosen;
mod chosen_unit;
mod compare;
mod comparing;
mod corpora;
mod corpus;
mod experiment;
mod explain;
mod export;
mod external;
mod gc;
mod import_config;
mod list;
mod measure;
mod model;
mod output;
mod plan;
mod progress;
mod prompt;
mod records;
mod remote;
mod replay;
mod report;
mod run;
mod show;
mod sources;
mod status;
mod stores;
mod streaks;
mod suggest;
mod sweep;
mod trace;
mod train;
mod trajectory;

use clap::error::{ContextKind, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};

use crate::console;
use crate::exit::{Exit, Failure};
use napsim_experiments::nearest::hint;

/// Measures next-action predictors for spreadsheets.
///
/// A simulated user works through recorded trajectories; after each step a predictor proposes what comes next,
/// a policy takes or refuses it, and what is left to do is rewritten.
#[derive(Debug, Parser)]
#[command(name = "napsim", version, max_term_width = 100, after_help = EXAMPLES, after_long_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  napsim run                             measure the online n-gram on the built-in trajectories
  napsim run my/trajectories --out runs/first
  napsim show runs/first                 print the table of a recorded run again
  napsim report runs/first               a page with tables, charts and replays
  napsim streaks runs/first              how many predictions are accepted in a row
  napsim breakdown runs/first --by kind  which predictions are accepted
  napsim trace runs/first 01-bakery      one trajectory step by step
  napsim replay runs/first               derive every figure of it again
  napsim sweep experiments/first.toml    measure and compare the variants of an experiment
  napsim compare runs/first runs/second  which of two runs is better, and whether that is chance
  napsim explain uas                     what a figure means
  napsim corpus build plan.xlsx          make trajectories out of workbooks
  napsim train ngram --help              how to train a predictor
  napsim prompt show --predictor openai/gpt-5-mini
                                         what a language model would be asked
  napsim suggest --history plan.txt      what a predictor proposes next for one history
  napsim check-predictor 'exec:python3 my_predictor.py'
                                         what is wrong with a predictor of your own

Exit codes: 0 complete, 1 a bug, 2 bad input, 10 a check failed, 20 incomplete, 30 environment, 130 and 143 interrupted.";

#[derive(Debug, Subcommand)]
enum Command {
    Run(Box<run::RunArgs>),
    Sweep(Box<sweep::SweepArgs>),
    Plan(plan::PlanArgs),
    Status(status::StatusArgs),
    Compare(compare::CompareArgs),
    #[command(subcommand)]
    Export(export::ExportCommand),
    Merge(stores::MergeArgs),
    Verify(stores::VerifyArgs),
    Gc(gc::GcArgs),
    ImportConfig(import_config::ImportConfigArgs),
    Show(show::ShowArgs),
    Streaks(streaks::StreaksArgs),
    Breakdown(breakdown::BreakdownArgs),
    Trace(trace::TraceArgs),
    Report(report::ReportArgs),
    Replay(replay::ReplayArgs),
    Explain(explain::ExplainArgs),
    List(list::ListArgs),
    #[command(subcommand)]
    Trajectory(trajectory::TrajectoryCommand),
    #[command(subcommand)]
    Corpus(corpora::CorpusCommand),
    #[command(subcommand)]
    Train(train::TrainCommand),
    #[command(subcommand)]
    Model(model::ModelCommand),
    #[command(subcommand)]
    Prompt(prompt::PromptCommand),
    #[command(subcommand)]
    Cache(cache::CacheCommand),
    Suggest(Box<suggest::SuggestArgs>),
    CheckPredictor(Box<check_predictor::CheckPredictorArgs>),
}

/// The word that stands in place of a command.
fn unknown_command(error: &clap::Error) -> Option<String> {
    let word = error.get(ContextKind::InvalidSubcommand)?;
    (error.kind() == ErrorKind::InvalidSubcommand).then(|| word.to_string())
}

/// Says that there is no such command, with the nearest one and where to find the others.
fn say_unknown(word: &str) {
    let root = Cli::command();
    let mut commands = &root;
    let mut path = "napsim".to_owned();
    // The words before the unknown one are commands with commands of their own.
    for argument in std::env::args().skip(1).take_while(|argument| argument != word) {
        if let Some(inner) = commands.find_subcommand(&argument) {
            commands = inner;
            path.push_str(&format!(" {argument}"));
        }
    }
    let hint = hint(word, commands.get_subcommands().map(clap::Command::get_name));
    console::say(&format!(
        "napsim: unknown command `{word}`{hint}; `{path} --help` lists them"
    ));
}

/// Does what the command line asks for.
pub(crate) fn main() -> Exit {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            if let Some(word) = unknown_command(&error) {
                say_unknown(&word);
                return Exit::BadInput;
            }
            // Help and version are data; where they cannot be written nothing else can.
            let _ = error.print();
            let is_answer = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
            return if is_answer { Exit::Complete } else { Exit::BadInput };
        }
    };
    let result = match &cli.command {
        Command::Run(args) => run::run(args),
        Command::Sweep(args) => sweep::sweep(args),
        Command::Plan(args) => plan::plan(args),
        Command::Status(args) => status::status(args),
        Command::Compare(args) => compare::compare(args),
        Command::Export(command) => export::export(command),
        Command::Merge(args) => stores::merge(args),
        Command::Verify(args) => stores::verify(args),
        Command::Gc(args) => gc::gc(args),
        Command::ImportConfig(args) => import_config::import_config(args),
        Command::Show(args) => show::show(args),
        Command::Streaks(args) => streaks::streaks(args),
        Command::Breakdown(args) => breakdown::breakdown(args),
        Command::Trace(args) => trace::trace(args),
        Command::Report(args) => report::report(args),
        Command::Replay(args) => replay::replay(args),
        Command::Explain(args) => explain::explain(args),
        Command::List(args) => list::list(args),
        Command::Trajectory(command) => trajectory::trajectory(command),
        Command::Corpus(command) => corpora::corpus(command),
        Command::Train(command) => train::train(command),
        Command::Model(command) => model::model(command),
        Command::Prompt(command) => prompt::prompt(command),
        Command::Cache(command) => cache::cache(command),
        Command::Suggest(args) => suggest::suggest(args),
        Command::CheckPredictor(args) => check_predictor::check_predictor(args),
    };
    result.unwrap_or_else(|failure| match failure {
        Failure::Closed => Exit::Complete,
        Failure::Input(error) => {
            console::say(&format!("napsim: {error:#}"));
            Exit::BadInput
        }
        Failure::Environment(error) => {
            console::say(&format!("napsim: {error:#}"));
            Exit::Environment
        }
    })
}

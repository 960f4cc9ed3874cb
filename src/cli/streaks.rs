//! `napsim streaks`: accepted predictions in a row.

use clap::{Args, ValueEnum};
use napsim_analysis::{CsvRows, RunAnalysis, Streaks, streaks};

use super::analysed::{self, Form};
use super::sources::SourceArgs;
use crate::exit::{Exit, Failure};

/// Say how many predictions are accepted in a row.
///
/// And whether that is more than chance. A streak is an unbroken run of accepted predictions of one trajectory; actions of the user and empty answers between them do
/// not end it. docs/REPORTS.md has the definitions.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct StreaksArgs {
    #[command(flatten)]
    sources: SourceArgs,

    /// Print one JSON object a run (schema napsim-streaks/1), one a line.
    #[arg(long, conflicts_with = "csv")]
    json: bool,

    /// Print a table as CSV: how many streaks are at least so long (`survival`), how many have each length (`lengths`), or
    /// where they start and end (`turns`).
    #[arg(long, value_name = "TABLE", num_args = 0..=1, default_missing_value = "survival")]
    csv: Option<Table>,

    /// Show no progress.
    #[arg(long)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  napsim streaks runs/first
  napsim streaks runs/first runs/second --csv > survival.csv
  napsim streaks experiments/paper/stride.toml --json

Exit codes: 0 shown, 2 bad input, 20 some runs are incomplete.";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Table {
    Survival,
    Lengths,
    Turns,
}

impl Table {
    fn of(self, streaks: &Streaks) -> CsvRows {
        match self {
            Self::Survival => streaks.survival_csv(),
            Self::Lengths => streaks.lengths_csv(),
            Self::Turns => streaks.turns_csv(),
        }
    }
}

/// Prints the streaks of each run.
pub(super) fn streaks(args: &StreaksArgs) -> Result<Exit, Failure> {
    let table = args.csv.map(|table| move |streaks: &Streaks| table.of(streaks));
    let form = match &table {
        Some(table) => Form::Csv(table),
        None if args.json => Form::Json,
        None => Form::Text(streaks::text),
    };
    analysed::show(&args.sources, args.quiet, RunAnalysis::streaks, &form)
}

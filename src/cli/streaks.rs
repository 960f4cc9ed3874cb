//! `napsim streaks`: accepted predictions in a row.

use clap::{Args, ValueEnum};
use napsim_analysis::{CsvRows, Streaks, streaks};

use super::analysed;
use super::sources::SourceArgs;
use crate::console;
use crate::exit::{Exit, Failure};
use crate::signals::Interruption;

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
    let interruption = Interruption::listen()?;
    let sources = match args.sources.read(&interruption) {
        Ok(sources) => sources,
        Err(failure) => return interruption.or(failure),
    };
    let analysed = match analysed::all(&sources, args.quiet, &interruption) {
        Ok(analysed) => analysed,
        Err(failure) => return interruption.or(failure),
    };
    let of_runs = analysed.iter().map(|run| (run, run.analysis.streaks()));
    if let Some(table) = args.csv {
        let tables = of_runs.map(|(run, streaks)| table.of(&streaks).under("run", &run.name));
        analysed::print_csv(tables)?;
    } else if args.json {
        for (run, streaks) in of_runs {
            analysed::print_json(run, &streaks)?;
        }
    } else {
        for (run, streaks) in of_runs {
            let text = streaks::text(&streaks, console::width());
            console::print_untrusted(&analysed::headed(run, analysed.len() > 1, &text))?;
        }
    }
    Ok(analysed::ending(&sources))
}

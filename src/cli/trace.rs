//! `napsim trace`: one trajectory step by step, or all of them at a glance.

use clap::Args;
use napsim_analysis::progress::Progress;
use napsim_analysis::trace::{self, Trace};
use napsim_analysis::{CsvRows, sparkline};
use napsim_reports::table::{count, counts_table, percent};
use serde_json::json;

use super::chosen_unit::RunChoice;
use super::sources::MeasuredUnit;
use crate::console;
use crate::exit::{Exit, Failure};
use crate::signals::Interruption;

/// Show a recorded trajectory step by step.
///
/// What the user did, what was proposed, why it was taken or refused, and what it changed.
///
/// Without a trajectory, all of them with their progress at a glance: how fast what is left to do goes down.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct TraceArgs {
    #[command(flatten)]
    choice: RunChoice,

    /// Name of the trajectory, or as much of it as only one begins with.
    trajectory: Option<String>,

    /// Only this action of the user, counted from 1, and the calls after it.
    #[arg(long, value_name = "N", requires = "trajectory")]
    step: Option<u32>,

    /// Print JSON: one object for the trajectory (schema napsim-trace/1), or a line a trajectory.
    #[arg(long, conflicts_with = "csv")]
    json: bool,

    /// Print a table as CSV: the answers of the predictor and what became of them, or a row a trajectory.
    #[arg(long, conflicts_with = "step")]
    csv: bool,
}

const EXAMPLES: &str = "\
Examples:
  napsim trace runs/first
  napsim trace runs/first 01-bakery
  napsim trace runs/first 01-bakery --step 12
  napsim trace experiments/paper/stride.toml --variant stride=4 01-bakery --json

Exit codes: 0 shown, 2 bad input, 20 the list is not complete.";

/// Characters of a sparkline.
const CURVE_WIDTH: u32 = 24;

/// Prints the trajectory, or the list of them.
pub(super) fn trace(args: &TraceArgs) -> Result<Exit, Failure> {
    let interruption = Interruption::listen()?;
    let source = match args.choice.source(&interruption) {
        Ok(source) => source,
        Err(failure) => return interruption.or(failure),
    };
    let Some(name) = &args.trajectory else {
        list(args, &args.choice.units(&source)?)?;
        if !source.is_complete() {
            console::say("napsim: some trajectories are missing or failed");
            return Ok(Exit::Incomplete);
        }
        return Ok(Exit::Complete);
    };
    let record = args.choice.record(&source, name)?;
    let no_step = |error: trace::NoSuchStep| Failure::Input(anyhow::anyhow!("failed to {error}"));
    if args.csv {
        let table = Progress::of(&record).marks_csv();
        console::print(&table.to_text().map_err(Failure::environment)?)?;
    } else if args.json {
        let trace = Trace::of(&record, args.step).map_err(no_step)?;
        let text = serde_json::to_string(&trace).map_err(Failure::environment)?;
        console::print(&format!("{text}\n"))?;
    } else {
        let text = trace::text(&record, args.step, console::width()).map_err(no_step)?;
        console::print_untrusted(&text)?;
    }
    Ok(Exit::Complete)
}

/// One trajectory at a glance.
struct Row<'a> {
    unit: &'a MeasuredUnit,
    /// Shares of the trajectory that are left to do, at equal distances from its beginning to its end.
    curve: Vec<f64>,
}

fn list(args: &TraceArgs, units: &[&MeasuredUnit]) -> Result<(), Failure> {
    let mut rows = Vec::with_capacity(units.len());
    for unit in units {
        let record = unit.place.read()?;
        let curve = record.map_or_else(Vec::new, |record| Progress::of(&record).shares_left(CURVE_WIDTH));
        rows.push(Row { unit, curve });
    }
    if args.csv {
        let mut table = CsvRows {
            header: ["trajectory", "actions", "user_steps", "uas", "predictions", "accepted"]
                .map(str::to_owned)
                .into(),
            rows: Vec::new(),
        };
        for row in &rows {
            let summary = &row.unit.result.summary;
            let mut cells = CsvRows::cells(&[&summary.name]);
            cells.extend([summary.actions, summary.user_steps].map(|n| n.to_string()));
            cells.push(summary.uas.map(|uas| uas.to_string()).unwrap_or_default());
            cells.extend([summary.predictions, summary.accepted].map(|n| n.to_string()));
            table.rows.push(cells);
        }
        return console::print(&table.to_text().map_err(Failure::environment)?);
    }
    if args.json {
        for row in &rows {
            let summary = &row.unit.result.summary;
            let object = json!({
                "trajectory": summary.name, "actions": summary.actions, "user_steps": summary.user_steps,
                "uas": summary.uas, "predictions": summary.predictions, "accepted": summary.accepted, "left": row.curve,
            });
            console::print(&format!("{object}\n"))?;
        }
        return Ok(());
    }
    let header = [
        "trajectory",
        "actions",
        "steps",
        "UAS",
        "predictions",
        "accepted",
        "left to do",
    ];
    let cells = |row: &Row<'_>| {
        let summary = &row.unit.result.summary;
        let curve: Vec<Option<f64>> = row.curve.iter().copied().map(Some).collect();
        vec![
            summary.name.clone(),
            count(summary.actions.into()),
            count(summary.user_steps.into()),
            percent(summary.uas),
            count(summary.predictions.into()),
            count(summary.accepted.into()),
            sparkline(&curve),
        ]
    };
    let rows: Vec<Vec<String>> = rows.iter().map(cells).collect();
    console::print_untrusted(&counts_table(&header.map(str::to_owned), &rows, console::width()))
}

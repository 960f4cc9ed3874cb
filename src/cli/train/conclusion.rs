//! How every training ends.

use anyhow::anyhow;
use napsim_reports::table::count;
use napsim_training::sequences::DataReport;
use napsim_training::{Trained, TrainingError};

use super::args::TrainingArgs;
use super::output;
use crate::cli::model::{card, print_risk_coverage};
use crate::console;
use crate::exit::{Exit, Failure};

/// Why a training failed, as an end of the program.
pub(super) fn failure(error: &TrainingError) -> Failure {
    let is_environment = error.is_environment();
    let error = anyhow!("failed to {error}");
    if is_environment {
        Failure::Environment(error)
    } else {
        Failure::Input(error)
    }
}

/// Writes the model and says what it is.
pub(super) fn conclude(args: &TrainingArgs, trained: &Trained) -> Result<Exit, Failure> {
    say_left_out(&trained.report);
    output::write(&args.out, &trained.model)?;
    card::print(&trained.model, args.json)?;
    if args.calibrate {
        print_risk_coverage(&trained.model)?;
    }
    if !args.data.quiet {
        let (kind, path) = (trained.model.card().kind, args.out.display());
        console::say(&format!(
            "napsim: measure it with `napsim run --predictor '{kind}?model={path}'`"
        ));
    }
    Ok(Exit::Complete)
}

/// Says what of the data was left out, and why.
pub(super) fn say_left_out(report: &DataReport) {
    for bad in &report.bad_lines {
        console::say(&format!("napsim: skipped {bad}"));
    }
    if report.n_bad > 0 {
        let (n_bad, n_lines) = (count(report.n_bad), count(report.n_lines));
        console::say(&format!("napsim: note: {n_bad} of {n_lines} lines skipped"));
    }
    if report.split.valid == 0 {
        console::say("napsim: note: no sequence is for validation, so the model was not measured");
    }
}

//! What is refused of an experiment before anything is measured, and how that is said.

use anyhow::anyhow;
use clap::error::ContextKind;
use napsim_experiments::{Experiment, Variant as AskedVariant};
use napsim_predictors::PredictorFactory;

use super::VariantPlan;
use crate::cli::measure::variant::Variant;
use crate::cli::run::RunArgs;
use crate::console;
use crate::exit::Failure;

/// Most units of an experiment: some 2 GB of plan, and days of measuring even if each takes but a tenth of a second.
const UNITS_MAX: usize = 4_000_000;

pub(super) fn refuse_too_many(variants: &[VariantPlan]) -> Result<(), Failure> {
    let of_variant = |plan: &VariantPlan| plan.seeds.len().saturating_mul(plan.trajectories().len());
    let n_units = variants.iter().map(of_variant).fold(0, usize::saturating_add);
    if n_units <= UNITS_MAX {
        return Ok(());
    }
    Err(Failure::Input(anyhow!(
        "failed to plan {n_units} units, variants times repeats times trajectories: an experiment has at most {UNITS_MAX}"
    )))
}

/// Options that mean nothing to some predictors. A file may set them for all of its variants, if only they mean something to
/// one of them.
#[derive(Default)]
pub(super) struct Refusals {
    first: Option<Failure>,
    fits_one: bool,
}

impl Refusals {
    pub(super) fn see(&mut self, args: &RunArgs, factory: &PredictorFactory) {
        match Variant::check(args, factory) {
            Err(failure) if self.first.is_none() => self.first = Some(failure),
            Err(_) => {}
            Ok(()) => self.fits_one |= !factory.externals().is_empty() || !factory.remote_models().is_empty(),
        }
    }

    pub(super) fn check(self) -> Result<(), Failure> {
        match self.first {
            Some(failure) if !self.fits_one => Err(failure),
            _ => Ok(()),
        }
    }
}

/// Says which variants cannot be measured, and why.
pub(super) fn say_unavailable(unavailable: &[(String, Failure)]) {
    for (name, failure) in unavailable {
        if let Failure::Input(error) | Failure::Environment(error) = failure {
            console::say(&format!("napsim: `{name}` cannot be measured now: {error:#}"));
        }
    }
}

/// A message about options of the command line, for those who write settings into a file.
pub(super) fn of_experiments(failure: Failure) -> Failure {
    const HINT: &str = "in an experiment, an option is a key of the file or --set KEY=VALUE";
    match failure {
        Failure::Input(error) if format!("{error:#}").contains("--") => Failure::Input(anyhow!("{error:#} ({HINT})")),
        failure => failure,
    }
}

/// What is wrong with a value, and where it was given.
pub(super) fn refused(experiment: &Experiment, asked: &AskedVariant, file: &str, error: &clap::Error) -> anyhow::Error {
    let argument = error.get(ContextKind::InvalidArg).map(ToString::to_string);
    let setting = argument.as_deref().and_then(|argument| {
        let name = argument.split_whitespace().next()?;
        name.strip_prefix("--")
    });
    let place = experiment.place(asked, setting.unwrap_or_default());
    anyhow!(
        "failed to read {file}{place}: variant `{}`: {}",
        asked.name,
        first_line(error)
    )
}

/// What clap says, without its hints about the command line.
fn first_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}

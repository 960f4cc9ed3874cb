//! `napsim plan`: the units of an experiment, and scripts that have them measured elsewhere.

mod emit;

use std::num::NonZeroU32;
use std::path::Path;

use clap::{Args, ValueEnum};
use napsim_reports::table::{count, counts_table};
use napsim_sim::engine::Engine;
use serde::Serialize;
use serde_json::json;

use super::experiment::{ExperimentArgs, Planned, SelectionArgs, State};
use crate::console;
use crate::exit::{Exit, Failure};
use crate::signals::Interruption;

/// Say what an experiment would measure, or print a script that has it measured elsewhere.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, after_long_help = EXAMPLES)]
pub(super) struct PlanArgs {
    #[command(flatten)]
    experiment: ExperimentArgs,

    #[command(flatten)]
    selection: SelectionArgs,

    /// What is printed: a `table` of variants, or one line in JSON a unit (`jsonl`).
    #[arg(long, value_enum, default_value_t = FormatArg::Table, conflicts_with_all = ["json", "emit"])]
    format: FormatArg,

    /// Print one JSON object (schema napsim-plan-summary/1) instead of a table.
    #[arg(long)]
    json: bool,

    /// Print a script for a scheduler, which runs nothing by itself.
    #[arg(long, value_enum, value_name = "SCHEDULER", conflicts_with_all = ["json", "partition", "units"])]
    emit: Option<emit::Scheduler>,

    /// Parts that the script splits the units into [default: one for every 20 units, at most 64].
    #[arg(long, value_name = "N", requires = "emit")]
    parts: Option<NonZeroU32>,
}

const EXAMPLES: &str = "\
Examples:
  napsim plan experiments/paper/stride.toml
  napsim plan my.toml --format jsonl | grep missing > todo.jsonl
  napsim plan my.toml --emit slurm --parts 16 > sweep.sbatch
  napsim plan my.toml --emit k8s > job.yaml
  napsim plan my.toml --emit parallel | parallel";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FormatArg {
    /// Variants with counts.
    Table,
    /// Units, one a line.
    Jsonl,
}

/// A unit for other programs. Field names are a contract.
#[derive(Serialize)]
struct UnitLine<'a> {
    unit: &'a str,
    variant: &'a str,
    trajectory: &'a str,
    seed: u64,
    actions: u32,
    state: &'static str,
}

/// Prints the plan.
pub(super) fn plan(args: &PlanArgs) -> Result<Exit, Failure> {
    let interruption = Interruption::listen()?;
    let planned = match planned(&args.experiment, &interruption) {
        Ok(planned) => planned,
        Err(failure) => return interruption.or(failure),
    };
    let wanted = args.selection.select(&planned.units)?;
    if let Some(scheduler) = args.emit {
        let n_units = PlanTable::new(&planned, &wanted).totals.n_distinct;
        console::print(&emit::script(scheduler, &args.experiment, n_units, args.parts)?)?;
    } else if args.json {
        console::print(&PlanTable::new(&planned, &wanted).to_json()?)?;
    } else if args.format == FormatArg::Jsonl {
        console::print(&lines(&planned, &wanted)?)?;
    } else {
        let table = PlanTable::new(&planned, &wanted);
        console::print_untrusted(&table.text())?;
        console::say(&format!("napsim: {}", table.sentence(&args.experiment.store.store)));
    }
    Ok(planned.ending(Exit::Complete))
}

/// The experiment with what its store has, which need not be there.
pub(super) fn planned(args: &ExperimentArgs, interruption: &Interruption) -> Result<Planned, Failure> {
    let experiment = args.experiment()?;
    let file = args.file.display().to_string();
    let mut planned = Planned::new(experiment, &file, Engine::Fast, interruption)?;
    if let Some(store) = args.store.open_if_there()? {
        planned.look_up(&store, interruption);
    }
    if interruption.signal().is_some() {
        return Err(Failure::Environment(anyhow::anyhow!("interrupted")));
    }
    Ok(planned)
}

/// One line a unit. Units that variants share are there once, under the first of them.
fn lines(planned: &Planned, wanted: &[bool]) -> Result<String, Failure> {
    let mut text = String::new();
    let mut seen = std::collections::BTreeSet::new();
    for (unit, _) in planned.units.iter().zip(wanted).filter(|(_, wanted)| **wanted) {
        let Some((plan, trajectory)) = planned.of(unit) else {
            continue;
        };
        if !seen.insert(&unit.id) {
            continue;
        }
        let line = UnitLine {
            unit: unit.id.as_str(),
            variant: &plan.name,
            trajectory: &trajectory.name,
            seed: unit.seed,
            actions: unit.n_actions,
            state: unit.state.name(),
        };
        text.push_str(&serde_json::to_string(&line).map_err(Failure::environment)?);
        text.push('\n');
    }
    Ok(text)
}

/// Says of which programs it is not known whether they have changed since their units were measured.
pub(super) fn say_programs_without_fingerprint(planned: &Planned, wanted: &[bool]) {
    let is_kept = planned
        .units
        .iter()
        .zip(wanted)
        .any(|(unit, wanted)| *wanted && unit.state.is_done());
    if !is_kept {
        return;
    }
    for setup in planned.externals().iter().filter(|setup| !setup.has_own_fingerprint()) {
        console::say(&format!(
            "napsim: note: `{}` has no fingerprint of its own: whether it has changed since is known only of its command and \
             the files named there",
            setup.id()
        ));
    }
}

/// How far the variants of an experiment have come.
pub(super) struct PlanTable<'a> {
    planned: &'a Planned,
    rows: Vec<Counts>,
    pub(super) totals: Counts,
}

/// How many units there are of each kind. Of all variants together what they share counts once, but for `n_units`.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Counts {
    pub(super) n_units: usize,
    /// Units with ids that differ.
    pub(super) n_distinct: usize,
    pub(super) n_done: usize,
    pub(super) n_failed: usize,
    pub(super) n_missing: usize,
    /// Actions of the units that are not done.
    pub(super) n_actions: u64,
}

impl<'a> PlanTable<'a> {
    /// The table of the wanted units.
    pub(super) fn new(planned: &'a Planned, wanted: &[bool]) -> Self {
        let mut rows = vec![Counts::default(); planned.variants.len()];
        let mut totals = Counts::default();
        let mut seen = std::collections::BTreeSet::new();
        for (unit, _) in planned.units.iter().zip(wanted).filter(|(_, wanted)| **wanted) {
            let is_new = seen.insert(&unit.id);
            if let Some(row) = rows.get_mut(unit.variant_idx) {
                row.add(&unit.state, unit.n_actions, is_new);
            }
            // What variants share is to be done once.
            if is_new {
                totals.add(&unit.state, unit.n_actions, true);
            } else {
                totals.n_units += 1;
            }
        }
        Self { planned, rows, totals }
    }

    /// The table as text.
    pub(super) fn text(&self) -> String {
        let header = ["variant", "units", "done", "failed", "missing", "actions to go"];
        let row = |name: &str, counts: &Counts| {
            let cell = |n: usize| count(u64::try_from(n).unwrap_or(u64::MAX));
            vec![
                name.to_owned(),
                cell(counts.n_units),
                cell(counts.n_done),
                cell(counts.n_failed),
                cell(counts.n_missing),
                count(counts.n_actions),
            ]
        };
        let variants = self.planned.variants.iter().zip(&self.rows);
        let mut rows: Vec<Vec<String>> = variants.map(|(plan, counts)| row(&plan.name, counts)).collect();
        if rows.len() > 1 {
            rows.push(row("in all", &self.totals));
        }
        counts_table(&header.map(str::to_owned), &rows, console::width())
    }

    /// The table for other programs.
    pub(super) fn to_json(&self) -> Result<String, Failure> {
        let variant = |(plan, counts): (&super::experiment::VariantPlan, &Counts)| {
            json!({ "name": plan.name, "setup": plan.variant.setup, "corpus": plan.corpus(), "seeds": plan.seeds,
                "units": counts })
        };
        let variants: Vec<_> = self.planned.variants.iter().zip(&self.rows).map(variant).collect();
        let object = json!({
            "schema": "napsim-plan-summary/1",
            "experiment": self.planned.experiment.name,
            "description": self.planned.experiment.description,
            "baseline": self.planned.experiment.baseline,
            "unavailable": self.planned.unavailable,
            "units": self.totals,
            "variants": variants,
        });
        let text = serde_json::to_string(&object).map_err(Failure::environment)?;
        Ok(format!("{text}\n"))
    }

    /// The totals in a sentence.
    pub(super) fn sentence(&self, store: &Path) -> String {
        let totals = &self.totals;
        let variants = console::counted(self.planned.variants.len(), "variant", "variants");
        let mut text = format!("{variants}, {}", console::counted(totals.n_units, "unit", "units"));
        if totals.n_distinct < totals.n_units {
            text.push_str(&format!(" ({} of them different)", totals.n_distinct));
        }
        text.push_str(&format!(": {} done", totals.n_done));
        if totals.n_failed > 0 {
            text.push_str(&format!(", {} failed", totals.n_failed));
        }
        if totals.n_missing > 0 {
            text.push_str(&format!(", {} to be done", totals.n_missing));
        }
        format!("{text} in {}", store.display())
    }

    /// Whether everything wanted is done.
    pub(super) fn is_complete(&self) -> bool {
        self.totals.n_failed == 0 && self.totals.n_missing == 0
    }
}

impl Counts {
    fn add(&mut self, state: &State, n_actions: u32, is_new: bool) {
        self.n_units += 1;
        self.n_distinct += usize::from(is_new);
        match state {
            State::Done(_) => self.n_done += 1,
            State::Failed(_) => self.n_failed += 1,
            State::Missing => self.n_missing += 1,
        }
        if !state.is_done() {
            self.n_actions += u64::from(n_actions);
        }
    }
}

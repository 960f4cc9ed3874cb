//! `napsim gc`: removes from a store what no experiment needs.

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use napsim_reports::store::{PlanRecord, UnitId, UnitStore};

use super::experiment::{ExperimentArgs, StoreArgs};
use super::plan::planned;
use crate::console;
use crate::exit::{Exit, Failure};
use crate::signals::Interruption;

/// Remove from a store what no experiment needs.
///
/// Without FILES every experiment that was ever measured into the store keeps its units, as it is now and as it was. With
/// FILES only what these experiments are made of now is kept. What is left of units that failed goes with them. Nothing is removed while a sweep is at work in the store.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct GcArgs {
    /// Experiments that are kept, and nothing else.
    files: Vec<PathBuf>,

    /// Set a key of the experiments, as for `napsim sweep`. Repeatable.
    #[arg(long, value_name = "KEY=VALUE", requires = "files")]
    set: Vec<String>,

    #[command(flatten)]
    store: StoreArgs,

    /// Say what would be removed, and remove nothing.
    #[arg(long)]
    dry_run: bool,
}

const EXAMPLES: &str = "\
Examples:
  napsim gc --dry-run
  napsim gc experiments/paper/*.toml

Exit codes: 0 removed, 2 bad input, 30 environment (also: a sweep is at work in the store).";

/// Removes units, failures, plans and half-written files that nobody needs.
pub(super) fn gc(args: &GcArgs) -> Result<Exit, Failure> {
    let interruption = Interruption::listen()?;
    let store = args.store.open()?;
    let named = match named(args, &interruption) {
        Ok(named) => named,
        Err(failure) => return interruption.or(failure),
    };
    let _at_work = if args.dry_run { None } else { Some(store.clear()?) };
    let plans = store.plans()?;
    let doomed_plans: Vec<&PathBuf> = plans
        .iter()
        .filter(|(_, plan)| !args.files.is_empty() && !named.contains(plan))
        .map(|(path, _)| path)
        .collect();
    let kept = if args.files.is_empty() {
        plans.iter().map(|(_, plan)| plan).collect()
    } else {
        named.iter().collect::<Vec<_>>()
    };
    let needed: BTreeSet<&UnitId> = kept
        .iter()
        .flat_map(|plan| &plan.variants)
        .flat_map(|variant| &variant.units)
        .map(|unit| &unit.id)
        .collect();
    if kept.is_empty() && !store.ids()?.is_empty() {
        return Err(Failure::Input(anyhow!(
            "failed to tell what is needed: no experiment is kept in {}; give the files of those that are, or remove the whole folder",
            store.root().display()
        )));
    }
    let mut doomed: Vec<UnitId> = store.ids()?.into_iter().chain(store.failed_ids()?).collect();
    doomed.retain(|id| !needed.contains(id));
    doomed.sort_unstable();
    doomed.dedup();
    let n_bytes: u64 = doomed.iter().map(|id| store.n_bytes(id)).sum();
    let what = format!(
        "{} ({} kB) and {}",
        console::counted(doomed.len(), "unit", "units"),
        n_bytes.div_ceil(1000),
        console::counted(doomed_plans.len(), "plan", "plans")
    );
    if args.dry_run {
        console::print(&format!("would remove {what}\n"))?;
        return Ok(Exit::Complete);
    }
    // First what is to stay is known to be needed, and then everything else goes.
    for plan in &named {
        store.keep_plan(plan)?;
    }
    remove(&store, &doomed, &doomed_plans)?;
    let n_abandoned = store.remove_abandoned()?;
    let files = console::counted(n_abandoned, "half-written file", "half-written files");
    console::print(&format!("removed {what}, and {files}\n"))?;
    Ok(Exit::Complete)
}

/// What the named experiments are made of now.
fn named(args: &GcArgs, interruption: &Interruption) -> Result<Vec<PlanRecord>, Failure> {
    let mut named = Vec::with_capacity(args.files.len());
    for file in &args.files {
        let experiment = ExperimentArgs {
            file: file.clone(),
            set: args.set.clone(),
            store: args.store.clone(),
        };
        let planned = planned(&experiment, interruption)?;
        if let Some(name) = planned.unavailable.first() {
            return Err(Failure::Input(anyhow!(
                "failed to tell what {} needs: `{name}` cannot be measured now, so that its units are not known; nothing is removed",
                file.display()
            )));
        }
        named.push(planned.record());
    }
    Ok(named)
}

fn remove(store: &UnitStore, units: &[UnitId], plans: &[&PathBuf]) -> Result<(), Failure> {
    for id in units {
        store.remove(id)?;
    }
    for path in plans {
        store.remove_plan(path)?;
    }
    Ok(())
}

//! `napsim merge` and `napsim verify`: uniting stores of units, and checking them.

use std::path::PathBuf;

use clap::Args;
use napsim_acceptance::parse_policy;
use napsim_reports::replay::replay as replay_unit;
use napsim_reports::store::{UnitId, UnitStore};
use napsim_sim::protocol::Protocol;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::experiment::StoreArgs;
use crate::console;
use crate::exit::{Exit, Failure};

/// Unite stores that were filled apart from each other.
///
/// The order of stores makes no difference, nor does doing it again. Records that are damaged are left out and told.
#[derive(Debug, Args)]
#[command(after_help = MERGE_EXAMPLES)]
pub(super) struct MergeArgs {
    /// Stores to take units from.
    #[arg(required = true)]
    stores: Vec<PathBuf>,

    /// Store that takes them; made if need be.
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
}

const MERGE_EXAMPLES: &str = "\
Examples:
  napsim merge node1/napsim-store node2/napsim-store -o napsim-store

Exit codes: 0 everything is taken over, 2 bad input, 20 some records were damaged.";

/// Unites stores.
pub(super) fn merge(args: &MergeArgs) -> Result<Exit, Failure> {
    // All are looked at before anything is written.
    let stores = args
        .stores
        .iter()
        .map(|root| UnitStore::open(root))
        .collect::<Result<Vec<_>, _>>()?;
    let united = UnitStore::begin(&args.out)?;
    let mut has_damage = false;
    for store in &stores {
        let merged = united.take_over(store)?;
        let mut text = format!(
            "{}: {} taken over, {} there already",
            store.root().display(),
            console::counted(merged.n_added, "unit", "units"),
            merged.n_same
        );
        if !merged.differing.is_empty() {
            text.push_str(&format!(", {} there with another result", merged.differing.len()));
        }
        if merged.n_failed > 0 {
            text.push_str(&format!(", {} failed", merged.n_failed));
        }
        console::print_untrusted(&format!("{text}\n"))?;
        if let Some(id) = merged.differing.first() {
            console::say(&format!(
                "napsim: note: a predictor does not do the same each time: there are two records of unit {}; the one that is \
                 kept does not depend on the order of stores",
                id.short()
            ));
        }
        for error in &merged.damaged {
            console::say(&format!("napsim: failed to {error}; it is left out"));
        }
        for error in &merged.damaged_plans {
            console::say(&format!("napsim: failed to {error}; it is left out"));
        }
        has_damage |= !merged.damaged.is_empty() || !merged.damaged_plans.is_empty();
    }
    Ok(if has_damage { Exit::Incomplete } else { Exit::Complete })
}

/// Make sure that the records of a store are whole and say what comes out.
///
/// Every record is read, held against its seal and its name, and its rollout is done again with the recorded proposals:
/// every event and every figure must come out as recorded.
#[derive(Debug, Args)]
#[command(after_help = VERIFY_EXAMPLES)]
pub(super) struct VerifyArgs {
    #[command(flatten)]
    store: StoreArgs,

    /// Only read the records, and do no rollout again.
    #[arg(long)]
    seals_only: bool,
}

const VERIFY_EXAMPLES: &str = "\
Examples:
  napsim verify
  napsim verify --store /shared/units --seals-only

Exit codes: 0 everything holds, 2 bad input, 20 something does not. `napsim sweep` measures again what is damaged.";

/// Reads every record of a store and derives every figure again.
pub(super) fn verify(args: &VerifyArgs) -> Result<Exit, Failure> {
    let store = args.store.open()?;
    let ids = store.ids()?;
    let checked = ids.par_iter().map(|id| (id, verify_unit(&store, id, args.seals_only)));
    let complaints: Vec<(&UnitId, String)> = checked
        .filter_map(|(id, outcome)| outcome.err().map(|complaint| (id, complaint)))
        .collect();
    for (id, complaint) in &complaints {
        console::print_untrusted(&format!("{}: {complaint}\n", id.short()))?;
    }
    let n_failed = store.failed_ids()?.len();
    if n_failed > 0 {
        console::say(&format!(
            "napsim: note: {} failed and will be measured again",
            console::counted(n_failed, "unit", "units")
        ));
    }
    let units = console::counted(ids.len(), "unit", "units");
    if complaints.is_empty() {
        let how = if args.seals_only {
            "as they were written"
        } else {
            "everything comes out as recorded"
        };
        console::print(&format!("{units}: {how}\n"))?;
        return Ok(Exit::Complete);
    }
    console::say(&format!("napsim: {} of {units} do not hold", complaints.len()));
    Ok(Exit::Incomplete)
}

fn verify_unit(store: &UnitStore, id: &UnitId, seals_only: bool) -> Result<(), String> {
    if seals_only {
        return store.end(id).map(drop).map_err(|error| error.to_string());
    }
    let record = store.record(id).map_err(|error| error.to_string())?;
    let Some(record) = record else {
        return Err("there is no record any more".to_owned());
    };
    let setup = &record.header.setup;
    let protocol = Protocol::from_name(&setup.protocol).ok_or_else(|| {
        format!(
            "it is of protocol `{}`, which this program does not know",
            setup.protocol
        )
    })?;
    let policy = parse_policy(&setup.policy).map_err(|error| error.to_string())?;
    let replay = replay_unit(&record, &policy, &protocol).map_err(|error| format!("failed to {error}"))?;
    match replay.mismatch {
        None => Ok(()),
        Some(mismatch) => {
            let place = mismatch
                .event_idx
                .map_or_else(String::new, |idx| format!("event {idx}: "));
            Err(format!(
                "{place}{}",
                mismatch.difference.describe("derived is", "recorded is")
            ))
        }
    }
}

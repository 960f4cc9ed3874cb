//! `napsim replay`: every figure of a recorded run derived again.

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use napsim_acceptance::{Policy, parse_policy};
use napsim_reports::difference::Difference;
use napsim_reports::replay::replay as replay_unit;
use napsim_reports::store::{Manifest, UnitEntry};
use napsim_reports::{RunFolder, RunReport, UnitResult, table};
use napsim_sim::protocol::Protocol;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::records;
use crate::console;
use crate::exit::{Exit, Failure};

/// Derive every figure of a recorded run again, without the predictor, and compare.
///
/// Each rollout is done anew with the recorded proposals; every event, every figure and the summary must come out as
/// recorded.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ReplayArgs {
    /// Folder that the run was kept in (`napsim run --out`).
    run: PathBuf,
}

const EXAMPLES: &str = "\
Examples:
  napsim replay runs/first

Exit codes: 0 everything comes out as recorded, 20 something does not or is missing.";

/// What one record came to.
enum Finding {
    /// Everything is as recorded.
    Same { result: UnitResult, n_events: u64 },
    /// Nothing but the end was recorded, because the program had made a mistake.
    Lost { result: UnitResult },
    /// There is no record.
    Missing,
    /// Something is not as recorded.
    Different(String),
}

/// Replays every record and compares what follows from them with the recorded summary.
pub(super) fn replay(args: &ReplayArgs) -> Result<Exit, Failure> {
    let (folder, manifest) = records::open(&args.run)?;
    let policy = parse_policy(&manifest.setup.policy).map_err(Failure::input)?;
    let name = &manifest.setup.protocol;
    let protocol = Protocol::from_name(name).ok_or_else(|| {
        Failure::Input(anyhow!(
            "the run is of protocol `{name}`, which this program does not know"
        ))
    })?;
    let replayer = Replayer {
        folder: &folder,
        manifest: &manifest,
        policy: &policy,
        protocol: &protocol,
    };
    let findings: Vec<Finding> = manifest.units.par_iter().map(|entry| replayer.unit(entry)).collect();
    let (mut results, mut n_events, mut complaints) = (Vec::new(), 0, Vec::new());
    for (entry, finding) in manifest.units.iter().zip(findings) {
        match finding {
            Finding::Same { result, n_events: n } => {
                results.push(result);
                n_events += n;
            }
            Finding::Lost { result } => {
                console::say(&format!(
                    "napsim: note: {} was lost to a bug and cannot be replayed",
                    entry.name
                ));
                results.push(result);
            }
            Finding::Missing => complaints.push(format!("{}: there is no record", entry.name)),
            Finding::Different(complaint) => complaints.push(format!("{}: {complaint}", entry.name)),
        }
    }
    if complaints.is_empty() {
        complaints.extend(replayer.summary(&results)?);
    }
    conclude(results.len(), n_events, &complaints)
}

fn conclude(n_units: usize, n_events: u64, complaints: &[String]) -> Result<Exit, Failure> {
    if complaints.is_empty() {
        let n_events = table::count(n_events);
        let units = console::counted(n_units, "trajectory", "trajectories");
        console::print(&format!(
            "{units}, {n_events} events: everything comes out as recorded\n"
        ))?;
        return Ok(Exit::Complete);
    }
    for complaint in complaints {
        console::print_untrusted(&format!("{complaint}\n"))?;
    }
    let differences = console::counted(complaints.len(), "difference", "differences");
    console::say(&format!("napsim: the record does not hold: {differences}"));
    Ok(Exit::Incomplete)
}

struct Replayer<'a> {
    folder: &'a RunFolder,
    manifest: &'a Manifest,
    policy: &'a Policy,
    protocol: &'a Protocol,
}

impl Replayer<'_> {
    fn unit(&self, entry: &UnitEntry) -> Finding {
        let record = match records::unit(self.folder, self.manifest, entry) {
            Ok(Some(record)) => record,
            Ok(None) => return Finding::Missing,
            Err(error) => return Finding::Different(error.to_string()),
        };
        let path = self.folder.unit_path(&entry.file);
        if record.seal.lost && record.intact {
            return Finding::Lost {
                result: record.result(),
            };
        }
        let replay = match replay_unit(&record, self.policy, self.protocol) {
            Ok(replay) => replay,
            Err(error) => return Finding::Different(format!("failed to {error}")),
        };
        if let Some(mismatch) = replay.mismatch {
            let what = mismatch.difference.describe("derived", "recorded");
            // The header is line 1.
            let place = mismatch
                .event_idx
                .map_or_else(|| "its seal".to_owned(), |idx| format!("event {idx}, line {}", idx + 2));
            return Finding::Different(format!("{place} of {}: {what}", path.display()));
        }
        match record.intact(&path) {
            Ok(_) => Finding::Same {
                result: replay.result,
                n_events: replay.n_equal,
            },
            Err(error) => Finding::Different(format!("failed to {error}")),
        }
    }

    /// Differences between what follows from the records and what the run says of itself.
    fn summary(&self, results: &[UnitResult]) -> Result<Vec<String>, Failure> {
        let mut complaints = Vec::new();
        for (entry, result) in self.manifest.units.iter().zip(results) {
            let derived = Some(result.summary.outcome);
            if let Some(difference) = Difference::between(&derived, &entry.outcome) {
                complaints.push(format!(
                    "{}: outcome in run.json: {}",
                    entry.name,
                    difference.describe("derived", "recorded")
                ));
            }
        }
        let report = RunReport::new(&self.manifest.setup, results, None);
        let recorded = self.folder.summary()?;
        if let Some(difference) = Difference::between(&Some(report), &recorded) {
            complaints.push(format!("summary.json: {}", difference.describe("derived", "recorded")));
        }
        Ok(complaints)
    }
}

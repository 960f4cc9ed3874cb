//! `napsim replay`: every figure of a recorded run derived again, or one of its trajectories to look at.

mod showing;

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use napsim_acceptance::{Policy, parse_policy};
use napsim_reports::difference::Difference;
use napsim_reports::replay::replay as replay_unit;
use napsim_reports::store::{Manifest, UnitEntry};
use napsim_reports::{RunFolder, RunReport, RunSetup, UnitResult, table};
use napsim_sim::protocol::Protocol;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::chosen_unit::RunChoice;
use super::records;
use crate::console;
use crate::exit::{Exit, Failure};
use showing::Picture;

/// Derive every figure of a recorded run again, without the predictor, and compare.
///
/// Each rollout is done anew with the recorded proposals; every event, every figure and the summary must come out as
/// recorded. With --html or --svg a single trajectory is shown instead: step by step in a page, or being built in a picture.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ReplayArgs {
    #[command(flatten)]
    choice: RunChoice,

    /// Write a page that shows this trajectory step by step: sheet, proposals, verdicts and what is left to do.
    #[arg(long, value_name = "TRAJECTORY", conflicts_with = "svg")]
    html: Option<String>,

    /// Write an animated picture of this trajectory being built.
    #[arg(long, value_name = "TRAJECTORY")]
    svg: Option<String>,

    /// File that takes the page or picture [default: the name of the trajectory].
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  napsim replay runs/first
  napsim replay runs/first --html 01-bakery -o bakery.html
  napsim replay runs/first --svg 01-bakery

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
    let picture = match (&args.html, &args.svg) {
        (Some(trajectory), _) => Some((Picture::Page, trajectory)),
        (None, Some(trajectory)) => Some((Picture::Animation, trajectory)),
        (None, None) => None,
    };
    if let Some((picture, trajectory)) = picture {
        return picture.write(&args.choice, trajectory, args.out.as_deref());
    }
    if let Some(out) = &args.out {
        return Err(Failure::Input(anyhow!(
            "failed to use --out {}: give --html TRAJECTORY or --svg TRAJECTORY",
            out.display()
        )));
    }
    let (folder, manifest) = records::open(&args.choice.run)?;
    let (policy, protocol) = rules(&manifest.setup)?;
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

/// The policy and the protocol that a run was measured with.
fn rules(setup: &RunSetup) -> Result<(Policy, Protocol), Failure> {
    let policy = parse_policy(&setup.policy).map_err(Failure::input)?;
    let name = &setup.protocol;
    let protocol = Protocol::from_name(name).ok_or_else(|| {
        Failure::Input(anyhow!(
            "the run is of protocol `{name}`, which this program does not know"
        ))
    })?;
    Ok((policy, protocol))
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

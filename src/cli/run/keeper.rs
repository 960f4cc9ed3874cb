//! Keeping the record of a run (`--out`), and going on where one stopped.

use std::path::Path;

use napsim_reports::calls::CallLog;
use napsim_reports::record::{UnitHeader, UnitRecord, UnitWriter};
use napsim_reports::store::{Manifest, StoreError, Timings, UnitTiming};
use napsim_reports::{CoverageCounts, RunFolder, RunReport, UnitName};
use napsim_sim::event::{Event, Outcome};

use super::args::RunArgs;
use super::plan::Plan;
use super::rollouts::{Unit, call_log};
use crate::console;
use crate::exit::Failure;

/// Version of the program, part of every record.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The folder that a run is kept in.
pub(super) struct Keeper {
    folder: RunFolder,
    manifest: Manifest,
    /// Times of earlier sittings.
    timings: Timings,
}

impl Keeper {
    /// Makes the folder or opens that of the same run; none where no record is asked for.
    pub(super) fn begin(args: &RunArgs, plan: &Plan) -> Result<Option<Self>, Failure> {
        let Some(root) = &args.out else { return Ok(None) };
        let manifest = Manifest::new(&plan.variant.setup, &plan.corpus.trajectories, VERSION);
        let folder = RunFolder::begin(root, &manifest, args.force)?;
        let timings = folder.timings();
        Ok(Some(Self {
            folder,
            manifest,
            timings,
        }))
    }

    /// The folder's path.
    pub(super) fn root(&self) -> &Path {
        self.folder.root()
    }

    /// Where the answers of language models are kept.
    pub(super) fn answers_path(&self) -> std::path::PathBuf {
        self.folder.answers_path()
    }

    /// What an earlier sitting has left of each trajectory, in corpus order. Failed ones are done again.
    pub(super) fn kept(&self, args: &RunArgs, plan: &Plan) -> Vec<Option<Unit>> {
        let units = self.manifest.units.iter().zip(&plan.corpus.trajectories);
        units
            .map(|(entry, trajectory)| {
                let record = self.record(&entry.file, || {
                    UnitHeader::new(&plan.variant.setup, trajectory, VERSION)
                })?;
                let log = call_log(args, plan, trajectory).map(|log| logged(log, &record.events));
                Some(Unit {
                    result: record.result(),
                    time: self.timings.of(&entry.name),
                    latencies: self.timings.latencies_of(&entry.name).cloned().unwrap_or_default(),
                    log,
                })
            })
            .collect()
    }

    /// Says what is taken over from an earlier sitting.
    pub(super) fn say_kept(&self, kept: &[Option<Unit>], plan: &Plan) {
        let n_kept = kept.iter().flatten().count();
        if n_kept == 0 {
            return;
        }
        let (n_all, root) = (kept.len(), self.root().display());
        console::say(&format!(
            "napsim: {n_kept} of {n_all} trajectories are taken over from {root}"
        ));
        for setup in plan
            .variant
            .externals
            .iter()
            .filter(|setup| !setup.has_own_fingerprint())
        {
            console::say(&format!(
                "napsim: note: `{}` has no fingerprint of its own: whether it has changed since is known only of its command \
                 and the files named there",
                setup.id()
            ));
        }
    }

    /// The record of a trajectory if it is whole, of this run and not of a failure.
    fn record(&self, unit: &UnitName, header: impl Fn() -> UnitHeader) -> Option<UnitRecord> {
        let path = self.folder.unit_path(unit);
        match self
            .folder
            .unit(unit)
            .and_then(|record| record.map(|record| record.intact(&path)).transpose())
        {
            Ok(record) => {
                record.filter(|record| record.summary.outcome != Outcome::Failed && record.header == header())
            }
            Err(error) => {
                console::say(&format!(
                    "napsim: note: failed to {error}; its trajectory is measured again"
                ));
                None
            }
        }
    }

    /// Starts the record of the trajectory at that index.
    pub(super) fn write_unit(&self, idx: usize, plan: &Plan) -> Result<Option<UnitWriter>, StoreError> {
        let unit = self.manifest.units.get(idx).zip(plan.corpus.trajectories.get(idx));
        unit.map(|(entry, trajectory)| {
            let header = UnitHeader::new(&plan.variant.setup, trajectory, VERSION);
            self.folder.write_unit(&entry.file, &header)
        })
        .transpose()
    }

    /// Completes the record of the trajectory at that index.
    pub(super) fn finish_unit(
        &self,
        idx: usize,
        writer: UnitWriter,
        coverage: Option<CoverageCounts>,
        lost: bool,
    ) -> Result<(), StoreError> {
        match self.manifest.units.get(idx) {
            Some(entry) => self.folder.finish_unit(&entry.file, writer, coverage, lost),
            None => Ok(()),
        }
    }

    /// Where what programs wrote to their standard error is kept.
    pub(super) fn stderr_path(&self) -> std::path::PathBuf {
        self.folder.stderr_path()
    }

    /// Keeps what programs wrote to their standard error during the trajectory at that index.
    pub(super) fn keep_stderr(&self, idx: usize, text: Option<&str>) -> Result<(), StoreError> {
        match self.manifest.units.get(idx) {
            Some(entry) => self.folder.keep_stderr(&entry.file, text),
            None => Ok(()),
        }
    }

    /// Seconds of all sittings together.
    pub(super) fn wall_s(&self, seconds: f64) -> f64 {
        self.timings.wall_s.unwrap_or(0.0) + seconds
    }

    /// Writes what is known once every trajectory is done.
    pub(super) fn conclude(&self, report: &RunReport, units: &[Unit], seconds: f64) -> Result<(), Failure> {
        let mut manifest = self.manifest.clone();
        for (entry, unit) in manifest.units.iter_mut().zip(units) {
            entry.outcome = Some(unit.result.summary.outcome);
        }
        self.keep_timings(units.iter(), seconds)?;
        self.folder.write_summary(report)?;
        Ok(self.folder.write_manifest(&manifest)?)
    }

    /// Writes the times of the trajectories that are done.
    pub(super) fn keep_timings<'a>(&self, units: impl Iterator<Item = &'a Unit>, seconds: f64) -> Result<(), Failure> {
        let timing = |unit: &Unit| {
            let name = unit.result.summary.name.clone();
            let latencies = unit.latencies.clone();
            unit.time.map(|time| UnitTiming { name, time, latencies })
        };
        let timings = Timings {
            wall_s: Some(self.wall_s(seconds)),
            per_trajectory: units.filter_map(timing).collect(),
            ..Timings::default()
        };
        Ok(self.folder.write_timings(&timings)?)
    }
}

fn logged(mut log: CallLog<'_>, events: &[Event]) -> String {
    events.iter().for_each(|event| log.see(event));
    log.into_text()
}

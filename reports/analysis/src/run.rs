//! The units of a run, and what can be asked of them.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::breakdown::{self, Breakdown};
use crate::by::By;
use crate::calibration::{self, Calibration};
use crate::errors::{self, ErrorTaxonomy};
use crate::false_positives::{self, FalsePositives};
use crate::interval::Part;
use crate::number::count;
use crate::shares::{self, KindShares};
use crate::streaks::{self, Streaks};
use crate::time_saved::{self, TimeSaved};
use crate::undo::{self, UndoCounts};
use crate::unit::UnitAnalysis;
use crate::user_model::UserModel;

/// The units of one run, of several, or of a whole sweep.
///
/// Every figure is the same in whatever order the units come.
#[derive(Clone, Debug, Default)]
pub struct RunAnalysis {
    /// The units, aborted ones included.
    pub units: Vec<UnitAnalysis>,
    missing: u64,
}

/// What the figures are made of, and what is left out of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Basis {
    /// Rollouts that enter the figures.
    pub units: u64,
    /// Different trajectories among them, by name.
    pub trajectories: u64,
    /// Non-empty proposals.
    pub predictions: u64,
    /// Those accepted and carried out.
    pub accepted: u64,
    /// Calls without a suggestion.
    pub empty: u64,
    /// Calls that failed.
    pub failed_calls: u64,
    /// Trajectories of rollouts that were aborted and enter no figure, sorted.
    pub aborted: Vec<String>,
    /// Rollouts that a limit stopped; they enter the figures.
    pub stopped: u64,
    /// Rollouts still to be done.
    pub missing: u64,
}

impl Basis {
    /// What a reader has to know beside the figures, in sentences; nothing where everything is there.
    pub fn notes(&self) -> Vec<String> {
        let n_aborted = self.aborted.len();
        let mut notes = Vec::new();
        let mut note = |n: u64, text: String| {
            if n > 0 {
                notes.push(text);
            }
        };
        note(
            count(n_aborted),
            format!("left out: {n_aborted} that were aborted and have no figures"),
        );
        note(self.missing, format!("missing: {} still to be measured", self.missing));
        note(self.stopped, format!("included: {} that a limit stopped", self.stopped));
        let failed = self.failed_calls;
        note(failed, format!("failed calls: {failed}, neither accepted nor rejected"));
        notes
    }
}

impl RunAnalysis {
    /// Puts units together.
    pub fn new(units: Vec<UnitAnalysis>) -> Self {
        Self { units, missing: 0 }
    }

    /// The same, told how many rollouts are still to be done.
    #[must_use]
    pub fn with_missing(self, missing: u64) -> Self {
        Self { missing, ..self }
    }

    /// What the figures are made of.
    pub fn basis(&self) -> Basis {
        basis(&self.counted().collect::<Vec<_>>(), self)
    }

    /// How many accepted predictions come in a row.
    pub fn streaks(&self) -> Streaks {
        streaks::of(self)
    }

    /// Predictions told apart by something.
    pub fn breakdown(&self, by: By) -> Breakdown {
        breakdown::of(self, by)
    }

    /// Kinds of action in the trajectories, in proposals, accepted and rejected.
    pub fn kind_shares(&self) -> KindShares {
        shares::of(self)
    }

    /// What is wrong with proposals.
    pub fn errors(&self) -> ErrorTaxonomy {
        errors::of(self)
    }

    /// The corrections that accepted predictions cost.
    pub fn undo(&self) -> UndoCounts {
        undo::of(self)
    }

    /// Properties that proposals got right, wrong or left out.
    pub fn false_positives(&self) -> FalsePositives {
        false_positives::of(self)
    }

    /// Whether confidences mean what they say; absent where no prediction has one.
    pub fn calibration(&self) -> Option<Calibration> {
        calibration::of(self)
    }

    /// The user's time saved under a model of the user.
    pub fn time_saved(&self, model: &UserModel) -> TimeSaved {
        time_saved::of(self, model)
    }

    /// The units that enter the figures.
    pub(crate) fn counted(&self) -> impl Iterator<Item = &UnitAnalysis> {
        self.units.iter().filter(|unit| !unit.is_aborted())
    }

    /// Parts of rates by trajectory: all its units together, in the order of the names.
    pub(crate) fn clusters<T: Default>(
        &self,
        add: impl Fn(&mut T, &UnitAnalysis),
        parts: impl Fn(&T) -> Vec<Part>,
    ) -> Vec<Vec<Part>> {
        clusters(self.counted(), add, parts)
    }
}

/// Parts of rates by trajectory.
pub(crate) fn clusters<'a, T: Default>(
    units: impl Iterator<Item = &'a UnitAnalysis>,
    add: impl Fn(&mut T, &UnitAnalysis),
    parts: impl Fn(&T) -> Vec<Part>,
) -> Vec<Vec<Part>> {
    let mut sums: BTreeMap<&str, T> = BTreeMap::new();
    for unit in units {
        add(sums.entry(&unit.summary.name).or_default(), unit);
    }
    sums.values().map(parts).collect()
}

fn basis(counted: &[&UnitAnalysis], run: &RunAnalysis) -> Basis {
    let sum = |n: fn(&UnitAnalysis) -> u32| counted.iter().map(|unit| u64::from(n(unit))).sum();
    let mut names: Vec<&str> = counted.iter().map(|unit| unit.summary.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let mut aborted: Vec<String> = run
        .units
        .iter()
        .filter(|unit| unit.is_aborted())
        .map(|unit| unit.summary.name.clone())
        .collect();
    aborted.sort_unstable();
    Basis {
        units: count(counted.len()),
        trajectories: count(names.len()),
        predictions: counted.iter().map(|unit| unit.all.predictions).sum(),
        accepted: counted.iter().map(|unit| unit.all.accepted).sum(),
        empty: sum(|unit| unit.summary.empty),
        failed_calls: sum(|unit| unit.summary.errors),
        aborted,
        stopped: count(counted.iter().filter(|unit| unit.summary.limit.is_some()).count()),
        missing: run.missing,
    }
}

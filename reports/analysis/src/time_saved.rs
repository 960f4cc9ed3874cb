//! The user's time saved, beside the user's actions saved.

use napsim_statistics::{BootstrapSettings, mean_interval};
use serde::Serialize;

use crate::csv_rows::CsvRows;
use crate::run::{Basis, RunAnalysis};
use crate::unit::UnitAnalysis;
use crate::user_model::UserModel;

/// The user's time under a model of the user. Only rollouts with a UAS enter, since the others were not finished; where
/// the published step limit stopped a rollout, what was left undone counts as saved, as it does in UAS.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TimeSaved {
    /// The model.
    pub model: UserModel,
    /// What the figures are made of.
    pub basis: Basis,
    /// Rollouts that enter.
    pub units_with_time: u64,
    /// Seconds of all together.
    pub total: Seconds,
    /// saved / manual of all together; absent without manual work.
    pub share_pooled: Option<f64>,
    /// Mean over rollouts of their saved / manual.
    pub share_mean: Option<f64>,
    /// An interval of that mean: studentised bootstrap, 10,000 resamples; absent with fewer than two rollouts.
    pub share_interval: Option<MeanInterval>,
    /// Mean over the same rollouts of the share of user actions saved, to compare with.
    pub uas_mean: Option<f64>,
    /// One row a rollout.
    pub units: Vec<UnitTime>,
}

/// An interval of a mean.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MeanInterval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The share of such intervals that hold the true mean.
    pub level: f64,
    /// How it was made.
    pub method: &'static str,
}

/// Where the user's time goes, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Seconds {
    /// For the whole trajectory by hand.
    pub manual_s: f64,
    /// For the actions that the user carried out nevertheless, undo actions included.
    pub actions_s: f64,
    /// To read proposals.
    pub review_s: f64,
    /// To accept proposals.
    pub accept_s: f64,
    /// That rejected proposals cost besides.
    pub interruption_s: f64,
    /// manual − all the others; below zero where proposals cost more than they save.
    pub saved_s: f64,
}

/// The time of one rollout.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UnitTime {
    /// Name of the trajectory.
    pub name: String,
    /// Where the time goes.
    #[serde(flatten)]
    pub seconds: Seconds,
    /// saved / manual; absent without manual work.
    pub share: Option<f64>,
    /// Share of user actions saved.
    pub uas: f64,
}

impl Seconds {
    fn of(unit: &UnitAnalysis, model: &UserModel) -> Self {
        let manual_s = model.actions_s(&unit.manual);
        let actions_s = model.actions_s(&unit.assisted);
        let review_s = model.review_s(&unit.assisted);
        let accept_s = model.accept_s(&unit.assisted);
        let interruption_s = model.interruption_s(&unit.assisted);
        Self {
            manual_s,
            actions_s,
            review_s,
            accept_s,
            interruption_s,
            saved_s: manual_s - actions_s - review_s - accept_s - interruption_s,
        }
    }

    fn share(&self) -> Option<f64> {
        (self.manual_s > 0.0).then(|| self.saved_s / self.manual_s)
    }

    fn add(&mut self, other: &Self) {
        self.manual_s += other.manual_s;
        self.actions_s += other.actions_s;
        self.review_s += other.review_s;
        self.accept_s += other.accept_s;
        self.interruption_s += other.interruption_s;
        self.saved_s += other.saved_s;
    }
}

impl TimeSaved {
    /// The rollouts as a table.
    pub fn csv(&self) -> CsvRows {
        let header = [
            "trajectory",
            "manual_s",
            "actions_s",
            "review_s",
            "accept_s",
            "interruption_s",
            "saved_s",
            "share",
            "uas",
        ];
        let mut rows = CsvRows::new(&header);
        for unit in &self.units {
            let seconds = unit.seconds;
            rows.push([
                unit.name.as_str().into(),
                seconds.manual_s.into(),
                seconds.actions_s.into(),
                seconds.review_s.into(),
                seconds.accept_s.into(),
                seconds.interruption_s.into(),
                seconds.saved_s.into(),
                unit.share.into(),
                unit.uas.into(),
            ]);
        }
        rows
    }
}

pub(crate) fn of(run: &RunAnalysis, model: &UserModel) -> TimeSaved {
    let mut units: Vec<UnitTime> = run
        .counted()
        .filter_map(|unit| {
            let seconds = Seconds::of(unit, model);
            Some(UnitTime {
                name: unit.summary.name.clone(),
                seconds,
                share: seconds.share(),
                uas: unit.summary.uas?,
            })
        })
        .collect();
    // Sums of seconds depend on their order, and the order of the units must not matter.
    units.sort_by(|a, b| {
        let by_time = a.seconds.saved_s.total_cmp(&b.seconds.saved_s);
        a.name.cmp(&b.name).then(by_time).then(a.uas.total_cmp(&b.uas))
    });
    let mut total = Seconds::default();
    for unit in &units {
        total.add(&unit.seconds);
    }
    let shares: Vec<f64> = units.iter().filter_map(|unit| unit.share).collect();
    let uas: Vec<f64> = units.iter().map(|unit| unit.uas).collect();
    let interval = mean_interval(&shares, &BootstrapSettings::default()).ok();
    TimeSaved {
        model: *model,
        basis: run.basis(),
        units_with_time: crate::number::count(units.len()),
        total,
        share_pooled: total.share(),
        share_mean: napsim_statistics::mean(&shares),
        share_interval: interval.map(|interval| MeanInterval {
            low: interval.low,
            high: interval.high,
            level: interval.level,
            method: interval.method.name(),
        }),
        uas_mean: napsim_statistics::mean(&uas),
        units,
    }
}

#[cfg(test)]
mod tests;

//! The figures of a run as one JSON object, for other programs (`--json`, schema `napsim-run/1`).
//!
//! Field names and their order are a contract. Ratios are between 0 and 1 and null where undefined.

use napsim_sim::event::{Limit, Outcome};
use napsim_sim::settings::Settings;
use serde::Serialize;

use crate::aggregate::{Aggregate, UnitResult};
use crate::answers::AnswerCounts;
use crate::setup::{ContextLength, Mode, RunSetup};
use crate::times::RunTimes;

/// Name and version of the object's schema.
pub const SCHEMA: &str = "napsim-run/1";

/// The figures of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "`Aggregate` and `RunSetup` say what they are")]
pub struct RunReport {
    /// [`SCHEMA`].
    pub schema: &'static str,
    pub protocol: String,
    pub corpus: String,
    pub predictor: String,
    pub policy: String,
    pub mode: Mode,
    pub stride: u32,
    pub context: Option<ContextLength>,
    pub trajectories: u64,
    pub actions: u64,
    pub predictions: u64,
    pub accepted: u64,
    pub uas_mean: Option<f64>,
    pub uas_pooled: Option<f64>,
    pub ar_pooled: Option<f64>,
    pub ar_mean: Option<f64>,
    pub precision_mean: Option<f64>,
    pub pcov_accepted: Option<f64>,
    pub pcov_attempted: Option<f64>,
    pub undo_actions: u64,
    /// Seconds from the first rollout's start to the last one's end; null where the run was not timed.
    pub wall_s: Option<f64>,
    /// One entry a trajectory, in corpus order, aborted ones included.
    pub per_trajectory: Vec<TrajectoryReport>,
    /// How the rollouts ended.
    pub outcomes: Outcomes,
    /// When to ask, how often, where to stop: everything that the figures depend on besides the fields above.
    pub settings: Settings,
    /// What was answered besides proposals, where there is anything to tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<AnswerCounts>,
    /// What language models over HTTP have cost. Not part of a record, since answers that are kept cost nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// Where the time went, where that is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timings: Option<RunTimes>,
}

/// What a run has asked of language models over HTTP, in all its sittings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cost {
    /// Calls that servers answered.
    pub calls: u64,
    /// Calls that were answered by what was kept from before.
    pub cached_calls: u64,
    /// Calls of which nobody knows whether they were paid for, since no answer came.
    pub unconfirmed_calls: u64,
    /// Tokens read, those among them that the provider had kept, tokens written, and those of them that were reasoning.
    pub input_tokens: u64,
    #[expect(missing_docs, reason = "see `input_tokens`")]
    pub cached_input_tokens: u64,
    #[expect(missing_docs, reason = "see `input_tokens`")]
    pub output_tokens: u64,
    #[expect(missing_docs, reason = "see `input_tokens`")]
    pub reasoning_tokens: u64,
    /// What that cost, as a decimal number; null where no price is known.
    pub money: Option<String>,
    /// Its currency.
    pub currency: Option<String>,
    /// When the prices were looked up.
    pub prices_of: Option<String>,
}

/// How many rollouts ended in each way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "`Outcome` says what they are")]
pub struct Outcomes {
    pub complete: usize,
    pub truncated: usize,
    pub diverged: usize,
    pub failed: usize,
    /// Trajectories of a recorded run whose rollout is still to be done.
    pub missing: usize,
}

/// The figures of one trajectory.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrajectoryReport {
    /// Name of the trajectory.
    pub name: String,
    /// How the rollout ended.
    pub outcome: Outcome,
    /// Actions of the trajectory.
    pub actions: u32,
    /// User actions carried out.
    pub user_steps: u32,
    /// Non-empty proposals.
    pub predictions: u32,
    /// Proposals accepted and carried out.
    pub accepted: u32,
    /// Share of user actions saved.
    pub uas: Option<f64>,
    /// Mean precision of the proposals.
    pub precision: Option<f64>,
    /// Properties right, summed over all proposals.
    pub tp: u32,
    /// Properties not wanted.
    pub fp: u32,
    /// Properties missing.
    #[serde(rename = "fn")]
    pub missing: u32,
    /// Properties with a wrong value.
    pub mm: u32,
    /// Actions saved by accepted proposals.
    pub ops_saved: i64,
    /// Undo actions added by accepted proposals.
    pub undo_actions: u32,
    /// Actions executed and left at the end.
    pub final_length: u32,
    /// Whether a limit stopped the rollout before everything was done.
    pub truncated: bool,
    /// The limit that did.
    pub limit: Option<Limit>,
    /// Whether the rollout was aborted and is left out of every sum and mean.
    #[serde(skip)]
    pub aborted: bool,
    /// Why it was aborted.
    #[serde(skip)]
    pub error: Option<String>,
}

impl RunReport {
    /// The report of a run; `units` in corpus order.
    pub fn new(setup: &RunSetup, units: &[UnitResult], wall_s: Option<f64>) -> Self {
        let aggregate = Aggregate::of(units);
        Self {
            schema: SCHEMA,
            protocol: setup.protocol.clone(),
            corpus: setup.corpus.clone(),
            predictor: setup.predictor.clone(),
            policy: setup.policy.clone(),
            mode: setup.mode,
            stride: setup.settings.stride,
            context: setup.context,
            trajectories: aggregate.trajectories,
            actions: aggregate.actions,
            predictions: aggregate.predictions,
            accepted: aggregate.accepted,
            uas_mean: aggregate.uas_mean,
            uas_pooled: aggregate.uas_pooled,
            ar_pooled: aggregate.ar_pooled,
            ar_mean: aggregate.ar_mean,
            precision_mean: aggregate.precision_mean,
            pcov_accepted: aggregate.pcov_accepted,
            pcov_attempted: aggregate.pcov_attempted,
            undo_actions: aggregate.undo_actions,
            wall_s,
            per_trajectory: units.iter().map(TrajectoryReport::new).collect(),
            outcomes: Outcomes::of(units),
            settings: setup.settings.clone(),
            answers: AnswerCounts::of(units, setup.is_foreign()),
            cost: None,
            timings: None,
        }
    }

    /// Says how many trajectories of the run are still to be done.
    #[must_use]
    pub fn with_missing(mut self, missing: usize) -> Self {
        self.outcomes.missing = missing;
        self
    }

    /// How many trajectories with figures have a UAS.
    pub fn n_with_uas(&self) -> usize {
        self.per_trajectory.iter().filter(|row| row.uas.is_some()).count()
    }

    /// How many trajectories ended that way.
    pub fn n_with(&self, outcome: Outcome) -> usize {
        self.per_trajectory.iter().filter(|row| row.outcome == outcome).count()
    }
}

impl Outcomes {
    fn of(units: &[UnitResult]) -> Self {
        let n_with = |outcome| units.iter().filter(|unit| unit.summary.outcome == outcome).count();
        Self {
            complete: n_with(Outcome::Complete),
            truncated: n_with(Outcome::Truncated),
            diverged: n_with(Outcome::Diverged),
            failed: n_with(Outcome::Failed),
            missing: 0,
        }
    }
}

impl TrajectoryReport {
    fn new(unit: &UnitResult) -> Self {
        let summary = &unit.summary;
        Self {
            name: summary.name.clone(),
            outcome: summary.outcome,
            actions: summary.actions,
            user_steps: summary.user_steps,
            predictions: summary.predictions,
            accepted: summary.accepted,
            uas: summary.uas,
            precision: summary.precision,
            tp: summary.counts.tp,
            fp: summary.counts.fp,
            missing: summary.counts.missing,
            mm: summary.counts.mm,
            ops_saved: summary.ops_saved,
            undo_actions: summary.undo_actions,
            final_length: summary.final_length,
            truncated: summary.limit.is_some(),
            limit: summary.limit,
            aborted: unit.is_aborted(),
            error: summary.error.clone(),
        }
    }
}

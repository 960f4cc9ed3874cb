//! Figures of a run over its trajectories (spec 02, section 14.3).
//!
//! A trajectory that was aborted (it has an error and no figures) is left out of everything here, as in the published
//! system; reports say so beside the figures.

use std::collections::BTreeMap;

use napsim_sim::counts::Counts;
use napsim_sim::event::{Outcome, Summary};
use napsim_sim::predictor::Usage;

use crate::coverage::CoverageCounts;

/// What a rollout came to.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitResult {
    /// The end of the rollout.
    pub summary: Summary,
    /// Predictable properties produced; absent where it is not known which are predictable.
    pub coverage: Option<CoverageCounts>,
}

impl UnitResult {
    /// What is left of a rollout that was lost before its end.
    pub fn lost(name: &str, actions: u32, error: String) -> Self {
        let summary = Summary {
            name: name.to_owned(),
            outcome: Outcome::Failed,
            limit: None,
            error: Some(error),
            actions,
            user_steps: 0,
            uas: None,
            predictions: 0,
            accepted: 0,
            rejected: 0,
            empty: 0,
            errors: 0,
            divergences: 0,
            calls_with_rejected_proposals: 0,
            rejected_proposals: 0,
            dropped_texts: 0,
            truncated_answers: 0,
            restarts: 0,
            failures: BTreeMap::new(),
            counts: Counts::default(),
            precision: None,
            precision_details: None,
            ops_saved: 0,
            undo_actions: 0,
            removed_actions: 0,
            final_length: actions,
            formatting_actions: 0,
            user_formatting_steps: 0,
            step_limit_reached: false,
            by_property: BTreeMap::new(),
            usage: Usage::default(),
            remaining: Vec::new(),
        };
        Self {
            summary,
            coverage: None,
        }
    }

    /// Whether the rollout was aborted, so that it has no figures.
    pub fn is_aborted(&self) -> bool {
        self.summary.error.is_some()
    }
}

/// Figures of a run. Sums run over trajectories that were not aborted; ratios are absent where undefined.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Aggregate {
    /// Trajectories that were not aborted.
    pub trajectories: u64,
    /// Actions of the trajectories.
    pub actions: u64,
    /// Non-empty proposals.
    pub predictions: u64,
    /// Proposals accepted and carried out.
    pub accepted: u64,
    /// Undo actions that accepted proposals added.
    pub undo_actions: u64,
    /// Mean of the trajectories' UAS.
    pub uas_mean: Option<f64>,
    /// 1 − sum of user steps / sum of actions.
    pub uas_pooled: Option<f64>,
    /// Sum of accepted / sum of predictions.
    pub ar_pooled: Option<f64>,
    /// Mean of accepted / predictions over trajectories with predictions.
    pub ar_mean: Option<f64>,
    /// Mean over trajectories of their mean precision.
    pub precision_mean: Option<f64>,
    /// Mean over trajectories of the share of predictable properties that accepted proposals produced.
    pub pcov_accepted: Option<f64>,
    /// The same over all proposals.
    pub pcov_attempted: Option<f64>,
}

impl Aggregate {
    /// The figures of a run, summed in the order given.
    pub fn of(units: &[UnitResult]) -> Self {
        let measured: Vec<&UnitResult> = units.iter().filter(|unit| !unit.is_aborted()).collect();
        let total = |count: fn(&Summary) -> u32| measured.iter().map(|unit| u64::from(count(&unit.summary))).sum();
        let with_uas: Vec<&Summary> = measured
            .iter()
            .map(|unit| &unit.summary)
            .filter(|summary| summary.uas.is_some())
            .collect();
        let user_steps = with_uas.iter().map(|summary| u64::from(summary.user_steps)).sum();
        let reference = with_uas.iter().map(|summary| u64::from(summary.actions)).sum();
        let coverage = |share: fn(&CoverageCounts) -> Option<f64>| {
            mean(
                measured
                    .iter()
                    .filter_map(|unit| unit.coverage.as_ref().and_then(share)),
            )
        };
        let (predictions, accepted) = (total(|s| s.predictions), total(|s| s.accepted));
        Self {
            trajectories: u64::try_from(measured.len()).unwrap_or(u64::MAX),
            actions: total(|s| s.actions),
            predictions,
            accepted,
            undo_actions: total(|s| s.undo_actions),
            uas_mean: mean(with_uas.iter().filter_map(|summary| summary.uas)),
            uas_pooled: ratio(user_steps, reference).map(|share| 1.0 - share),
            ar_pooled: ratio(accepted, predictions),
            ar_mean: mean(measured.iter().filter_map(|unit| acceptance_rate(&unit.summary))),
            precision_mean: precision_mean(&measured),
            pcov_accepted: coverage(CoverageCounts::share_accepted),
            pcov_attempted: coverage(CoverageCounts::share_attempted),
        }
    }
}

/// Accepted / predictions of one trajectory; absent without predictions.
pub fn acceptance_rate(summary: &Summary) -> Option<f64> {
    ratio(summary.accepted.into(), summary.predictions.into())
}

/// The mean over trajectories. One without any prediction enters as 0, as in the published system (Q38), so that
/// the mean says nothing good of a predictor that is silent; absent where no trajectory has a prediction.
fn precision_mean(measured: &[&UnitResult]) -> Option<f64> {
    let some_prediction = measured.iter().any(|unit| unit.summary.precision.is_some());
    mean(measured.iter().map(|unit| unit.summary.precision.unwrap_or(0.0))).filter(|_| some_prediction)
}

/// A part of a whole; absent where there is no whole.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
pub(crate) fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, n) = values.fold((0.0, 0_u32), |(sum, n), value| (sum + value, n + 1));
    (n > 0).then(|| sum / f64::from(n))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::summary;

    fn unit(actions: u32, user_steps: u32, predictions: u32, accepted: u32, precision: Option<f64>) -> UnitResult {
        let mut summary = summary("t", actions, user_steps);
        summary.predictions = predictions;
        summary.accepted = accepted;
        summary.precision = precision;
        UnitResult {
            summary,
            coverage: None,
        }
    }

    fn aborted() -> UnitResult {
        let mut unit = unit(1000, 3, 50, 50, Some(1.0));
        unit.summary.uas = None;
        unit.summary.error = Some("gone".to_owned());
        unit
    }

    #[test]
    fn means_and_pooled_values_differ() {
        let units = [
            unit(100, 50, 10, 5, Some(0.5)),
            unit(300, 300, 30, 0, Some(0.1)),
            aborted(),
        ];
        let aggregate = Aggregate::of(&units);
        assert_eq!(aggregate.trajectories, 2);
        assert_eq!(
            (aggregate.actions, aggregate.predictions, aggregate.accepted),
            (400, 40, 5)
        );
        assert_eq!(aggregate.uas_mean, Some(0.25));
        assert_eq!(aggregate.uas_pooled, Some(0.125));
        assert_eq!(aggregate.ar_mean, Some(0.25));
        assert_eq!(aggregate.ar_pooled, Some(0.125));
        assert_eq!(aggregate.precision_mean, Some(0.3));
    }

    #[test]
    fn silence_enters_precision_as_zero_and_acceptance_not_at_all() {
        let aggregate = Aggregate::of(&[unit(10, 5, 4, 2, Some(0.5)), unit(10, 10, 0, 0, None)]);
        assert_eq!(aggregate.precision_mean, Some(0.25));
        assert_eq!(aggregate.ar_mean, Some(0.5));
    }

    #[test]
    fn undefined_is_absent_and_not_zero() {
        let silent = Aggregate::of(&[unit(10, 10, 0, 0, None)]);
        assert_eq!(silent.uas_mean, Some(0.0));
        assert_eq!(
            (silent.ar_mean, silent.ar_pooled, silent.precision_mean),
            (None, None, None)
        );
        assert_eq!((silent.pcov_accepted, silent.pcov_attempted), (None, None));
        assert_eq!(Aggregate::of(&[aborted()]), Aggregate::default());
    }

    #[test]
    fn coverage_is_averaged_over_trajectories_that_have_it() {
        let mut with = unit(10, 10, 0, 0, None);
        with.coverage = Some(CoverageCounts {
            predictable: 4,
            accepted: 1,
            attempted: 2,
        });
        let aggregate = Aggregate::of(&[with, unit(10, 10, 0, 0, None)]);
        assert_eq!(
            (aggregate.pcov_accepted, aggregate.pcov_attempted),
            (Some(0.25), Some(0.5))
        );
    }
}

//! Running totals of a rollout.

use std::collections::BTreeMap;

use crate::compare::Totals;
use crate::counts::Counts;
use crate::predictor::{Proposals, Usage};

/// A mean in the making, summed in order.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mean {
    sum: f64,
    n: u32,
}

impl Mean {
    pub(super) fn add(&mut self, value: f64) {
        self.sum += value;
        self.n += 1;
    }

    /// The mean, absent without any value.
    pub(super) fn mean(&self) -> Option<f64> {
        (self.n > 0).then(|| self.sum / f64::from(self.n))
    }
}

#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) predictions: u32,
    pub(super) accepted: u32,
    pub(super) refused: u32,
    pub(super) empty: u32,
    pub(super) errors: u32,
    pub(super) divergences: u32,
    pub(super) calls_with_rejected: u32,
    pub(super) rejected_proposals: u32,
    pub(super) dropped_texts: u32,
    pub(super) truncated_answers: u32,
    pub(super) restarts: u32,
    /// Failed calls by kind.
    pub(super) failures: BTreeMap<String, u32>,
    pub(super) counts: Counts,
    pub(super) by_property: BTreeMap<&'static str, Counts>,
    /// Over all recorded predictions.
    pub(super) precision: Mean,
    /// Over those that did not diverge.
    pub(super) precision_details: Mean,
    pub(super) ops_saved: i64,
    pub(super) undo_actions: u32,
    pub(super) removed_actions: u32,
    pub(super) usage: Usage,
}

impl Tally {
    pub(super) fn add_usage(&mut self, usage: Usage) {
        let Usage {
            input_tokens,
            output_tokens,
        } = &mut self.usage;
        // What a server says of itself may be any number.
        *input_tokens = input_tokens.saturating_add(usage.input_tokens);
        *output_tokens = output_tokens.saturating_add(usage.output_tokens);
    }

    /// Counts what in an answer became no proposal.
    pub(super) fn add_losses(&mut self, proposals: &Proposals) {
        let n_rejected = proposals.rejected().len();
        self.calls_with_rejected += u32::from(n_rejected > 0);
        self.rejected_proposals += u32::try_from(n_rejected).unwrap_or(u32::MAX);
        if let Some(remarks) = proposals.remarks() {
            self.dropped_texts += u32::try_from(remarks.dropped.len()).unwrap_or(u32::MAX);
            self.truncated_answers += u32::from(remarks.truncated);
            self.restarts += u32::try_from(remarks.restarts.len()).unwrap_or(u32::MAX);
        }
    }

    /// Counts of every prediction enter the totals, refused ones included.
    pub(super) fn add_counts(&mut self, counts: Counts, totals: &Totals) {
        self.counts.add(counts);
        for (property_type, counts) in totals.by_type() {
            self.by_property.entry(property_type.name()).or_default().add(counts);
        }
    }
}

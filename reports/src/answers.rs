//! What language models answered besides proposals: failures, losses and tokens.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::aggregate::{UnitResult, ratio};
use crate::table::{count, counted};

/// Counts over the calls of all trajectories, aborted ones included, since their tokens were read and written too.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AnswerCounts {
    /// Calls, whatever came of them.
    pub calls: u64,
    /// Calls without a suggestion.
    pub empty: u64,
    /// Calls that failed.
    pub failed: u64,
    /// Failed calls by kind, where the predictor knows it.
    pub failures: BTreeMap<String, u64>,
    /// Answers that were cut off before their end.
    pub truncated: u64,
    /// How often a predictor was started anew, after which it answered.
    #[serde(skip_serializing_if = "is_zero")]
    pub restarts: u64,
    /// Proposals that could not be read as actions.
    pub unreadable: u64,
    /// The same for each answer that proposed anything; null where none did.
    pub unreadable_per_prediction: Option<f64>,
    /// Pieces of answers that were no proposals, such as prose.
    pub dropped: u64,
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
}

impl AnswerCounts {
    /// The counts of a run, where there is anything to tell that the other figures do not; of predictors of other people
    /// (`is_foreign`) unreadable proposals are that, too, which of ours are as published.
    pub fn of(units: &[UnitResult], is_foreign: bool) -> Option<Self> {
        let mut counts = Self::default();
        let mut predictions = 0;
        for summary in units.iter().map(|unit| &unit.summary) {
            predictions += u64::from(summary.predictions);
            counts.empty += u64::from(summary.empty);
            counts.failed += u64::from(summary.errors);
            counts.truncated += u64::from(summary.truncated_answers);
            counts.restarts += u64::from(summary.restarts);
            counts.unreadable += u64::from(summary.rejected_proposals);
            counts.dropped += u64::from(summary.dropped_texts);
            counts.input_tokens = counts.input_tokens.saturating_add(summary.usage.input_tokens);
            counts.output_tokens = counts.output_tokens.saturating_add(summary.usage.output_tokens);
            for (kind, n) in &summary.failures {
                *counts.failures.entry(kind.clone()).or_default() += u64::from(*n);
            }
        }
        counts.calls = predictions + counts.empty + counts.failed;
        counts.unreadable_per_prediction = ratio(counts.unreadable, predictions);
        let is_unreadable = is_foreign && counts.unreadable > 0;
        (is_unreadable || counts.has_something_to_tell()).then_some(counts)
    }

    fn has_something_to_tell(&self) -> bool {
        let Self {
            input_tokens,
            output_tokens,
            truncated,
            dropped,
            restarts,
            ..
        } = *self;
        [input_tokens, output_tokens, truncated, dropped, restarts]
            .iter()
            .any(|n| *n > 0)
            || !self.failures.is_empty()
    }

    /// The counts in one or two sentences.
    pub fn note(&self) -> String {
        let mut parts = vec![
            counted(self.calls, "call", "calls"),
            format!("{} without a suggestion", count(self.empty)),
        ];
        let share = self.unreadable_per_prediction;
        let share = share.map_or_else(String::new, |share| format!(" ({share:.2} a prediction)"));
        if self.unreadable > 0 || !share.is_empty() {
            parts.push(format!(
                "{}{share}",
                counted(self.unreadable, "unreadable proposal", "unreadable proposals")
            ));
        }
        for (n, what) in [
            (
                self.dropped,
                if self.dropped == 1 {
                    "line of no proposal"
                } else {
                    "lines of no proposal"
                },
            ),
            (self.truncated, "cut off"),
            (self.restarts, "after a restart of the predictor"),
        ] {
            if n > 0 {
                parts.push(format!("{} {what}", count(n)));
            }
        }
        if self.failed > 0 {
            let kinds: Vec<String> = self.failures.iter().map(|(kind, n)| format!("{n} {kind}")).collect();
            let kinds = if kinds.is_empty() {
                String::new()
            } else {
                format!(" ({})", kinds.join(", "))
            };
            parts.push(format!("{} failed{kinds}", count(self.failed)));
        }
        let mut note = format!("answers: {}", parts.join(", "));
        if self.input_tokens > 0 || self.output_tokens > 0 {
            let (read, written) = (count(self.input_tokens), count(self.output_tokens));
            note.push_str(&format!("; tokens: {read} read, {written} written"));
        }
        note
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(n: &u64) -> bool {
    *n == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::summary;

    fn unit(change: impl FnOnce(&mut napsim_sim::event::Summary)) -> UnitResult {
        let mut summary = summary("t", 10, 10);
        change(&mut summary);
        UnitResult {
            summary,
            coverage: None,
        }
    }

    #[test]
    fn predictors_without_tokens_have_nothing_to_tell() {
        let silent = unit(|summary| {
            summary.predictions = 4;
            summary.rejected_proposals = 1;
        });
        assert_eq!(AnswerCounts::of(std::slice::from_ref(&silent), false), None);
        let foreign = AnswerCounts::of(&[silent], true).unwrap();
        assert_eq!(
            foreign.note(),
            "answers: 4 calls, 0 without a suggestion, 1 unreadable proposal (0.25 a prediction)"
        );
    }

    #[test]
    fn losses_and_failures_are_counted_over_all_trajectories() {
        let answered = unit(|summary| {
            summary.predictions = 4;
            summary.empty = 1;
            summary.rejected_proposals = 2;
            summary.dropped_texts = 3;
            summary.usage.input_tokens = 1_000;
            summary.usage.output_tokens = 20;
        });
        let failed = unit(|summary| {
            summary.errors = 2;
            summary.truncated_answers = 1;
            summary.failures = BTreeMap::from([("refusal".to_owned(), 2)]);
            summary.error = Some("refused".to_owned());
        });
        let counts = AnswerCounts::of(&[answered, failed], false).unwrap();
        assert_eq!((counts.calls, counts.failed, counts.dropped), (7, 2, 3));
        assert_eq!(counts.unreadable_per_prediction, Some(0.5));
        assert_eq!(
            counts.note(),
            "answers: 7 calls, 1 without a suggestion, 2 unreadable proposals (0.50 a prediction), 3 lines of no \
             proposal, 1 cut off, 2 failed (2 refusal); tokens: 1,000 read, 20 written"
        );
    }
}

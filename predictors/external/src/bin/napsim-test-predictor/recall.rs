//! A predictor with a memory, for tests that compare the two sides of a pipe.
//!
//! It proposes what followed the last action's keyword before, gives its confidence by the seed, now and then proposes
//! what is no action, and says so.

use std::collections::BTreeMap;

use napsim_sim::predictor::{
    Budget, Fingerprint, PredictError, Predictor, Proposals, Remarks, Seed, TrajectoryHead, Usage, View,
};
use napsim_trajectories::Action;

/// Remembers what followed what.
#[derive(Debug, Default)]
pub(crate) struct Recall {
    seed: u64,
    sheet: String,
    last: Option<Action>,
    followers: BTreeMap<&'static str, Vec<String>>,
    n_calls: u64,
    n_told: u64,
}

impl Predictor for Recall {
    fn fingerprint(&self) -> Fingerprint {
        Fingerprint("recall/1".to_owned())
    }

    fn begin(&mut self, head: TrajectoryHead<'_>, seed: Seed) {
        *self = Self {
            seed: seed.0,
            sheet: head.sheet.to_owned(),
            ..Self::default()
        };
    }

    fn observe(&mut self, actions: &[Action]) {
        for action in actions {
            if let Some(last) = &self.last {
                let followers = self.followers.entry(last.keyword().text()).or_default();
                followers.push(action.to_string());
            }
            self.last = Some(action.clone());
            self.n_told += 1;
        }
    }

    fn predict(&mut self, view: View<'_>, budget: Budget, out: &mut Proposals) -> Result<Usage, PredictError> {
        if self.n_told != view.history.len() as u64 {
            return Err(PredictError::Fatal(format!(
                "told {} of {} actions",
                self.n_told,
                view.history.len()
            )));
        }
        self.n_calls += 1;
        if self.n_calls.is_multiple_of(7) {
            let _ = out.push_text(&format!("think about {}", self.sheet), None);
        }
        let last = self.last.as_ref().map(|last| last.keyword().text());
        let followers = last.and_then(|last| self.followers.get(last));
        let wanted = budget.actions_max.map_or(3, |max| max as usize);
        for (idx, line) in followers.into_iter().flatten().rev().take(wanted).enumerate() {
            // The top 53 bits, as a share of one.
            #[expect(clippy::cast_precision_loss, reason = "53 bits are exact")]
            let confidence = ((self.seed ^ (self.n_calls << 20) ^ idx as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 11)
                as f64
                / (1_u64 << 53) as f64;
            let _ = out.push_text(line, Some(confidence));
        }
        out.remark(Remarks {
            intent: Some(format!("call {}", self.n_calls)).filter(|_| self.n_calls.is_multiple_of(3)),
            raw: Some(format!("{last:?}")).filter(|_| self.n_calls.is_multiple_of(5)),
            truncated: self.n_calls.is_multiple_of(11),
            ..Remarks::default()
        });
        Ok(Usage {
            input_tokens: self.n_told,
            output_tokens: self.n_calls % 2,
        })
    }
}

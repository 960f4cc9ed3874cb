//! The predictor that proposes the last action again.

use napsim_sim::predictor::{
    Budget, Fingerprint, PredictError, Predictor, Proposals, Seed, TrajectoryHead, Usage, View,
};
use napsim_trajectories::Action;

use crate::reading::typed_again;

/// Proposes the last action again, on the same range.
///
/// It is the floor that every other predictor should clear: repeating an action hardly ever changes a sheet.
#[derive(Clone, Debug)]
pub struct RepeatLast {
    count: usize,
    last: Option<Action>,
}

impl RepeatLast {
    /// A predictor that proposes the last action `count` times.
    pub fn new(count: usize) -> Self {
        Self { count, last: None }
    }
}

impl Predictor for RepeatLast {
    fn fingerprint(&self) -> Fingerprint {
        Fingerprint(format!(
            "repeat-last/{}?count={}",
            env!("CARGO_PKG_VERSION"),
            self.count
        ))
    }

    fn begin(&mut self, _head: TrajectoryHead<'_>, _seed: Seed) {
        self.last = None;
    }

    fn observe(&mut self, actions: &[Action]) {
        if let Some(action) = actions.last() {
            self.last = Some(action.clone());
        }
    }

    fn predict(&mut self, _view: View<'_>, _budget: Budget, out: &mut Proposals) -> Result<Usage, PredictError> {
        let Some(last) = &self.last else {
            return Ok(Usage::default());
        };
        // Repeated as text, so that an undo action is proposed as if the user had typed it.
        let typed = typed_again(last);
        for _ in 0..self.count {
            match &typed {
                Some(action) => out.push(action.clone(), None),
                // A text that is no action is kept among the rejected ones.
                None => {
                    let _ = out.push_text(&last.to_string(), None);
                }
            }
        }
        Ok(Usage::default())
    }
}

//! The predictor that never proposes anything.

use napsim_sim::predictor::{
    Budget, Fingerprint, PredictError, Predictor, Proposals, Seed, TrajectoryHead, Usage, View,
};
use napsim_trajectories::Action;

/// Never proposes anything: the user does all the work.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoPredictions;

impl Predictor for NoPredictions {
    fn fingerprint(&self) -> Fingerprint {
        Fingerprint(format!("none/{}", env!("CARGO_PKG_VERSION")))
    }

    fn begin(&mut self, _head: TrajectoryHead<'_>, _seed: Seed) {}

    fn observe(&mut self, _actions: &[Action]) {}

    fn predict(&mut self, _view: View<'_>, _budget: Budget, _out: &mut Proposals) -> Result<Usage, PredictError> {
        Ok(Usage::default())
    }
}

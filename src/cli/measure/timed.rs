//! A predictor under the clock, which gives up when the run is interrupted.

use std::time::Instant;

use napsim_predictors::PredictorFactory;
use napsim_reports::Latencies;
use napsim_reports::table::PredictionTime;
use napsim_sim::predictor::{
    Budget, Fingerprint, PredictError, Predictor, Proposals, Seed, TrajectoryHead, Usage, View,
};
use napsim_trajectories::Action;

use crate::signals::Interruption;

/// A predictor whose calls are timed, learning from the history included.
pub(in crate::cli) struct TimedPredictor {
    inner: Box<dyn Predictor>,
    interruption: Interruption,
    time: PredictionTime,
    latencies: Latencies,
}

impl TimedPredictor {
    /// A new predictor, which has seen nothing.
    pub(in crate::cli) fn new(factory: &PredictorFactory, interruption: &Interruption) -> Self {
        Self::around(factory.build(), interruption)
    }

    /// This predictor, timed.
    pub(in crate::cli) fn around(inner: Box<dyn Predictor>, interruption: &Interruption) -> Self {
        Self {
            inner,
            interruption: interruption.clone(),
            time: PredictionTime::default(),
            latencies: Latencies::default(),
        }
    }

    /// The time spent since the trajectory began.
    pub(in crate::cli) fn time(&self) -> PredictionTime {
        self.time
    }

    /// How long each call since the trajectory began took, without learning from the history.
    pub(in crate::cli) fn latencies(&self) -> &Latencies {
        &self.latencies
    }
}

impl Predictor for TimedPredictor {
    fn fingerprint(&self) -> Fingerprint {
        self.inner.fingerprint()
    }

    fn begin(&mut self, head: TrajectoryHead<'_>, seed: Seed) {
        self.time = PredictionTime::default();
        self.latencies = Latencies::default();
        self.inner.begin(head, seed);
    }

    fn observe(&mut self, actions: &[Action]) {
        let start = Instant::now();
        self.inner.observe(actions);
        self.time.seconds += start.elapsed().as_secs_f64();
    }

    fn predict(&mut self, view: View<'_>, budget: Budget, out: &mut Proposals) -> Result<Usage, PredictError> {
        if self.interruption.signal().is_some() {
            return Err(PredictError::Fatal("interrupted".to_owned()));
        }
        let start = Instant::now();
        let result = self.inner.predict(view, budget, out);
        let seconds = start.elapsed().as_secs_f64();
        self.latencies.add(seconds);
        self.time.seconds += seconds;
        self.time.calls += 1;
        result
    }
}

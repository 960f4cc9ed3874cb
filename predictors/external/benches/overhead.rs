//! What a call costs beyond the predictor's own time: one that echoes in a process of its own, next to the same one here.
//! The history grows by an action a call, as it does in a rollout.
//!
//! `cargo bench -p napsim-external --bench overhead`

use divan::{Bencher, black_box};
use napsim_external::{External, ExternalSettings, ExternalSetup};
use napsim_sim::predictor::{
    Budget, CurrentWorkbook, Fingerprint, PredictError, Predictor, Proposals, Seed, TrajectoryHead, Usage, View,
};
use napsim_trajectories::Action;

/// Calls of a trajectory.
const N_CALLS: usize = 1_000;

fn main() {
    divan::main();
}

/// Proposes the last action again.
struct Echo;

impl Predictor for Echo {
    fn fingerprint(&self) -> Fingerprint {
        Fingerprint("echo".to_owned())
    }

    fn begin(&mut self, _head: TrajectoryHead<'_>, _seed: Seed) {}

    fn observe(&mut self, _actions: &[Action]) {}

    fn predict(&mut self, view: View<'_>, _budget: Budget, out: &mut Proposals) -> Result<Usage, PredictError> {
        if let Some(last) = view.history.last() {
            out.push(last.clone(), None);
        }
        Ok(Usage::default())
    }
}

/// A predictor in the middle of its trajectories.
struct Asked<P> {
    predictor: P,
    history: Vec<Action>,
    n_known: usize,
    current: CurrentWorkbook,
}

impl<P: Predictor> Asked<P> {
    fn new(predictor: P) -> Self {
        let line = |idx: usize| format!("INPUT | Sheet1!C{} | \"Wheat flour, 25 kg\"", idx + 1);
        Self {
            predictor,
            history: (0..N_CALLS).filter_map(|idx| Action::parse(&line(idx)).ok()).collect(),
            n_known: N_CALLS,
            current: CurrentWorkbook::default(),
        }
    }

    /// One call with one action more than the one before.
    fn call(&mut self) -> bool {
        if self.n_known >= self.history.len() {
            let head = TrajectoryHead {
                name: "bench",
                sheet: "Sheet1",
            };
            self.predictor.begin(head, Seed(0));
            self.n_known = 0;
        }
        self.n_known += 1;
        let view = View {
            history: self.history.get(..self.n_known).unwrap_or_default(),
            current: &self.current,
            user_steps: 0,
            call_idx: 0,
        };
        let mut proposals = Proposals::default();
        let budget = Budget { actions_max: Some(1) };
        let result = self.predictor.predict(view, budget, &mut proposals);
        black_box(&proposals);
        result.is_ok() && proposals.actions().len() == 1
    }
}

#[divan::bench(sample_count = 100, sample_size = 50)]
fn in_process(bencher: Bencher) {
    let mut asked = Asked::new(Echo);
    bencher.bench_local(|| assert!(asked.call()));
}

/// Each action is told once.
#[divan::bench(sample_count = 100, sample_size = 50)]
fn echo_process(bencher: Bencher) {
    bench_process(bencher, "");
}

/// Each call holds the whole history, here up to 1,000 actions.
#[divan::bench(sample_count = 100, sample_size = 50)]
fn echo_process_all_history(bencher: Bencher) {
    bench_process(bencher, "--all-history");
}

fn bench_process(bencher: Bencher, arguments: &str) {
    let command = format!("{} {arguments}", env!("CARGO_BIN_EXE_napsim-test-predictor"));
    let Ok(setup) = ExternalSetup::program(&command, ExternalSettings::default()) else {
        return;
    };
    let mut asked = Asked::new(External::new(setup));
    bencher.bench_local(|| assert!(asked.call()));
}

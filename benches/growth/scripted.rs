//! A predictor that knows the trajectory and is right half of the time.

use std::cell::Cell;
use std::time::Instant;

use napsim_sim::predictor::{
    Budget, Fingerprint, PredictError, Predictor, Proposals, Seed, TrajectoryHead, Usage, View,
};
use napsim_trajectories::{Action, Bounds, Range};

/// How far ahead a right proposal may lie, in actions.
const AHEAD: u64 = 4;

/// How many actions may lie between what is next in the trajectory and what came to pass.
const LOST: usize = 16;

thread_local! {
    /// When the latest proposal was handed over.
    static ANSWERED: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// When the latest proposal on this thread was handed over, once.
pub(crate) fn answered() -> Option<Instant> {
    ANSWERED.take()
}

/// Proposes one of the next few actions, or the same one column to the right.
pub(crate) struct Scripted<'a> {
    trajectory: &'a [Action],
    /// Index of the next action of the trajectory.
    next: usize,
    draws: u64,
}

impl<'a> Scripted<'a> {
    /// A predictor for one trajectory.
    pub(crate) fn new(trajectory: &'a [Action]) -> Self {
        Self {
            trajectory,
            next: 0,
            draws: 0,
        }
    }

    /// The next number of a fixed series (SplitMix64).
    fn draw(&mut self) -> u64 {
        self.draws = self.draws.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.draws;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

impl Predictor for Scripted<'_> {
    fn fingerprint(&self) -> Fingerprint {
        Fingerprint("scripted".to_owned())
    }

    fn begin(&mut self, _head: TrajectoryHead<'_>, _seed: Seed) {
        self.next = 0;
        self.draws = 0;
    }

    fn observe(&mut self, actions: &[Action]) {
        for action in actions {
            let ahead = self.trajectory.iter().skip(self.next).take(LOST);
            if let Some(skipped) = ahead.into_iter().position(|planned| planned == action) {
                self.next += skipped + 1;
            }
        }
    }

    fn predict(&mut self, _view: View<'_>, _budget: Budget, out: &mut Proposals) -> Result<Usage, PredictError> {
        let draw = self.draw();
        let ahead = usize::try_from(draw % AHEAD).unwrap_or(0);
        let right = (draw >> 32) & 1 == 0;
        if let Some(action) = self.trajectory.get(self.next + ahead) {
            out.push(if right { action.clone() } else { beside(action) }, None);
        }
        ANSWERED.set(Some(Instant::now()));
        Ok(Usage::default())
    }
}

/// The same action one column to the right.
fn beside(action: &Action) -> Action {
    let bounds = action.range().bounds();
    let moved = Bounds {
        first_col: bounds.first_col + 1,
        last_col: bounds.last_col + 1,
        ..bounds
    };
    action.on_range(Range::from_bounds(action.range().sheet().clone(), moved))
}

//! Which windows a step learns from, and how fast.

use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;

use super::settings::Settings;
use super::windows::Windows;

/// The steps of a run.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// Windows that hold something to be learned.
    usable: Vec<usize>,
    /// Steps of an epoch.
    pub(crate) per_epoch: usize,
    /// Steps of the run.
    pub(crate) steps: usize,
}

impl Plan {
    /// The plan of a run; none where there is nothing to learn.
    pub(crate) fn new(settings: &Settings, windows: &Windows) -> Option<Self> {
        let usable = usable(windows);
        let per_epoch = usable.len().div_ceil(settings.batch);
        let steps = settings.epochs.saturating_mul(per_epoch);
        (!usable.is_empty()).then(|| Self {
            usable,
            per_epoch,
            steps: settings.steps_max.map_or(steps, |steps_max| steps_max.min(steps)),
        })
    }

    /// The windows of a step, counted from 0, in batches; those of an epoch are in an order drawn by the seed.
    pub(crate) fn batches(
        &self,
        settings: &Settings,
        windows: &Windows,
        order: &mut Order,
        step: usize,
    ) -> Vec<Vec<usize>> {
        let epoch = step / self.per_epoch;
        if order.epoch != Some(epoch) {
            let mut random = ChaCha8Rng::seed_from_u64(settings.seed);
            // The first streams are for other things.
            random.set_stream(16 + epoch as u64);
            order.windows.clone_from(&self.usable);
            order.windows.shuffle(&mut random);
            order.epoch = Some(epoch);
        }
        let first = step % self.per_epoch * settings.batch;
        let last = order.windows.len().min(first + settings.batch);
        let drawn = order.windows.get(first..last).unwrap_or_default().to_vec();
        in_batches(windows, drawn, settings.micro_batch)
    }

    /// The learning rate of a step, counted from 0: it rises evenly, then falls by a half cosine.
    #[expect(clippy::cast_precision_loss, reason = "steps are few")]
    pub(crate) fn rate(&self, settings: &Settings, step: usize) -> f64 {
        let steps = self.steps as f64;
        let rising = (steps * settings.warm_up).ceil();
        let step = step as f64;
        let share = if step < rising {
            (step + 1.0) / rising
        } else {
            let fallen = (step - rising) / (steps - rising).max(1.0);
            0.5 * (1.0 + (std::f64::consts::PI * fallen).cos())
        };
        settings.learning_rate * share
    }
}

/// The order of the windows in an epoch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Order {
    epoch: Option<usize>,
    windows: Vec<usize>,
}

/// The windows that hold something to be learned.
pub(crate) fn usable(windows: &Windows) -> Vec<usize> {
    let counts = windows.windows.iter().map(|window| windows.n_targets(window));
    counts
        .enumerate()
        .filter_map(|(idx, n_targets)| (n_targets > 0).then_some(idx))
        .collect()
}

/// Windows in batches of like length, the longest first, so that threads end together.
pub(crate) fn in_batches(windows: &Windows, mut drawn: Vec<usize>, n_windows: usize) -> Vec<Vec<usize>> {
    let length = |idx: &usize| windows.windows.get(*idx).map_or(0, |window| windows.n_tokens(window));
    drawn.sort_by_key(|idx| std::cmp::Reverse(length(idx)));
    drawn.chunks(n_windows.max(1)).map(<[usize]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::super::windows::Window;
    use super::*;

    fn windows(lengths: impl IntoIterator<Item = usize>) -> Windows {
        let window = |length| Window {
            start: 0,
            end: length,
            learned_from: 1,
        };
        Windows {
            beginning: Vec::new(),
            tokens: vec![0; 100],
            windows: lengths.into_iter().map(window).collect(),
        }
    }

    #[test]
    fn each_epoch_goes_through_all_windows_in_another_order() {
        let windows = windows((1..=11).chain([1]));
        let settings = Settings {
            batch: 4,
            micro_batch: 3,
            epochs: 2,
            ..Settings::default()
        };
        let plan = Plan::new(&settings, &windows).unwrap();
        assert_eq!((plan.per_epoch, plan.steps), (3, 6));
        let mut order = Order::default();
        let mut epochs = Vec::new();
        for epoch in 0..2 {
            let steps = (0..3).map(|step| plan.batches(&settings, &windows, &mut order, epoch * 3 + step));
            let steps: Vec<_> = steps.collect();
            for batch in &steps {
                let all = batch.concat();
                assert!(all.is_sorted_by_key(|idx| std::cmp::Reverse(*idx)), "{batch:?}");
                assert!(batch.iter().all(|part| part.len() <= 3));
            }
            let mut all = steps.concat().concat();
            all.sort_unstable();
            // The first and the last window hold one token, which follows nothing.
            assert_eq!(all, (1..=10).collect::<Vec<_>>());
            epochs.push(steps);
        }
        assert_ne!(epochs[0], epochs[1]);
        assert_eq!(
            plan.batches(&settings, &windows, &mut Order::default(), 4),
            epochs[1][1]
        );
    }

    #[test]
    fn the_rate_rises_and_falls() {
        let settings = Settings {
            batch: 1,
            epochs: 10,
            learning_rate: 0.1,
            ..Settings::default()
        };
        let plan = Plan::new(&settings, &windows(vec![5; 10])).unwrap();
        let rates: Vec<f64> = (0..plan.steps).map(|step| plan.rate(&settings, step)).collect();
        assert!((rates[0] - 0.02).abs() < 1e-12 && (rates[4] - 0.1).abs() < 1e-12 && (rates[5] - 0.1).abs() < 1e-12);
        assert!(rates[5..].is_sorted_by(|before, after| before > after));
        assert!(rates[99] > 0.0 && rates[99] < 1e-4);
    }

    #[test]
    fn without_targets_there_is_no_plan() {
        assert!(Plan::new(&Settings::default(), &windows([1, 0])).is_none());
    }
}

//! What is trained, on the processor: values, moments and the gradient of a step.

use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use super::optimizer::Moments;
use super::settings::{AdapterSettings, Settings};
use super::windows::Windows;
use super::workers::Workers;
use super::{Halt, TrainError};
use crate::network::kernels::add;
use crate::network::pass::{Learned, State};
use crate::network::{Adapters, Dropout, Leaf, LlamaNetwork, Numbers, leaves, merge, normal};

/// Why no step was taken.
#[derive(Debug)]
pub(crate) enum Stop {
    Halted(Halt),
    Failed(TrainError),
}

impl From<candle_core::Error> for Stop {
    fn from(error: candle_core::Error) -> Self {
        Self::Failed(error.into())
    }
}

/// What a step came to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Taken {
    /// The sum of the losses, in nats.
    pub(crate) loss: f64,
    pub(crate) n_targets: usize,
    /// Tokens read.
    pub(crate) n_tokens: usize,
}

/// A model under training.
#[derive(Debug)]
pub(crate) struct Host {
    network: LlamaNetwork,
    adapters: Option<Adapters<Numbers>>,
    /// What is trained: names and shapes, in the order of the values.
    pub(crate) trained: Vec<Leaf>,
    pub(crate) moments: Moments,
    workers: Workers,
}

impl Host {
    /// The model before its first step.
    pub(crate) fn new(network: LlamaNetwork, settings: &Settings) -> Result<Self, TrainError> {
        let adapters = settings
            .adapters
            .as_ref()
            .map(|adapters| begin(&network, adapters, settings.seed));
        let trained = match &settings.adapters {
            Some(adapters) => Adapters::build(network.config(), adapters.rank, 1.0, Leaf::clone).into_order(),
            None => leaves(network.config()),
        };
        Ok(Self {
            moments: Moments::new(trained.iter().map(Leaf::n_numbers)),
            workers: Workers::new(rayon::current_num_threads())?,
            network,
            adapters,
            trained,
        })
    }

    /// The values of what is trained.
    pub(crate) fn values(&self) -> Vec<&[f32]> {
        let values = match &self.adapters {
            Some(adapters) => adapters.in_order(),
            None => self.network.weights().in_order(),
        };
        values.into_iter().map(Numbers::as_slice).collect()
    }

    /// Sets the values of what is trained.
    pub(crate) fn set_values(&mut self, values: &[Vec<f32>]) {
        for (to, from) in self.values_mut().into_iter().zip(values) {
            to.as_mut_slice().copy_from_slice(from);
        }
    }

    fn values_mut(&mut self) -> Vec<&mut Numbers> {
        match &mut self.adapters {
            Some(adapters) => adapters.in_order_mut(),
            None => self.network.weights_mut().in_order_mut(),
        }
    }

    pub(crate) fn state(&self) -> State<'_> {
        State {
            config: self.network.config(),
            model: self.network.weights(),
            adapters: self.adapters.as_ref(),
        }
    }

    /// Learns from the windows of a step, counted from 0, that come in batches. The gradient is that of the mean loss.
    pub(crate) fn learn(
        &mut self,
        settings: &Settings,
        windows: &Windows,
        batches: &[Vec<usize>],
        (step, rate): (usize, f64),
        halt: &(dyn Fn() -> Option<Halt> + Sync),
    ) -> Result<Taken, Stop> {
        let mut taken = count(windows, batches);
        #[expect(clippy::cast_precision_loss, reason = "a step has far fewer targets")]
        let scale = 1.0 / taken.n_targets.max(1) as f32;
        let state = self.state();
        let dropout = settings.adapters.as_ref().filter(|adapters| adapters.dropout > 0.0);
        let work = |idx: usize, batch: &Vec<usize>| {
            if let Some(halt) = halt() {
                return Err(Stop::Halted(halt));
            }
            let dropout = dropout.map(|adapters| Dropout {
                share: adapters.dropout,
                seed: settings.seed,
                stream: (step * batches.len() + idx) as u64,
            });
            let learned = state.learn(&windows.batch(batch), scale, dropout);
            learned.map_err(|error| Stop::Failed(error.into()))
        };
        let mut gradient: Option<Vec<Numbers>> = None;
        let take = |learned: Learned| {
            taken.loss += learned.loss;
            match &mut gradient {
                None => gradient = Some(learned.gradient),
                Some(gradient) => {
                    for (sum, share) in gradient.iter_mut().zip(&learned.gradient) {
                        add(sum.as_mut_slice(), share.as_slice());
                    }
                }
            }
        };
        self.workers.in_order(batches, work, take)?;
        let decays: Vec<bool> = self.trained.iter().map(|leaf| !leaf.is_norm).collect();
        let mut moments = std::mem::take(&mut self.moments);
        let gradient = gradient.unwrap_or_default();
        let mut values = self.values_mut();
        let moved = moments.step(settings, (step, rate), &mut values, &decays, &gradient);
        self.moments = moments;
        if !moved || !taken.loss.is_finite() {
            return Err(Stop::Failed(TrainError::Diverged { step: step + 1 }));
        }
        Ok(taken)
    }

    /// The losses of windows that come in batches.
    pub(crate) fn measure(
        &self,
        windows: &Windows,
        batches: &[Vec<usize>],
        halt: &(dyn Fn() -> Option<Halt> + Sync),
    ) -> Result<Taken, Stop> {
        let mut taken = count(windows, batches);
        let state = self.state();
        let work = |_: usize, batch: &Vec<usize>| {
            if halt() == Some(Halt::Interrupt) {
                return Err(Stop::Halted(Halt::Interrupt));
            }
            state
                .loss(&windows.batch(batch))
                .map_err(|error| Stop::Failed(error.into()))
        };
        self.workers.in_order(batches, work, |loss| taken.loss += loss)?;
        Ok(taken)
    }

    /// The network with its adapters merged.
    pub(crate) fn into_network(self) -> Result<LlamaNetwork, TrainError> {
        let mut network = self.network;
        if let Some(adapters) = &self.adapters {
            merge(network.weights_mut(), adapters)?;
        }
        Ok(network)
    }
}

/// How many tokens the batches hold; no loss yet.
pub(crate) fn count(windows: &Windows, batches: &[Vec<usize>]) -> Taken {
    let all = batches.iter().flatten().filter_map(|idx| windows.windows.get(*idx));
    all.fold(Taken::default(), |taken, window| Taken {
        n_targets: taken.n_targets + windows.n_targets(window),
        n_tokens: taken.n_tokens + windows.n_tokens(window),
        ..taken
    })
}

/// Adapters before the first step: inward matrices are drawn, outward ones are zero, so that nothing changes yet.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "ranks and widths are small"
)]
fn begin(network: &LlamaNetwork, settings: &AdapterSettings, seed: u64) -> Adapters<Numbers> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(1);
    let scale = settings.alpha / settings.rank as f64;
    Adapters::build(network.config(), settings.rank, scale as f32, |leaf| {
        match leaf.name.contains("lora_A") {
            true => {
                let inputs = leaf.shape.last().copied().unwrap_or(1);
                // The spread of the usual even draw between plus and minus the root of one over the inputs.
                let spread = (1.0 / (3.0 * inputs as f64)).sqrt();
                Numbers::new(normal(&mut random, leaf.n_numbers(), spread))
            }
            false => Numbers::zeros(leaf.n_numbers()),
        }
    })
}

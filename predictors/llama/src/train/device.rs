//! What is trained, on another device than the processor: the same steps by the tensor library.

use candle_core::{Device, Result, Tensor, Var};

use super::host::{Host, Stop, Taken, count};
use super::optimizer::{EPSILON, Moments, Pull};
use super::settings::Settings;
use super::windows::Windows;
use super::{Halt, TrainError};
use crate::network::graph::Graph;
use crate::network::{Adapters, Leaf, Model, Numbers, leaves};

/// A model under training on a device.
#[derive(Debug)]
pub(crate) struct OnDevice {
    /// The model as it was before the first step, without moments.
    pub(crate) host: Host,
    device: Device,
    model: Model<Tensor>,
    adapters: Option<Adapters<Tensor>>,
    /// What is trained, in the order of the values.
    trained: Vec<Var>,
    first: Vec<Tensor>,
    second: Vec<Tensor>,
}

impl OnDevice {
    /// Moves a model to the device.
    pub(crate) fn new(mut host: Host, device: &Device) -> Result<Self> {
        let moments = std::mem::take(&mut host.moments);
        let upload = |(leaf, numbers): (&Leaf, &[f32])| Tensor::from_slice(numbers, leaf.shape.as_slice(), device);
        let uploaded = |all: &[Vec<f32>]| -> Result<Vec<Tensor>> {
            let numbers = all.iter().map(Vec::as_slice);
            host.trained.iter().zip(numbers).map(upload).collect()
        };
        let (first, second) = (uploaded(&moments.first)?, uploaded(&moments.second)?);
        let values = host.trained.iter().zip(host.values());
        let trained: Vec<Var> = values
            .map(|value| Var::from_tensor(&upload(value)?))
            .collect::<Result<_>>()?;
        let mut tensors = trained.iter().map(|value| value.as_tensor().clone());
        let mut next = || {
            tensors
                .next()
                .ok_or_else(|| candle_core::Error::Msg("a tensor is missing".to_owned()))
        };
        let state = host.state();
        let (model, adapters) = match state.adapters {
            None => (Model::build(state.config, |_| next())?, None),
            Some(adapters) => {
                let frozen = leaves(state.config);
                let numbers = state.model.in_order().into_iter().map(Numbers::as_slice);
                let mut frozen = frozen.iter().zip(numbers).map(upload);
                let mut next_frozen = || {
                    frozen
                        .next()
                        .unwrap_or_else(|| candle_core::bail!("a tensor is missing"))
                };
                let model = Model::build(state.config, |_| next_frozen())?;
                let adapters = Adapters::try_build(state.config, adapters.rank, adapters.scale, |_| next())?;
                (model, Some(adapters))
            }
        };
        Ok(Self {
            device: device.clone(),
            model,
            adapters,
            trained,
            first,
            second,
            host,
        })
    }

    fn graph(&self, dropout: f64) -> Graph<'_> {
        Graph {
            config: self.host.state().config,
            model: &self.model,
            adapters: self.adapters.as_ref(),
            dropout,
            device: &self.device,
        }
    }

    /// As [`Host::learn`]; batches are worked on one after the other.
    pub(crate) fn learn(
        &mut self,
        settings: &Settings,
        windows: &Windows,
        batches: &[Vec<usize>],
        (step, rate): (usize, f64),
        halt: &(dyn Fn() -> Option<Halt> + Sync),
    ) -> std::result::Result<Taken, Stop> {
        let mut taken = count(windows, batches);
        let dropout = settings.adapters.as_ref().map_or(0.0, |adapters| adapters.dropout);
        let mut gradient: Vec<Option<Tensor>> = vec![None; self.trained.len()];
        for (idx, batch) in batches.iter().enumerate() {
            if let Some(halt) = halt() {
                return Err(Stop::Halted(halt));
            }
            // The library draws numbers without a seed on the processor.
            if dropout > 0.0 && !self.device.is_cpu() {
                let stream = settings.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
                self.device
                    .set_seed(stream.wrapping_add((step * batches.len() + idx) as u64))?;
            }
            taken.loss += self.accumulate(&windows.batch(batch), dropout, taken.n_targets, &mut gradient)?;
        }
        let moved = self.step(settings, (step, rate), gradient)?;
        if !moved || !taken.loss.is_finite() {
            return Err(Stop::Failed(TrainError::Diverged { step: step + 1 }));
        }
        Ok(taken)
    }

    /// Adds the gradient of a batch; gives the sum of its losses.
    #[expect(clippy::cast_precision_loss, reason = "a step has far fewer targets")]
    fn accumulate(
        &self,
        batch: &crate::network::pass::Batch,
        dropout: f64,
        n_targets: usize,
        gradient: &mut [Option<Tensor>],
    ) -> Result<f64> {
        let loss = self.graph(dropout).loss(batch)?;
        let slopes = (&loss / n_targets.max(1) as f64)?.backward()?;
        for (sum, value) in gradient.iter_mut().zip(&self.trained) {
            let Some(share) = slopes.get(value.as_tensor()) else {
                candle_core::bail!("a tensor got no gradient");
            };
            *sum = Some(match sum.take() {
                None => share.clone(),
                Some(sum) => (sum + share)?,
            });
        }
        Ok(f64::from(loss.to_scalar::<f32>()?))
    }

    /// A step of AdamW; says whether the gradient is finite. Where it is not, nothing is moved.
    fn step(&mut self, settings: &Settings, at: (usize, f64), gradient: Vec<Option<Tensor>>) -> Result<bool> {
        let gradient: Vec<Tensor> = gradient.into_iter().flatten().collect();
        let mut squares = 0.0;
        for slopes in &gradient {
            squares += f64::from(slopes.sqr()?.sum_all()?.to_scalar::<f32>()?);
        }
        let Some(pull) = Pull::new(settings, at, squares.sqrt()) else {
            return Ok(false);
        };
        let moments = self.first.iter_mut().zip(&mut self.second);
        let all = self.trained.iter().zip(&self.host.trained).zip(&gradient).zip(moments);
        for (((value, leaf), slopes), (first, second)) in all {
            let slopes = (slopes * pull.shortened)?;
            *first = ((&*first * settings.beta_1)? + (&slopes * (1.0 - settings.beta_1))?)?;
            *second = ((&*second * settings.beta_2)? + (slopes.sqr()? * (1.0 - settings.beta_2))?)?;
            let spread = ((second.sqrt()? / pull.second_root)? + f64::from(EPSILON))?;
            let moved = ((&*first / spread)? * pull.step_size)?;
            let kept = if leaf.is_norm { 1.0 } else { pull.kept };
            value.set(&((value.as_tensor() * kept)? - moved)?)?;
        }
        Ok(true)
    }

    /// As [`Host::measure`].
    pub(crate) fn measure(
        &self,
        windows: &Windows,
        batches: &[Vec<usize>],
        halt: &(dyn Fn() -> Option<Halt> + Sync),
    ) -> std::result::Result<Taken, Stop> {
        let mut taken = count(windows, batches);
        for batch in batches {
            if halt() == Some(Halt::Interrupt) {
                return Err(Stop::Halted(Halt::Interrupt));
            }
            let loss = self.graph(0.0).loss(&windows.batch(batch))?;
            taken.loss += f64::from(loss.to_scalar::<f32>()?);
        }
        Ok(taken)
    }

    /// The values of what is trained.
    pub(crate) fn values(&self) -> Result<Vec<Vec<f32>>> {
        self.trained.iter().map(|value| download(value.as_tensor())).collect()
    }

    /// The moments.
    pub(crate) fn moments(&self) -> Result<Moments> {
        Ok(Moments {
            first: self.first.iter().map(download).collect::<Result<_>>()?,
            second: self.second.iter().map(download).collect::<Result<_>>()?,
        })
    }
}

fn download(tensor: &Tensor) -> Result<Vec<f32>> {
    tensor.flatten_all()?.to_vec1()
}

//! The run itself: epochs, validation, the best weights, and when to stop.

use super::batch::Batch;
use super::checkpoint::{Checkpoint, fingerprint};
use super::model::{Forward, Model, zero_state};
use super::optimizer::Moments;
use super::plan::{Row, plan};
use super::scan::LayerState;
use super::{Ending, EpochReport, Measures, Progress, Trained};
use crate::error::RecurrentError;
use crate::settings::Settings;
use crate::token::{HEADS, Token};
use crate::weights::{Leaf, leaves};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::ops::ControlFlow;

/// What is told of progress, and may break off.
type Listener<'a> = dyn FnMut(Progress<'_>) -> ControlFlow<()> + Send + 'a;

/// A run under way.
pub(crate) struct Run<'a> {
    settings: &'a Settings,
    train: &'a [Vec<Token>],
    valid: &'a [Vec<Token>],
    leaves: Vec<Leaf>,
    values: Vec<Vec<f32>>,
    moments: Moments,
    /// The state after the last finished epoch.
    done: Checkpoint,
}

/// Sums over the batches of an epoch.
#[derive(Default)]
struct Sums {
    loss: f64,
    targets: usize,
    hits: [usize; HEADS],
}

impl Sums {
    fn add(&mut self, batch: &Batch, forward: &Forward) {
        self.loss += forward.loss_sum;
        self.targets += batch.n_targets();
        for (sum, hits) in self.hits.iter_mut().zip(forward.hits) {
            *sum += hits;
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "counts are small")]
    fn measures(&self) -> Measures {
        let targets = self.targets.max(1) as f64;
        Measures {
            loss: self.loss / targets,
            targets: self.targets,
            accuracy: self.hits.map(|hits| hits as f64 / targets),
        }
    }
}

impl<'a> Run<'a> {
    /// Begins anew or where the checkpoint stands.
    pub(crate) fn new(
        settings: &'a Settings,
        train: &'a [Vec<Token>],
        valid: &'a [Vec<Token>],
        start: Option<Checkpoint>,
    ) -> Result<Self, RecurrentError> {
        if train.iter().all(|tokens| tokens.len() < 2) {
            return Err(RecurrentError::NothingToLearn);
        }
        let leaves = leaves(settings);
        let data = fingerprint([train, valid]);
        let mut done = match start {
            Some(checkpoint) => {
                checkpoint.belongs_to(settings, data)?;
                checkpoint
            }
            None => begin(settings, &leaves, data),
        };
        done.settings = settings.clone();
        Ok(Self {
            settings,
            train,
            valid,
            values: done.values.clone(),
            moments: done.moments.clone(),
            leaves,
            done,
        })
    }

    /// Runs the epochs that are left.
    pub(crate) fn go(mut self, listener: &mut Listener<'_>) -> Result<Trained, RecurrentError> {
        let mut ending = Ending::Complete;
        while self.done.reports.len() < self.settings.epochs_max {
            if self.is_stuck() {
                ending = Ending::NoProgress;
                break;
            }
            if self.epoch(listener)?.is_break() {
                ending = Ending::Interrupted;
                break;
            }
        }
        Ok(Trained {
            network: self.done.network(),
            epochs: self.done.reports.clone(),
            ending,
            checkpoint: self.done,
        })
    }

    /// Whether patience is at its end.
    fn is_stuck(&self) -> bool {
        let since_best = self.done.reports.iter().rev().take_while(|report| !report.best).count();
        self.settings.patience.is_some_and(|patience| since_best >= patience)
    }

    /// One epoch: learning, validation, report.
    fn epoch(&mut self, listener: &mut Listener<'_>) -> Result<ControlFlow<()>, RecurrentError> {
        let epoch = self.done.reports.len() + 1;
        let mut random = stream(self.settings.seed, epoch);
        let batches = plan(self.settings, self.train, Some(&mut random));
        let mut sums = Sums::default();
        let mut last = Vec::new();
        for (idx, rows) in batches.iter().enumerate() {
            let diverged = RecurrentError::Diverged { epoch, batch: idx + 1 };
            last = self.learn(rows, &last, &mut random, &mut sums)?.ok_or(diverged)?;
            let progress = Progress::Batch {
                epoch,
                batch: idx + 1,
                batches: batches.len(),
                loss: sums.measures().loss,
            };
            if listener(progress).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        let valid = self.validate()?;
        let lowest = self
            .done
            .reports
            .iter()
            .filter_map(|report| report.valid.as_ref())
            .map(|valid| valid.loss);
        let lowest = lowest.fold(f64::INFINITY, f64::min);
        let report = EpochReport {
            epoch,
            train: sums.measures(),
            best: valid.as_ref().is_none_or(|valid| valid.loss < lowest),
            valid,
        };
        self.done.values.clone_from(&self.values);
        self.done.moments.clone_from(&self.moments);
        if report.best {
            self.done.best.clone_from(&self.values);
        }
        self.done.reports.push(report.clone());
        Ok(listener(Progress::Epoch {
            report: &report,
            checkpoint: &self.done,
        }))
    }

    /// Learns from one batch. Returns the states after it, or nothing where the loss or its gradient is not finite.
    fn learn(
        &mut self,
        rows: &[Row],
        last: &[LayerState],
        random: &mut ChaCha8Rng,
        sums: &mut Sums,
    ) -> Result<Option<Vec<LayerState>>, RecurrentError> {
        let batch = Batch::new(self.settings, self.train, rows);
        let start = self.carry(rows, last);
        let dropout = (self.settings.dropout > 0.0).then_some(random);
        let model = Model::new(self.settings, &self.values);
        let forward = model.forward(&batch, start, dropout)?;
        if !forward.loss_sum.is_finite() {
            return Ok(None);
        }
        sums.add(&batch, &forward);
        let last = forward.last.clone();
        let gradient = model.backward(&batch, forward)?;
        let mut gradient: Vec<_> = gradient.in_order().into_iter().cloned().collect();
        let stepped = self
            .moments
            .step(self.settings, &self.leaves, &mut gradient, &mut self.values);
        Ok(stepped.then_some(last))
    }

    /// The states that these rows begin with.
    fn carry(&self, rows: &[Row], last: &[LayerState]) -> Vec<LayerState> {
        let hidden = self.settings.hidden;
        let mut start = zero_state(self.settings, rows.len());
        for (start, last) in start.iter_mut().zip(last) {
            for (to, from) in [(&mut start.units, &last.units), (&mut start.memory, &last.memory)] {
                for (to, row) in to.chunks_exact_mut(hidden).zip(rows) {
                    if let Some(from) = row.carried.and_then(|row| from.chunks_exact(hidden).nth(row)) {
                        to.copy_from_slice(from);
                    }
                }
            }
        }
        start
    }

    /// A run that validates these weights on these sequences.
    #[cfg(test)]
    pub(crate) fn of(settings: &'a Settings, values: &[Vec<f32>], valid: &'a [Vec<Token>]) -> Self {
        let mut done = begin(settings, &leaves(settings), fingerprint([valid, valid]));
        done.values = values.to_vec();
        Self::new(settings, valid, valid, Some(done)).unwrap()
    }

    /// How well the weights do on the validation sequences.
    pub(crate) fn validate(&self) -> Result<Option<Measures>, RecurrentError> {
        let mut sums = Sums::default();
        let mut last = Vec::new();
        let model = Model::new(self.settings, &self.values);
        for rows in plan(self.settings, self.valid, None) {
            let batch = Batch::new(self.settings, self.valid, &rows);
            let forward = model.forward(&batch, self.carry(&rows, &last), None)?;
            sums.add(&batch, &forward);
            last = forward.last;
        }
        Ok((sums.targets > 0).then(|| sums.measures()))
    }
}

/// The random numbers of an epoch; stream 0 is for the weights to begin with.
fn stream(seed: u64, epoch: usize) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(epoch as u64);
    random
}

/// The state before the first epoch.
fn begin(settings: &Settings, leaves: &[Leaf], data: u64) -> Checkpoint {
    let mut random = stream(settings.seed, 0);
    let values: Vec<_> = leaves.iter().map(|leaf| leaf.draw(&mut random)).collect();
    Checkpoint {
        settings: settings.clone(),
        data,
        reports: Vec::new(),
        moments: Moments::new(leaves),
        best: values.clone(),
        values,
    }
}

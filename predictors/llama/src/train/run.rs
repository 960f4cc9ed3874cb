//! The run itself: steps, reports, the best weights, and when to stop.

use std::hash::Hasher as _;

use super::checkpoint::{Checkpoint, Snapshot, Standing};
use super::host::{Host, Stop};
use super::plan::{Order, Plan, in_batches, usable};
use super::settings::Settings;
use super::trainee::Trainee;
use super::windows::{Fingerprint, Windows, fingerprint};
use super::{Ending, Halt, Place, Progress, Report, TrainError, Trained, Watch};
use crate::network::LlamaNetwork;

/// A run under way.
pub(crate) struct Run<'a> {
    settings: &'a Settings,
    train: &'a Windows,
    valid: &'a Windows,
    /// The validation windows in batches.
    valid_batches: Vec<Vec<usize>>,
    plan: Plan,
    trainee: Trainee,
    /// Values of what is trained as they were when they were best.
    best: Vec<Vec<f32>>,
    standing: Standing,
}

impl<'a> Run<'a> {
    /// Begins anew or where the checkpoint stands.
    pub(crate) fn new(
        network: LlamaNetwork,
        settings: &'a Settings,
        place: &Place,
        train: &'a Windows,
        valid: &'a Windows,
        start: Option<Checkpoint>,
    ) -> Result<Self, TrainError> {
        let plan = Plan::new(settings, train).ok_or(TrainError::NothingToLearn)?;
        let fresh = Standing {
            version: Standing::version(),
            config: network.config().clone(),
            settings: settings.clone(),
            data: fingerprint(train, valid),
            beginning: fingerprint_of(&network),
            steps: 0,
            since_report: (0.0, 0),
            reports: Vec::new(),
        };
        let mut host = Host::new(network, settings)?;
        let (standing, best) = match start {
            None => (fresh, host.values().into_iter().map(<[f32]>::to_vec).collect()),
            Some(mut checkpoint) => {
                checkpoint.belongs_to(&fresh)?;
                host.set_values(&checkpoint.group("values/", &host.trained)?);
                host.moments.first = checkpoint.group("first/", &host.trained)?;
                host.moments.second = checkpoint.group("second/", &host.trained)?;
                let best = checkpoint.group("best/", &host.trained)?;
                (checkpoint.standing, best)
            }
        };
        Ok(Self {
            valid_batches: in_batches(valid, usable(valid), settings.micro_batch),
            settings,
            train,
            valid,
            plan,
            trainee: Trainee::new(host, place)?,
            best,
            standing,
        })
    }

    /// Takes the steps that are left.
    pub(crate) fn go(mut self, watch: &mut Watch<'_>) -> Result<Trained, TrainError> {
        let mut ending = Ending::Complete;
        let mut order = Order::default();
        while self.standing.steps < self.plan.steps {
            match self.step(&mut order, watch) {
                Ok(()) => {}
                Err(Stop::Failed(error)) => return Err(error),
                Err(Stop::Halted(Halt::Interrupt)) => {
                    ending = Ending::Interrupted;
                    break;
                }
                Err(Stop::Halted(Halt::Finish)) => {
                    ending = Ending::Finished;
                    break;
                }
            }
        }
        if ending == Ending::Finished && self.standing.since_report.1 > 0 {
            match self.report(watch) {
                Ok(()) => {}
                Err(Stop::Failed(error)) => return Err(error),
                Err(Stop::Halted(_)) => ending = Ending::Interrupted,
            }
        }
        if ending == Ending::Interrupted {
            let snapshot = self.snapshot();
            (watch.listener)(Progress::Interrupted { snapshot });
        }
        Ok(Trained {
            network: self.trainee.into_network(&self.best)?,
            reports: self.standing.reports,
            steps: self.standing.steps,
            ending,
        })
    }

    /// One step, and a report where one is due.
    fn step(&mut self, order: &mut Order, watch: &mut Watch<'_>) -> Result<(), Stop> {
        let step = self.standing.steps;
        if step > 0 && self.is_due(step) && self.standing.since_report.1 > 0 {
            // The report was interrupted.
            self.report(watch)?;
        }
        let batches = self.plan.batches(self.settings, self.train, order, step);
        let rate = self.plan.rate(self.settings, step);
        let taken = self
            .trainee
            .learn(self.settings, self.train, &batches, (step, rate), watch.halt)?;
        self.standing.steps += 1;
        self.standing.since_report.0 += taken.loss;
        self.standing.since_report.1 += taken.n_targets;
        (watch.listener)(Progress::Step {
            step: step + 1,
            steps: self.plan.steps,
            loss: mean(taken.loss, taken.n_targets),
            n_tokens: taken.n_tokens,
        });
        if self.is_due(step + 1) {
            self.report(watch)?;
        }
        Ok(())
    }

    /// Whether the model is measured after so many steps.
    fn is_due(&self, steps: usize) -> bool {
        let every = self.settings.report_every.unwrap_or(self.plan.per_epoch);
        steps == self.plan.steps || steps.is_multiple_of(every) || steps.is_multiple_of(self.plan.per_epoch)
    }

    /// Measures the model and keeps its weights where they are the best.
    fn report(&mut self, watch: &mut Watch<'_>) -> Result<(), Stop> {
        let measured = self.trainee.measure(self.valid, &self.valid_batches, watch.halt)?;
        let valid = (measured.n_targets > 0).then(|| mean(measured.loss, measured.n_targets));
        let lowest = self.standing.reports.iter().filter_map(|report| report.valid);
        let lowest = lowest.fold(f64::INFINITY, f64::min);
        let (loss, n_targets) = std::mem::take(&mut self.standing.since_report);
        let report = Report {
            step: self.standing.steps,
            epoch: ratio(self.standing.steps, self.plan.per_epoch),
            train: mean(loss, n_targets),
            valid,
            best: valid.is_none_or(|valid| valid < lowest),
        };
        if report.best {
            for (best, values) in self.best.iter_mut().zip(self.trainee.values().map_err(Stop::Failed)?) {
                best.copy_from_slice(&values);
            }
        }
        self.standing.reports.push(report.clone());
        let (report, snapshot) = (&report, self.snapshot());
        (watch.listener)(Progress::Report { report, snapshot });
        Ok(())
    }

    fn snapshot(&self) -> Snapshot<'_> {
        Snapshot {
            standing: &self.standing,
            trainee: &self.trainee,
            best: &self.best,
        }
    }
}

fn mean(sum: f64, n: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts are far smaller")]
    let n = n.max(1) as f64;
    sum / n
}

fn ratio(left: usize, right: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "steps are few")]
    let left = left as f64;
    mean(left, right)
}

/// A fingerprint of the weights.
fn fingerprint_of(network: &LlamaNetwork) -> u64 {
    let mut hasher = Fingerprint::default();
    for (_, numbers) in network.named() {
        numbers.iter().for_each(|number| hasher.write_u32(number.to_bits()));
    }
    hasher.finish()
}

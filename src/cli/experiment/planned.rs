//! An experiment with its units: what each would measure, and what is there of it.

mod refusals;
mod shared;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use anyhow::anyhow;
use clap::Parser;
use napsim_experiments::Experiment;
use napsim_external::ExternalSetup;
use napsim_predictors::LlmSetup;
use napsim_remote::Exchange;
use napsim_reports::record::UnitHeader;
use napsim_reports::store::{PlanRecord, PlannedUnit, PlannedVariant, UnitId, UnitStore};
use napsim_reports::{RunSetup, UnitResult};
use napsim_sim::engine::Engine;
use napsim_sim::predictor::Seed;
use napsim_trajectories::{Corpus, Trajectory};
use rayon::iter::{IntoParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

use super::VERSION;
use crate::cli::measure::variant::{self, Variant};
use crate::cli::run::RunArgs;
use crate::console;
use crate::exit::{Exit, Failure};
use crate::signals::Interruption;
use refusals::{Refusals, of_experiments, refuse_too_many, refused, say_unavailable};
use shared::Shared;

/// An experiment with its units.
pub(in crate::cli) struct Planned {
    pub(in crate::cli) experiment: Experiment,
    pub(in crate::cli) variants: Vec<VariantPlan>,
    /// Variant by variant, seed by seed, in corpus order.
    pub(in crate::cli) units: Vec<Unit>,
    /// Variants whose predictors cannot be started or reached, so that nobody knows what their units are.
    pub(in crate::cli) unavailable: Vec<String>,
}

/// A corpus, with the digest of each trajectory.
struct Digested {
    corpus: Corpus,
    digests: Vec<String>,
}

/// A variant, ready to be measured.
pub(in crate::cli) struct VariantPlan {
    pub(in crate::cli) name: String,
    pub(in crate::cli) variant: Variant,
    corpus: Arc<Digested>,
    /// The corpus as it was named.
    corpus_name: String,
    n_trajectories: usize,
    /// The seeds of its repeats.
    pub(in crate::cli) seeds: Vec<u64>,
}

/// One trajectory of one variant with one seed.
#[derive(Debug)]
pub(in crate::cli) struct Unit {
    pub(in crate::cli) id: UnitId,
    pub(in crate::cli) variant_idx: usize,
    pub(in crate::cli) trajectory_idx: usize,
    pub(in crate::cli) seed: u64,
    pub(in crate::cli) n_actions: u32,
    pub(in crate::cli) state: State,
}

/// What there is of a unit.
#[derive(Debug)]
pub(in crate::cli) enum State {
    Missing,
    /// It failed, and this is left of it.
    Failed(Box<UnitResult>),
    Done(Box<UnitResult>),
}

impl State {
    /// The name that programs read.
    pub(in crate::cli) fn name(&self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Failed(_) => "failed",
            Self::Done(_) => "done",
        }
    }

    pub(in crate::cli) fn is_done(&self) -> bool {
        matches!(self, Self::Done(_))
    }
}

impl VariantPlan {
    /// The trajectories that it is measured on.
    pub(in crate::cli) fn trajectories(&self) -> &[Trajectory] {
        let all = &self.corpus.corpus.trajectories;
        all.get(..self.n_trajectories).unwrap_or(all)
    }

    /// The trajectories that it is measured on, with the digests of their actions.
    pub(in crate::cli) fn with_digests(&self) -> impl Iterator<Item = (&Trajectory, &str)> {
        let digests = self.corpus.digests.iter().map(String::as_str);
        self.trajectories().iter().zip(digests)
    }

    /// The corpus as it was named, which tells two folders of one name apart.
    pub(in crate::cli) fn corpus(&self) -> &str {
        &self.corpus_name
    }

    /// What is measured with a seed.
    pub(in crate::cli) fn setup(&self, seed: u64) -> RunSetup {
        let mut setup = self.variant.setup.clone();
        setup.settings.seed = Seed(seed);
        setup
    }

    /// What the record of a unit begins with.
    pub(in crate::cli) fn header(&self, seed: u64, trajectory: &Trajectory) -> UnitHeader {
        UnitHeader::new(&self.setup(seed), trajectory, VERSION)
    }

    /// Whether what a store has of a unit is what the variant asks for. What a variant does when a program crashes or a
    /// model refuses is no part of what it measures, but decides what is a result.
    pub(super) fn takes(&self, result: &UnitResult) -> bool {
        let summary = &result.summary;
        let asks_models = !self.variant.factory.remote_models().is_empty();
        (summary.restarts == 0 || self.variant.resumes) && (summary.errors == 0 || !asks_models || self.variant.goes_on)
    }
}

/// A variant's settings as the command line has them.
#[derive(Parser)]
#[command(name = "napsim run")]
struct RunLine {
    #[command(flatten)]
    args: RunArgs,
}

impl Planned {
    /// Reads corpora and predictors, and works out the units. Nothing is measured yet.
    pub(in crate::cli) fn new(
        experiment: Experiment,
        file: &str,
        engine: Engine,
        interruption: &Interruption,
    ) -> Result<Self, Failure> {
        let mut shared = Shared::default();
        let mut variants: Vec<VariantPlan> = Vec::with_capacity(experiment.variants.len());
        let mut unavailable = Vec::new();
        let mut refusals = Refusals::default();
        for asked in &experiment.variants {
            let place = asked.line.map_or_else(String::new, |line| format!(":{line}"));
            let place = format!("{file}{place}: variant `{}`", asked.name);
            let words = std::iter::once("napsim run".to_owned()).chain(asked.arguments());
            let line = RunLine::try_parse_from(words)
                .map_err(|error| Failure::Input(refused(&experiment, asked, file, &error)))?;
            let factory = shared.factory(&line.args, interruption);
            if interruption.signal().is_some() {
                return Err(Failure::Environment(anyhow!("interrupted")));
            }
            match factory {
                Ok(factory) => {
                    refusals.see(&line.args, &factory);
                    let plan = shared.variant(&asked.name, &line.args, factory, &experiment, engine);
                    variants.push(plan.map_err(|failure| failure.within(&place))?);
                }
                // The others can be measured all the same.
                Err(error) if error.start_failure().is_some() => {
                    unavailable.push((asked.name.clone(), variant::failure(&error).within(&place)));
                }
                Err(error) => return Err(of_experiments(variant::failure(&error)).within(&place)),
            }
        }
        refusals.check()?;
        let none_left = variants.is_empty().then(|| unavailable.pop()).flatten();
        say_unavailable(&unavailable);
        if let Some((_, failure)) = none_left {
            return Err(failure);
        }
        refuse_too_many(&variants)?;
        let units = (0..variants.len()).into_par_iter().map(|idx| {
            if interruption.signal().is_some() {
                return Err(Failure::Environment(anyhow!("interrupted")));
            }
            units_of(&variants, idx)
        });
        let units = units
            .collect::<Result<Vec<Vec<Unit>>, Failure>>()?
            .into_iter()
            .flatten()
            .collect();
        let planned = Self {
            experiment,
            variants,
            units,
            unavailable: unavailable.into_iter().map(|(name, _)| name).collect(),
        };
        planned.say_equal();
        Ok(planned)
    }

    /// The variant that the others are compared with, unless it cannot be measured.
    pub(in crate::cli) fn baseline(&self) -> Option<String> {
        let baseline = self.experiment.baseline.clone()?;
        (!self.unavailable.contains(&baseline)).then_some(baseline)
    }

    /// How a command ends that would end so if every variant could be measured.
    pub(in crate::cli) fn ending(&self, exit: Exit) -> Exit {
        if self.unavailable.is_empty() {
            exit
        } else {
            Exit::Incomplete
        }
    }

    /// Says which variants are the same under two names, as where a setting is given its default.
    fn say_equal(&self) {
        let mut first: BTreeMap<&UnitId, usize> = BTreeMap::new();
        let mut told = BTreeSet::new();
        for unit in &self.units {
            let of = *first.entry(&unit.id).or_insert(unit.variant_idx);
            if of == unit.variant_idx || !told.insert((of, unit.variant_idx)) {
                continue;
            }
            if let (Some(one), Some(other)) = (self.variants.get(of), self.variants.get(unit.variant_idx)) {
                console::say(&format!(
                    "napsim: note: `{}` and `{}` have units in common, which are measured once",
                    one.name, other.name
                ));
            }
        }
    }

    /// Looks up what the store has of each unit, until interrupted. What cannot be read is told, and counts as missing.
    pub(in crate::cli) fn look_up(&mut self, store: &UnitStore, interruption: &Interruption) {
        let variants = &self.variants;
        self.units.par_iter_mut().for_each(|unit| {
            let Some(plan) = variants.get(unit.variant_idx) else {
                return;
            };
            if interruption.signal().is_some() {
                return;
            }
            match store.end(&unit.id) {
                Ok(Some(end)) if plan.takes(&end.result()) => unit.state = State::Done(Box::new(end.result())),
                Ok(Some(_)) => {}
                Ok(None) => {
                    if let Some(end) = store.failure(&unit.id) {
                        unit.state = State::Failed(Box::new(end.result()));
                    }
                }
                Err(error) => console::say(&format!("napsim: note: failed to {error}; the unit is measured again")),
            }
        });
    }

    /// The variant of a unit, and its trajectory.
    pub(in crate::cli) fn of(&self, unit: &Unit) -> Option<(&VariantPlan, &Trajectory)> {
        let plan = self.variants.get(unit.variant_idx)?;
        Some((plan, plan.trajectories().get(unit.trajectory_idx)?))
    }

    /// The language models over HTTP of all variants.
    pub(in crate::cli) fn remote_models(&self) -> Vec<LlmSetup> {
        self.variants
            .iter()
            .flat_map(|plan| plan.variant.factory.remote_models())
            .collect()
    }

    /// Says who asks the language models of all variants.
    pub(in crate::cli) fn ask_through(&mut self, exchange: &Arc<Exchange>) {
        for plan in &mut self.variants {
            plan.variant.factory.ask_through(exchange, plan.variant.goes_on);
        }
    }

    /// The programs and services of all variants, each once.
    pub(in crate::cli) fn externals(&self) -> Vec<ExternalSetup> {
        let mut distinct: BTreeMap<String, ExternalSetup> = BTreeMap::new();
        for setup in self.variants.iter().flat_map(|plan| &plan.variant.externals) {
            distinct.entry(setup.id().to_owned()).or_insert_with(|| setup.clone());
        }
        distinct.into_values().collect()
    }

    /// What the experiment is made of, for the store.
    pub(in crate::cli) fn record(&self) -> PlanRecord {
        let variant = |(idx, plan): (usize, &VariantPlan)| PlannedVariant {
            name: plan.name.clone(),
            setup: RunSetup {
                corpus: plan.corpus().to_owned(),
                ..plan.variant.setup.clone()
            },
            units: self
                .units
                .iter()
                .filter(|unit| unit.variant_idx == idx)
                .map(|unit| PlannedUnit {
                    id: unit.id.clone(),
                    trajectory: self
                        .of(unit)
                        .map(|(_, trajectory)| trajectory.name.clone())
                        .unwrap_or_default(),
                    digest: plan.corpus.digests.get(unit.trajectory_idx).cloned(),
                    actions: unit.n_actions,
                    seed: unit.seed,
                })
                .collect(),
        };
        let variants = self.variants.iter().enumerate().map(variant).collect();
        PlanRecord {
            description: self.experiment.description.clone(),
            baseline: self.experiment.baseline.clone(),
            unavailable: self.unavailable.clone(),
            ..PlanRecord::new(VERSION, &self.experiment.name, variants)
        }
    }
}

/// The units of a variant: with each seed, the trajectories in corpus order.
fn units_of(variants: &[VariantPlan], variant_idx: usize) -> Result<Vec<Unit>, Failure> {
    let Some(plan) = variants.get(variant_idx) else {
        return Ok(Vec::new());
    };
    let mut units = Vec::with_capacity(plan.seeds.len() * plan.n_trajectories);
    for seed in &plan.seeds {
        for (trajectory_idx, trajectory) in plan.trajectories().iter().enumerate() {
            units.push(Unit {
                id: UnitId::of(&plan.header(*seed, trajectory)).map_err(Failure::environment)?,
                variant_idx,
                trajectory_idx,
                seed: *seed,
                n_actions: u32::try_from(trajectory.actions.len()).unwrap_or(u32::MAX),
                state: State::Missing,
            });
        }
    }
    Ok(units)
}

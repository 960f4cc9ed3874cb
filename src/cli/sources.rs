//! What was measured, wherever it is kept: runs, experiments whose units are in a store, and the plans that stores keep.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;
use napsim_reports::record::UnitRecord;
use napsim_reports::store::{HostFacts, PlanRecord, PlannedVariant, StoreError, UnitId, UnitStore, UnitTimes};
use napsim_reports::{ComparedRun, RunSetup, UnitResult};
use napsim_sim::event::Outcome;
use napsim_sim::predictor::Seed;

use super::experiment::{ExperimentArgs, Planned, State, StoreArgs, Unit, VariantPlan};
use super::plan::planned;
use super::records;
use crate::console;
use crate::exit::{Exit, Failure};
use crate::signals::Interruption;

/// What a user wants to compare, export or look at.
#[derive(Clone, Debug, Args)]
pub(super) struct SourceArgs {
    /// Folders of `napsim run --out`; files of experiments whose units are in the store; and plans that a store keeps
    /// (STORE/experiments/NAME.json), for which neither corpora nor predictors are needed.
    #[arg(required = true, value_name = "RUN|FILE")]
    pub(super) sources: Vec<PathBuf>,

    /// Set a key of the experiments, as for `napsim sweep`. Repeatable.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(super) set: Vec<String>,

    #[command(flatten)]
    pub(super) store: StoreArgs,
}

/// A run, or the variants of an experiment.
pub(super) struct Source {
    /// Name of the experiment; empty where there is none.
    pub(super) experiment: String,
    /// The variant that the experiment wants the others to be compared with.
    pub(super) baseline: Option<String>,
    pub(super) variants: Vec<MeasuredVariant>,
    /// Variants of which nothing is known, since their predictors cannot be started.
    pub(super) n_unavailable: usize,
}

/// Everything that was measured with one set-up.
pub(super) struct MeasuredVariant {
    pub(super) name: String,
    /// The seed in it is that of the first repeat.
    pub(super) setup: RunSetup,
    pub(super) seeds: Vec<u64>,
    /// Digests of trajectories by their names, where they are known.
    pub(super) digests: BTreeMap<String, String>,
    /// Seed by seed, in corpus order; failed ones too.
    pub(super) units: Vec<MeasuredUnit>,
    /// Units that are still to be done.
    pub(super) n_missing: usize,
}

/// A unit with its result, and where its record is.
pub(super) struct MeasuredUnit {
    /// Empty where it has none.
    pub(super) id: String,
    pub(super) seed: u64,
    pub(super) result: UnitResult,
    pub(super) times: TimesAt,
    pub(super) place: Place,
}

/// Where the times of a unit are. Few want to know them, so that a store is not asked before.
pub(super) enum TimesAt {
    Store(UnitStore, UnitId),
    Here(Box<UnitTimes>),
    Nowhere,
}

impl TimesAt {
    /// The times, if they are known.
    pub(super) fn read(&self) -> Option<UnitTimes> {
        match self {
            Self::Store(store, id) => store.times(id),
            Self::Here(times) => Some(times.as_ref().clone()),
            Self::Nowhere => None,
        }
    }
}

/// Where the record of a unit is.
pub(super) enum Place {
    Store(UnitStore, UnitId),
    Folder(PathBuf),
    /// There are figures alone, as of units that failed.
    Nowhere,
}

impl Place {
    /// The record, if there is one.
    pub(super) fn read(&self) -> Result<Option<UnitRecord>, Failure> {
        let record = match self {
            Self::Store(store, id) => store.record(id),
            Self::Folder(path) => napsim_reports::record::read(path)
                .and_then(|record| record.intact(path))
                .map(Some),
            Self::Nowhere => Ok(None),
        };
        record.map_err(|error| Failure::Input(anyhow!("failed to {error}")))
    }
}

impl MeasuredUnit {
    pub(super) fn is_failed(&self) -> bool {
        self.result.summary.outcome == Outcome::Failed
    }
}

impl MeasuredVariant {
    /// The set-up of one repeat.
    pub(super) fn setup_of(&self, seed: u64) -> RunSetup {
        let mut setup = self.setup.clone();
        setup.settings.seed = Seed(seed);
        setup
    }

    /// The variant as a comparison takes it.
    pub(super) fn compared(&self, name: String) -> ComparedRun {
        let repeat = |seed: &u64| {
            let of_seed = self.units.iter().filter(|unit| unit.seed == *seed);
            of_seed.map(|unit| unit.result.clone()).collect()
        };
        ComparedRun {
            name,
            setup: self.setup.clone(),
            repeats: self.seeds.iter().map(repeat).collect(),
            digests: self.digests.clone(),
            missing: self.n_missing,
        }
    }

    /// Whether every unit was measured and none failed.
    pub(super) fn is_complete(&self) -> bool {
        self.n_missing == 0 && !self.units.iter().any(MeasuredUnit::is_failed)
    }
}

impl Source {
    /// The variants of an experiment with what its store has of them.
    pub(super) fn of_experiment(planned: &Planned, store: Option<&UnitStore>) -> Self {
        let variant = |(variant_idx, plan): (usize, &VariantPlan)| {
            let units: Vec<&Unit> = planned
                .units
                .iter()
                .filter(|unit| unit.variant_idx == variant_idx)
                .collect();
            let measured = |unit: &&Unit| {
                let (result, place) = match &unit.state {
                    State::Done(result) => (result, store.map(|store| Place::Store(store.clone(), unit.id.clone()))),
                    State::Failed(result) => (result, None),
                    State::Missing => return None,
                };
                Some(MeasuredUnit {
                    id: unit.id.to_string(),
                    seed: unit.seed,
                    result: result.as_ref().clone(),
                    times: store.map_or(TimesAt::Nowhere, |store| TimesAt::Store(store.clone(), unit.id.clone())),
                    place: place.unwrap_or(Place::Nowhere),
                })
            };
            MeasuredVariant {
                name: plan.name.clone(),
                setup: RunSetup {
                    corpus: plan.corpus().to_owned(),
                    ..plan.variant.setup.clone()
                },
                seeds: plan.seeds.clone(),
                digests: plan
                    .with_digests()
                    .map(|(trajectory, digest)| (trajectory.name.clone(), digest.to_owned()))
                    .collect(),
                units: units.iter().filter_map(measured).collect(),
                n_missing: units.iter().filter(|unit| matches!(unit.state, State::Missing)).count(),
            }
        };
        Self {
            experiment: planned.experiment.name.clone(),
            baseline: planned.baseline(),
            variants: planned.variants.iter().enumerate().map(variant).collect(),
            n_unavailable: planned.unavailable.len(),
        }
    }

    /// The variants of a plan that is kept in a store, with what the store has of them.
    fn of_plan(store: &UnitStore, plan: &PlanRecord) -> Self {
        Self {
            experiment: plan.experiment.clone(),
            baseline: plan.baseline.clone(),
            variants: plan
                .variants
                .iter()
                .map(|variant| planned_variant(store, variant))
                .collect(),
            n_unavailable: plan.unavailable.len(),
        }
    }

    /// A recorded run (`napsim run --out`).
    fn of_run(path: &Path) -> Result<Self, Failure> {
        let (folder, manifest) = records::open(path)?;
        let results = records::results(&folder, &manifest)?;
        let n_missing = manifest.units.len().saturating_sub(results.len());
        let file = |name: &str| manifest.units.iter().find(|entry| entry.name == name);
        let seed = manifest.setup.settings.seed.0;
        let timings = folder.timings();
        // Nothing is known of when and where it was.
        let times = |name: &str| {
            let latencies = timings.latencies_of(name).cloned().unwrap_or_default();
            let time = timings.of(name)?;
            let times = UnitTimes::new(&manifest.napsim, time, latencies, 0, &HostFacts::default());
            Some(Box::new(times))
        };
        let units = results.into_iter().map(|result| MeasuredUnit {
            id: String::new(),
            seed,
            place: file(&result.summary.name)
                .map_or(Place::Nowhere, |entry| Place::Folder(folder.unit_path(&entry.file))),
            times: times(&result.summary.name).map_or(TimesAt::Nowhere, TimesAt::Here),
            result,
        });
        let variant = MeasuredVariant {
            name: name_of(path),
            seeds: vec![seed],
            digests: manifest
                .units
                .iter()
                .map(|unit| (unit.name.clone(), unit.digest.clone()))
                .collect(),
            units: units.collect(),
            n_missing,
            setup: manifest.setup,
        };
        Ok(Self {
            experiment: String::new(),
            baseline: None,
            variants: vec![variant],
            n_unavailable: 0,
        })
    }

    /// Whether everything was measured and nothing failed.
    pub(super) fn is_complete(&self) -> bool {
        self.n_unavailable == 0 && self.variants.iter().all(MeasuredVariant::is_complete)
    }
}

/// A variant of a kept plan. What cannot be read is told, and counts as missing.
fn planned_variant(store: &UnitStore, variant: &PlannedVariant) -> MeasuredVariant {
    let mut seeds: Vec<u64> = variant.units.iter().map(|unit| unit.seed).collect();
    seeds.dedup();
    let mut units = Vec::with_capacity(variant.units.len());
    for unit in &variant.units {
        let (result, place) = match store.end(&unit.id) {
            Ok(Some(end)) => (end.result(), Place::Store(store.clone(), unit.id.clone())),
            Ok(None) => match store.failure(&unit.id) {
                Some(end) => (end.result(), Place::Nowhere),
                None => continue,
            },
            Err(error) => {
                console::say(&format!("napsim: note: failed to {error}; the unit counts as missing"));
                continue;
            }
        };
        units.push(MeasuredUnit {
            id: unit.id.to_string(),
            seed: unit.seed,
            result,
            times: TimesAt::Store(store.clone(), unit.id.clone()),
            place,
        });
    }
    let digests = variant
        .units
        .iter()
        .filter_map(|unit| Some((unit.trajectory.clone(), unit.digest.clone()?)));
    MeasuredVariant {
        name: variant.name.clone(),
        setup: variant.setup.clone(),
        seeds,
        digests: digests.collect(),
        n_missing: variant.units.len() - units.len(),
        units,
    }
}

impl SourceArgs {
    /// Everything that was named.
    pub(super) fn read(&self, interruption: &Interruption) -> Result<Vec<Source>, Failure> {
        let mut sources = Vec::with_capacity(self.sources.len());
        let mut seen = BTreeSet::new();
        for path in &self.sources {
            if !seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())) {
                return Err(Failure::Input(anyhow!(
                    "failed to use {}: it is given twice",
                    path.display()
                )));
            }
            sources.push(self.source(path, interruption)?);
        }
        if !self.set.is_empty() && !self.sources.iter().any(|path| is_experiment(path)) {
            return Err(Failure::Input(anyhow!(
                "failed to use --set: none of {} is the file of an experiment",
                console::counted(self.sources.len(), "source", "sources")
            )));
        }
        self.tell_apart(&mut sources);
        Ok(sources)
    }

    fn source(&self, path: &Path, interruption: &Interruption) -> Result<Source, Failure> {
        if is_plan(path) {
            let (store, plan) = UnitStore::of_plan(path).map_err(|error| match error {
                StoreError::NoStore { .. } => Failure::Input(anyhow!(
                    "failed to use {}: a plan is read where its store keeps it (STORE/experiments/NAME.json)",
                    path.display()
                )),
                error => Failure::from(error),
            })?;
            for name in &plan.unavailable {
                console::say(&format!(
                    "napsim: `{name}` could not be measured, as its predictor did not start"
                ));
            }
            return Ok(Source::of_plan(&store, &plan));
        }
        if !is_experiment(path) {
            return Source::of_run(path);
        }
        let experiment = ExperimentArgs {
            file: path.to_owned(),
            set: self.set.clone(),
            store: self.store.clone(),
        };
        let planned = planned(&experiment, interruption)?;
        Ok(Source::of_experiment(&planned, self.store.open_if_there()?.as_ref()))
    }

    /// Calls experiments that have a name in common by their files, so that their variants are not taken for each other's.
    fn tell_apart(&self, sources: &mut [Source]) {
        let mut seen = BTreeSet::new();
        let names = sources.iter().map(|source| source.experiment.clone());
        let doubled: BTreeSet<String> = names
            .filter(|name| !name.is_empty() && !seen.insert(name.clone()))
            .collect();
        for (source, path) in sources.iter_mut().zip(&self.sources) {
            if doubled.contains(&source.experiment) {
                source.experiment = name_of(path);
            }
        }
    }
}

/// How a command ends that has shown what there is of these sources.
pub(super) fn ending(sources: &[Source]) -> Exit {
    if sources.iter().all(Source::is_complete) {
        Exit::Complete
    } else {
        Exit::Incomplete
    }
}

/// Every variant as a comparison takes it, after the names of their experiments where there are several sources.
pub(super) fn compared(sources: &[Source]) -> Vec<ComparedRun> {
    let several = sources.len() > 1;
    let mut runs = Vec::new();
    for source in sources {
        for variant in &source.variants {
            runs.push(variant.compared(full_name(source, variant, several)));
        }
    }
    runs
}

/// What a variant is called among those of several sources.
pub(super) fn full_name(source: &Source, variant: &MeasuredVariant, several: bool) -> String {
    if several && !source.experiment.is_empty() {
        format!("{}/{}", source.experiment, variant.name)
    } else {
        variant.name.clone()
    }
}

/// What a run is called in tables: its folder as it was given.
fn name_of(path: &Path) -> String {
    let text = path.display().to_string();
    let name = text.trim_end_matches('/');
    if name.is_empty() { text } else { name.to_owned() }
}

/// Whether a path is that of an experiment's file rather than of a run's folder.
fn is_experiment(path: &Path) -> bool {
    !path.is_dir() && napsim_experiments::Syntax::of_file(path).is_some()
}

/// Whether a path is that of a plan that a store keeps.
fn is_plan(path: &Path) -> bool {
    !path.is_dir() && path.extension().is_some_and(|extension| extension == "json")
}

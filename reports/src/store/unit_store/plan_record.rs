//! What an experiment was made of: its variants and their units.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{EXPERIMENTS, UnitStore, entries_in, make_parent, temporary};
use crate::record::hex;
use crate::setup::RunSetup;
use crate::store::{StoreError, UnitId};

/// Name and version of the schema.
const SCHEMA: &str = "napsim-plan/1";

/// What an experiment was made of. Kept in the store, so that its units are known to be needed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanRecord {
    /// `napsim-plan/1`.
    pub schema: String,
    /// Version of the program.
    pub napsim: String,
    /// Name of the experiment.
    pub experiment: String,
    /// What it is for, in its author's words.
    pub description: Option<String>,
    /// The variant that the others are compared with.
    pub baseline: Option<String>,
    /// The variants in the order of the file.
    pub variants: Vec<PlannedVariant>,
    /// Variants whose predictors could not be started or reached, so that nobody knows what their units are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unavailable: Vec<String>,
}

/// As much of a plan as every version has.
#[derive(Deserialize)]
#[serde(expecting = "an object with a schema")]
struct Versioned {
    schema: String,
}

/// One choice of settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedVariant {
    /// Its name.
    pub name: String,
    /// What it measures; the seed is that of its first repeat.
    pub setup: RunSetup,
    /// Its units: the trajectories in corpus order with the first seed, then with the next one.
    pub units: Vec<PlannedUnit>,
}

/// One unit of a variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedUnit {
    /// Its id.
    pub id: UnitId,
    /// Name of the trajectory.
    pub trajectory: String,
    /// Digest of the trajectory's actions; absent in plans of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// Actions of the trajectory.
    pub actions: u32,
    /// The seed.
    pub seed: u64,
}

impl PlanRecord {
    /// A plan of these variants.
    pub fn new(napsim: &str, experiment: &str, variants: Vec<PlannedVariant>) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            napsim: napsim.to_owned(),
            experiment: experiment.to_owned(),
            description: None,
            baseline: None,
            variants,
            unavailable: Vec::new(),
        }
    }

    /// Reads a plan that is kept in a store.
    ///
    /// # Errors
    /// [`StoreError`] for a file that cannot be read, is no plan, or is one of a newer program.
    pub fn read(path: &Path) -> Result<Self, StoreError> {
        let bytes = fs::read(path).map_err(|reason| StoreError::io("read", path, reason))?;
        let damaged = |reason| StoreError::DamagedPlan {
            path: path.to_owned(),
            reason,
            expected: SCHEMA,
        };
        let Versioned { schema } = serde_json::from_slice(&bytes).map_err(damaged)?;
        if schema != SCHEMA {
            return Err(StoreError::Schema {
                found: schema,
                path: path.to_owned(),
                expected: SCHEMA,
            });
        }
        serde_json::from_slice(&bytes).map_err(damaged)
    }

    fn to_text(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self).map(|text| format!("{text}\n"))
    }
}

impl UnitStore {
    /// Keeps what an experiment is made of. Equal plans are one file.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn keep_plan(&self, plan: &PlanRecord) -> Result<PathBuf, StoreError> {
        const N_DIGITS: usize = 8;
        let folder = self.root.join(EXPERIMENTS);
        let text = plan
            .to_text()
            .map_err(|error| StoreError::io("write", &folder, error.into()))?;
        let digest = hex(&Sha256::digest(text.as_bytes()));
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let name: String = plan
            .experiment
            .chars()
            .map(|c| if is_plain(c) { c } else { '_' })
            .take(80)
            .collect();
        let path = folder.join(format!("{name}-{}.json", digest.get(..N_DIGITS).unwrap_or(&digest)));
        if fs::read(&path).is_ok_and(|kept| kept == text.as_bytes()) {
            return Ok(path);
        }
        make_parent(&path)?;
        temporary::write(&path, text.as_bytes(), true).map_err(|reason| StoreError::io("write", &path, reason))?;
        Ok(path)
    }

    /// All plans that are kept, with their files, in order of their names.
    ///
    /// # Errors
    /// [`StoreError::DamagedPlan`] for one that cannot be read, [`StoreError::Schema`] for one of a newer program.
    pub fn plans(&self) -> Result<Vec<(PathBuf, PlanRecord)>, StoreError> {
        let plan = |path: PathBuf| PlanRecord::read(&path).map(|plan| (path, plan));
        self.plan_paths()?.into_iter().map(plan).collect()
    }

    /// Where plans are kept: everything of such a name, be it a file or not.
    pub(super) fn plan_paths(&self) -> Result<Vec<PathBuf>, StoreError> {
        let mut paths = entries_in(&self.root.join(EXPERIMENTS))?;
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        Ok(paths)
    }

    /// The store in whose folder a plan is kept, and the plan.
    ///
    /// # Errors
    /// [`StoreError`] where the file is no plan, or does not lie in a store.
    pub fn of_plan(path: &Path) -> Result<(Self, PlanRecord), StoreError> {
        let plan = PlanRecord::read(path)?;
        let root = path.parent().and_then(Path::parent).unwrap_or(path);
        // A plan that was named from within its folder has no such parents.
        let root = if root.as_os_str().is_empty() {
            Path::new(".")
        } else {
            root
        };
        Ok((Self::open(root)?, plan))
    }

    /// Forgets a plan.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn remove_plan(&self, path: &Path) -> Result<(), StoreError> {
        super::remove_if_there(path)
    }
}

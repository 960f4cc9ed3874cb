//! The corpus and the trajectory that a user names.

use std::path::Path;

use anyhow::anyhow;
use napsim_trajectories::{Corpus, Trajectory};

use crate::cli::corpus;
use crate::console;
use crate::exit::Failure;
use napsim_experiments::nearest::hint;

/// Reads a corpus strictly.
pub(super) fn corpus(spec: &Path) -> Result<Corpus, Failure> {
    corpus::open(spec, false).map_err(|error| Failure::Input(anyhow!("failed to {error}")))
}

/// The trajectory of that name; without a name the only one of the corpus.
pub(super) fn trajectory<'corpus>(corpus: &'corpus Corpus, name: Option<&str>) -> Result<&'corpus Trajectory, Failure> {
    let all = &corpus.trajectories;
    let names = || all.iter().map(|trajectory| trajectory.name.as_str());
    let Some(name) = name else {
        return match all.as_slice() {
            [only] => Ok(only),
            _ => {
                let n = console::counted(all.len(), "trajectory", "trajectories");
                let listed = names().take(NAMES_LISTED_MAX).collect::<Vec<_>>().join("\n  ");
                let more = if all.len() > NAMES_LISTED_MAX { "\n  …" } else { "" };
                Err(Failure::Input(anyhow!(
                    "{} holds {n}; say which:\n  {listed}{more}",
                    corpus.name
                )))
            }
        };
    };
    let found = all.iter().find(|trajectory| trajectory.name == name);
    found.ok_or_else(|| {
        let hint = hint(name, names());
        Failure::Input(anyhow!("{} holds no trajectory `{name}`{hint}", corpus.name))
    })
}

/// The trajectories of these names; all without any.
pub(super) fn chosen<'corpus>(corpus: &'corpus Corpus, names: &[String]) -> Result<Vec<&'corpus Trajectory>, Failure> {
    if names.is_empty() {
        return Ok(corpus.trajectories.iter().collect());
    }
    names.iter().map(|name| trajectory(corpus, Some(name))).collect()
}

/// More names than these are not listed.
const NAMES_LISTED_MAX: usize = 60;

/// The first actions, up to a step that must be within the trajectory; all without one.
pub(super) fn prefix(trajectory: &Trajectory, step: Option<usize>) -> Result<&[napsim_trajectories::Action], Failure> {
    let actions = &trajectory.actions;
    let Some(step) = step else { return Ok(actions) };
    actions.get(..step).ok_or_else(|| {
        let n = console::counted(actions.len(), "action", "actions");
        Failure::Input(anyhow!("--step {step} is beyond the {n} of `{}`", trajectory.name))
    })
}

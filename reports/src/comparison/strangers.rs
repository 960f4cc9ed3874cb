//! Runs over different trajectories, whose means say nothing of each other.

use std::collections::BTreeMap;

use super::metric::Metric;
use super::run::{ComparedRun, RunFigures, Trajectory, trajectories, values};

/// The names of the first two complete runs that have no trajectory with the figure in common, if there are such.
pub(super) fn first(runs: &[ComparedRun], figures: &[RunFigures], metric: Metric) -> Option<(String, String)> {
    // Most runs have the same trajectories, so there are few kinds of them to compare.
    let mut kinds: Vec<(&str, BTreeMap<&str, Trajectory<'_>>)> = Vec::new();
    for (run, _) in runs.iter().zip(figures).filter(|(_, figures)| figures.is_complete()) {
        let measured = measured(run, metric);
        if measured.is_empty() || kinds.iter().any(|(_, known)| *known == measured) {
            continue;
        }
        if let Some((name, _)) = kinds.iter().find(|(_, known)| are_disjoint(known, &measured)) {
            return Some(((*name).to_owned(), run.name.clone()));
        }
        kinds.push((&run.name, measured));
    }
    None
}

/// The trajectories that have the figure, by name.
fn measured(run: &ComparedRun, metric: Metric) -> BTreeMap<&str, Trajectory<'_>> {
    let all = trajectories(run);
    let values = values(&all, metric);
    let with = all.iter().zip(values).filter(|(_, value)| value.is_some());
    with.map(|(one, _)| (one.name, one.trajectory)).collect()
}

fn are_disjoint(left: &BTreeMap<&str, Trajectory<'_>>, right: &BTreeMap<&str, Trajectory<'_>>) -> bool {
    let is_in_both = |(name, one): (&&str, &Trajectory<'_>)| right.get(name).is_some_and(|other| one.is_same(other));
    !left.iter().any(is_in_both)
}

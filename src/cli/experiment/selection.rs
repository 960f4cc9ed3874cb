//! Parts of an experiment, for several machines.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::Path;
use std::str::FromStr;

use anyhow::anyhow;
use napsim_reports::store::UnitId;
use serde::Deserialize;

use super::args::SelectionArgs;
use super::planned::Unit;
use crate::exit::Failure;

/// The K-th of N parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) struct Partition {
    how: How,
    /// From 1.
    part: u32,
    n_parts: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// Units are dealt out, those with the most actions first.
    Slice,
    /// By the id.
    Hash,
}

impl FromStr for Partition {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = || {
            let (how, parts) = text.split_once(':')?;
            let how = match how {
                "slice" => How::Slice,
                "hash" => How::Hash,
                _ => return None,
            };
            let (part, n_parts) = parts.split_once('/')?;
            let (part, n_parts) = (part.parse().ok()?, n_parts.parse().ok()?);
            (1..=n_parts).contains(&part).then_some(Self { how, part, n_parts })
        };
        parsed().ok_or_else(|| "write slice:K/N or hash:K/N with K from 1 to N, such as slice:1/4".to_owned())
    }
}

impl Partition {
    /// The ids of the part. Whether units are done makes no difference, so that all machines agree.
    fn ids(self, units: &[Unit]) -> BTreeSet<&UnitId> {
        let mut distinct: Vec<(Reverse<u32>, &UnitId)> =
            units.iter().map(|unit| (Reverse(unit.n_actions), &unit.id)).collect();
        distinct.sort_unstable();
        distinct.dedup();
        let n_parts = u64::from(self.n_parts);
        let is_ours = |number: u64| number % n_parts == u64::from(self.part) - 1;
        let numbered = (0_u64..).zip(distinct);
        numbered
            .filter(|(place, (_, id))| match self.how {
                How::Slice => is_ours(*place),
                How::Hash => is_ours(id.number()),
            })
            .map(|(_, (_, id))| id)
            .collect()
    }
}

impl SelectionArgs {
    /// Whether all units are meant.
    pub(in crate::cli) fn is_everything(&self) -> bool {
        self.partition.is_none() && self.units.is_none()
    }

    /// Whether each of these units is meant, in order.
    pub(in crate::cli) fn select(&self, units: &[Unit]) -> Result<Vec<bool>, Failure> {
        let part = self.partition.map(|partition| partition.ids(units));
        let named = self.units.as_deref().map(|path| read_ids(path, units)).transpose()?;
        let is_meant = |unit: &Unit| {
            part.as_ref().is_none_or(|part| part.contains(&unit.id))
                && named.as_ref().is_none_or(|named| named.contains(&unit.id))
        };
        Ok(units.iter().map(is_meant).collect())
    }
}

/// The ids that a file or the standard input holds.
fn read_ids(path: &Path, units: &[Unit]) -> Result<BTreeSet<UnitId>, Failure> {
    /// As much of a line of a plan as matters.
    #[derive(Deserialize)]
    struct Line {
        unit: UnitId,
    }
    let is_stdin = path.as_os_str() == "-";
    let name = if is_stdin {
        "the standard input".to_owned()
    } else {
        path.display().to_string()
    };
    let text = if is_stdin {
        let mut text = String::new();
        std::io::stdin().lock().read_to_string(&mut text).map(|_| text)
    } else {
        std::fs::read_to_string(path)
    };
    let text = text.map_err(|error| Failure::Input(anyhow!("failed to read units from {name}: {error}")))?;
    let known: BTreeMap<&UnitId, ()> = units.iter().map(|unit| (&unit.id, ())).collect();
    let mut ids = BTreeSet::new();
    for (line_no, line) in (1_u32..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let line = line.trim();
        let id = match UnitId::try_from(line.to_owned()) {
            Ok(id) => Ok(id),
            Err(_) if line.starts_with('{') => serde_json::from_str::<Line>(line)
                .map(|line| line.unit)
                .map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        let id = id.and_then(|id| match known.contains_key(&id) {
            true => Ok(id),
            false => Err(format!("{} is no unit of this experiment as it is now", id.short())),
        });
        let id = id.map_err(|error| Failure::Input(anyhow!("failed to read units from {name}:{line_no}: {error}")))?;
        ids.insert(id);
    }
    Ok(ids)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::experiment::planned::State;

    #[test]
    fn partitions_are_read() {
        let of = |text: &str| Partition::from_str(text);
        assert!(of("slice:1/1").is_ok() && of("hash:3/4").is_ok());
        for text in [
            "",
            "slice",
            "slice:0/2",
            "slice:3/2",
            "slice:1",
            "slice:1/0",
            "hash:-1/2",
            "count:1/2",
            "slice:a/b",
        ] {
            assert!(of(text).is_err(), "{text}");
        }
    }

    #[test]
    fn parts_are_all_there_is_and_do_not_overlap() {
        let units: Vec<Unit> = (0_u32..100)
            .map(|idx| Unit {
                id: UnitId::try_from(format!("{:064x}", u64::from(idx) << 40)).unwrap(),
                variant_idx: 0,
                trajectory_idx: 0,
                seed: 0,
                n_actions: idx % 7,
                state: State::Missing,
            })
            .collect();
        for how in ["slice", "hash"] {
            let mut together = BTreeSet::new();
            for part in 1..=3 {
                let ids = Partition::from_str(&format!("{how}:{part}/3")).unwrap().ids(&units);
                if how == "slice" {
                    assert!((33..=34).contains(&ids.len()));
                }
                for id in ids {
                    assert!(together.insert(id), "{how}: a unit is in two parts");
                }
            }
            assert_eq!(together.len(), 100);
        }
    }
}

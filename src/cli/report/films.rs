//! Which trajectories of a page can be replayed.

use std::str::FromStr;

use napsim_acceptance::{Policy, parse_policy};
use napsim_page::FilmBlock;
use napsim_reports::record::UnitRecord;
use napsim_sim::protocol::Protocol;
use napsim_viewer::Film;

use crate::cli::sources::{MeasuredUnit, MeasuredVariant, Source};
use crate::console;

/// What a user wants to replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Replays {
    All,
    None,
    /// So many trajectories of each run.
    First(usize),
}

impl FromStr for Replays {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.parse()) {
            ("all", _) => Ok(Self::All),
            ("none", _) | (_, Ok(0)) => Ok(Self::None),
            (_, Ok(n)) => Ok(Self::First(n)),
            _ => Err("write all, none, or a number".to_owned()),
        }
    }
}

/// Actions and answers of all films together, beyond which a page would grow too large to be sent around: some 6 MB.
const EVENTS_MAX: u64 = 100_000;

/// The units that get films.
pub(super) struct Choice {
    replays: Option<Replays>,
    /// For each run the places of its units that get films, and what they were measured with.
    runs: Vec<Chosen>,
}

struct Chosen {
    units: Vec<usize>,
    policy: Option<Policy>,
    protocol: Option<Protocol>,
}

impl Choice {
    /// Chooses the same trajectories in all runs, the first ones, as many as are wanted or fit.
    pub(super) fn new(sources: &[Source], replays: Option<Replays>) -> Self {
        let variants: Vec<&MeasuredVariant> = sources.iter().flat_map(|source| &source.variants).collect();
        let n_max = variants.iter().map(|variant| variant.units.len()).max().unwrap_or(0);
        let n = match replays {
            Some(Replays::All) => n_max,
            Some(Replays::None) => 0,
            Some(Replays::First(n)) => n.min(n_max),
            None => n_that_fit(&variants, n_max),
        };
        let chosen = |variant: &&MeasuredVariant| Chosen {
            units: films_of(variant).take(n).map(|(idx, _)| idx).collect(),
            policy: parse_policy(&variant.setup.policy).ok(),
            protocol: Protocol::from_name(&variant.setup.protocol),
        };
        Self {
            replays,
            runs: variants.iter().map(chosen).collect(),
        }
    }

    /// The film of a unit, if it gets one. That there is none where there should be is told.
    pub(super) fn film(&self, run_idx: usize, unit_idx: usize, record: &UnitRecord) -> Option<FilmBlock> {
        let chosen = self.runs.get(run_idx).filter(|run| run.units.contains(&unit_idx))?;
        let (policy, protocol) = (chosen.policy.as_ref()?, chosen.protocol.as_ref()?);
        let name = &record.header.trajectory.name;
        match Film::of(record, policy, protocol) {
            Ok(film) => Some(FilmBlock {
                trajectory: name.clone(),
                unit: format!("r{}-t{}", run_idx + 1, unit_idx + 1),
                packed: film.packed(),
            }),
            Err(error) => {
                console::say(&format!("napsim: note: `{name}` has no replay: failed to {error}"));
                None
            }
        }
    }

    /// Why a run has no film.
    pub(super) fn why_none(&self, n_units: usize) -> String {
        match self.replays {
            Some(Replays::None) => "The page was made without replays (--replays none).".to_owned(),
            _ if n_units == 0 => "Nothing was measured that could be replayed.".to_owned(),
            _ => "The page would have grown too large with replays; --replays N adds them, `napsim replay --html` shows a \
                  single trajectory."
                .to_owned(),
        }
    }
}

/// The units that can get films: those of the first seed.
fn films_of(variant: &MeasuredVariant) -> impl Iterator<Item = (usize, &MeasuredUnit)> {
    let seed = variant.seeds.first().copied();
    let units = variant.units.iter().enumerate();
    units.filter(move |(_, unit)| Some(unit.seed) == seed && !unit.is_failed())
}

fn n_that_fit(variants: &[&MeasuredVariant], n_max: usize) -> usize {
    let mut lists: Vec<_> = variants.iter().map(|variant| films_of(variant)).collect();
    let mut n_events = 0;
    for n in 0..n_max {
        for list in &mut lists {
            if let Some((_, unit)) = list.next() {
                let summary = &unit.result.summary;
                n_events += u64::from(summary.actions) + u64::from(summary.predictions);
            }
        }
        if n_events > EVENTS_MAX {
            return n;
        }
    }
    n_max
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replays_are_read() {
        for (text, expected) in [
            ("all", Replays::All),
            ("none", Replays::None),
            ("0", Replays::None),
            ("3", Replays::First(3)),
        ] {
            assert_eq!(text.parse(), Ok(expected));
        }
        assert!("some".parse::<Replays>().is_err());
    }
}

//! Counts by name.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::count::Share;

/// How often each name occurs, in alphabetical order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tally(pub BTreeMap<String, u64>);

impl Tally {
    /// Counts one more of a name.
    pub fn add(&mut self, name: &str) {
        self.add_many(name, 1);
    }

    /// Counts several more of a name.
    pub fn add_many(&mut self, name: &str, n: u64) {
        if let Some(count) = self.0.get_mut(name) {
            *count += n;
        } else {
            self.0.insert(name.to_owned(), n);
        }
    }

    /// How often a name occurs.
    pub fn get(&self, name: &str) -> u64 {
        self.0.get(name).copied().unwrap_or(0)
    }

    /// The sum over all names.
    pub fn total(&self) -> u64 {
        self.0.values().sum()
    }

    /// The share of a name in the sum over all names.
    pub fn share(&self, name: &str) -> Share {
        Share {
            part: self.get(name),
            whole: self.total(),
        }
    }

    /// The total variation between two tallies as distributions: half the sum of absolute differences of shares.
    ///
    /// It is 0 for equal shares and 1 for disjoint names; an empty tally is at 1 from any other, and at 0 from itself.
    pub fn total_variation(&self, other: &Tally) -> f64 {
        match (self.total(), other.total()) {
            (0, 0) => 0.0,
            (0, _) | (_, 0) => 1.0,
            _ => {
                self.names_with(other)
                    .map(|name| self.gap(other, name).abs())
                    .sum::<f64>()
                    / 2.0
            }
        }
    }

    /// The name whose share differs the most, with the difference: positive where `self` has more of it.
    ///
    /// Among equal differences the alphabetically first name is returned; two empty tallies have none.
    pub fn largest_gap(&self, other: &Tally) -> Option<(String, f64)> {
        let gaps = self.names_with(other).map(|name| (name, self.gap(other, name)));
        let largest = gaps.fold(None, |best: Option<(&String, f64)>, (name, gap)| match best {
            Some((_, known)) if known.abs() >= gap.abs() => best,
            _ => Some((name, gap)),
        });
        largest.map(|(name, gap)| (name.clone(), gap))
    }

    fn gap(&self, other: &Tally, name: &str) -> f64 {
        self.share(name).value() - other.share(name).value()
    }

    /// The names of both tallies, each once.
    fn names_with<'a>(&'a self, other: &'a Tally) -> impl Iterator<Item = &'a String> {
        let missing = other.0.keys().filter(|name| !self.0.contains_key(*name));
        self.0.keys().chain(missing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(counts: &[(&str, u64)]) -> Tally {
        let mut tally = Tally::default();
        for (name, n) in counts {
            tally.add_many(name, *n);
        }
        tally
    }

    #[track_caller]
    fn near(got: f64, expected: f64) {
        assert!((got - expected).abs() < 1e-12, "{got} is not {expected}");
    }

    #[test]
    fn total_variation_runs_from_nought_to_one() {
        let a = tally(&[("x", 1), ("y", 3)]);
        near(a.total_variation(&tally(&[("x", 2), ("y", 6)])), 0.0);
        near(a.total_variation(&tally(&[("z", 9)])), 1.0);
        near(a.total_variation(&tally(&[("x", 1), ("y", 1)])), 0.25);
        near(a.total_variation(&Tally::default()), 1.0);
        let (name, gap) = a.largest_gap(&tally(&[("x", 1), ("z", 3)])).unwrap();
        assert_eq!(name, "y");
        near(gap, 0.75);
    }
}

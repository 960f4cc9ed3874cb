//! Runs as trackers know them, and what became of them.

use sha2::{Digest, Sha256};

/// A variant of an experiment, measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrackedRun {
    /// Name of the experiment that it belongs to.
    pub experiment: String,
    /// Name of the variant.
    pub name: String,
    /// Identity of the variant within the experiment, in hex: exporting twice makes one run.
    pub id: String,
    /// What was asked, by name.
    pub params: Vec<(String, String)>,
    /// What came out, by name. Numbers that are not finite are left out.
    pub metrics: Vec<(String, f64)>,
    /// Figures that there are many of, by name: each with its step, such as the index of a trajectory.
    pub series: Vec<(String, Vec<(u64, f64)>)>,
    /// What else is known, by name.
    pub tags: Vec<(String, String)>,
    /// When measuring began, in milliseconds since 1970.
    pub start_ms: u64,
    /// When it ended, in milliseconds since 1970.
    pub end_ms: u64,
    /// Files that belong to it, by name.
    pub artifacts: Vec<(String, Vec<u8>)>,
}

/// What became of the runs of an export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// Runs that were not there.
    pub created: usize,
    /// Runs that were there with other contents, or in part, and are as given now.
    pub replaced: usize,
    /// Runs that were there already.
    pub unchanged: usize,
    /// Values that were longer than the tracker takes, and are cut.
    pub values_cut: usize,
    /// Files that could not be handed over.
    pub artifacts_left_out: usize,
}

impl TrackedRun {
    /// SHA-256 of everything in it, in hex: equal for runs that are equal.
    pub(crate) fn digest(&self) -> String {
        let mut content = Content(Sha256::new());
        for text in [&self.experiment, &self.name, &self.id] {
            content.add(text.as_bytes());
        }
        for list in [&self.params, &self.tags] {
            content.number(list.len() as u64);
            for (name, value) in list {
                content.add(name.as_bytes());
                content.add(value.as_bytes());
            }
        }
        for (name, step, value) in self.points() {
            content.add(name.as_bytes());
            content.number(step);
            content.number(value.to_bits());
        }
        for time in [self.start_ms, self.end_ms] {
            content.number(time);
        }
        for (name, bytes) in &self.artifacts {
            content.add(name.as_bytes());
            content.add(bytes);
        }
        hex(&content.0.finalize())
    }

    /// All figures that are finite: those of the run as a whole at step 0, then the series.
    pub(crate) fn points(&self) -> impl Iterator<Item = (&str, u64, f64)> {
        let single = self.metrics.iter().map(|(name, value)| (name.as_str(), 0, *value));
        let series = self.series.iter().flat_map(|(name, points)| {
            let point = |(step, value): &(u64, f64)| (name.as_str(), *step, *value);
            points.iter().map(point)
        });
        single.chain(series).filter(|(_, _, value)| value.is_finite())
    }
}

/// What is digested, each part with its length before it.
struct Content(Sha256);

impl Content {
    fn add(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.update(bytes);
    }

    fn number(&mut self, number: u64) {
        self.0.update(number.to_le_bytes());
    }
}

/// Bytes as lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_tells_runs_apart() {
        let run = |params: &[(&str, &str)], metrics: &[(&str, f64)]| TrackedRun {
            params: params
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
            metrics: metrics
                .iter()
                .map(|(name, value)| ((*name).to_owned(), *value))
                .collect(),
            ..TrackedRun::default()
        };
        let digests = [
            run(&[], &[]),
            run(&[("ab", "c")], &[]),
            run(&[("a", "bc")], &[]),
            run(&[], &[("a", 1.0)]),
            run(&[], &[("a", 2.0)]),
        ]
        .map(|run| run.digest());
        for (idx, digest) in digests.iter().enumerate() {
            assert_eq!(digest.len(), 64);
            assert!(!digests[..idx].contains(digest), "{idx}");
        }
        assert_eq!(
            run(&[], &[("a", 1.0)]).digest(),
            run(&[], &[("a", 1.0), ("b", f64::NAN)]).digest()
        );
    }
}

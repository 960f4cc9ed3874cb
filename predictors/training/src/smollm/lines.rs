//! Sequences as the lines that a model reads.

use napsim_predictors::language::ContextSettings;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use super::DataSettings;
use crate::job::{Job, TrainingError};
use crate::progress::Progress;
use crate::sequences::{DataReport, Part, Sequence, visit};

/// The lines of each sequence: shortened, without sheet names (spec chapter 03, 8.1 and 8.2).
#[derive(Debug, Default)]
pub(super) struct Lines {
    pub(super) train: Vec<Vec<String>>,
    pub(super) valid: Vec<Vec<String>>,
    /// Sequences left out for their length.
    pub(super) n_too_long: usize,
}

impl Lines {
    /// The training sequences as texts.
    pub(super) fn training_texts(&self) -> impl Iterator<Item = String> + Send + '_ {
        self.train.iter().map(|lines| {
            let mut text = lines.join("\n");
            text.push('\n');
            text
        })
    }
}

/// Reads the data.
pub(super) fn read(
    job: &Job,
    settings: &DataSettings,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<(Lines, DataReport), TrainingError> {
    let context = ContextSettings::default();
    let needed = |sequence: Sequence| {
        let line = |text: String| context.line(&text).unwrap_or(text);
        let lines = sequence.actions.iter().map(|action| line(action.to_string()));
        (sequence.part, lines.collect::<Vec<_>>())
    };
    let mut lines = Lines::default();
    let report = visit(&job.corpora, job.reading(), progress, needed, |(part, of_sequence)| {
        if of_sequence.len() >= 2 {
            match part {
                Part::Train => lines.train.push(of_sequence),
                Part::Valid | Part::Test => lines.valid.push(of_sequence),
            }
        }
    })?;
    let longest = percentile(lines.train.iter().map(Vec::len).collect(), settings.length_percentile);
    for sequences in [&mut lines.train, &mut lines.valid] {
        let before = sequences.len();
        sequences.retain(|lines| lines.len() <= longest);
        lines.n_too_long += before - sequences.len();
    }
    if let Some(n_max) = settings.sequences_max.filter(|n_max| *n_max < lines.train.len()) {
        let mut random = ChaCha8Rng::seed_from_u64(job.seed);
        let mut drawn = rand::seq::index::sample(&mut random, lines.train.len(), n_max).into_vec();
        drawn.sort_unstable();
        let taken = drawn
            .into_iter()
            .filter_map(|idx| lines.train.get_mut(idx).map(std::mem::take));
        lines.train = taken.collect();
    }
    Ok((lines, report))
}

/// The element of the sorted lengths at this share of them (spec chapter 03, 11.1).
fn percentile(mut lengths: Vec<usize>, percent: usize) -> usize {
    lengths.sort_unstable();
    let idx = (lengths.len() * percent / 100).min(lengths.len().saturating_sub(1));
    lengths.get(idx).copied().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_percentile_is_an_element() {
        let lengths: Vec<usize> = (1..=200).rev().collect();
        assert_eq!(percentile(lengths.clone(), 99), 199);
        assert_eq!(percentile(lengths.clone(), 95), 191);
        assert_eq!(percentile(lengths, 100), 200);
        assert_eq!(percentile(vec![5], 99), 5);
    }
}

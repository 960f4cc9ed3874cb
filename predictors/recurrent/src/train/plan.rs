//! Which pieces of which sequences make up the batches of an epoch.

use crate::settings::{Loss, Settings};
use crate::token::Token;
use rand::RngCore;
use rand_chacha::ChaCha8Rng;

/// One row of a batch: up to `window` tokens of a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Row {
    /// Index of the sequence.
    pub(crate) sequence: usize,
    /// First token that is read.
    pub(crate) begin: usize,
    /// One past the last token that is read: the last target.
    pub(crate) end: usize,
    /// The row of the batch before whose final state this one begins with; none begins at zero.
    pub(crate) carried: Option<usize>,
}

/// The batches of an epoch, in random order, or in the order of the sequences where nothing random is given.
pub(crate) fn plan(settings: &Settings, sequences: &[Vec<Token>], random: Option<&mut ChaCha8Rng>) -> Vec<Vec<Row>> {
    match settings.loss {
        Loss::LastStep => windows(settings, sequences, random),
        Loss::EveryStep => pieces(settings, sequences, random),
    }
}

/// One window for each target.
fn windows(settings: &Settings, sequences: &[Vec<Token>], random: Option<&mut ChaCha8Rng>) -> Vec<Vec<Row>> {
    let mut rows = Vec::new();
    for (sequence, tokens) in sequences.iter().enumerate() {
        rows.extend((1..tokens.len()).map(|end| Row {
            sequence,
            begin: end.saturating_sub(settings.window),
            end,
            carried: None,
        }));
    }
    if let Some(random) = random {
        shuffle(&mut rows, random);
        rows.truncate(settings.tokens_per_epoch_max.unwrap_or(usize::MAX));
    }
    rows.chunks(settings.batch).map(<[Row]>::to_vec).collect()
}

/// A sequence that is being read, piece by piece.
struct Lane {
    sequence: usize,
    /// One past the last token of the next piece.
    end: usize,
    /// One past the last token that has a successor.
    last: usize,
    /// Its row in the batch before.
    carried: Option<usize>,
}

/// As many sequences as a batch has rows are read side by side; where one ends the next begins.
fn pieces(settings: &Settings, sequences: &[Vec<Token>], random: Option<&mut ChaCha8Rng>) -> Vec<Vec<Row>> {
    let lengths = sequences.iter().enumerate().map(|(idx, tokens)| (idx, tokens.len()));
    let mut queue: Vec<(usize, usize)> = lengths.filter(|&(_, n_tokens)| n_tokens >= 2).collect();
    let mut n_left = usize::MAX;
    if let Some(random) = random {
        shuffle(&mut queue, random);
        n_left = settings.tokens_per_epoch_max.unwrap_or(usize::MAX);
    }
    let mut queue = queue.into_iter();
    let mut lanes: Vec<Lane> = Vec::new();
    let mut batches = Vec::new();
    while n_left > 0 {
        lanes.retain(|lane| lane.end <= lane.last);
        let free = settings.batch - lanes.len();
        lanes.extend(
            queue
                .by_ref()
                .take(free)
                .map(|(sequence, n_tokens)| lane(settings, sequence, n_tokens)),
        );
        if lanes.is_empty() {
            break;
        }
        let mut rows = Vec::with_capacity(lanes.len());
        for lane in &mut lanes {
            let row = Row {
                sequence: lane.sequence,
                begin: lane.end.saturating_sub(settings.window),
                end: lane.end,
                carried: lane.carried,
            };
            n_left = n_left.saturating_sub(row.end - row.begin);
            lane.carried = Some(rows.len());
            lane.end += settings.window;
            rows.push(row);
        }
        batches.push(rows);
    }
    batches
}

/// The first piece of a sequence is the short one, so that all pieces end where their window does.
fn lane(settings: &Settings, sequence: usize, n_tokens: usize) -> Lane {
    let last = n_tokens - 1;
    let short = last % settings.window;
    Lane {
        sequence,
        end: if short == 0 { settings.window } else { short },
        last,
        carried: None,
    }
}

/// Shuffles by exchanging each element with one at or before it.
fn shuffle<T>(elements: &mut [T], random: &mut ChaCha8Rng) {
    for idx in (1..elements.len()).rev() {
        let bound = idx as u64 + 1;
        // 64 bits over a small bound: the bias is far below anything that could be noticed.
        let other = usize::try_from(random.next_u64() % bound).unwrap_or(idx);
        elements.swap(idx, other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use std::collections::BTreeSet;

    fn sequences() -> Vec<Vec<Token>> {
        let token = Token::from_classes(0, [0; 4], 0).unwrap();
        [1, 2, 9, 0, 30, 5, 17].map(|n_tokens| vec![token; n_tokens]).to_vec()
    }

    /// How many targets a row has.
    const fn targets(loss: Loss, row: &Row) -> usize {
        match loss {
            Loss::EveryStep => row.end - row.begin,
            Loss::LastStep => 1,
        }
    }

    fn settings(loss: Loss) -> Settings {
        Settings {
            loss,
            window: 8,
            batch: 3,
            ..Settings::default()
        }
    }

    #[test]
    fn every_target_has_its_turn_once_an_epoch() {
        let all: BTreeSet<(usize, usize)> = (0..7)
            .flat_map(|sequence| (1..sequences()[sequence].len()).map(move |target| (sequence, target)))
            .collect();
        for loss in [Loss::EveryStep, Loss::LastStep] {
            for seed in 0..20 {
                let mut random = ChaCha8Rng::seed_from_u64(seed);
                let mut seen = BTreeSet::new();
                for row in plan(&settings(loss), &sequences(), Some(&mut random)).concat() {
                    assert!(row.end - row.begin <= 8 && row.begin < row.end);
                    let first = row.end + 1 - targets(loss, &row);
                    for target in first..=row.end {
                        assert!(seen.insert((row.sequence, target)));
                    }
                }
                assert_eq!(seen, all);
            }
        }
    }

    #[test]
    fn pieces_go_on_where_the_piece_before_ended() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let batches = plan(&settings(Loss::EveryStep), &sequences(), Some(&mut random));
        let mut n_carried = 0;
        for (before, rows) in std::iter::once(&Vec::new()).chain(&batches).zip(&batches) {
            assert!(rows.len() <= 3);
            for row in rows {
                match row.carried {
                    None => assert_eq!(row.begin, 0),
                    Some(carried) => {
                        n_carried += 1;
                        assert_eq!(
                            (before[carried].sequence, before[carried].end),
                            (row.sequence, row.begin)
                        );
                    }
                }
            }
        }
        // 29 and 16 targets in pieces of eight.
        assert_eq!(n_carried, 4);
    }

    #[test]
    fn an_epoch_can_be_capped() {
        for (loss, n_expected) in [(Loss::LastStep, 20), (Loss::EveryStep, 37)] {
            let settings = Settings {
                tokens_per_epoch_max: Some(20),
                ..settings(loss)
            };
            let mut random = ChaCha8Rng::seed_from_u64(3);
            let rows = plan(&settings, &sequences(), Some(&mut random)).concat();
            let n_targets: usize = rows.iter().map(|row| targets(loss, row)).sum();
            assert!((20..=n_expected).contains(&n_targets), "{n_targets}");
        }
    }
}

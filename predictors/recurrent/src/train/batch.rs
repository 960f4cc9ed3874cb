//! The numbers of one batch, time by time: first all rows at the first step, then all rows at the second.

use super::plan::Row;
use crate::settings::{Loss, Padding, Settings};
use crate::token::{HEADS, Token};

/// The tokens of a batch and what should follow them.
#[derive(Debug)]
pub(crate) struct Batch {
    /// Steps.
    pub(crate) n_steps: usize,
    /// Rows.
    pub(crate) n_rows: usize,
    /// For each of the six ids, the ids of all steps and rows.
    pub(crate) ids: [Vec<u32>; HEADS],
    /// Whether a step of a row moves the state.
    pub(crate) moves: Vec<bool>,
    /// What the heads should answer after a step; none doesn't count. Of the last step alone with last-step loss.
    pub(crate) targets: Vec<Option<[u8; HEADS]>>,
}

impl Batch {
    /// Lays out the rows. Windows end at the last step; before a short one there is padding.
    pub(crate) fn new(settings: &Settings, sequences: &[Vec<Token>], rows: &[Row]) -> Self {
        let longest = rows.iter().map(|row| row.end - row.begin).max().unwrap_or(0);
        let n_steps = match settings.padding {
            Padding::Masked => longest,
            Padding::Fed => settings.window,
        };
        let mut batch = Self {
            n_steps,
            n_rows: rows.len(),
            ids: std::array::from_fn(|_| Vec::with_capacity(n_steps * rows.len())),
            moves: Vec::with_capacity(n_steps * rows.len()),
            targets: Vec::with_capacity(n_steps * rows.len()),
        };
        for step in 0..n_steps {
            let counts = settings.loss == Loss::EveryStep || step + 1 == n_steps;
            for row in rows {
                let tokens = sequences.get(row.sequence).map_or(&[][..], Vec::as_slice);
                let position = (row.end + step)
                    .checked_sub(n_steps)
                    .filter(|&position| position >= row.begin);
                let at = |offset| position.and_then(|position| tokens.get(position + offset)).copied();
                let token = at(0).unwrap_or(Token::PADDING);
                for (ids, id) in batch.ids.iter_mut().zip(token.ids()) {
                    ids.push(u32::from(id));
                }
                batch
                    .moves
                    .push(settings.padding == Padding::Fed || !token.is_padding());
                if counts {
                    batch.targets.push(at(1).and_then(Token::classes));
                }
            }
        }
        batch
    }

    /// How many targets count.
    pub(crate) fn n_targets(&self) -> usize {
        self.targets.iter().flatten().count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_end_at_the_last_step() {
        let sequence: Vec<Token> = (0..6).map(|op| Token::from_classes(op, [0; 4], 0).unwrap()).collect();
        let row = |begin, end| Row {
            sequence: 0,
            begin,
            end,
            carried: None,
        };
        let settings = Settings {
            window: 3,
            ..Settings::published()
        };
        let batch = Batch::new(&settings, std::slice::from_ref(&sequence), &[row(0, 1), row(2, 5)]);
        assert_eq!((batch.n_steps, batch.n_rows), (3, 2));
        assert_eq!(batch.ids[0], [0, 3, 0, 4, 1, 5]);
        assert!(batch.moves.iter().all(|&moves| moves));
        let firsts: Vec<_> = batch
            .targets
            .iter()
            .map(|target| target.map(|classes| classes[0]))
            .collect();
        assert_eq!(firsts, [Some(1), Some(5)]);

        let settings = Settings {
            window: 9,
            ..Settings::default()
        };
        let batch = Batch::new(&settings, &[sequence], &[row(0, 1), row(2, 5)]);
        assert_eq!(batch.ids[0], [0, 3, 0, 4, 1, 5]);
        assert_eq!(batch.moves, [false, true, false, true, true, true]);
        let firsts: Vec<_> = batch
            .targets
            .iter()
            .map(|target| target.map(|classes| classes[0]))
            .collect();
        assert_eq!(firsts, [None, Some(3), None, Some(4), Some(1), Some(5)]);
        assert_eq!(batch.n_targets(), 4);
    }
}

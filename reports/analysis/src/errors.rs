//! What is wrong with proposals.

use napsim_reports::table::{count as grouped, counts_table, percent};
use napsim_sim::event::Prediction;
use serde::Serialize;

use crate::csv_rows::CsvRows;
use crate::left_to_do::{LeftToDo, Nearness};
use crate::number::{count, ratio};
use crate::run::{Basis, RunAnalysis};

/// What a proposed action comes to, held against what the user still has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    /// It is among the next actions.
    RightNext,
    /// It is right, but comes later.
    RightLater,
    /// The same is to be done there, but with another value.
    WrongValue,
    /// The same is to be done with that value, but elsewhere.
    WrongPlace,
    /// The sheet is so already.
    NoEffect,
    /// Nothing of the sort is left to do.
    NotNeeded,
    /// Nothing at all is left to do.
    NothingLeft,
    /// It is no action of the notation.
    Invalid,
}

impl ErrorKind {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::RightNext,
        Self::RightLater,
        Self::WrongValue,
        Self::WrongPlace,
        Self::NoEffect,
        Self::NotNeeded,
        Self::NothingLeft,
        Self::Invalid,
    ];

    /// In words.
    pub fn label(self) -> &'static str {
        match self {
            Self::RightNext => "right, and next",
            Self::RightLater => "right, but later",
            Self::WrongValue => "right place, wrong value",
            Self::WrongPlace => "right value, wrong place",
            Self::NoEffect => "changes nothing",
            Self::NotNeeded => "not needed",
            Self::NothingLeft => "nothing left to do",
            Self::Invalid => "not an action",
        }
    }

    /// In a sentence.
    pub fn definition(self) -> &'static str {
        match self {
            Self::RightNext => {
                "It matches one of the next actions, as many as were proposed: the same kind and value on an overlapping \
                 range."
            }
            Self::RightLater => "It matches an action that comes later.",
            Self::WrongValue => "The user will do this kind of action on exactly this range, with another value.",
            Self::WrongPlace => "The user will do this kind of action with exactly this value, on another range.",
            Self::NoEffect => "The proposal changes nothing: the sheet is so already.",
            Self::NotNeeded => "Nothing of this kind with this range or this value is left to do.",
            Self::NothingLeft => "The predictor was asked after the last action, and whatever it proposes is too much.",
            Self::Invalid => "The answer held something that cannot be read as an action; it never became a proposal.",
        }
    }

    fn place(self) -> usize {
        Self::ALL
            .iter()
            .position(|kind| *kind == self)
            .unwrap_or(Self::ALL.len())
    }
}

/// What is wrong with proposals, counted by proposed action.
///
/// How many proposed actions are right, now or later, is what the engine counted. The rest is told apart by what the
/// events say is left to do; actions by which a rewrite replaced others are in no event, so that after acceptances a few
/// may be told apart otherwise than a replay would.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ErrorTaxonomy {
    /// What the figures are made of.
    pub basis: Basis,
    /// One row a kind, in the order of [`ErrorKind::ALL`].
    pub rows: Vec<ErrorRow>,
}

/// How many proposed actions come to this.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ErrorRow {
    /// What they come to.
    pub kind: ErrorKind,
    /// Actions of rejected predictions. Of [`ErrorKind::Invalid`] all are counted here, since nothing can accept them.
    pub rejected: u64,
    /// Their share of all actions of rejected predictions, invalid ones included.
    pub rejected_share: Option<f64>,
    /// Actions of accepted predictions.
    pub accepted: u64,
    /// Their share of all actions of accepted predictions.
    pub accepted_share: Option<f64>,
}

impl ErrorTaxonomy {
    /// The rows as a table.
    pub fn csv(&self) -> CsvRows {
        let header = ["error", "rejected", "rejected_share", "accepted", "accepted_share"];
        let mut rows = CsvRows::new(&header);
        for row in &self.rows {
            rows.push([
                row.kind.label().into(),
                row.rejected.into(),
                row.rejected_share.into(),
                row.accepted.into(),
                row.accepted_share.into(),
            ]);
        }
        rows
    }
}

/// The rows as text for a terminal.
pub fn text(errors: &ErrorTaxonomy, width: u16) -> String {
    let header = ["proposed actions", "rejected", "share", "accepted", "share"].map(str::to_owned);
    let cells = |row: &ErrorRow| {
        vec![
            row.kind.label().to_owned(),
            grouped(row.rejected),
            percent(row.rejected_share),
            grouped(row.accepted),
            percent(row.accepted_share),
        ]
    };
    let rows: Vec<Vec<String>> = errors.rows.iter().map(cells).collect();
    let notes = errors.basis.notes().into_iter().map(|note| note + "\n");
    counts_table(&header, &rows, width) + &notes.collect::<String>()
}

/// Proposed actions by what they come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ErrorCounts {
    rejected: [u64; ErrorKind::ALL.len()],
    accepted: [u64; ErrorKind::ALL.len()],
}

impl ErrorCounts {
    /// Proposals that were no actions.
    pub(crate) fn add_invalid(&mut self, n: u64) {
        add(&mut self.rejected, ErrorKind::Invalid, n);
    }

    /// The actions of a prediction, held against what was left to do before it.
    pub(crate) fn add(&mut self, prediction: &Prediction, left: &LeftToDo) {
        self.add_invalid(count(prediction.rejected.len()));
        let counts = if prediction.accepted {
            &mut self.accepted
        } else {
            &mut self.rejected
        };
        let n_proposed = count(prediction.predicted.len());
        if prediction.future_before == 0 {
            add(counts, ErrorKind::NothingLeft, n_proposed);
            return;
        }
        let metrics = &prediction.metrics;
        let next = u64::from(metrics.exact_matches).min(n_proposed);
        let later = u64::from(metrics.lookahead_matches)
            .saturating_sub(next)
            .min(n_proposed - next);
        add(counts, ErrorKind::RightNext, next);
        add(counts, ErrorKind::RightLater, later);
        let wrong = n_proposed - next - later;
        if wrong > 0 && metrics.tp + metrics.fp + metrics.mm == 0 {
            add(counts, ErrorKind::NoEffect, wrong);
            return;
        }
        // Which of several actions are the right ones is not recorded; those that come nearest are taken for them.
        let mut nearness: Vec<Nearness> = prediction.predicted.iter().map(|action| left.nearest(action)).collect();
        nearness.sort_unstable();
        let n_wrong = usize::try_from(wrong).unwrap_or(usize::MAX);
        for nearness in nearness.iter().rev().take(n_wrong) {
            let kind = match nearness {
                Nearness::OtherPlace => ErrorKind::WrongPlace,
                Nearness::OtherValue => ErrorKind::WrongValue,
                // What is left to do once need not be proposed twice.
                Nearness::Same | Nearness::None => ErrorKind::NotNeeded,
            };
            add(counts, kind, 1);
        }
    }
}

fn add(counts: &mut [u64; ErrorKind::ALL.len()], kind: ErrorKind, n: u64) {
    if let Some(count) = counts.get_mut(kind.place()) {
        *count += n;
    }
}

pub(crate) fn of(run: &RunAnalysis) -> ErrorTaxonomy {
    let mut sums = ErrorCounts::default();
    for unit in run.counted() {
        for (sum, n) in sums.rejected.iter_mut().zip(unit.errors.rejected) {
            *sum += n;
        }
        for (sum, n) in sums.accepted.iter_mut().zip(unit.errors.accepted) {
            *sum += n;
        }
    }
    let (n_rejected, n_accepted) = (sums.rejected.iter().sum(), sums.accepted.iter().sum());
    let rows = ErrorKind::ALL
        .into_iter()
        .zip(sums.rejected.into_iter().zip(sums.accepted));
    ErrorTaxonomy {
        basis: run.basis(),
        rows: rows
            .map(|(kind, (rejected, accepted))| ErrorRow {
                kind,
                rejected,
                rejected_share: ratio(rejected, n_rejected),
                accepted,
                accepted_share: ratio(accepted, n_accepted),
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests;

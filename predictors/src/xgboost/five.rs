//! The published five models: one of the next keyword, four of where the next action goes.

use napsim_boosting::{Ensemble, Objective};
use napsim_trajectories::CellAddress;
use napsim_trajectories::range::ROW_MAX;

use crate::feature::{Feature, KEYWORDS, RangeMode, UNKNOWN_KEYWORD};
use crate::gbm_vector;
use crate::history::Continuation;
use crate::reconstruct::Area;

/// How many numbers describe a range.
pub const N_RANGE_NUMBERS: usize = 4;

/// The names of the range numbers in their order.
pub const RANGE_NAMES: [&str; N_RANGE_NUMBERS] = ["row", "column", "height", "width"];

/// Five ensembles over the last actions, and what is needed to read their answers.
#[derive(Clone, Debug, PartialEq)]
pub struct FiveEnsembles {
    range_mode: RangeMode,
    window: usize,
    /// The keyword id of each class, ascending; [`UNKNOWN_KEYWORD`] may be the last.
    classes: Vec<u8>,
    op_type: Ensemble,
    ranges: [Ensemble; N_RANGE_NUMBERS],
    fingerprint: String,
}

/// Why ensembles do not go together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FiveError {
    /// Fewer than two classes, classes out of order, or a class that is no keyword.
    #[error("{classes:?} are no classes of keywords")]
    Classes {
        /// The ids.
        classes: Vec<u8>,
    },
    /// An ensemble that predicts something else than it should.
    #[error("ensemble `{ensemble}` predicts something else")]
    Objective {
        /// Its name.
        ensemble: &'static str,
    },
    /// An ensemble over vectors of another length.
    #[error("ensemble `{ensemble}` has {found} columns where a window of {window} actions makes {expected}")]
    Columns {
        /// Its name.
        ensemble: &'static str,
        /// Columns of the ensemble.
        found: usize,
        /// Actions of the window.
        window: usize,
        /// Columns of the window.
        expected: usize,
    },
}

impl FiveEnsembles {
    /// Puts ensembles together. The fingerprint must tell them from all others.
    ///
    /// # Errors
    /// [`FiveError`] where they do not fit each other, the window or the classes.
    pub fn new(
        range_mode: RangeMode,
        window: usize,
        classes: Vec<u8>,
        op_type: Ensemble,
        ranges: [Ensemble; N_RANGE_NUMBERS],
        fingerprint: String,
    ) -> Result<Self, FiveError> {
        let ascending = classes.iter().zip(classes.iter().skip(1)).all(|(one, next)| one < next);
        let known = classes.iter().all(|class| *class <= UNKNOWN_KEYWORD);
        let n_classes = u32::try_from(classes.len()).unwrap_or(u32::MAX);
        if !ascending || !known || n_classes < 2 {
            return Err(FiveError::Classes { classes });
        }
        let wanted = Objective::Softprob { n_classes };
        check("op-type", &op_type, wanted, window)?;
        for (ensemble, name) in ranges.iter().zip(RANGE_NAMES) {
            check(name, ensemble, Objective::SquaredError, window)?;
        }
        Ok(Self {
            range_mode,
            window,
            classes,
            op_type,
            ranges,
            fingerprint,
        })
    }

    /// How ranges are described.
    pub fn range_mode(&self) -> RangeMode {
        self.range_mode
    }

    /// How many of the last actions are looked at.
    pub fn window(&self) -> usize {
        self.window
    }

    /// The keyword id of each class.
    pub fn classes(&self) -> &[u8] {
        &self.classes
    }

    /// The ensemble of the keyword, `[n_classes]`.
    pub fn op_type(&self) -> &Ensemble {
        &self.op_type
    }

    /// The ensembles of the range numbers, in the order of [`RANGE_NAMES`].
    pub fn ranges(&self) -> &[Ensemble; N_RANGE_NUMBERS] {
        &self.ranges
    }

    /// What tells these ensembles from all others.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// The vector of the last actions of a history, `[gbm_vector::length(window)]`.
    pub(super) fn vector_after(&self, history: &Continuation<'_>) -> Vec<f32> {
        let mut latest: Vec<Feature> = history.latest().take(self.window).cloned().collect();
        latest.reverse();
        gbm_vector::vector(&latest, self.window, self.range_mode)
    }

    /// The likeliest keyword; of equally likely ones that with the lowest id. None where its class is that of unknown
    /// keywords, for which there is no way back.
    pub(super) fn keyword(&self, vector: &[f32]) -> Option<&'static str> {
        let mut margins = vec![0.0; self.classes.len()];
        self.op_type.margins(vector, &mut margins).ok()?;
        let mut best: Option<(f32, u8)> = None;
        for (margin, class) in margins.into_iter().zip(&self.classes) {
            if best.is_none_or(|(highest, _)| margin > highest) {
                best = Some((margin, *class));
            }
        }
        KEYWORDS.get(usize::from(best?.1)).copied()
    }

    /// Where the action after `last` goes: the four numbers rounded, halves to the even one, and held on the sheet.
    pub(super) fn area(&self, vector: &[f32], last: &Feature) -> Option<Area> {
        let mut numbers = [0_i64; N_RANGE_NUMBERS];
        for (number, ensemble) in numbers.iter_mut().zip(&self.ranges) {
            let mut out = [0.0];
            ensemble.predict(vector, &mut out).ok()?;
            let [value] = out;
            // No number that could be meant is larger, and sums of what is left cannot overflow.
            *number = (value.round_ties_even() as i64).clamp(-ROW_MAX, ROW_MAX);
        }
        let [row, col, height, width] = numbers;
        Some(match self.range_mode {
            RangeMode::Relative => Area::of(last).moved(row, col).grown(height, width),
            RangeMode::Absolute => Area {
                start: CellAddress::new(row.max(1), col.max(1)),
                height: height.max(1),
                width: width.max(1),
            },
        })
    }
}

fn check(name: &'static str, ensemble: &Ensemble, wanted: Objective, window: usize) -> Result<(), FiveError> {
    if ensemble.objective() != wanted {
        return Err(FiveError::Objective { ensemble: name });
    }
    let (found, expected) = (ensemble.n_columns(), gbm_vector::length(window));
    if found != expected {
        return Err(FiveError::Columns {
            ensemble: name,
            found,
            window,
            expected,
        });
    }
    Ok(())
}

//! Matching of proposed actions with true ones, action by action (spec chapter 02, section 3.5).

use std::rc::Rc;

use napsim_trajectories::Action;

use crate::counts::ratio;
use crate::plan::Planned;

/// How a proposed action was paired with a true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Pairing {
    Exact,
    AttributeMismatch,
    WrongRange,
    WrongOp,
    Missing,
    Extra,
}

impl Pairing {
    /// The name in published records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact_match",
            Self::AttributeMismatch => "attribute_mismatch",
            Self::WrongRange => "correct_op_wrong_range",
            Self::WrongOp => "wrong_op",
            Self::Missing => "missing_in_prediction",
            Self::Extra => "extra_in_prediction",
        }
    }
}

/// A match of two actions: equal, or of one family on overlapping ranges of one sheet; a strict one also needs equal
/// values but overlooks font property, axis, side and paste source (Q18).
pub fn matches(a: &Action, b: &Action, strict: bool) -> bool {
    let overlapping = a.family() == b.family()
        && a.range().sheet() == b.range().sheet()
        && a.range().bounds().overlaps(&b.range().bounds());
    (overlapping && (!strict || a.same_value(b))) || a == b
}

/// Whether a true and a proposed action make a pair.
type Test = fn(&Action, &Action) -> bool;

/// Pairs the next true actions with the proposed ones in four passes; unpaired ones follow in order.
pub fn pair(segment: &[&Action], predicted: &[&Action]) -> Vec<Pairing> {
    let (mut free_true, mut free_predicted) = (segment.to_vec(), predicted.to_vec());
    let mut pairs = Vec::new();
    let passes: [(Pairing, Test); 4] = [
        (Pairing::Exact, |a, b| matches(a, b, true)),
        (Pairing::AttributeMismatch, |a, b| {
            a.family() == b.family() && a.range().text() == b.range().text() && !a.is_content()
        }),
        (Pairing::WrongRange, |a, b| a.family() == b.family()),
        (Pairing::WrongOp, |_, _| true),
    ];
    for (pairing, test) in passes {
        free_true.retain(|a| {
            let Some(found) = free_predicted.iter().position(|b| test(a, b)) else {
                return true;
            };
            free_predicted.remove(found);
            pairs.push(pairing);
            false
        });
    }
    pairs.extend(free_true.iter().map(|_| Pairing::Missing));
    pairs.extend(free_predicted.iter().map(|_| Pairing::Extra));
    pairs
}

/// Proposed actions found anywhere in the future.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lookahead {
    /// Strict matches.
    pub exact: u32,
    /// Strict and loose matches.
    pub flexible: u32,
    /// Index in the future of each match, in order of the proposed actions; told by [`find`](Self::find) only.
    pub positions: Vec<u32>,
    n_predicted: u64,
    n_future: u64,
}

impl Lookahead {
    /// Nothing found yet of so many proposed actions in so long a future.
    pub(crate) fn among(n_predicted: usize, n_future: usize) -> Self {
        Self {
            n_predicted: n_predicted as u64,
            n_future: n_future as u64,
            ..Self::default()
        }
    }

    /// A proposed action was found.
    pub(crate) fn add(&mut self, strictly: bool) {
        self.flexible += 1;
        self.exact += u32::from(strictly);
    }

    /// Looks each proposed action up in the future: its first strict match, or else the last loose one (Q19).
    pub fn find(predicted: &[Rc<Planned>], future: &[Rc<Planned>]) -> Self {
        if future.is_empty() {
            return Lookahead::default();
        }
        let mut found = Lookahead::among(predicted.len(), future.len());
        let mut taken = rustc_hash::FxHashSet::default();
        for proposed in predicted {
            let mut loose = None;
            let mut strict = None;
            for (idx, planned) in future.iter().enumerate().filter(|(idx, _)| !taken.contains(idx)) {
                if planned.action.family() != proposed.action.family() {
                    continue;
                }
                if matches(&proposed.action, &planned.action, true) {
                    strict = Some(idx);
                    break;
                }
                if matches(&proposed.action, &planned.action, false) {
                    loose = Some(idx);
                }
            }
            let Some(idx) = strict.or(loose) else { continue };
            taken.insert(idx);
            found.add(strict.is_some());
            found.positions.push(u32::try_from(idx).unwrap_or(u32::MAX));
        }
        found
    }

    /// Strict matches as a share of the proposed actions.
    pub fn accuracy(&self) -> f64 {
        ratio(self.exact.into(), self.n_predicted)
    }

    /// Strict matches as a share of the future.
    pub fn recall(&self) -> f64 {
        ratio(self.exact.into(), self.n_future)
    }

    /// All matches as a share of the proposed actions.
    pub fn flexible_accuracy(&self) -> f64 {
        ratio(self.flexible.into(), self.n_predicted)
    }

    /// All matches as a share of the future.
    pub fn flexible_recall(&self) -> f64 {
        ratio(self.flexible.into(), self.n_future)
    }
}

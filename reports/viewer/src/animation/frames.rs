//! Which steps get a picture of their own.

use std::ops::Range;

use super::lasts;
use crate::film::step::Step;

/// One picture: the steps since the one before, the last of which it is labelled with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// Indices of the steps.
    pub(super) steps: Range<usize>,
    /// Index of the step that it is labelled with, the last of them that lasts.
    pub(super) label: usize,
    /// Whether that step is a proposal.
    pub(super) is_proposal: bool,
    /// Number of that step among those that last, from 1.
    pub(super) number: usize,
    /// How many last.
    pub(super) n: usize,
}

/// The pictures of some steps, at most so many.
pub(super) fn choose(steps: &[Step], frames_max: usize) -> Vec<Frame> {
    let lasting: Vec<(usize, bool)> = steps
        .iter()
        .enumerate()
        .filter(|(_, step)| lasts(step))
        .map(|(idx, step)| (idx, matches!(step, Step::Proposal(_))))
        .collect();
    let mut chosen = chosen(&lasting, frames_max.max(1));
    // What comes last is always shown.
    if let Some(last) = lasting.len().checked_sub(1)
        && chosen.last() != Some(&last)
    {
        chosen.pop();
        chosen.push(last);
    }
    let mut from = 0;
    let mut frames = Vec::with_capacity(chosen.len());
    for place in chosen {
        let Some((label, is_proposal)) = lasting.get(place) else {
            continue;
        };
        frames.push(Frame {
            steps: from..label + 1,
            label: *label,
            is_proposal: *is_proposal,
            number: place + 1,
            n: lasting.len(),
        });
        from = label + 1;
    }
    frames
}

/// Places in the list that are chosen, in order.
fn chosen(lasting: &[(usize, bool)], frames_max: usize) -> Vec<usize> {
    if lasting.len() <= frames_max {
        return (0..lasting.len()).collect();
    }
    let places = |proposals: bool| {
        let of_kind = lasting.iter().enumerate().filter(|(_, (_, is))| *is == proposals);
        of_kind.map(|(place, _)| place).collect::<Vec<_>>()
    };
    let mut chosen = evenly(&places(true), frames_max / 2);
    chosen.extend(evenly(&places(false), frames_max - chosen.len()));
    chosen.sort_unstable();
    chosen
}

/// So many members of a list at even distances, the last one among them.
fn evenly(list: &[usize], n: usize) -> Vec<usize> {
    if list.len() <= n {
        return list.to_vec();
    }
    let place = |i: usize| ((i + 1) * list.len()).div_ceil(n) - 1;
    (0..n).filter_map(|i| list.get(place(i)).copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_taken_at_even_distances() {
        let list: Vec<usize> = (0..10).collect();
        assert_eq!(evenly(&list, 5), [1, 3, 5, 7, 9]);
        assert_eq!(evenly(&list, 3), [3, 6, 9]);
        assert!(evenly(&list, 0).is_empty());
        assert_eq!(evenly(&list, 12), list);
    }

    #[test]
    fn proposals_come_before_user_actions() {
        // Every fifth step is a proposal.
        let lasting: Vec<(usize, bool)> = (0..50).map(|idx| (idx, idx % 5 == 0)).collect();
        let chosen = chosen(&lasting, 20);
        assert_eq!(chosen.len(), 20);
        assert_eq!(chosen.iter().filter(|place| *place % 5 == 0).count(), 10);
        assert!(chosen.is_sorted());
    }
}

//! What the user has to do, before and after a proposal, as the difference of the two.

use std::rc::Rc;

use napsim_sim::plan::Planned;
use rustc_hash::FxHashMap;

/// One place where the future changes.
#[derive(Clone, Debug)]
pub(super) struct Edit {
    /// How many actions stand before it in the old future.
    pub(super) at: usize,
    /// Actions of the old future that go.
    pub(super) removed: Vec<Rc<Planned>>,
    /// Actions of the new future that come in their place.
    pub(super) inserted: Vec<Rc<Planned>>,
}

/// The places where two futures differ, in order. An action stays if it is the very same one, not one like it.
pub(super) fn edits(before: &[Rc<Planned>], after: &[Rc<Planned>]) -> Vec<Edit> {
    let is_same = |(a, b): &(&Rc<Planned>, &Rc<Planned>)| Rc::ptr_eq(a, b);
    let n_first = before.iter().zip(after).take_while(is_same).count();
    let (before_rest, after_rest) = (tail(before, n_first), tail(after, n_first));
    let n_last = before_rest
        .iter()
        .rev()
        .zip(after_rest.iter().rev())
        .take_while(is_same)
        .count();
    let before_rest = head(before_rest, n_last);
    let after_rest = head(after_rest, n_last);
    let places: FxHashMap<*const Planned, usize> = before_rest
        .iter()
        .enumerate()
        .map(|(place, planned)| (Rc::as_ptr(planned), place))
        .collect();
    let mut edits = Vec::new();
    let (mut done, mut inserted) = (0, Vec::new());
    let mut close = |from: usize, to: usize, inserted: &mut Vec<Rc<Planned>>| {
        let removed = before_rest.get(from..to).unwrap_or_default().to_vec();
        if !removed.is_empty() || !inserted.is_empty() {
            edits.push(Edit {
                at: n_first + from,
                removed,
                inserted: std::mem::take(inserted),
            });
        }
    };
    for planned in after_rest {
        match places.get(&Rc::as_ptr(planned)) {
            // What stands in another order than before counts as new.
            Some(place) if *place >= done => {
                close(done, *place, &mut inserted);
                done = place + 1;
            }
            _ => inserted.push(planned.clone()),
        }
    }
    close(done, before_rest.len(), &mut inserted);
    edits
}

fn tail<T>(list: &[T], n: usize) -> &[T] {
    list.get(n..).unwrap_or_default()
}

fn head<T>(list: &[T], n_left_out: usize) -> &[T] {
    list.get(..list.len() - n_left_out).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use napsim_trajectories::Action;
    use proptest::prelude::*;

    use super::*;

    fn planned(n: usize) -> Vec<Rc<Planned>> {
        let action = |row: usize| Action::parse(&format!("INPUT | A{row} | 1")).unwrap();
        Planned::all((1..=n).map(action))
    }

    /// The new future out of the old one and the edits.
    fn applied(before: &[Rc<Planned>], edits: &[Edit]) -> Vec<Rc<Planned>> {
        let mut future = before.to_vec();
        for edit in edits.iter().rev() {
            future.splice(edit.at..edit.at + edit.removed.len(), edit.inserted.iter().cloned());
        }
        future
    }

    fn texts(list: &[Rc<Planned>]) -> Vec<&str> {
        list.iter().map(|planned| planned.text()).collect()
    }

    #[test]
    fn what_goes_and_what_comes_is_found() {
        let known = planned(5);
        let new = planned(2);
        // An undo action in front, the second one gone, the fourth replaced.
        let after = [&new[0], &known[0], &known[2], &new[1], &known[4]].map(Rc::clone);
        let edits = edits(&known, &after);
        let places: Vec<_> = edits
            .iter()
            .map(|edit| (edit.at, edit.removed.len(), edit.inserted.len()))
            .collect();
        assert_eq!(places, [(0, 0, 1), (1, 1, 0), (3, 1, 1)]);
        assert_eq!(texts(&applied(&known, &edits)), texts(&after));
    }

    proptest! {
        #[test]
        fn edits_lead_from_one_future_to_the_other(
            picks in proptest::collection::vec(0_usize..12, 0..12),
            n in 0_usize..8,
        ) {
            let pool = planned(12);
            let before: Vec<_> = pool.iter().take(n).cloned().collect();
            let mut after: Vec<_> = Vec::new();
            for pick in picks {
                if !after.iter().any(|known| Rc::ptr_eq(known, &pool[pick])) {
                    after.push(pool[pick].clone());
                }
            }
            let result = applied(&before, &edits(&before, &after));
            prop_assert_eq!(result.len(), after.len());
            prop_assert!(result.iter().zip(&after).all(|(a, b)| Rc::ptr_eq(a, b)));
        }
    }
}

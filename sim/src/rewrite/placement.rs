//! Where the corrections of the second pass go in the rewritten future (spec 02, 12, step 11).

use std::rc::Rc;

use napsim_trajectories::RangeError;

use super::is_merge;
use crate::plan::Planned;

/// Inserts each correction after the last action it has to do with; all positions refer to `future` as given.
pub(super) fn place(future: Vec<Rc<Planned>>, inserted: &[Rc<Planned>]) -> Result<Vec<Rc<Planned>>, RangeError> {
    if inserted.is_empty() {
        return Ok(future);
    }
    let mut after: Vec<Vec<Rc<Planned>>> = vec![Vec::new(); future.len()];
    let mut at_end = Vec::new();
    for correction in inserted {
        match position(&future, correction)?.and_then(|idx| after.get_mut(idx)) {
            Some(slot) => slot.push(correction.clone()),
            None => at_end.push(correction.clone()),
        }
    }
    let mut placed = Vec::with_capacity(future.len() + inserted.len());
    for (planned, corrections) in future.into_iter().zip(after) {
        placed.push(planned);
        placed.extend(corrections);
    }
    placed.extend(at_end);
    Ok(placed)
}

/// The index after which a correction goes; none for the end.
fn position(future: &[Rc<Planned>], correction: &Planned) -> Result<Option<usize>, RangeError> {
    let fingerprint = correction.fingerprint()?;
    for (idx, planned) in future.iter().enumerate().rev() {
        let other = planned.fingerprint()?;
        let shares_write = || {
            fingerprint.writes.iter().any(|(cell, properties)| {
                other
                    .writes
                    .iter()
                    .any(|(known, written)| known == cell && written.is_related(*properties))
            })
        };
        let near = fingerprint
            .extent
            .zip(other.extent)
            .is_some_and(|(mine, other)| mine.overlaps(&other));
        if near && other.sheet == fingerprint.sheet && shares_write() {
            return Ok(Some(idx));
        }
    }
    let range = correction.action.range();
    let overlaps = |planned: &Planned| {
        let other = planned.action.range();
        other.sheet() == range.sheet() && other.bounds().overlaps(&range.bounds())
    };
    if fingerprint.properties.touches_format()
        && let Some(idx) = future
            .iter()
            .rposition(|planned| is_merge(&planned.action) && overlaps(planned))
    {
        return Ok(Some(idx));
    }
    Ok(future.iter().rposition(|planned| overlaps(planned)))
}

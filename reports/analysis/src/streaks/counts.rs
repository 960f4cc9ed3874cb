//! Streaks and chains of one record.

use std::collections::BTreeMap;

use napsim_sim::event::Summary;

use super::Ends;
use crate::tally::Places;

/// How many have each length.
pub(crate) type Histogram = BTreeMap<u32, u64>;

/// How many streaks there are of each kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct StreakCounts {
    /// How many have each length.
    pub(crate) streaks: Histogram,
    pub(crate) chains: Histogram,
    /// Kind of the first proposal, and of the last user action before it.
    pub(crate) start_kinds: Places,
    pub(crate) start_triggers: Places,
    /// The same of the rejected prediction that ended the streak.
    pub(crate) end_kinds: Places,
    pub(crate) end_triggers: Places,
    pub(crate) ends: Ends,
    /// The order of acceptances and rejections in this one trajectory.
    pub(crate) order: Order,
    /// Predictions and acceptances after an acceptance, after a rejection, and at the beginning.
    pub(crate) after: [(u64, u64); 3],
}

/// Acceptances and rejections of one trajectory in their order. A run is a stretch of either.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Order {
    pub(crate) accepted: u64,
    pub(crate) rejected: u64,
    pub(crate) runs: u64,
}

pub(crate) fn add(histogram: &mut Histogram, other: &Histogram) {
    for (length, n) in other {
        *histogram.entry(*length).or_default() += n;
    }
}

impl StreakCounts {
    /// Adds what can be added; the order of a trajectory cannot.
    pub(crate) fn add(&mut self, other: &Self) {
        add(&mut self.streaks, &other.streaks);
        add(&mut self.chains, &other.chains);
        self.start_kinds.add_all(&other.start_kinds);
        self.start_triggers.add_all(&other.start_triggers);
        self.end_kinds.add_all(&other.end_kinds);
        self.end_triggers.add_all(&other.end_triggers);
        let Ends {
            rejected,
            failed_call,
            diverged,
            end,
            limit,
        } = other.ends;
        self.ends.rejected += rejected;
        self.ends.failed_call += failed_call;
        self.ends.diverged += diverged;
        self.ends.end += end;
        self.ends.limit += limit;
    }
}

/// Follows the events of one record.
#[derive(Clone, Debug, Default)]
pub(crate) struct StreakBuilder {
    counts: StreakCounts,
    streak: u32,
    chain: u32,
    last: Option<bool>,
    diverges: bool,
}

impl StreakBuilder {
    pub(crate) fn user_step(&mut self) {
        end(&mut self.chain, &mut self.counts.chains);
    }

    pub(crate) fn failed_call(&mut self) {
        self.counts.ends.failed_call += u64::from(self.streak > 0);
        self.end_all();
    }

    /// The prediction that comes next was accepted, but could not be carried out.
    pub(crate) fn divergence(&mut self) {
        self.diverges = true;
    }

    /// A prediction, with the places of its kind and of its trigger.
    pub(crate) fn prediction(&mut self, accepted: bool, kind: usize, trigger: usize) {
        let diverged = std::mem::take(&mut self.diverges);
        let order = &mut self.counts.order;
        order.runs += u64::from(self.last != Some(accepted));
        *(if accepted {
            &mut order.accepted
        } else {
            &mut order.rejected
        }) += 1;
        let [after_accepted, after_rejected, first] = &mut self.counts.after;
        let after = match self.last {
            Some(true) => after_accepted,
            Some(false) => after_rejected,
            None => first,
        };
        after.0 += 1;
        after.1 += u64::from(accepted);
        self.last = Some(accepted);
        if accepted {
            if self.streak == 0 {
                self.counts.start_kinds.add(kind, 1);
                self.counts.start_triggers.add(trigger, 1);
            }
            self.streak += 1;
            self.chain += 1;
            return;
        }
        if self.streak > 0 && diverged {
            self.counts.ends.diverged += 1;
        } else if self.streak > 0 {
            self.counts.ends.rejected += 1;
            self.counts.end_kinds.add(kind, 1);
            self.counts.end_triggers.add(trigger, 1);
        }
        self.end_all();
    }

    fn end_all(&mut self) {
        end(&mut self.streak, &mut self.counts.streaks);
        end(&mut self.chain, &mut self.counts.chains);
    }

    pub(crate) fn finish(mut self, summary: &Summary) -> StreakCounts {
        let ends = &mut self.counts.ends;
        let end = if summary.limit.is_some() {
            &mut ends.limit
        } else {
            &mut ends.end
        };
        *end += u64::from(self.streak > 0);
        self.end_all();
        self.counts
    }
}

fn end(length: &mut u32, histogram: &mut Histogram) {
    if *length > 0 {
        *histogram.entry(std::mem::take(length)).or_default() += 1;
    }
}

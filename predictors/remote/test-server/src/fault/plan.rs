//! Which fault happens when.

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::Fault;

/// Chooses faults by seed: the fault of a number depends on nothing but the two.
#[derive(Clone, Copy, Debug)]
pub struct FaultPlan {
    seed: u64,
    share: f64,
}

impl FaultPlan {
    /// A share of all answers, 0 to 1, is a fault; all faults are equally likely.
    pub fn new(seed: u64, share: f64) -> Self {
        Self { seed, share }
    }

    /// The fault of the n-th answer, if it is one.
    pub fn fault(&self, n: u64) -> Option<Fault> {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(n);
        let is_fault = random.random::<f64>() < self.share;
        let fault = Fault::ALL.get(random.random_range(0..Fault::ALL.len())).copied();
        fault.filter(|_| is_fault)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn plans_depend_on_seed_and_number_alone() {
        let faults = |seed: u64, numbers: &[u64]| -> Vec<Option<Fault>> {
            let plan = FaultPlan::new(seed, 0.5);
            numbers.iter().map(|n| plan.fault(*n)).collect()
        };
        let forwards: Vec<u64> = (0..1_000).collect();
        let backwards: Vec<u64> = (0..1_000).rev().collect();
        let mut other_way = faults(1, &backwards);
        other_way.reverse();
        assert_eq!(faults(1, &forwards), other_way);
        assert_ne!(faults(1, &forwards), faults(2, &forwards));
        let n_faults = faults(1, &forwards).iter().flatten().count();
        assert!((400..600).contains(&n_faults), "{n_faults}");
        assert!(FaultPlan::new(1, 0.0).fault(3).is_none());
    }

    #[test]
    fn every_fault_is_listed_and_chosen() {
        let plan = FaultPlan::new(7, 1.0);
        let chosen: BTreeSet<Fault> = (0..2_000).filter_map(|n| plan.fault(n)).collect();
        let listed: BTreeSet<Fault> = Fault::ALL.iter().copied().collect();
        assert_eq!(chosen, listed);
        assert_eq!(listed.len(), Fault::ALL.len());
        assert_eq!(listed.last().map(|last| *last as usize), Some(Fault::ALL.len() - 1));
    }
}

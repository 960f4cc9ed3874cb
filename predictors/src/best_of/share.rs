//! The share of a predictor's answers that was taken.

/// What every predictor begins with: as if one of seven answers had been taken, which is about the acceptance rate that is
/// published for the online n-gram (14.7 %). A few outcomes outweigh it.
const TAKEN_BEFORE: u32 = 1;
const REFUSED_BEFORE: u32 = 6;

/// Counts of taken and refused answers: the mean of a beta distribution that begins with a prior.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Share {
    taken: u32,
    refused: u32,
}

impl Share {
    /// Takes an outcome into account.
    pub(super) fn count(&mut self, taken: bool) {
        let counter = if taken { &mut self.taken } else { &mut self.refused };
        *counter = counter.saturating_add(1);
    }

    /// The share taken.
    pub(super) fn taken(self) -> f64 {
        let taken = f64::from(self.taken) + f64::from(TAKEN_BEFORE);
        let refused = f64::from(self.refused) + f64::from(REFUSED_BEFORE);
        taken / (taken + refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_move_the_share() {
        let mut share = Share::default();
        assert!((share.taken() - 1.0 / 7.0).abs() < 1e-12);
        share.count(true);
        assert!((share.taken() - 2.0 / 8.0).abs() < 1e-12);
        share.count(false);
        share.count(false);
        assert!((share.taken() - 2.0 / 10.0).abs() < 1e-12);
    }
}

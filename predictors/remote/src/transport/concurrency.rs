//! How many requests may be in flight.
//!
//! The limit halves when a server throttles, and grows while it answers: by one an answer up to half of where it was last
//! throttled, above that by one for as many answers as the limit is high. A server that throttles even single requests
//! says nothing of how many it can take; once it is back, the limit grows fast up to where it was before.

/// The number of requests that may be in flight, and of those that are.
#[derive(Debug)]
pub(super) struct Concurrency {
    limit: u32,
    limit_max: u32,
    /// Up to here the limit grows fast.
    threshold: u32,
    /// The limit when the server began to throttle.
    limit_before: u32,
    /// Answers since the limit last grew.
    answers: u32,
    /// Whether there was an answer since the limit last halved.
    is_answered: bool,
    in_flight: u32,
    round: Round,
}

/// The requests that were sent between two times that the limit halved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Round(u64);

impl Concurrency {
    /// The limit to begin with.
    const START: u32 = 16;

    pub(super) fn new(limit_max: u32) -> Self {
        let limit_max = limit_max.max(1);
        Self {
            limit: Self::START.min(limit_max),
            limit_max,
            threshold: limit_max,
            limit_before: limit_max,
            answers: 0,
            is_answered: true,
            in_flight: 0,
            round: Round::default(),
        }
    }

    /// Counts one more request in flight, if there may be one.
    pub(super) fn enter(&mut self) -> Option<Round> {
        (self.in_flight < self.limit).then(|| {
            self.in_flight += 1;
            self.round
        })
    }

    pub(super) fn is_open(&self) -> bool {
        self.in_flight < self.limit
    }

    /// Counts one less request in flight.
    pub(super) fn leave(&mut self) {
        self.in_flight = self.in_flight.saturating_sub(1);
    }

    /// Learns that a server answered.
    pub(super) fn answered(&mut self) {
        self.is_answered = true;
        self.answers += 1;
        if self.limit < self.threshold || self.answers >= self.limit {
            self.answers = 0;
            self.limit = (self.limit + 1).min(self.limit_max);
        }
    }

    /// Learns that a server throttled a request of this round. All that were in flight then tell of the same overload, so
    /// only the first of them counts.
    pub(super) fn throttled(&mut self, round: Round) {
        if round < self.round {
            return;
        }
        self.round.0 += 1;
        if self.is_answered {
            self.limit_before = self.limit;
            self.threshold = (self.limit / 2).max(1);
        } else if self.limit == 1 {
            self.threshold = self.limit_before;
        }
        self.limit = (self.limit / 2).max(1);
        self.answers = 0;
        self.is_answered = false;
    }

    pub(super) fn limit(&self) -> u32 {
        self.limit
    }

    pub(super) fn in_flight(&self) -> u32 {
        self.in_flight
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A limit that has been at its highest.
    fn grown(limit_max: u32) -> Concurrency {
        let mut concurrency = Concurrency::new(limit_max);
        (0..limit_max * limit_max).for_each(|_| concurrency.answered());
        assert_eq!(concurrency.limit(), limit_max);
        concurrency
    }

    #[test]
    fn it_begins_low_and_lets_no_more_in_than_allowed() {
        assert_eq!(Concurrency::new(64).limit(), 16);
        assert_eq!(Concurrency::new(0).limit(), 1);
        let mut concurrency = Concurrency::new(2);
        assert!(concurrency.enter().is_some());
        assert!(concurrency.enter().is_some());
        assert!(concurrency.enter().is_none());
        concurrency.leave();
        assert!(concurrency.enter().is_some());
        assert_eq!(concurrency.in_flight(), 2);
    }

    #[test]
    fn it_halves_once_a_round() {
        let mut concurrency = grown(64);
        let rounds: Vec<Round> = (0..64).filter_map(|_| concurrency.enter()).collect();
        rounds.iter().for_each(|round| concurrency.throttled(*round));
        assert_eq!(concurrency.limit(), 32);
        rounds.iter().for_each(|_| concurrency.leave());
        let round = concurrency.enter().unwrap();
        concurrency.throttled(round);
        assert_eq!(concurrency.limit(), 16);
    }

    #[test]
    fn it_grows_by_one_a_round_above_half_of_where_it_was_throttled() {
        let mut concurrency = grown(64);
        let round = concurrency.enter().unwrap();
        concurrency.throttled(round);
        for limit in 32..64 {
            assert_eq!(concurrency.limit(), limit);
            (0..limit - 1).for_each(|_| concurrency.answered());
            assert_eq!(concurrency.limit(), limit);
            concurrency.answered();
        }
        assert_eq!(concurrency.limit(), 64);
    }

    #[test]
    fn it_comes_back_fast_after_a_server_that_was_not_there() {
        let mut concurrency = grown(64);
        for _ in 0..1_000 {
            let round = concurrency.enter().unwrap();
            concurrency.throttled(round);
            concurrency.leave();
        }
        assert_eq!(concurrency.limit(), 1);
        (0..63).for_each(|_| concurrency.answered());
        assert_eq!(concurrency.limit(), 64);
    }

    #[test]
    fn it_comes_back_with_care_to_a_server_that_takes_few() {
        let mut concurrency = grown(64);
        for limit in [32, 16, 8] {
            let round = concurrency.enter().unwrap();
            concurrency.throttled(round);
            assert_eq!(concurrency.limit(), limit);
            concurrency.answered();
        }
        // Half of the last limit that was too high, and one for the answer.
        assert_eq!(concurrency.limit(), 8);
        (0..7).for_each(|_| concurrency.answered());
        assert_eq!(concurrency.limit(), 9);
    }

    proptest! {
        #[test]
        fn the_limit_is_never_zero_and_always_recovers(
            limit_max in 1_u32..100,
            steps in proptest::collection::vec(0_u8..4, 0..500),
        ) {
            let mut concurrency = Concurrency::new(limit_max);
            let mut rounds = Vec::new();
            for step in steps {
                match (step, rounds.pop()) {
                    (0, Some(round)) => {
                        concurrency.throttled(round);
                        concurrency.leave();
                    }
                    (1, Some(_)) => {
                        concurrency.answered();
                        concurrency.leave();
                    }
                    (_, round) => {
                        rounds.extend(round);
                        rounds.extend(concurrency.enter());
                    }
                }
                prop_assert!((1..=limit_max).contains(&concurrency.limit()));
                prop_assert_eq!(concurrency.in_flight() as usize, rounds.len());
            }
            (0..limit_max * limit_max).for_each(|_| concurrency.answered());
            prop_assert_eq!(concurrency.limit(), limit_max);
        }
    }
}

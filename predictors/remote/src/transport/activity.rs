//! What a transport has done and does.

use std::iter::Sum;
use std::time::Duration;

use super::retry::RetryCause;

/// What a transport has done so far and what is going on, over all lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TransportActivity {
    /// Requests sent, retries among them.
    pub requests: u64,
    /// Retries after throttling.
    pub retries_throttled: u64,
    /// Retries after failures of the server.
    pub retries_server: u64,
    /// Retries after broken or refused connections.
    pub retries_connection: u64,
    /// Retries after timeouts.
    pub retries_timed_out: u64,
    /// Retries after answers that make no sense.
    pub retries_malformed: u64,
    /// Time that lanes waited before they could send, summed over the lanes: for their turn, for a pause that a server
    /// asked for, and for the limits of concurrency and rate.
    pub waited_for_limits: Duration,
    /// Time that lanes waited before retries, summed over the lanes.
    pub waited_for_retries: Duration,
    /// Requests in flight.
    pub in_flight: u32,
    /// Lanes that wait before they can send.
    pub waiting_for_limits: u32,
    /// Lanes that wait before a retry.
    pub waiting_for_retries: u32,
    /// Most requests in flight at present.
    pub concurrency_limit: u32,
}

impl Sum for TransportActivity {
    fn sum<I: Iterator<Item = Self>>(activities: I) -> Self {
        activities.fold(Self::default(), |sum, one| Self {
            requests: sum.requests + one.requests,
            retries_throttled: sum.retries_throttled + one.retries_throttled,
            retries_server: sum.retries_server + one.retries_server,
            retries_connection: sum.retries_connection + one.retries_connection,
            retries_timed_out: sum.retries_timed_out + one.retries_timed_out,
            retries_malformed: sum.retries_malformed + one.retries_malformed,
            waited_for_limits: sum.waited_for_limits + one.waited_for_limits,
            waited_for_retries: sum.waited_for_retries + one.waited_for_retries,
            in_flight: sum.in_flight + one.in_flight,
            waiting_for_limits: sum.waiting_for_limits + one.waiting_for_limits,
            waiting_for_retries: sum.waiting_for_retries + one.waiting_for_retries,
            concurrency_limit: sum.concurrency_limit + one.concurrency_limit,
        })
    }
}

impl TransportActivity {
    /// Retries of all causes.
    pub fn retries(&self) -> u64 {
        self.retries_throttled
            + self.retries_server
            + self.retries_connection
            + self.retries_timed_out
            + self.retries_malformed
    }

    pub(crate) fn count_retry(&mut self, cause: RetryCause) {
        *match cause {
            RetryCause::Throttled => &mut self.retries_throttled,
            RetryCause::Server => &mut self.retries_server,
            RetryCause::Connection => &mut self.retries_connection,
            RetryCause::TimedOut => &mut self.retries_timed_out,
            RetryCause::Malformed => &mut self.retries_malformed,
        } += 1;
    }
}

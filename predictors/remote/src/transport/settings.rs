//! What a transport keeps to.

use std::time::Duration;

/// Times, sizes and numbers that a transport keeps to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransportSettings {
    /// Longest time for opening a connection, encryption and all.
    pub connect_timeout: Duration,
    /// Longest gap between two pieces of a body. The first piece may take until `timeout`: some servers send the head of
    /// an answer at once and think afterwards.
    pub chunk_timeout: Duration,
    /// Longest time for one attempt as a whole. Models that reason think long before the first byte.
    pub timeout: Duration,
    /// Longest body, in bytes, both as sent and after decompression.
    pub body_bytes_max: u64,
    /// Most retries of one call after throttling, server errors, timeouts and broken connections.
    pub retries_max: u32,
    /// Most retries of one call after answers that make no sense: they may have cost money.
    pub malformed_retries_max: u32,
    /// Wait before the first retry; each further one doubles it.
    pub backoff_min: Duration,
    /// Longest wait before a retry that no server asked for.
    pub backoff_max: Duration,
    /// Longest wait that a server may ask for; one that asks for more makes the call fail at once.
    pub retry_after_max: Duration,
    /// Most requests in flight.
    pub connections_max: u32,
    /// Most requests that are sent in a minute, retries among them.
    pub requests_per_minute: Option<u32>,
    /// Most tokens that are sent and expected in a minute, as [`Post::tokens`](super::Post::tokens) estimates them.
    pub tokens_per_minute: Option<u64>,
}

impl Default for TransportSettings {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(10),
            chunk_timeout: Duration::from_secs(30),
            timeout: Duration::from_secs(300),
            body_bytes_max: 16 << 20,
            retries_max: 6,
            malformed_retries_max: 2,
            backoff_min: Duration::from_secs(1),
            backoff_max: Duration::from_secs(60),
            retry_after_max: Duration::from_secs(300),
            connections_max: 64,
            requests_per_minute: None,
            tokens_per_minute: None,
        }
    }
}

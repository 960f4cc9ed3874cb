//! Requests over HTTP, for all lanes of a run.
//!
//! One [`Transport`] sends every request: it tries again where that can help, waits where a server asks for it, keeps to
//! the limits of a provider, and takes no answer that is not whole. What an answer says is for a [`Judge`] to tell.
//!
//! ```text
//! post -> door (order, pause, concurrency, requests and tokens a minute) -> attempt -> judge -> reply
//!           ^--------------------------- backoff <-- throttled, broken, malformed --'
//! ```

mod activity;
mod attempt;
mod body;
mod call;
mod client;
mod concurrency;
mod door;
mod error;
mod message;
mod rate;
mod retry;
mod retry_after;
mod settings;
mod stop;

use std::fmt;

use tokio::runtime::{Builder, Runtime};

pub use activity::TransportActivity;
pub use error::TransportError;
pub use message::{AgainCause, Judge, Judgement, Post, Reply};
pub use settings::TransportSettings;
pub use stop::Stop;

use attempt::Attempt;
use call::Calls;
use client::Clients;
use stop::Stopping;

/// Sends requests for many lanes at once; they share it behind an `Arc`.
///
/// Dropping it drops what is in flight. Neither that nor [`Transport::post`] waits for the system to resolve a name.
pub struct Transport {
    /// There until the transport is dropped.
    runtime: Option<Runtime>,
    clients: Clients,
    calls: Calls,
}

impl Transport {
    /// Prepares for sending; nothing is sent yet.
    ///
    /// # Errors
    /// [`TransportError::Client`] where the system gives no thread.
    pub fn new(settings: TransportSettings, stop: Stop) -> Result<Self, TransportError> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("napsim-http")
            .enable_all()
            .build()
            .map_err(|error| TransportError::Client {
                reason: error.to_string(),
            })?;
        let stopping = Stopping::watch(stop, runtime.handle());
        Ok(Self {
            clients: Clients::new(&settings),
            calls: Calls::new(settings, stopping),
            runtime: Some(runtime),
        })
    }

    /// Sends a request, as often as need be, and gives the reply that the judge takes for final, whatever its status.
    ///
    /// It blocks its thread, which must not be one that runs asynchronous tasks. Once the run is to stop it returns within
    /// a second.
    ///
    /// # Errors
    /// The error of the last attempt, or [`TransportError::Stopped`].
    pub fn post(&self, post: &Post, judge: Judge<'_>) -> Result<Reply, TransportError> {
        self.post_counting(post, judge).0
    }

    /// The same, with the number of attempts before the last one that may have been paid for although they brought nothing
    /// that could be used: those that came too late, broke off, or made no sense.
    pub fn post_counting(&self, post: &Post, judge: Judge<'_>) -> (Result<Reply, TransportError>, u32) {
        let Some(runtime) = &self.runtime else {
            return (Err(TransportError::Stopped), 0);
        };
        let client = match self.clients.client(&post.url) {
            Ok(client) => client,
            Err(error) => return (Err(error), 0),
        };
        let attempt = Attempt::new(&client, post, self.calls.settings());
        let call = self
            .calls
            .call_counting(post.tokens, async || attempt.run().await, || attempt.server(), judge);
        runtime.block_on(call)
    }

    /// What has been done so far and what is going on, for a line of progress.
    pub fn activity(&self) -> TransportActivity {
        self.calls.activity()
    }

    /// What it keeps to.
    pub fn settings(&self) -> &TransportSettings {
        self.calls.settings()
    }
}

impl Drop for Transport {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // A plain drop would wait for names that are being resolved, which may take the system minutes.
            runtime.shutdown_background();
        }
    }
}

impl fmt::Debug for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transport")
            .field("settings", self.settings())
            .field("activity", &self.activity())
            .finish_non_exhaustive()
    }
}

//! Stopping: who is asked whether to go on, and how what waits learns of it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::time::sleep;

/// How often it is asked whether to stop.
const POLL: Duration = Duration::from_millis(50);

/// How long requests in flight may go on after a stop: they are paid for already.
const GRACE: Duration = Duration::from_millis(500);

/// Says whether a run is to stop.
#[derive(Clone)]
pub struct Stop(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl Stop {
    /// Asks this function, every 50 ms and before each request. It should take no time, and its first `true` is final.
    pub fn new(is_asked: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(is_asked)))
    }

    /// Never stops.
    pub fn never() -> Self {
        Self(None)
    }

    /// Whether the run is to stop.
    pub fn is_asked(&self) -> bool {
        self.0.as_ref().is_some_and(|is_asked| is_asked())
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Stop" } else { "Stop(never)" })
    }
}

/// A stop, as what waits sees it.
pub(crate) struct Stopping {
    stop: Stop,
    told: Arc<watch::Sender<bool>>,
}

impl Stopping {
    /// Has a task ask again and again.
    pub(crate) fn watch(stop: Stop, runtime: &Handle) -> Self {
        let told = Arc::new(watch::Sender::new(false));
        if stop.0.is_some() {
            let (stop, told) = (stop.clone(), Arc::clone(&told));
            runtime.spawn(async move {
                while !stop.is_asked() {
                    sleep(POLL).await;
                }
                told.send_replace(true);
            });
        }
        Self { stop, told }
    }

    /// Whether nothing more is to be sent.
    pub(crate) fn is_stopped(&self) -> bool {
        if !*self.told.borrow() && self.stop.is_asked() {
            self.told.send_replace(true);
        }
        *self.told.borrow()
    }

    /// Waits for a stop.
    pub(crate) async fn stopped(&self) {
        let mut told = self.told.subscribe();
        // It cannot fail, since we hold the sender.
        let _ = told.wait_for(|stopped| *stopped).await;
    }

    /// Waits for a stop and then as long as requests in flight may go on.
    pub(crate) async fn grace_over(&self) {
        self.stopped().await;
        sleep(GRACE).await;
    }
}

//! Calls against servers that are functions, on a clock that jumps from one event to the next.

use std::cell::{Cell, RefCell};
use std::future::{Future, pending};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use reqwest::header::HeaderMap;
use tokio::runtime::Handle;
use tokio::time::{Instant, sleep, timeout};

use super::super::Stop;
use super::*;

const SECOND: Duration = Duration::from_secs(1);

fn calls(settings: TransportSettings) -> Calls {
    Calls::new(settings, Stopping::watch(Stop::never(), &Handle::current()))
}

fn server() -> Server {
    Server::of(&"http://host".parse().unwrap(), &HeaderMap::new())
}

fn by_status(reply: &Reply) -> Judgement {
    match reply.body.as_str() {
        "nonsense" => Judgement::malformed("it is nonsense"),
        _ => Judgement::of_status(reply.status),
    }
}

impl Calls {
    async fn call(
        &self,
        tokens: u64,
        attempt: impl AsyncFn() -> Outcome,
        server: impl Fn() -> Server,
        judge: Judge<'_>,
    ) -> Result<Reply, TransportError> {
        self.call_counting(tokens, attempt, server, judge).await.0
    }
}

#[tokio::test(start_paused = true)]
async fn attempts_that_may_have_been_paid_for_are_counted() {
    let outcomes = ["late", "429", "reset", "500", "200 nonsense", "200"];
    let n_attempts = Cell::new(0);
    let attempt = async || {
        n_attempts.set(n_attempts.get() + 1);
        outcome(outcomes[n_attempts.get() - 1])
    };
    let calls = calls(TransportSettings::default());
    let (reply, n_lost) = calls.call_counting(1, attempt, server, &by_status).await;
    assert_eq!((reply.map(|reply| reply.status), n_lost), (Ok(200), 3));
}

/// An outcome from `200`, `429 after 3`, `200 nonsense`, `reset` and the like.
fn outcome(text: &str) -> Outcome {
    let (status, rest) = text.split_once(' ').unwrap_or((text, ""));
    let host = "http://host".to_owned();
    let reason = String::new();
    let result = match status {
        "reset" => Err(TransportError::Interrupted { host, reason }),
        "refused" => Err(TransportError::Unreachable { host, reason }),
        "late" => Err(TransportError::TimedOut {
            host,
            what: "nothing",
            after: SECOND,
        }),
        "large" => Err(TransportError::TooLarge { host, bytes_max: 1 }),
        "bytes" => Err(TransportError::NotText { host }),
        status => Ok(Reply {
            status: status.parse().unwrap(),
            body: rest.to_owned(),
        }),
    };
    let asked = rest.strip_prefix("after ").map(|seconds| seconds.parse().unwrap());
    Outcome {
        result,
        asked_to_wait: asked.map(Duration::from_secs),
    }
}

/// What comes of a call whose attempts end like this, one after the other, with the number of attempts.
async fn call(attempts: &[&str]) -> (Result<u16, TransportError>, usize) {
    let calls = calls(TransportSettings::default());
    let n_attempts = Cell::new(0);
    let attempt = async || {
        n_attempts.set(n_attempts.get() + 1);
        outcome(attempts[n_attempts.get() - 1])
    };
    let result = calls.call(1, attempt, server, &by_status).await;
    assert_eq!(calls.activity().requests, n_attempts.get() as u64);
    assert_eq!(calls.activity().retries(), n_attempts.get() as u64 - 1);
    assert_eq!(calls.activity().in_flight, 0);
    (result.map(|reply| reply.status), n_attempts.get())
}

#[tokio::test(start_paused = true)]
async fn attempts_go_on_until_one_is_final() {
    assert_eq!(call(&["200"]).await, (Ok(200), 1));
    assert_eq!(call(&["404"]).await, (Ok(404), 1));
    assert_eq!(
        call(&["429", "reset", "refused", "late", "503", "529", "200"]).await,
        (Ok(200), 7)
    );
    assert_eq!(call(&["200 nonsense", "bytes", "200"]).await, (Ok(200), 3));
    assert_eq!(
        call(&["200 nonsense", "429", "bytes", "500", "400"]).await,
        (Ok(400), 5)
    );
    let (result, n_attempts) = call(&["429", "large", "200"]).await;
    assert!(matches!(result, Err(TransportError::TooLarge { .. })), "{result:?}");
    assert_eq!(n_attempts, 2);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_was_never_reached_is_given_up_sooner() {
    let (result, n_attempts) = call(&["refused"; 7]).await;
    assert!(matches!(result, Err(TransportError::Unreachable { .. })), "{result:?}");
    assert_eq!(n_attempts, 3);
    // Once it was there, it may come back.
    let once_there = ["refused", "500", "refused", "refused", "refused", "refused", "200"];
    assert_eq!(call(&once_there).await, (Ok(200), 7));
}

#[tokio::test(start_paused = true)]
async fn the_last_error_is_told_when_patience_is_at_an_end() {
    let (result, n_attempts) = call(&["429", "429", "500", "500", "reset", "late", "503 after 2"]).await;
    let error = result.unwrap_err();
    let asked = Some(2 * SECOND);
    assert!(
        matches!(&error, TransportError::Server { status: 503, asked_to_wait, .. } if *asked_to_wait == asked),
        "{error:?}"
    );
    assert_eq!(n_attempts, 7);
    let (result, n_attempts) = call(&["200 nonsense", "200 nonsense", "200 nonsense"]).await;
    let malformed = TransportError::Malformed {
        host: "http://host".to_owned(),
        reason: "it is nonsense".to_owned(),
        body: "nonsense".to_owned(),
    };
    assert_eq!((result, n_attempts), (Err(malformed), 3));
}

#[tokio::test(start_paused = true)]
async fn servers_that_ask_for_too_much_are_not_waited_for() {
    let start = Instant::now();
    let (result, n_attempts) = call(&["429", "503 after 1000000000"]).await;
    assert!(result.unwrap_err().to_string().contains("asks to wait 1000000000 s"));
    assert_eq!(n_attempts, 2);
    assert!(start.elapsed() < 2 * SECOND);
    let start = Instant::now();
    assert_eq!(call(&["429 after 300", "200"]).await, (Ok(200), 2));
    assert!(start.elapsed() >= 300 * SECOND);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_asks_to_wait_makes_all_lanes_wait() {
    let calls = calls(TransportSettings::default());
    let start = Instant::now();
    let sent = RefCell::new(Vec::new());
    let attempt = async || {
        sent.borrow_mut().push(start.elapsed());
        sleep(Duration::from_millis(100)).await;
        outcome(if start.elapsed() < SECOND {
            "429 after 20"
        } else {
            "200"
        })
    };
    let late = async {
        sleep(3 * SECOND).await;
        calls.call(1, &attempt, server, &by_status).await
    };
    let (first, second) = tokio::join!(calls.call(1, &attempt, server, &by_status), late);
    assert_eq!((first.unwrap().status, second.unwrap().status), (200, 200));
    assert_eq!(sent.borrow().len(), 3);
    let end_of_pause = Duration::from_millis(20_100);
    assert!(sent.borrow()[1..].iter().all(|at| *at >= end_of_pause), "{sent:?}");
}

#[tokio::test(start_paused = true)]
async fn a_lane_that_waits_for_a_retry_lets_others_go() {
    let calls = calls(TransportSettings {
        connections_max: 1,
        backoff_min: 60 * SECOND,
        ..TransportSettings::default()
    });
    let n_attempts = Cell::new(0);
    let throttled_first = async || {
        n_attempts.set(n_attempts.get() + 1);
        outcome(if n_attempts.get() == 1 { "429" } else { "200" })
    };
    let others = async {
        let start = Instant::now();
        sleep(SECOND).await;
        for _ in 0..10 {
            let reply = calls.call(1, async || outcome("200"), server, &by_status).await;
            assert_eq!(reply.unwrap().status, 200);
        }
        assert!(start.elapsed() < 2 * SECOND);
        assert_eq!(calls.activity().waiting_for_retries, 1);
    };
    let (reply, ()) = tokio::join!(calls.call(1, throttled_first, server, &by_status), others);
    assert_eq!(reply.unwrap().status, 200);
    assert!(calls.activity().waited_for_retries >= 30 * SECOND);
}

/// A call that is stopped after ten seconds, with how long it went on then.
async fn stopped<F: Future<Output = Outcome>>(
    settings: TransportSettings,
    busy: bool,
    attempt: impl Fn(Duration) -> F,
) -> (Result<u16, TransportError>, Duration) {
    let asked = Arc::new(AtomicBool::new(false));
    let stop = {
        let asked = Arc::clone(&asked);
        Stop::new(move || asked.load(Ordering::SeqCst))
    };
    let calls = Calls::new(settings, Stopping::watch(stop, &Handle::current()));
    let start = Instant::now();
    let slot = match busy {
        true => Some(calls.door.enter(1).await),
        false => None,
    };
    let stopping = async {
        sleep(10 * SECOND).await;
        asked.store(true, Ordering::SeqCst);
    };
    let call = calls.call(1, async || attempt(start.elapsed()).await, server, &by_status);
    let (result, ()) = tokio::join!(timeout(1_000 * SECOND, call), stopping);
    let went_on = start.elapsed() - 10 * SECOND;
    drop(slot);
    assert_eq!(calls.activity().in_flight, 0);
    assert_eq!(calls.activity().waiting_for_limits, 0);
    let n_sent = calls.activity().requests;
    let after = calls.call(1, async || outcome("200"), server, &by_status).await;
    assert_eq!(after, Err(TransportError::Stopped));
    assert_eq!(calls.activity().requests, n_sent, "nothing is sent after a stop");
    (result.unwrap().map(|reply| reply.status), went_on)
}

#[tokio::test(start_paused = true)]
async fn every_wait_ends_within_a_second_of_a_stop() {
    let settings = TransportSettings {
        connections_max: 1,
        backoff_min: 100 * SECOND,
        backoff_max: 100 * SECOND,
        ..TransportSettings::default()
    };
    let limited = TransportSettings {
        connections_max: 2,
        requests_per_minute: Some(1),
        ..settings.clone()
    };
    let ready = |text: &'static str| move |_: Duration| std::future::ready(outcome(text));
    let never = |_: Duration| pending();
    let waits = [
        ("a retry", stopped(settings.clone(), false, ready("500")).await),
        (
            "a pause",
            stopped(settings.clone(), false, ready("429 after 200")).await,
        ),
        ("a slot", stopped(settings.clone(), true, ready("200")).await),
        ("the rate", stopped(limited, true, ready("200")).await),
        ("an answer", stopped(settings.clone(), false, never).await),
    ];
    for (wait, (result, went_on)) in waits {
        assert_eq!(result, Err(TransportError::Stopped), "{wait}");
        assert!(went_on < SECOND, "{wait}: {went_on:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn answers_that_come_soon_after_a_stop_are_taken() {
    let after = |seconds: u64, millis: u64| {
        move |_: Duration| async move {
            sleep(Duration::from_millis(seconds * 1_000 + millis)).await;
            outcome("200")
        }
    };
    let (result, _) = stopped(TransportSettings::default(), false, after(10, 400)).await;
    assert_eq!(result, Ok(200));
    let (result, went_on) = stopped(TransportSettings::default(), false, after(11, 0)).await;
    assert_eq!(result, Err(TransportError::Stopped));
    assert!(went_on < SECOND, "{went_on:?}");
}

/// What lanes get done against a server, in the minutes from `from` to `to`: answers and failed calls a minute.
async fn done_a_minute<F: Future<Output = Outcome>>(
    settings: TransportSettings,
    n_lanes: usize,
    minutes: (f64, f64),
    serve: impl Fn(Duration, u32) -> F,
) -> (f64, f64) {
    let calls = calls(settings);
    let start = Instant::now();
    let (from, to) = (60.0 * minutes.0, 60.0 * minutes.1);
    let n_done = [Cell::new(0_u32), Cell::new(0_u32)];
    let attempt = async || serve(start.elapsed(), calls.activity().in_flight).await;
    let lane = async || {
        loop {
            let is_answered = calls.call(1, &attempt, server, &by_status).await.is_ok();
            let activity = calls.activity();
            assert!(activity.concurrency_limit >= 1);
            if (from..to).contains(&start.elapsed().as_secs_f64()) {
                let n_done = &n_done[usize::from(!is_answered)];
                n_done.set(n_done.get() + 1);
            }
        }
    };
    // Every lane is a future of one task; `join_all` of the futures crate would be a dependency for one line.
    let mut lanes: Vec<_> = (0..n_lanes).map(|_| Box::pin(lane())).collect();
    let all = std::future::poll_fn(|context| {
        for lane in &mut lanes {
            let _: std::task::Poll<()> = lane.as_mut().poll(context);
        }
        std::task::Poll::<()>::Pending
    });
    let _ = timeout(Duration::from_secs_f64(to), all).await;
    let [answers, failures] = n_done
        .each_ref()
        .map(|n_done| f64::from(n_done.get()) / (minutes.1 - minutes.0));
    (answers, failures)
}

/// Throttles everything from the second to the twelfth minute, and answers after a while otherwise.
fn ten_minutes_of_throttling(
    latency: Duration,
) -> impl Fn(Duration, u32) -> std::pin::Pin<Box<dyn Future<Output = Outcome>>> {
    move |now, _| {
        Box::pin(async move {
            if (120..720).contains(&now.as_secs()) {
                sleep(Duration::from_millis(50)).await;
                return outcome("429");
            }
            sleep(latency).await;
            outcome("200")
        })
    }
}

#[tokio::test(start_paused = true)]
async fn a_minute_after_ten_minutes_of_throttling_all_is_as_before() {
    // Ten requests a second are allowed; a lane could do one.
    let settings = TransportSettings {
        requests_per_minute: Some(600),
        ..TransportSettings::default()
    };
    let (done, failed) = done_a_minute(settings, 52, (13.0, 15.0), ten_minutes_of_throttling(SECOND)).await;
    assert!((540.0..=600.0).contains(&done), "{done}");
    assert!(failed < 0.01, "{failed}");
    // Only the lanes themselves limit: 52 of them could do 624 a minute.
    let settings = TransportSettings::default();
    let (done, failed) = done_a_minute(settings, 52, (13.0, 15.0), ten_minutes_of_throttling(5 * SECOND)).await;
    assert!((561.0..=624.0).contains(&done), "{done}");
    assert!(failed < 0.01, "{failed}");
}

#[tokio::test(start_paused = true)]
async fn as_many_requests_are_in_flight_as_the_server_takes() {
    let serve = |n_max: u32| {
        move |_, n_in_flight: u32| async move {
            if n_in_flight > n_max {
                sleep(Duration::from_millis(20)).await;
                return outcome("429");
            }
            sleep(SECOND).await;
            outcome("200")
        }
    };
    for n_max in [1, 4, 20] {
        let (done, failed) = done_a_minute(TransportSettings::default(), 52, (5.0, 15.0), serve(n_max)).await;
        let share = done / f64::from(60 * n_max);
        println!(
            "takes {n_max} at once: {:.0} % done, {failed} calls failed a minute",
            100.0 * share
        );
        assert!((0.6..=1.0).contains(&share), "{n_max}: {share}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_rate_that_only_the_server_knows_is_found() {
    // 600 a minute, of which ten may come at once.
    let level = Cell::new((Duration::ZERO, 10.0_f64));
    let level = &level;
    let serve = |now: Duration, _| {
        let (before, left) = level.get();
        let left = (left + (now - before).as_secs_f64() * 10.0).min(10.0);
        let is_taken = left >= 1.0;
        level.set((now, left - f64::from(u8::from(is_taken))));
        async move {
            sleep(if is_taken { SECOND } else { SECOND / 50 }).await;
            outcome(if is_taken { "200" } else { "429" })
        }
    };
    let (done, failed) = done_a_minute(TransportSettings::default(), 52, (5.0, 15.0), serve).await;
    println!("{done} of 600 answers a minute, {failed} calls failed a minute");
    assert!((450.0..=600.0).contains(&done), "{done}");
}

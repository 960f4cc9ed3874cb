//! What a server is told, and what becomes of its refusals.

use napsim_remote::Secret;
use napsim_remote::transport::Stop;
use napsim_test_server::{Answer, TestServer};
use napsim_trackers::mlflow::{METRICS_PER_REQUEST, PARAMS_PER_REQUEST, send};
use napsim_trackers::{Credentials, Exported, TrackedRun};

use crate::runs::{run, two_runs};
use crate::tracking::start;

fn sent(server: &TestServer, runs: &[TrackedRun]) -> Exported {
    send(&server.url(), None, runs, Stop::never()).unwrap()
}

#[test]
fn runs_arrive_as_they_are() {
    let (server, kept) = start();
    let exported = sent(&server, &two_runs());
    assert_eq!((exported.created, exported.artifacts_left_out), (2, 2));
    let kept = kept.lock().unwrap();
    assert_eq!(kept.experiments, ["stride"]);
    let run = &kept.runs[0];
    assert!(run.is_finished);
    assert_eq!((run.name.as_str(), run.times), ("stride=0a", (1_000, 2_000)));
    assert_eq!(run.params["predictor"], "exec:python3 a: \"b\"\nc");
    assert_eq!(run.tags["who"], "größe");
    assert_eq!(run.tags["mlflow.source.name"], "napsim");
    let metric = |name: &str, value, step| (name.to_owned(), value, 2_000, step);
    let expect = [
        metric("uas_mean", 0.1, 0),
        metric("trajectory/uas", 0.25, 0),
        metric("trajectory/uas", -0.5, 2),
    ];
    assert_eq!(run.metrics, expect);
}

#[test]
fn exporting_twice_makes_one_run() {
    let (server, kept) = start();
    let mut runs = two_runs();
    sent(&server, &runs);
    let asked = kept.lock().unwrap().asked.len();
    assert_eq!(sent(&server, &runs).unchanged, 2);
    let again = kept.lock().unwrap().asked.split_off(asked);
    assert_eq!(again, ["experiments/search", "runs/search", "runs/search"]);

    runs[1].metrics[0].1 = 0.2;
    let exported = sent(&server, &runs);
    assert_eq!((exported.replaced, exported.unchanged), (1, 1));
    let kept = kept.lock().unwrap();
    let left: Vec<_> = kept.runs.iter().filter(|run| !run.is_deleted).collect();
    assert_eq!(left.len(), 2);
    assert!(left.iter().any(|run| run.metrics[0].1.to_bits() == 0.2_f64.to_bits()));
}

#[test]
fn an_export_that_broke_off_is_gone_on_with() {
    let (server, kept) = start();
    let runs = two_runs();
    kept.lock().unwrap().refuse = Some(("runs/update", 400, "{\"message\": \"not now\"}".to_owned()));
    let error = send(&server.url(), None, &runs, Stop::never()).unwrap_err().to_string();
    let expect = format!(
        "export to {}/: it refused runs/update with status 400: not now",
        server.url()
    );
    assert_eq!(error, expect);
    kept.lock().unwrap().refuse = None;
    let exported = sent(&server, &runs);
    assert_eq!((exported.created, exported.replaced), (1, 1));
    let kept = kept.lock().unwrap();
    let left = kept.runs.iter().filter(|run| !run.is_deleted);
    assert!(left.clone().count() == 2 && left.clone().all(|run| run.is_finished));
}

#[test]
fn much_is_sent_in_pieces() {
    let (server, kept) = start();
    let mut run = run("0a");
    let n_points = METRICS_PER_REQUEST as u64 * 2;
    run.series[0].1 = (0..n_points).map(|step| (step, 0.5)).collect();
    run.params = (0..=PARAMS_PER_REQUEST)
        .map(|idx| (format!("param{idx}"), "x".repeat(7_000)))
        .collect();
    assert_eq!(sent(&server, &[run]).values_cut, PARAMS_PER_REQUEST + 1);
    let kept = kept.lock().unwrap();
    assert_eq!(kept.runs[0].metrics.len() as u64, n_points + 1);
    assert_eq!(kept.runs[0].params.len(), PARAMS_PER_REQUEST + 1);
    let batches = kept.asked.iter().filter(|name| *name == "runs/log-batch");
    assert_eq!(batches.count(), 2 + 3 + 2);
}

#[test]
fn credentials_are_sent_and_never_told() {
    let secret = Secret::new("canary-secret").unwrap();
    let password = Credentials::Password {
        user: "user".to_owned(),
        password: secret.clone(),
    };
    for (credentials, header) in [
        (Credentials::Token(secret), "Bearer canary-secret"),
        (password, "Basic dXNlcjpjYW5hcnktc2VjcmV0"),
    ] {
        let server = TestServer::start(|request| {
            let said = format!(
                "no entry for {} canary-secret\u{1b}[31m",
                request.header("authorization")
            );
            Answer::text(401, &said)
        });
        let error = send(&server.url(), Some(&credentials), &two_runs(), Stop::never()).unwrap_err();
        let told = format!("{error} {error:?}");
        assert!(
            told.contains("status 401: no entry for") && !told.contains('\u{1b}'),
            "{told}"
        );
        assert!(!told.contains("canary") && !told.contains("dXNl"), "{told}");
        assert_eq!(server.requests()[0].header("authorization"), header);
    }
}

#[test]
fn other_servers_are_told_from_mlflow() {
    for (status, body, expect) in [
        (200, "<html>", "experiments/search was answered without `{`"),
        (200, "{}", "experiments/create was answered without `experiment_id`"),
        (
            404,
            "<html>no</html>",
            "it refused experiments/search with status 404: <html>no</html>",
        ),
    ] {
        let server = TestServer::start(move |_| Answer::text(status, body));
        let error = send(&server.url(), None, &two_runs(), Stop::never())
            .unwrap_err()
            .to_string();
        assert!(error.contains(expect), "{error}");
    }
}

#[test]
fn long_words_of_a_server_are_cut() {
    let server = TestServer::start(|_| Answer::text(400, &"x".repeat(100_000)));
    let error = send(&server.url(), None, &two_runs(), Stop::never())
        .unwrap_err()
        .to_string();
    assert!(error.len() < 500, "{}", error.len());
}

/// With the environment variable `NAPSIM_MLFLOW_SERVER`, the address of a real MLflow server that may be written to.
#[test]
fn a_real_server_takes_runs() {
    let Ok(address) = std::env::var("NAPSIM_MLFLOW_SERVER") else {
        crate::say("SKIPPED: NAPSIM_MLFLOW_SERVER names no server, so only one of our own is sent to");
        return;
    };
    let mut runs = two_runs();
    let first = send(&address, None, &runs, Stop::never()).unwrap();
    assert_eq!(first.created + first.replaced + first.unchanged, 2);
    assert_eq!(send(&address, None, &runs, Stop::never()).unwrap().unchanged, 2);
    runs[0].metrics[0].1 += 1.0;
    assert_eq!(send(&address, None, &runs, Stop::never()).unwrap().replaced, 1);
}

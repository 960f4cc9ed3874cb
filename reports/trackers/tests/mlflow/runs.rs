//! Runs that tests export.

use napsim_trackers::TrackedRun;

/// A run of that id.
pub(crate) fn run(id: &str) -> TrackedRun {
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    TrackedRun {
        experiment: "stride".to_owned(),
        name: format!("stride={id}"),
        id: id.to_owned(),
        params: vec![pair("predictor", "exec:python3 a: \"b\"\nc"), pair("max-actions", "1")],
        metrics: vec![("uas_mean".to_owned(), 0.1), ("undefined".to_owned(), f64::NAN)],
        series: vec![("trajectory/uas".to_owned(), vec![(0, 0.25), (2, -0.5)])],
        tags: vec![pair("who", "größe")],
        start_ms: 1_000,
        end_ms: 2_000,
        artifacts: vec![("summary.json".to_owned(), b"{}".to_vec())],
    }
}

/// Two of them, of one experiment.
pub(crate) fn two_runs() -> Vec<TrackedRun> {
    vec![run("0a"), run("0b")]
}

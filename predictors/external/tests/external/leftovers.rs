//! What is left over of programs: nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use napsim_external::{ExternalSettings, StderrMode};
use napsim_remote::transport::Stop;
use napsim_sim::predictor::PredictError;

use crate::asking::{Place, SOON, ask, ask_well, begin, history, runs, settings, unanswered};

#[test]
fn a_stop_is_heeded_at_once() {
    let place = Place::new();
    let is_stopped = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&is_stopped);
    let settings = ExternalSettings {
        stop: Stop::new(move || asked.load(Ordering::SeqCst)),
        ..settings()
    };
    let (setup, mut external) = place.external("--fault hang@2", settings);
    let history = history(2);
    begin(&mut external, "a");
    ask_well(&mut external, &history[..1]);
    let began = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            is_stopped.store(true, Ordering::SeqCst);
        });
        match ask(&mut external, &history) {
            Err(PredictError::Fatal(message)) => assert_eq!(message, "interrupted"),
            other => panic!("{other:?}"),
        }
    });
    assert!(began.elapsed() < SOON / 2, "{:?}", began.elapsed());
    Place::assert_none_runs(&place.pids());
    assert!(setup.activity().failures.is_empty());
}

#[test]
fn programs_end_with_their_predictor() {
    let history = history(1);
    // One that ends at `bye`, and those that end at nothing.
    for script in ["", "--fault hang@1"] {
        let place = Place::new();
        let settings = ExternalSettings {
            call_timeout: Duration::from_secs(1),
            ..settings()
        };
        let (setup, mut external) = place.external(script, settings);
        begin(&mut external, "a");
        let _ = ask(&mut external, &history);
        drop(external);
        Place::assert_none_runs(&place.pids());
        drop(setup);
    }
    // One that nobody ever asked.
    let place = Place::new();
    let setup = place.setup("", settings());
    assert!(runs(place.pids()[0]));
    drop(setup);
    Place::assert_none_runs(&place.pids());
}

#[test]
fn a_shell_and_all_in_it_are_killed() {
    let place = Place::new();
    let pids = place.path("pids");
    let script = format!(
        "echo $$ >> {0}; trap \"\" TERM; (sleep 10000 & echo $! >> {0}; wait) & {1}",
        pids.display(),
        place.command("--fault grandchild@1")
    );
    let setup = napsim_external::ExternalSetup::program(&format!("sh -c '{script}'"), settings()).unwrap();
    let mut external = napsim_external::External::new(setup.clone());
    begin(&mut external, "a");
    let failure = unanswered(ask(&mut external, &history(1)));
    assert_eq!(failure.kind, "crashed");
    assert!(place.pids().len() >= 4, "{:?}", place.pids());
    drop((setup, external));
    Place::assert_none_runs(&place.pids());
}

#[test]
fn standard_error_is_kept_by_trajectory_and_passed_on() {
    let place = Place::new();
    let (send, lines) = std::sync::mpsc::channel();
    let settings = ExternalSettings {
        stderr: StderrMode::PassOn(Arc::new(move |line| {
            let _ = send.send(line.to_owned());
        })),
        ..settings()
    };
    let (setup, mut external) = place.external("--fault stderr-line@2 --fault exit@3", settings);
    let history = history(1);
    begin(&mut external, "a");
    ask_well(&mut external, &history);
    ask_well(&mut external, &history);
    let first = lines.recv_timeout(SOON).unwrap();
    assert_eq!(first, "\u{1b}[31mwarning\u{1b}[0m: something is odd");
    begin(&mut external, "b");
    let failure = unanswered(ask(&mut external, &history));
    assert!(
        failure
            .stderr
            .is_some_and(|text| text.contains("Traceback: no more memory\n"))
    );
    assert_eq!(setup.take_stderr("a").unwrap().text, format!("{first}\n"));
    assert_eq!(setup.take_stderr("b").unwrap().text, "Traceback: no more memory\n\n");
    assert_eq!(setup.take_stderr("a"), None);
    assert_eq!(lines.recv_timeout(SOON).unwrap(), "Traceback: no more memory");
}

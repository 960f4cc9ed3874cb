//! Threads and processes do not pile up, however often programs crash.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::time::{Duration, Instant};

use napsim_external::{External, ExternalSettings, ExternalSetup};
use napsim_sim::predictor::{Budget, CurrentWorkbook, Predictor as _, Proposals, Seed, TrajectoryHead, View};
use napsim_trajectories::Action;

/// The threads of this process that belong to programs.
fn n_threads() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    let names = tasks.filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("comm")).ok());
    names.filter(|name| name.starts_with("napsim-")).count()
}

/// The processes that this one has started and that are not buried.
fn n_children() -> usize {
    let path = format!("/proc/self/task/{}/children", std::process::id());
    std::fs::read_to_string(path).unwrap().split_whitespace().count()
}

fn ask(external: &mut External, history: &[Action]) -> bool {
    let current = CurrentWorkbook::default();
    let view = View {
        history,
        current: &current,
        user_steps: 1,
        call_idx: 0,
    };
    let budget = Budget { actions_max: Some(1) };
    external.predict(view, budget, &mut Proposals::default()).is_ok()
}

#[test]
fn nothing_piles_up() {
    let settings = ExternalSettings {
        call_timeout: Duration::from_secs(60),
        ..ExternalSettings::default()
    };
    let command = format!("{} --fault exit@3", env!("CARGO_BIN_EXE_napsim-test-predictor"));
    let setup = ExternalSetup::program(&command, settings).unwrap();
    let mut external = External::new(setup.clone());
    let history = [Action::parse("INPUT | A1 | 1").unwrap()];
    for idx in 0..200 {
        let name = idx.to_string();
        external.begin(
            TrajectoryHead {
                name: &name,
                sheet: "S",
            },
            Seed(0),
        );
        let answered: Vec<bool> = (0..3).map(|_| ask(&mut external, &history)).collect();
        assert_eq!(answered, [true, true, false]);
    }
    assert_eq!(setup.activity().starts, 200);
    let deadline = Instant::now() + Duration::from_secs(60);
    while n_threads() > 0 {
        assert!(Instant::now() < deadline, "{} threads are left", n_threads());
        std::thread::sleep(Duration::from_millis(5));
    }
    drop((external, setup));
    assert_eq!(n_children(), 0);
}

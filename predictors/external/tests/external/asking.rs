//! Asking predictors, for tests.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use napsim_external::{External, ExternalSettings, ExternalSetup};
use napsim_sim::predictor::{
    Budget, CurrentWorkbook, PredictError, Predictor as _, Proposals, Seed, TrajectoryHead, Unanswered, View,
};
use napsim_trajectories::Action;
use tempfile::TempDir;

/// Longest time that a machine may take for what takes no time.
pub(crate) const SOON: Duration = Duration::from_secs(60);

/// Settings for programs that do answer, on a machine that may be busy.
pub(crate) fn settings() -> ExternalSettings {
    ExternalSettings {
        call_timeout: SOON,
        start_timeout: SOON,
        restarts_max: 2,
        ..ExternalSettings::default()
    }
}

/// A folder for what programs write down, and the commands that name it.
pub(crate) struct Place {
    folder: TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The test predictor with arguments, in which `FILE:x` is the file `x` of this folder. It notes its processes.
    pub(crate) fn command(&self, arguments: &str) -> String {
        let folder = self.folder.path().display();
        let arguments = arguments.replace("FILE:", &format!("{folder}/"));
        format!(
            "{} --pids {folder}/pids {arguments}",
            env!("CARGO_BIN_EXE_napsim-test-predictor")
        )
    }

    pub(crate) fn setup(&self, arguments: &str, settings: ExternalSettings) -> ExternalSetup {
        ExternalSetup::program(&self.command(arguments), settings).unwrap()
    }

    pub(crate) fn external(&self, arguments: &str, settings: ExternalSettings) -> (ExternalSetup, External) {
        let setup = self.setup(arguments, settings);
        let external = External::new(setup.clone());
        (setup, external)
    }

    /// The processes that programs have noted.
    pub(crate) fn pids(&self) -> Vec<u32> {
        let text = std::fs::read_to_string(self.path("pids")).unwrap_or_default();
        text.lines().map(|line| line.parse().unwrap()).collect()
    }

    /// Waits until none of these processes runs.
    pub(crate) fn assert_none_runs(pids: &[u32]) {
        let deadline = Instant::now() + SOON;
        while pids.iter().any(|pid| runs(*pid)) {
            assert!(Instant::now() < deadline, "one of {pids:?} is still there");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Whether a process runs; one that is dead and not yet buried does not.
pub(crate) fn runs(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit(')').next().and_then(|rest| rest.trim().chars().next());
    !matches!(state, None | Some('Z' | 'X'))
}

/// Actions of which no two are alike.
pub(crate) fn history(n_actions: usize) -> Vec<Action> {
    let line = |idx: usize| format!("INPUT | Sheet1!A{} | \"é {idx}\"", idx + 1);
    (0..n_actions).map(|idx| Action::parse(&line(idx)).unwrap()).collect()
}

pub(crate) fn begin(external: &mut External, trajectory: &str) {
    let head = TrajectoryHead {
        name: trajectory,
        sheet: "Sheet1",
    };
    external.begin(head, Seed(7));
}

/// Asks after a history.
pub(crate) fn ask(external: &mut External, history: &[Action]) -> Result<Proposals, PredictError> {
    ask_for(external, history, Some(1))
}

pub(crate) fn ask_for(
    external: &mut External,
    history: &[Action],
    actions_max: Option<u32>,
) -> Result<Proposals, PredictError> {
    let current = CurrentWorkbook::default();
    let view = View {
        history,
        current: &current,
        user_steps: u32::try_from(history.len()).unwrap(),
        call_idx: 0,
    };
    let mut proposals = Proposals::default();
    external.predict(view, Budget { actions_max }, &mut proposals)?;
    Ok(proposals)
}

/// Asks and expects the echo of the last action.
pub(crate) fn ask_well(external: &mut External, history: &[Action]) -> Proposals {
    let proposals = ask(external, history).unwrap();
    let proposed: Vec<&Action> = proposals.actions().iter().map(|proposal| &proposal.action).collect();
    assert_eq!(proposed, history.last().into_iter().collect::<Vec<_>>());
    proposals
}

/// What is known of a failure.
pub(crate) fn unanswered(result: Result<Proposals, PredictError>) -> Unanswered {
    match result {
        Err(PredictError::Unanswered(call)) => *call,
        other => panic!("{other:?}"),
    }
}

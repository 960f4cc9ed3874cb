//! Corpora as a whole: the public benchmark, and the trajectories that come with the program.

use std::io::{self, Write as _};

use napsim_sim::state::Workbook;
use napsim_trajectories::{Action, Corpus, ReadOptions, Trajectory};

use super::vectors::shared;

/// The public benchmark; nothing, said aloud, where it is absent.
fn benchmark() -> Option<Corpus> {
    let folder = shared().join("nape");
    if !folder.is_dir() {
        // Not `eprintln!`, which the test runner would hide.
        let _ = writeln!(io::stderr(), "SKIPPED: benchmark not found at {}", folder.display());
        return None;
    }
    Some(Corpus::open(folder, ReadOptions::default()).unwrap_or_else(|error| panic!("failed to {error}")))
}

/// Every trajectory whose actions do not all apply, with the reason.
fn replay_failures(trajectories: &[Trajectory]) -> Vec<String> {
    let replay = |trajectory: &Trajectory| Workbook::default().apply_strict(&trajectory.actions).err();
    let failures = trajectories.iter().map(|trajectory| (trajectory, replay(trajectory)));
    failures
        .filter_map(|(trajectory, error)| error.map(|error| format!("{}: {error}", trajectory.name)))
        .collect()
}

#[test]
fn golden_benchmark_is_read_and_replays() {
    let Some(corpus) = benchmark() else { return };
    assert_eq!(corpus.trajectories.len(), 52);
    assert_eq!(
        corpus
            .trajectories
            .iter()
            .map(|trajectory| trajectory.actions.len())
            .sum::<usize>(),
        11_907
    );
    assert_eq!(replay_failures(&corpus.trajectories), Vec::<String>::new());
}

#[test]
fn golden_benchmark_has_predictable_properties() {
    let Some(corpus) = benchmark() else { return };
    let states = corpus
        .trajectories
        .iter()
        .filter_map(|trajectory| trajectory.predictable.as_ref());
    let (listed, total) = states.fold((0, 0), |(listed, total), state| {
        (listed + state.predictable_count, total + state.final_state_size)
    });
    assert_eq!((listed, total), (126_940, 186_574));
}

#[test]
fn golden_benchmark_survives_its_canonical_text() {
    let Some(corpus) = benchmark() else { return };
    let mut failed = Vec::new();
    for trajectory in &corpus.trajectories {
        for (action, line) in trajectory.actions.iter().zip(&trajectory.lines) {
            if Action::parse(&action.to_string()).as_ref() != Ok(action) {
                failed.push(format!("{}:{}: {}", trajectory.name, line.line_no, line.text));
            }
        }
    }
    assert_eq!(failed, Vec::<String>::new());
}

#[test]
fn embedded_trajectories_replay() {
    let corpus = Corpus::embedded().unwrap_or_else(|error| panic!("failed to {error}"));
    assert_eq!(replay_failures(&corpus.trajectories), Vec::<String>::new());
}

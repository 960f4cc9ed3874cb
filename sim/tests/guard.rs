//! A chain of accepted predictions that never shortens the future ends with a named limit (Q6).

use napsim_sim::event::{Event, Limit, Outcome};
use napsim_sim::policy::{AcceptancePolicy, Evidence, Verdict};
use napsim_sim::predictor::{
    Budget, Fingerprint, PredictError, Predictor, Proposals, Seed, TrajectoryHead, Usage, View,
};
use napsim_sim::protocol::Protocol;
use napsim_sim::rollout::{Task, rollout};
use napsim_sim::settings::Settings;
use napsim_trajectories::Action;

struct Always;

impl AcceptancePolicy for Always {
    fn id(&self) -> &str {
        "always"
    }

    fn decide(&self, _evidence: &Evidence) -> Verdict {
        Verdict {
            accepted: true,
            checks: Vec::new(),
        }
    }
}

/// Proposes one line, `times` times, then nothing.
struct Repeat {
    line: &'static str,
    times: u32,
}

impl Predictor for Repeat {
    fn fingerprint(&self) -> Fingerprint {
        Fingerprint(self.line.to_owned())
    }

    fn begin(&mut self, _head: TrajectoryHead<'_>, _seed: Seed) {}

    fn observe(&mut self, _actions: &[Action]) {}

    fn predict(&mut self, view: View<'_>, _budget: Budget, out: &mut Proposals) -> Result<Usage, PredictError> {
        if view.call_idx < self.times {
            out.push_text(self.line, None)
                .map_err(|error| PredictError::Call(error.to_string()))?;
        }
        Ok(Usage::default())
    }
}

fn run(predictor: &mut Repeat, chain_max: u32) -> (napsim_sim::event::Summary, Vec<Event>) {
    let lines = ["INPUT | A1 | 1", "INPUT | A2 | 2", "INPUT | A3 | 3"];
    let actions: Vec<Action> = lines.iter().filter_map(|line| Action::parse(line).ok()).collect();
    assert_eq!(actions.len(), lines.len());
    let settings = Settings {
        chain_max,
        ..Settings::single()
    };
    let task = Task {
        name: "chain",
        actions: &actions,
        policy: &Always,
        protocol: &Protocol::NAPE_1,
        settings: &settings,
    };
    let mut events = Vec::new();
    (rollout(task, predictor, &mut events), events)
}

#[test]
fn an_endless_chain_ends_with_a_named_limit_and_without_a_uas() {
    let (summary, _) = run(
        &mut Repeat {
            line: "FILL_COLOR | D9 | clear",
            times: u32::MAX,
        },
        7,
    );
    assert_eq!(
        (summary.outcome, summary.limit),
        (Outcome::Truncated, Some(Limit::ChainMax))
    );
    assert_eq!((summary.accepted, summary.uas), (7, None));
}

#[test]
fn a_chain_that_ends_by_itself_is_complete() {
    let (summary, events) = run(
        &mut Repeat {
            line: "FILL_COLOR | D9 | clear",
            times: 6,
        },
        7,
    );
    assert_eq!((summary.outcome, summary.limit), (Outcome::Complete, None));
    assert_eq!((summary.accepted, summary.uas), (6, Some(0.0)));
    assert!(matches!(events.last(), Some(Event::End(_))));
}

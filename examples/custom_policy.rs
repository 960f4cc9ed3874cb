//! An acceptance policy of one's own: take a proposal that saves more than it makes the user undo.
//!
//! ```sh
//! cargo run --release --example custom_policy
//! ```

#![expect(clippy::print_stdout, reason = "an example shows its result")]

use napsim_predictors::PredictorFactory;
use napsim_sim::event::Event;
use napsim_sim::policy::{AcceptancePolicy, Check, Comparison, Evidence, Metric, Verdict};
use napsim_sim::protocol::Protocol;
use napsim_sim::rollout::{Task, rollout};
use napsim_sim::settings::Settings;
use napsim_trajectories::Corpus;

/// Accepts when the savings exceed the undo actions.
struct WorthIt;

impl AcceptancePolicy for WorthIt {
    fn id(&self) -> &str {
        "worth-it"
    }

    fn decide(&self, evidence: &Evidence) -> Verdict {
        let (value, bound) = (evidence.metric(Metric::Saved), evidence.metric(Metric::Undo));
        let check = Check {
            metric: Metric::Saved,
            value,
            comparison: Comparison::MoreThan,
            bound,
            passed: value > bound,
        };
        Verdict {
            accepted: check.passed,
            checks: vec![check],
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let corpus = Corpus::embedded()?;
    let factory = PredictorFactory::parse("online-ngram", None)?;
    let settings = Settings::multi();
    let (mut accepted, mut predictions) = (0, 0);
    for trajectory in &corpus.trajectories {
        let task = Task {
            name: &trajectory.name,
            actions: &trajectory.actions,
            policy: &WorthIt,
            protocol: &Protocol::NAPE_1,
            settings: &settings,
        };
        let mut events: Vec<Event> = Vec::new();
        let summary = rollout(task, factory.build().as_mut(), &mut events);
        accepted += summary.accepted;
        predictions += summary.predictions;
    }
    println!("{accepted} of {predictions} predictions accepted");
    Ok(())
}

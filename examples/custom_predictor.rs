//! A predictor of one's own, measured on the embedded corpus.
//!
//! It proposes the last action again, one row further down, which is what people do when they format a list.
//!
//! ```sh
//! cargo run --release --example custom_predictor
//! cargo run --release --example custom_predictor -- --check      # does it hold to what every predictor must hold to?
//! napsim run --predictor 'exec:target/release/examples/custom_predictor --serve' --out runs/mine
//! ```

#![expect(clippy::print_stdout, reason = "an example shows its result")]

use std::error::Error;

use napsim_acceptance::parse_policy;
use napsim_conformance::Suite;
use napsim_external::{Served, serve};
use napsim_sim::event::Event;
use napsim_sim::predictor::{
    Budget, Fingerprint, PredictError, Predictor, Proposals, Seed, TrajectoryHead, Usage, View,
};
use napsim_sim::protocol::Protocol;
use napsim_sim::rollout::{Task, rollout};
use napsim_sim::settings::Settings;
use napsim_trajectories::{Action, Bounds, Corpus, Range};

/// Proposes the last action on the row below.
struct RowBelow;

impl Predictor for RowBelow {
    fn fingerprint(&self) -> Fingerprint {
        Fingerprint("row-below/1".to_owned())
    }

    fn begin(&mut self, _head: TrajectoryHead<'_>, _seed: Seed) {}

    // A predictor that learns would take the actions in here; this one only looks at the view.
    fn observe(&mut self, _actions: &[Action]) {}

    fn predict(&mut self, view: View<'_>, _budget: Budget, out: &mut Proposals) -> Result<Usage, PredictError> {
        if let Some(last) = view.history.last() {
            let bounds = last.range().bounds();
            let below = Bounds {
                first_row: bounds.first_row + 1,
                last_row: bounds.last_row + 1,
                ..bounds
            };
            out.push(
                last.on_range(Range::from_bounds(last.range().sheet().clone(), below)),
                None,
            );
        }
        Ok(Usage::default())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    match std::env::args().nth(1).as_deref() {
        Some("--check") => check(),
        Some("--serve") => answer(),
        _ => measure(),
    }
}

/// The suite of checks, as one would run it in a test.
fn check() -> Result<(), Box<dyn Error>> {
    let verdict = Suite::default().run(&mut || Box::new(RowBelow), &mut |_| {});
    println!("{verdict}");
    verdict
        .passed()
        .then_some(())
        .ok_or_else(|| "it is no predictor yet".into())
}

/// The process protocol, by which `napsim run` measures it with all that belongs to a run.
fn answer() -> Result<(), Box<dyn Error>> {
    let served = Served {
        name: "row-below",
        fingerprint: Some("1"),
        wants_feedback: false,
    };
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    Ok(serve(served, &mut || Box::new(RowBelow), &mut input, &mut output)?)
}

/// Rollouts without anything around them.
fn measure() -> Result<(), Box<dyn Error>> {
    let corpus = Corpus::embedded()?;
    let policy = parse_policy("greedy")?;
    let settings = Settings::single();
    let mut saved = Vec::new();
    for trajectory in &corpus.trajectories {
        let task = Task {
            name: &trajectory.name,
            actions: &trajectory.actions,
            policy: &policy,
            protocol: &Protocol::NAPE_1,
            settings: &settings,
        };
        let mut events: Vec<Event> = Vec::new();
        let summary = rollout(task, &mut RowBelow, &mut events);
        println!(
            "{:<32} {:>4} of {:>4} predictions accepted",
            summary.name, summary.accepted, summary.predictions
        );
        saved.extend(summary.uas);
    }
    let mean = saved.iter().sum::<f64>() / f64::from(u32::try_from(saved.len())?);
    println!(
        "UAS {:.1} % (mean over {} trajectories, protocol nape-1)",
        100.0 * mean,
        saved.len()
    );
    Ok(())
}

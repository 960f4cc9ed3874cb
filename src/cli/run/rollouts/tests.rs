use clap::Parser;
use napsim_reports::RunFolder;
use napsim_sim::event::Outcome;
use napsim_sim::predictor::{
    Budget, Fingerprint, PredictError, Predictor, Proposals, Seed, TrajectoryHead, Usage, View,
};
use napsim_trajectories::Action;

use super::*;

/// A predictor with a mistake in it.
struct Broken;

impl Predictor for Broken {
    fn fingerprint(&self) -> Fingerprint {
        Fingerprint("broken".to_owned())
    }

    fn begin(&mut self, _head: TrajectoryHead<'_>, _seed: Seed) {}

    fn observe(&mut self, _actions: &[Action]) {}

    fn predict(&mut self, view: View<'_>, _budget: Budget, _out: &mut Proposals) -> Result<Usage, PredictError> {
        assert!(view.call_idx < 3, "no fourth call");
        Ok(Usage::default())
    }
}

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    args: RunArgs,
}

#[test]
fn a_bug_in_one_rollout_costs_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("kept");
    let args = Line::parse_from(["napsim", "--predictor", "none", "--out", root.to_str().unwrap()]).args;
    let plan = Plan::new(&args, &Interruption::default()).unwrap();
    let keeper = Keeper::begin(&args, &plan).unwrap().unwrap();
    let interruption = Interruption::default();
    let runner = Runner {
        plan: &plan,
        args: &args,
        keeper: Some(&keeper),
        interruption: &interruption,
    };
    let progress = Progress::new(2, "trajectories", 100, true, None);
    let mut predictor = TimedPredictor::around(Box::new(Broken), &interruption);

    let lost = runner
        .guarded(0, &mut predictor, || progress.unit(50))
        .unwrap()
        .unwrap();
    assert_eq!(lost.result.summary.error.as_deref(), Some("a bug: no fourth call"));
    let next = runner
        .guarded(1, &mut predictor, || progress.unit(50))
        .unwrap()
        .unwrap();
    assert_eq!(
        next.result.summary.outcome,
        Outcome::Complete,
        "the broken predictor has been replaced"
    );

    let (kept, manifest) = RunFolder::open(&root).unwrap();
    let record = kept.unit(&manifest.units[0].file).unwrap().unwrap();
    assert!(record.intact && record.seal.lost);
    assert_eq!(record.result(), lost.result);
    assert_eq!(
        keeper.kept(&args, &plan).iter().flatten().count(),
        1,
        "what was lost is done again"
    );
}

//! Every predictor that comes with the program holds to what every predictor must hold to.

use std::io::Write as _;

use napsim_conformance::{Outcome, Suite};
use napsim_predictors::PredictorFactory;

/// The predictors, with the checks that warn: what they do there is meant, or is as published.
const PREDICTORS: [(&str, &[&str]); 12] = [
    ("none", &["proposals"]),
    ("repeat-last", &[]),
    // As published, values are proposed for ranges that they do not fit; not all of them can be mended.
    ("online-ngram", &["proposals", "rollouts"]),
    ("online-ngram?values=v2", &["proposals", "rollouts"]),
    ("ngram", &[]),
    ("ngram?values=v1", &["proposals", "rollouts"]),
    ("lstm", &[]),
    ("lstm?values=v1", &["proposals", "rollouts"]),
    ("xgboost", &[]),
    ("xgboost?confidence=0", &[]),
    ("best-of(online-ngram,xgboost,ngram)", &["proposals"]),
    ("smollm/tiny", &["proposals", "rollouts"]),
];

#[test]
fn every_predictor_passes() {
    let mut complaints = Vec::new();
    for (spec, may_warn) in PREDICTORS {
        let factory = PredictorFactory::parse(spec, None).unwrap();
        let verdict = Suite::default().run(&mut || factory.build(), &mut |_| {});
        for finding in &verdict.findings {
            // How long a call takes depends on what else the machine has to do.
            let is_expected = may_warn.contains(&finding.check) || finding.check == "long-history";
            match finding.outcome {
                Outcome::Failed => complaints.push(format!("{spec}: {}: {}", finding.check, finding.detail)),
                Outcome::Warned if !is_expected => {
                    complaints.push(format!("{spec}: warned of {}: {}", finding.check, finding.detail));
                }
                _ => {}
            }
        }
        let _ = writeln!(std::io::stderr(), "{spec}: {:?}", verdict.counts());
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

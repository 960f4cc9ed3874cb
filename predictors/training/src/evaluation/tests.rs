//! Tests of the evaluation.

use std::sync::Mutex;

use napsim_predictors::PredictorFactory;

use super::*;
use crate::sequences::Part;

fn sequence(lines: &[&str]) -> Sequence {
    Sequence {
        id: "s".to_owned(),
        group: "s".to_owned(),
        part: Part::Valid,
        actions: lines.iter().map(|line| Action::parse(line).unwrap()).collect(),
    }
}

fn measured(spec: &str, sequences: &[Sequence], positions_max: usize) -> Evaluation {
    let factory = PredictorFactory::parse(spec, None).unwrap();
    let options = EvaluationOptions { positions_max, seed: 3 };
    evaluate(sequences, &|| factory.build(), options, &|_| ())
}

#[test]
fn each_part_of_an_action_is_judged() {
    // The last action again is right in kind, range or value, as the next one has it.
    let sequences = [sequence(&[
        "INPUT | A1 | 1",
        "INPUT | A1 | 1",
        "INPUT | A2 | 1",
        "INPUT | A2 | 2",
        "FONT_BOLD | A2 | true",
    ])];
    let evaluation = measured("repeat-last", &sequences, 100);
    let expect = Tally {
        n_positions: 4,
        answered: 4,
        kind: 3,
        range: 3,
        value: 2,
        action: 1,
    };
    assert_eq!(evaluation.all, expect);
    let font = Tally {
        n_positions: 1,
        answered: 1,
        range: 1,
        ..Tally::default()
    };
    assert_eq!(evaluation.families.get("FONT"), Some(&font));
    assert_eq!(evaluation.families.len(), 2);
    assert_eq!(measured("none", &sequences, 100).all.answered, 0);
}

#[test]
fn positions_are_drawn_by_the_seed() {
    let lines: Vec<String> = (1..=40).map(|row| format!("INPUT | A{row} | {}", row % 3)).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let sequences: Vec<Sequence> = (0..10).map(|_| sequence(&lines)).collect();
    let drawn = measured("online-ngram", &sequences, 50);
    assert_eq!(drawn.all.n_positions, 50);
    assert_eq!(drawn, measured("online-ngram", &sequences, 50));
    assert_eq!(measured("online-ngram", &sequences, 1000).all.n_positions, 390);
    assert_eq!(measured("online-ngram", &[], 50), Evaluation::default());
}

/// Notes how long the history was at each call.
struct Listener<'a> {
    n_observed: usize,
    calls: &'a Mutex<Vec<(usize, usize)>>,
}

impl Predictor for Listener<'_> {
    fn fingerprint(&self) -> napsim_sim::predictor::Fingerprint {
        napsim_sim::predictor::Fingerprint("listener".to_owned())
    }

    fn begin(&mut self, _head: TrajectoryHead<'_>, _seed: Seed) {
        self.n_observed = 0;
    }

    fn observe(&mut self, actions: &[Action]) {
        self.n_observed += actions.len();
    }

    fn predict(
        &mut self,
        view: View<'_>,
        _budget: Budget,
        _out: &mut Proposals,
    ) -> Result<napsim_sim::predictor::Usage, napsim_sim::predictor::PredictError> {
        let call = (self.n_observed, view.history.len());
        self.calls.lock().unwrap().push(call);
        Err(napsim_sim::predictor::PredictError::Call("no idea".to_owned()))
    }
}

#[test]
fn a_predictor_is_told_the_history_and_nothing_else() {
    let calls: &'static Mutex<Vec<(usize, usize)>> = Box::leak(Box::default());
    let sequences = [sequence(&["INPUT | A1 | 1", "INPUT | A2 | 1", "INPUT | A3 | 1"])];
    let options = EvaluationOptions {
        positions_max: 9,
        seed: 0,
    };
    let evaluation = evaluate(
        &sequences,
        &|| Box::new(Listener { n_observed: 0, calls }),
        options,
        &|_| (),
    );
    assert_eq!(*calls.lock().unwrap(), [(1, 1), (2, 2)]);
    assert_eq!((evaluation.all.n_positions, evaluation.all.answered), (2, 0));
}

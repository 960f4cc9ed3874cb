//! Tests with members that follow a script and write down what they are told.

use std::sync::{Arc, Mutex};

use napsim_sim::predictor::CurrentWorkbook;

use super::*;

/// What a member was told, in order.
type Log = Arc<Mutex<Vec<String>>>;

/// One answer: actions with their confidences, or a failure.
type Line = Result<Vec<(&'static str, Option<f64>)>, PredictError>;

struct Scripted {
    answers: std::vec::IntoIter<Line>,
    log: Log,
}

impl Scripted {
    fn note(&self, text: String) {
        self.log.lock().unwrap().push(text);
    }
}

fn listed(actions: &[Action]) -> String {
    actions.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

impl Predictor for Scripted {
    fn fingerprint(&self) -> Fingerprint {
        Fingerprint("scripted".to_owned())
    }

    fn begin(&mut self, _head: TrajectoryHead<'_>, _seed: Seed) {
        self.note("begin".to_owned());
    }

    fn observe(&mut self, actions: &[Action]) {
        self.note(format!("observe {}", listed(actions)));
    }

    fn predict(&mut self, _view: View<'_>, _budget: Budget, out: &mut Proposals) -> Result<Usage, PredictError> {
        for (text, confidence) in self.answers.next().unwrap_or_else(|| Ok(Vec::new()))? {
            out.push(action(text), confidence);
        }
        Ok(Usage {
            input_tokens: 3,
            output_tokens: 1,
        })
    }

    fn withdrawn(&mut self) {
        self.note("withdrawn".to_owned());
    }

    fn refused(&mut self, actions: &[Action]) {
        self.note(format!("refused {}", listed(actions)));
    }
}

fn action(text: &str) -> Action {
    Action::parse(text).unwrap()
}

const A: &str = "INPUT | Sheet1!A1 | 1";
const B: &str = "INPUT | Sheet1!B1 | 2";
const C: &str = "INPUT | Sheet1!C1 | 3";

/// Members that follow these scripts, and what they were told.
fn scripted(confidence: f64, scripts: Vec<Vec<Line>>) -> (BestOf, Vec<Log>) {
    let logs: Vec<Log> = scripts.iter().map(|_| Log::default()).collect();
    let members = scripts.into_iter().zip(&logs).enumerate().map(|(idx, (script, log))| {
        let predictor: Box<dyn Predictor> = Box::new(Scripted {
            answers: script.into_iter(),
            log: Arc::clone(log),
        });
        (format!("member-{idx}"), predictor)
    });
    (BestOf::new(members.collect(), confidence), logs)
}

fn ask(best_of: &mut BestOf, actions_max: Option<u32>) -> Result<(Usage, Proposals), PredictError> {
    let current = CurrentWorkbook::default();
    let view = View {
        history: &[],
        current: &current,
        user_steps: 0,
        call_idx: 0,
    };
    let mut out = Proposals::default();
    let usage = best_of.predict(view, Budget { actions_max }, &mut out)?;
    Ok((usage, out))
}

/// Asks, and checks which actions are shown and how sure of the first one.
fn check(best_of: &mut BestOf, actions_max: Option<u32>, expect: &[&str], confidence: f64) {
    let (_, out) = ask(best_of, actions_max).unwrap();
    let shown: Vec<String> = out
        .actions()
        .iter()
        .map(|proposal| proposal.action.to_string())
        .collect();
    assert_eq!(shown, expect);
    if let Some(first) = out.actions().first() {
        assert!(
            (first.confidence.unwrap() - confidence).abs() < 1e-9,
            "{:?}",
            first.confidence
        );
    }
}

fn told(log: &Log) -> Vec<String> {
    std::mem::take(&mut log.lock().unwrap())
}

#[test]
fn the_surest_is_shown_and_the_others_are_told() {
    let (mut best_of, logs) = scripted(
        0.0,
        vec![vec![Ok(vec![(A, Some(0.3))])], vec![Ok(vec![(B, Some(0.6))])]],
    );
    check(&mut best_of, Some(1), &[B], 0.6);
    assert_eq!(told(&logs[0]), ["withdrawn"]);
    assert!(told(&logs[1]).is_empty());
    best_of.observe(&[action(C)]);
    assert_eq!(told(&logs[0]), [format!("refused {B}"), format!("observe {C}")]);
    assert_eq!(told(&logs[1]), [format!("observe {C}")]);
}

#[test]
fn agreement_adds_up() {
    let script = |text, confidence| vec![Ok(vec![(text, Some(confidence))])];
    let (mut best_of, logs) = scripted(0.0, vec![script(A, 0.5), script(B, 0.6), script(A, 0.4)]);
    check(&mut best_of, Some(1), &[A], 0.7);
    assert_eq!(
        [told(&logs[0]).len(), told(&logs[1]).len(), told(&logs[2]).len()],
        [0, 1, 0]
    );
}

#[test]
fn of_those_who_agree_the_surest_goes_on() {
    let (mut best_of, logs) = scripted(
        0.0,
        vec![
            vec![Ok(vec![(A, Some(0.2)), (B, None)])],
            vec![Ok(vec![(A, Some(0.5)), (C, Some(0.3))])],
        ],
    );
    let (usage, out) = ask(&mut best_of, None).unwrap();
    assert_eq!((usage.input_tokens, usage.output_tokens), (6, 2));
    assert_eq!(out.actions()[1].action, action(C));
    assert_eq!(out.actions()[1].confidence, Some(0.3));
    assert_eq!(told(&logs[0]), ["withdrawn"]);
    // Nobody knows which of the two was wrong, so neither is refused.
    best_of.observe(&[action(B)]);
    assert_eq!(told(&logs[0]), [format!("observe {B}")]);
}

#[test]
fn the_budget_holds_for_answers_before_they_are_compared() {
    let (mut best_of, logs) = scripted(
        0.0,
        vec![
            vec![Ok(vec![(A, Some(0.2)), (B, None)])],
            vec![Ok(vec![(A, Some(0.5)), (C, None)])],
        ],
    );
    check(&mut best_of, Some(1), &[A], 0.6);
    assert!(told(&logs[0]).is_empty(), "its answer is shown, too");
}

#[test]
fn what_is_refused_is_passed_over() {
    let line = || Ok(vec![(A, Some(0.9))]);
    let (mut best_of, _) = scripted(
        0.0,
        vec![
            vec![line(), line(), line()],
            vec![Ok(vec![]), Ok(vec![(B, Some(0.1))]), Ok(vec![])],
        ],
    );
    check(&mut best_of, Some(1), &[A], 0.9);
    best_of.observe(&[action(C)]);
    check(&mut best_of, Some(1), &[B], 0.1);
    best_of.observe(&[action(B)]);
    check(&mut best_of, Some(1), &[], 0.0);
}

#[test]
fn a_new_trajectory_forgets_refusals_and_shares() {
    let line = || Ok(vec![(A, None)]);
    let (mut best_of, _) = scripted(0.0, vec![vec![line(), line()], vec![]]);
    let head = TrajectoryHead {
        name: "test",
        sheet: "Sheet1",
    };
    check(&mut best_of, Some(1), &[A], 1.0 / 7.0);
    best_of.observe(&[action(C)]);
    best_of.begin(head, Seed(0));
    check(&mut best_of, Some(1), &[A], 1.0 / 7.0);
}

#[test]
fn without_confidence_the_share_taken_counts() {
    let (mut best_of, _) = scripted(
        0.0,
        vec![
            vec![Ok(vec![(A, None)]), Ok(vec![(B, None)]), Ok(vec![(C, None)])],
            vec![Ok(vec![]), Ok(vec![(C, Some(0.2))]), Ok(vec![(A, Some(0.3))])],
        ],
    );
    check(&mut best_of, Some(1), &[A], 1.0 / 7.0);
    best_of.observe(&[action(A)]);
    check(&mut best_of, Some(1), &[B], 2.0 / 8.0);
    best_of.observe(&[action(C)]);
    // Now two of nine, which is less than the other's.
    check(&mut best_of, Some(1), &[A], 0.3);
}

#[test]
fn below_the_threshold_nothing_is_shown() {
    let script = |text, confidence| vec![Ok(vec![(text, Some(confidence))])];
    let (mut best_of, logs) = scripted(0.5, vec![script(A, 0.4), script(B, 0.4)]);
    check(&mut best_of, Some(1), &[], 0.0);
    assert_eq!(
        (told(&logs[0]), told(&logs[1])),
        (vec!["withdrawn".to_owned()], vec!["withdrawn".to_owned()])
    );
    best_of.observe(&[action(C)]);
    assert_eq!(told(&logs[0]), [format!("observe {C}")]);
    let (mut best_of, _) = scripted(0.5, vec![script(A, 0.4), script(A, 0.4)]);
    check(&mut best_of, Some(1), &[A], 0.64);
}

#[test]
fn a_failure_names_the_member() {
    let (mut best_of, logs) = scripted(
        0.0,
        vec![
            vec![Ok(vec![(A, None)]), Ok(vec![])],
            vec![
                Err(PredictError::Call("no answer".to_owned())),
                Err(PredictError::Fatal("gone".to_owned())),
            ],
        ],
    );
    let error = ask(&mut best_of, None).unwrap_err();
    assert!(
        matches!(&error, PredictError::Call(message) if message == "member-1: no answer"),
        "{error}"
    );
    assert_eq!(told(&logs[0]), ["withdrawn"]);
    let error = ask(&mut best_of, None).unwrap_err();
    assert!(
        matches!(&error, PredictError::Fatal(message) if message == "member-1: gone"),
        "{error}"
    );
}

#[test]
fn what_is_withdrawn_was_never_shown() {
    let (mut best_of, logs) = scripted(0.0, vec![vec![Ok(vec![(A, None)]), Ok(vec![(A, None)])], vec![]]);
    check(&mut best_of, Some(1), &[A], 1.0 / 7.0);
    assert_eq!(told(&logs[1]), ["withdrawn"]);
    best_of.withdrawn();
    assert_eq!((told(&logs[0]), told(&logs[1])), (vec!["withdrawn".to_owned()], vec![]));
    best_of.observe(&[action(C)]);
    check(&mut best_of, Some(1), &[A], 1.0 / 7.0);
    // Told by whoever asked: that is refused for good.
    best_of.refused(&[action(A)]);
    assert_eq!(told(&logs[0]), [format!("observe {C}"), format!("refused {A}")]);
}

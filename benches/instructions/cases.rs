//! What is counted: the parts of a rollout on their own, and whole rollouts.

use std::hint::black_box;

use napsim_acceptance::parse_policy;
use napsim_predictors::PredictorFactory;
use napsim_sim::compare::{Match, Totals, compare};
use napsim_sim::event::{Event, EventSink};
use napsim_sim::protocol::Protocol;
use napsim_sim::rollout::{Task, rollout};
use napsim_sim::settings::Settings;
use napsim_sim::state::Workbook;
use napsim_sim::synthesis::{sides_of, synthesize};
use napsim_trajectories::{Action, Corpus};

use crate::ledger::ledger;

/// How many of the embedded trajectories take part, in the order of the corpus.
const N_TRAJECTORIES: usize = 4;

/// Actions of the made-up ledger.
const N_LEDGER: usize = 2_000;

/// Every case by name; the work follows a preparation that is not counted.
pub(crate) const CASES: [(&str, fn()); 9] = [
    ("parse", parse),
    ("print", print),
    ("apply", apply),
    ("compare", compare_halves),
    ("synthesize", synthesize_rest),
    ("replay-none", || replay(&corpus(), "none", 1)),
    ("replay-repeat-last", || replay(&corpus(), "repeat-last", 1)),
    ("replay-online-ngram", || replay(&corpus(), "online-ngram", 1)),
    ("replay-ledger", || replay(&[ledger(N_LEDGER)], "online-ngram", 20)),
];

/// The only function whose instructions are counted, with all that it calls; Callgrind finds it by its name.
#[inline(never)]
fn counted(work: &mut dyn FnMut()) {
    work();
}

fn corpus() -> Vec<Vec<Action>> {
    let corpus = Corpus::embedded().expect("the embedded corpus is sound");
    let trajectories = corpus.trajectories.into_iter().take(N_TRAJECTORIES);
    trajectories.map(|trajectory| trajectory.actions).collect()
}

fn state(actions: &[Action]) -> Workbook {
    let mut state = Workbook::default();
    state.apply_lenient(actions);
    state
}

/// The states of each trajectory halfway through and at its end.
fn halves() -> Vec<(Workbook, Workbook)> {
    let corpus = corpus();
    let halves = corpus.iter().map(|actions| {
        let (before, _) = actions.split_at(actions.len() / 2);
        (state(before), state(actions))
    });
    halves.collect()
}

fn parse() {
    let texts: Vec<String> = corpus().iter().flatten().map(ToString::to_string).collect();
    counted(&mut || {
        for text in &texts {
            black_box(Action::parse(text).is_ok());
        }
    });
}

fn print() {
    let corpus = corpus();
    counted(&mut || {
        for action in corpus.iter().flatten() {
            black_box(action.to_string());
        }
    });
}

fn apply() {
    let corpus = corpus();
    counted(&mut || {
        for actions in &corpus {
            black_box(state(actions));
        }
    });
}

fn compare_halves() {
    let halves = halves();
    counted(&mut || {
        for (half, whole) in &halves {
            let mut totals = Totals::default();
            compare(&Protocol::NAPE_1, half, whole, &mut |difference| {
                totals.add(&difference);
            });
            black_box(totals);
        }
    });
}

fn synthesize_rest() {
    let halves = halves();
    let missing = halves.iter().map(|(half, whole)| {
        let mut records = Vec::new();
        compare(&Protocol::NAPE_1, half, whole, &mut |difference| {
            if matches!(difference.outcome, Match::FalseNegative | Match::Mismatch) {
                records.push(difference.to_record());
            }
        });
        records
    });
    let missing: Vec<_> = missing.collect();
    counted(&mut || {
        for (records, (_, whole)) in missing.iter().zip(&halves) {
            black_box(synthesize(records, |sheet, key| sides_of(whole, sheet, key)).is_ok());
        }
    });
}

/// Forgets every event.
struct Discard;

impl EventSink for Discard {
    fn event(&mut self, event: Event) {
        drop(black_box(event));
    }
}

fn replay(trajectories: &[Vec<Action>], predictor: &str, stride: u32) {
    let factory = PredictorFactory::parse(predictor, None).expect("the predictor exists");
    let policy = parse_policy("greedy").expect("the policy exists");
    let settings = Settings {
        stride,
        ..Settings::single()
    };
    counted(&mut || {
        for actions in trajectories {
            let task = Task {
                name: "counted",
                actions,
                policy: &policy,
                protocol: &Protocol::NAPE_1,
                settings: &settings,
            };
            black_box(rollout(task, factory.build().as_mut(), &mut Discard));
        }
    });
}

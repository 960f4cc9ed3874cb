//! The fast engine tells the same story as the plain one, event for event.
//!
//! `NAPSIM_ENGINE_STEPS` sets how many steps are compared (default 10,000), `NAPSIM_ENGINE_SEED` the first case.

#[path = "support/rollouts.rs"]
mod rollouts;

use std::rc::Rc;

use napsim_sim::engine::Engine;
use napsim_sim::event::{Event, EventSink, Judged};
use napsim_sim::plan::{Planned, texts};
use napsim_sim::policy::{AcceptancePolicy, Evidence, Verdict};
use napsim_sim::predictor::{
    Budget, Fingerprint, PredictError, Predictor, Proposals, Seed, TrajectoryHead, Usage, View,
};
use napsim_sim::protocol::Protocol;
use napsim_sim::rollout::{Task, rollout_with};
use napsim_sim::settings::Settings;
use napsim_trajectories::{Action, json};
use rollouts::Dice;

/// Proposes what the seed says and notes the workbooks that it is shown.
struct Scripted<'a> {
    dice: Dice,
    trajectory: &'a [Action],
    shown: Vec<String>,
}

impl Predictor for Scripted<'_> {
    fn fingerprint(&self) -> Fingerprint {
        Fingerprint("scripted".to_owned())
    }

    fn begin(&mut self, _head: TrajectoryHead<'_>, _seed: Seed) {}

    fn observe(&mut self, _actions: &[Action]) {}

    fn predict(&mut self, view: View<'_>, _budget: Budget, out: &mut Proposals) -> Result<Usage, PredictError> {
        if view.call_idx.is_multiple_of(16) {
            self.shown.push(json::write(&view.workbook().to_json()));
        }
        let position = usize::try_from(view.user_steps).unwrap_or(usize::MAX);
        for action in rollouts::proposal(&mut self.dice, self.trajectory, position) {
            out.push(action, None);
        }
        Ok(Usage::default())
    }
}

#[derive(Clone, Copy, Debug)]
enum Rule {
    Always,
    Never,
    Saved(i64),
    Precision(f64),
    /// Takes what the evidence's figures add up to, now and then.
    Moody,
}

impl AcceptancePolicy for Rule {
    fn id(&self) -> &str {
        "rule"
    }

    fn decide(&self, evidence: &Evidence) -> Verdict {
        let accepted = match self {
            Self::Always => true,
            Self::Never => false,
            Self::Saved(least) => evidence.saved >= *least,
            Self::Precision(least) => evidence.counts.precision() >= *least,
            Self::Moody => (evidence.counts.missing + evidence.counts.tp + evidence.future).is_multiple_of(3),
        };
        Verdict {
            accepted,
            checks: Vec::new(),
        }
    }
}

fn settings_of(dice: &mut Dice) -> Settings {
    let base = if dice.once_in(2) {
        Settings::single()
    } else {
        Settings::multi()
    };
    Settings {
        repredict: dice.once_in(2),
        stride: 1 + u32::from(dice.once_in(5)),
        undo_max: if dice.once_in(4) { 2 } else { 250 },
        chain_max: 12,
        digest_future: true,
        ..base
    }
}

/// A proposal as it was told.
struct Told {
    predicted: Vec<String>,
    n_before: usize,
    after: Option<Vec<Rc<Planned>>>,
}

/// Hears of actions and futures and holds them against the events.
#[derive(Default)]
struct Watching {
    events: Vec<Event>,
    /// The action told last, until its event comes.
    action: Option<Rc<Planned>>,
    /// The proposal judged last, until its event comes.
    judged: Option<Told>,
    /// What is left to do, once the first proposal has told it.
    future: Option<Vec<Rc<Planned>>>,
}

impl EventSink for Watching {
    #[expect(clippy::expect_used, reason = "what is not told before its event fails the test")]
    fn event(&mut self, event: Event) {
        match &event {
            Event::UserStep(step) => {
                let action = self.action.take().expect("the action is told before its event");
                assert_eq!(action.text(), step.action);
                if let Some(future) = &mut self.future {
                    assert!(Rc::ptr_eq(&future.remove(0), &action), "the next action is the user's");
                }
            }
            Event::Prediction(prediction) => {
                let told = self.judged.take().expect("the proposal is told before its event");
                assert_eq!(told.predicted, prediction.predicted);
                assert_eq!(u32::try_from(told.n_before), Ok(prediction.future_before));
                let n_after = told
                    .after
                    .as_ref()
                    .map(|after| u32::try_from(after.len()).unwrap_or(u32::MAX));
                assert_eq!(n_after, prediction.future_after);
                if prediction.accepted {
                    self.future = told.after;
                }
            }
            _ => {}
        }
        self.events.push(event);
    }

    fn wants_actions(&self) -> bool {
        true
    }

    fn user_action(&mut self, action: &Rc<Planned>) {
        self.action = Some(action.clone());
    }

    fn judged(&mut self, judged: Judged<'_>) {
        let future = self.future.get_or_insert_with(|| judged.before.to_vec());
        assert_eq!(future.len(), judged.before.len());
        assert!(
            future
                .iter()
                .zip(judged.before)
                .all(|(known, told)| Rc::ptr_eq(known, told))
        );
        self.judged = Some(Told {
            predicted: texts(judged.predicted),
            n_before: judged.before.len(),
            after: judged.after.map(<[_]>::to_vec),
        });
    }
}

/// Rolls one random case out with both engines and returns the number of its steps.
fn check(seed: u64) -> usize {
    let mut dice = Dice::new(seed);
    let trajectory = rollouts::trajectory(&mut dice);
    let settings = settings_of(&mut dice);
    let policy = match dice.below(7) {
        0 | 1 => Rule::Always,
        2 => Rule::Never,
        3 => Rule::Saved(1),
        4 => Rule::Saved(0),
        5 => Rule::Precision(0.6),
        _ => Rule::Moody,
    };
    let task = Task {
        name: "random",
        actions: &trajectory,
        policy: &policy,
        protocol: &Protocol::NAPE_1,
        settings: &settings,
    };
    let scripted = || Scripted {
        dice: Dice::new(!seed),
        trajectory: &trajectory,
        shown: Vec::new(),
    };
    let [plain, fast] = [Engine::Plain, Engine::Fast].map(|engine| {
        let mut predictor = scripted();
        let mut events: Vec<Event> = Vec::new();
        rollout_with(engine, task, &mut predictor, &mut events);
        (events, predictor.shown)
    });
    let n_steps = plain.0.len();
    for (idx, (plain, fast)) in plain.0.iter().zip(&fast.0).enumerate() {
        assert_eq!(
            fast,
            plain,
            "seed {seed}, event {idx} of {n_steps} under {policy:?}; trajectory:\n{}",
            trajectory
                .iter()
                .map(|action| format!("{action}\n"))
                .collect::<String>()
        );
    }
    assert_eq!(fast.0.len(), n_steps, "seed {seed}");
    assert_eq!(fast.1, plain.1, "seed {seed}");
    let engine = if seed.is_multiple_of(2) {
        Engine::Plain
    } else {
        Engine::Fast
    };
    let mut watching = Watching::default();
    rollout_with(engine, task, &mut scripted(), &mut watching);
    assert!(watching.events == fast.0, "seed {seed}: watching changes events");
    n_steps
}

#[test]
fn both_engines_tell_the_same_story() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let n_steps = number("NAPSIM_ENGINE_STEPS").unwrap_or(10_000);
    let mut seed = number("NAPSIM_ENGINE_SEED").unwrap_or(1);
    let mut done = 0;
    while done < n_steps {
        done += check(seed) as u64;
        seed += 1;
    }
}

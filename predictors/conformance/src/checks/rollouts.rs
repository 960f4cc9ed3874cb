//! Whole rollouts, as an evaluation has them.

use std::panic::{AssertUnwindSafe, catch_unwind};

use napsim_sim::event::{Event, Outcome, Summary};
use napsim_sim::policy::{AcceptancePolicy, Check, Comparison, Evidence, Metric, Verdict};
use napsim_sim::predictor::{
    Budget, Fingerprint, PredictError, Predictor, Proposals, RejectedProposal, Seed, TrajectoryHead, Usage, View,
};
use napsim_sim::protocol::Protocol;
use napsim_sim::rollout::{Task, rollout};
use napsim_sim::settings::Settings;
use napsim_trajectories::Action;

use super::Found;
use crate::answer::Failure;
use crate::bench::Bench;
use crate::histories::Sample;
use crate::shown::{counted, shown};
use crate::subject::{Subject, Trouble, panic_message};

/// Takes what saves at least one action, and now and then something else: a predictor that is seldom right sees its
/// proposals carried out and undone, too.
struct TakesSavingsAndMore;

/// Whatever is proposed is taken when the number of actions left is a multiple of this.
const TAKEN_EVERY: u32 = 4;

/// Accepted predictions in a row after which a rollout ends, since what is taken here may go on for ever.
const CHAIN_MAX: u32 = 20;

impl AcceptancePolicy for TakesSavingsAndMore {
    fn id(&self) -> &'static str {
        "saved >= 1, or anything now and then"
    }

    fn decide(&self, evidence: &Evidence) -> Verdict {
        let value = evidence.metric(Metric::Saved);
        let (comparison, bound) = (Comparison::AtLeast, 1.0);
        let passed = comparison.holds(value, bound);
        Verdict {
            accepted: passed || evidence.future.is_multiple_of(TAKEN_EVERY),
            checks: vec![Check {
                metric: Metric::Saved,
                value,
                comparison,
                bound,
                passed,
            }],
        }
    }
}

/// A predictor of which the first proposals of each answer are heard, so that a rollout ends in time. What is wrong with
/// its answers is noted.
struct Brief<'a> {
    predictor: &'a mut dyn Predictor,
    /// The first answer with more actions than were asked for: how many, and how many were.
    over_budget: Option<(usize, u32)>,
    /// Proposals that are no actions: the first one, and how many there are.
    rejected: Option<RejectedProposal>,
    n_rejected: usize,
}

/// Proposals of one answer that are heard.
const HEARD_MAX: usize = 30;

impl Predictor for Brief<'_> {
    fn fingerprint(&self) -> Fingerprint {
        self.predictor.fingerprint()
    }

    fn begin(&mut self, head: TrajectoryHead<'_>, seed: Seed) {
        self.predictor.begin(head, seed);
    }

    fn observe(&mut self, actions: &[Action]) {
        self.predictor.observe(actions);
    }

    fn predict(&mut self, view: View<'_>, budget: Budget, out: &mut Proposals) -> Result<Usage, PredictError> {
        let usage = self.predictor.predict(view, budget, out)?;
        let n_actions = out.actions().len();
        let is_over = |actions_max: &u32| u32::try_from(n_actions).is_ok_and(|n| n > *actions_max);
        if let Some(actions_max) = budget.actions_max.filter(is_over) {
            self.over_budget.get_or_insert((n_actions, actions_max));
        }
        self.n_rejected += out.rejected().len();
        if let Some(first) = out.rejected().first() {
            self.rejected.get_or_insert_with(|| first.clone());
        }
        out.truncate(HEARD_MAX);
        Ok(usage)
    }
}

/// Two short trajectories in both modes, twice each.
pub(super) fn rollouts(bench: &mut Bench<'_>) -> Result<Found, Failure> {
    let mut subject = bench.subject();
    let (mut n_rollouts, mut n_calls, mut n_accepted) = (0, 0, 0);
    let (mut n_rejected, mut rejected) = (0, None);
    for sample in bench.histories.short() {
        for (mode, settings) in [("single", Settings::single()), ("multi", Settings::multi())] {
            let seed = Seed(bench.suite.seed);
            let course = Course {
                sample: &sample,
                mode,
                settings: Settings {
                    seed,
                    chain_max: CHAIN_MAX,
                    ..settings
                },
            };
            let (expected, events) = course.run(bench, &mut subject, &mut |n, first| {
                n_rejected += n;
                rejected = rejected.take().or(first);
            })?;
            bench.renew(&mut subject);
            let (came, later_events) = course.run(bench, &mut subject, &mut |_, _| {})?;
            bench.renew(&mut subject);
            course.must_agree((&expected, &events), (&came, &later_events))?;
            n_rollouts += 1;
            n_calls += expected.predictions + expected.empty;
            n_accepted += expected.accepted;
        }
    }
    bench.keep(subject);
    let found = Found::well(format!(
        "{}, twice each: {n_calls} calls, {n_accepted} accepted",
        counted(n_rollouts, "rollout")
    ));
    Ok(match rejected {
        Some(RejectedProposal { text, reason }) => found.warn(format!(
            "{} could not be read as actions, such as `{}`: {}",
            counted(n_rejected, "proposal"),
            shown(&text),
            shown(&reason)
        )),
        None => found,
    })
}

/// One rollout that can be run again.
struct Course<'a> {
    sample: &'a Sample,
    mode: &'static str,
    settings: Settings,
}

impl Course<'_> {
    /// Rolls out; `rejected` is told of proposals that are no actions.
    fn run(
        &self,
        bench: &mut Bench<'_>,
        subject: &mut Subject,
        rejected: &mut dyn FnMut(usize, Option<RejectedProposal>),
    ) -> Result<(Summary, Vec<Event>), Failure> {
        let protocol = Protocol::NAPE_1;
        let task = Task {
            name: &self.sample.name,
            actions: &self.sample.actions,
            policy: &TakesSavingsAndMore,
            protocol: &protocol,
            settings: &self.settings,
        };
        let mut events: Vec<Event> = Vec::new();
        let mut brief = Brief {
            predictor: subject.predictor(),
            over_budget: None,
            rejected: None,
            n_rejected: 0,
        };
        let run = catch_unwind(AssertUnwindSafe(|| rollout(task, &mut brief, &mut events)));
        let over_budget = brief.over_budget;
        rejected(brief.n_rejected, brief.rejected);
        let mut summary = run.map_err(|payload| {
            subject.give_up();
            let message = panic_message(payload.as_ref());
            self.failure(&format!("panicked: {}", shown(&message)), &events)
        })?;
        let failed = events.iter().find_map(|event| match event {
            Event::Error(call) => Some(call.message.clone()),
            _ => None,
        });
        if let Some(message) = failed {
            let trouble = Trouble::Error(PredictError::Call(message));
            bench.note(subject, &trouble);
            return Err(self.failure(&trouble.to_string(), &events));
        }
        if let Some((n_actions, actions_max)) = over_budget {
            let what = format!("an answer held {n_actions} actions where at most {actions_max} were asked for");
            return Err(self.failure(&what, &events));
        }
        if summary.outcome == Outcome::Failed {
            let error = summary.error.unwrap_or_default();
            return Err(self.failure(&format!("the rollout ended early: {}", shown(&error)), &events));
        }
        // What an answer cost may depend on what is remembered of earlier ones; what it says may not.
        summary.usage = Usage::default();
        Ok((summary, events))
    }

    fn must_agree(&self, expected: (&Summary, &[Event]), came: (&Summary, &[Event])) -> Result<(), Failure> {
        let answers = |events: &[Event]| -> Vec<Vec<String>> { events.iter().filter_map(answer).collect() };
        let (first, second) = (answers(expected.1), answers(came.1));
        let differing = first.iter().zip(&second).position(|(one, other)| one != other);
        if let Some(idx) = differing {
            let text =
                |answers: &[Vec<String>]| shown(&answers.get(idx).map_or_else(String::new, |lines| lines.join("; ")));
            return Err(self.failure(
                &format!(
                    "answer {} differs the second time\nexpected: `{}`\ncame: `{}`",
                    idx + 1,
                    text(&first),
                    text(&second)
                ),
                &[],
            ));
        }
        if expected.0 == came.0 {
            return Ok(());
        }
        let figures = |summary: &Summary| {
            let (accepted, user_steps) = (summary.accepted, summary.user_steps);
            format!(
                "{} predictions, {accepted} accepted, {user_steps} user actions",
                summary.predictions
            )
        };
        let (one, other) = (figures(expected.0), figures(came.0));
        Err(self.failure(&format!("the summary differs\nexpected: {one}\ncame: {other}"), &[]))
    }

    fn failure(&self, what: &str, events: &[Event]) -> Failure {
        let (name, mode, seed) = (&self.sample.name, self.mode, self.settings.seed.0);
        let n_actions = counted(self.sample.actions.len(), "action");
        let mut text = format!("{what}\nto reproduce: the first {n_actions} of `{name}`, {mode} mode, seed {seed}");
        let n_executed = events.iter().filter_map(executed).next_back();
        if let Some(n_executed) = n_executed {
            text.push_str(&format!("; it was after {}", counted(n_executed, "action")));
        }
        Failure(text)
    }
}

/// What was answered, where the event is an answer.
fn answer(event: &Event) -> Option<Vec<String>> {
    match event {
        Event::Prediction(prediction) => {
            let confidence = prediction
                .confidence
                .map(|confidence| format!("confidence {confidence}"));
            Some(prediction.predicted.iter().cloned().chain(confidence).collect())
        }
        Event::Empty(_) => Some(Vec::new()),
        _ => None,
    }
}

/// Actions executed after an event.
fn executed(event: &Event) -> Option<usize> {
    let t = match event {
        Event::UserStep(step) => step.t,
        Event::Prediction(prediction) => prediction.t,
        Event::Error(call) => call.t,
        _ => return None,
    };
    usize::try_from(t).ok()
}

//! The rollout: a simulated user works through a trajectory, a predictor proposes, a policy decides
//! (spec chapter 02, section 2).

mod call;
mod tally;

use napsim_trajectories::Action;

use crate::engine::{Engine, Judge};
use crate::event::{EmptyCall, Event, EventSink, FailedCall, Limit, Outcome, Summary, UserStep};
use crate::plan::texts;
use crate::policy::AcceptancePolicy;
use crate::predictor::{Budget, CurrentWorkbook, PredictError, Predictor, Proposals, TrajectoryHead, Unanswered, View};
use crate::protocol::Protocol;
use crate::settings::{FUTURE_MAX, Settings};
use call::Answer;
use tally::Tally;

/// Everything a rollout needs besides predictor and sink.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// Name of the trajectory.
    pub name: &'a str,
    /// The trajectory, in order.
    pub actions: &'a [Action],
    /// When the simulated user takes a proposal.
    pub policy: &'a dyn AcceptancePolicy,
    /// The rules of measurement.
    pub protocol: &'a Protocol,
    /// When to ask, how often, where to stop.
    pub settings: &'a Settings,
}

/// Replays a trajectory on-policy and returns the summary that the sink also gets as its last event.
///
/// The predictor is told of each action once it has become history and never sees what is to come.
pub fn rollout(task: Task<'_>, predictor: &mut dyn Predictor, sink: &mut dyn EventSink) -> Summary {
    rollout_with(Engine::default(), task, predictor, sink)
}

/// The same with an engine of one's choice, which changes nothing but the time it takes.
pub fn rollout_with(
    engine: Engine,
    task: Task<'_>,
    predictor: &mut dyn Predictor,
    sink: &mut dyn EventSink,
) -> Summary {
    let mut rollout = Rollout::new(engine, task, predictor, sink);
    let end = rollout.run();
    let summary = rollout.summary(end);
    sink.event(Event::End(Box::new(summary.clone())));
    summary
}

/// Why a rollout ended.
enum End {
    Done,
    Limited(Limit),
    Aborted(String),
}

/// A rollout in progress.
struct Rollout<'a> {
    task: Task<'a>,
    predictor: &'a mut dyn Predictor,
    sink: &'a mut dyn EventSink,
    judge: Box<dyn Judge>,
    /// Executed actions, oldest first.
    history: Vec<Action>,
    /// How much of the history the predictor has been told.
    observed: usize,
    current: CurrentWorkbook,
    user_steps: u32,
    user_formatting_steps: u32,
    n_calls: u32,
    tally: Tally,
    /// Accepted predictions in a row, and the shortest future among them.
    chain: u32,
    shortest_future: usize,
}

fn to_u32(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn is_formatting(action: &Action) -> bool {
    !action.is_content()
}

impl<'a> Rollout<'a> {
    fn new(engine: Engine, task: Task<'a>, predictor: &'a mut dyn Predictor, sink: &'a mut dyn EventSink) -> Self {
        Self {
            task,
            predictor,
            sink,
            judge: engine.judge(task.protocol),
            history: Vec::with_capacity(task.actions.len()),
            observed: 0,
            shortest_future: task.actions.len(),
            current: CurrentWorkbook::default(),
            user_steps: 0,
            user_formatting_steps: 0,
            n_calls: 0,
            tally: Tally::default(),
            chain: 0,
        }
    }

    /// Actions executed so far.
    fn t(&self) -> u32 {
        to_u32(self.history.len())
    }

    fn run(&mut self) -> End {
        let Task {
            name,
            actions,
            settings,
            protocol,
            ..
        } = self.task;
        if let Err(error) = self.judge.begin(actions) {
            return End::Aborted(error.to_string());
        }
        let sheet = actions.first().map_or("", |action| action.range().sheet());
        self.predictor.begin(TrajectoryHead { name, sheet }, settings.seed);
        let limit = protocol.step_limit(
            settings.step_limit.for_length(to_u32(actions.len())),
            to_u32(actions.len()),
        );
        let mut chained = false;
        while self.judge.future_len() > 0 {
            if self.user_steps >= limit {
                return End::Limited(Limit::StepLimit);
            }
            if !chained {
                if let Err(message) = self.user_step() {
                    return End::Aborted(message);
                }
                if !self.asks_now() {
                    continue;
                }
            }
            match self.call() {
                Answer::Accepted if self.chain >= settings.chain_max => return End::Limited(Limit::ChainMax),
                Answer::Accepted if self.judge.future_len() > FUTURE_MAX.max(2 * actions.len()) => {
                    return End::Limited(Limit::FutureMax);
                }
                Answer::Accepted => chained = settings.repredict,
                Answer::NotAccepted => chained = false,
                Answer::Aborted(message) => return End::Aborted(message),
            }
            if !chained {
                self.chain = 0;
            }
        }
        End::Done
    }

    /// The user carries out the next action.
    fn user_step(&mut self) -> Result<(), String> {
        let Some(planned) = self.judge.take_next() else {
            return Ok(());
        };
        self.user_steps += 1;
        self.user_formatting_steps += u32::from(is_formatting(&planned.action));
        if self.sink.wants_actions() {
            self.sink.user_action(&planned);
        }
        self.sink.event(Event::UserStep(UserStep {
            t: self.t() + 1,
            user_steps: self.user_steps,
            action: planned.text().to_owned(),
            future: to_u32(self.judge.future_len()),
        }));
        self.judge
            .carry_out(&planned)
            .map_err(|error| format!("`{}` cannot be carried out: {error}", planned.text()))?;
        self.history.push(planned.action.clone());
        Ok(())
    }

    /// The stride test (Q9: aligned with positions in the sequence) and the triggers.
    fn asks_now(&self) -> bool {
        let settings = self.task.settings;
        let on_stride = settings.stride <= 1 || self.t().is_multiple_of(settings.stride);
        let triggered =
            settings.triggers.is_empty() || settings.triggers.iter().any(|trigger| trigger.fires(&self.history));
        on_stride && triggered && (self.judge.future_len() > 0 || self.task.protocol.asks_without_future())
    }

    /// Asks the predictor and deals with its answer.
    fn call(&mut self) -> Answer {
        let mut proposals = Proposals::default();
        self.predictor
            .observe(self.history.get(self.observed..).unwrap_or_default());
        self.observed = self.history.len();
        let view = View {
            history: &self.history,
            current: &self.current,
            user_steps: self.user_steps,
            call_idx: self.n_calls,
        };
        let budget = Budget {
            actions_max: self.task.settings.actions_max,
        };
        self.n_calls += 1;
        let usage = match self.predictor.predict(view, budget, &mut proposals) {
            Ok(usage) => usage,
            Err(error) => return self.failed_call(error),
        };
        if let Some(actions_max) = budget.actions_max {
            proposals.truncate(usize::try_from(actions_max).unwrap_or(usize::MAX));
        }
        self.tally.add_usage(usage);
        self.tally.add_losses(&proposals);
        if proposals.is_empty() {
            self.tally.empty += 1;
            self.sink.event(Event::Empty(EmptyCall {
                t: self.t(),
                user_steps: self.user_steps,
                rejected: proposals.rejected().to_vec(),
                remarks: proposals.remarks().cloned().map(Box::new),
                usage,
            }));
            return Answer::NotAccepted;
        }
        self.judge(&proposals, usage)
    }

    /// A failure is neither an empty answer nor an attempt.
    fn failed_call(&mut self, error: PredictError) -> Answer {
        let fatal = error.is_fatal();
        let message = error.to_string();
        let known = if let PredictError::Unanswered(call) = error {
            Some(*call)
        } else {
            None
        };
        self.tally.errors += 1;
        let (kind, raw, stderr, usage) = known.map_or_else(Default::default, |call| {
            let Unanswered {
                kind,
                raw,
                stderr,
                usage,
                ..
            } = call;
            (Some(kind), raw, stderr, usage)
        });
        self.tally.add_usage(usage);
        if let Some(kind) = &kind {
            *self.tally.failures.entry(kind.clone()).or_default() += 1;
        }
        self.sink.event(Event::Error(FailedCall {
            t: self.t(),
            user_steps: self.user_steps,
            message: message.clone(),
            fatal,
            kind,
            raw,
            stderr,
            usage,
        }));
        if fatal {
            Answer::Aborted(message)
        } else {
            Answer::NotAccepted
        }
    }

    fn outcome(&self, end: &End) -> Outcome {
        match end {
            End::Aborted(_) => Outcome::Failed,
            _ if self.tally.errors > 0 => Outcome::Failed,
            _ if self.tally.divergences > 0 => Outcome::Diverged,
            End::Limited(_) => Outcome::Truncated,
            End::Done => Outcome::Complete,
        }
    }

    fn summary(&self, end: End) -> Summary {
        let Task {
            name,
            actions,
            settings,
            protocol,
            ..
        } = self.task;
        let n_actions = to_u32(actions.len());
        let outcome = self.outcome(&end);
        let given = settings.step_limit.for_length(n_actions);
        let limit = if let End::Limited(limit) = end {
            Some(limit)
        } else {
            None
        };
        let aborted = matches!(end, End::Aborted(_));
        let tally = &self.tally;
        Summary {
            name: name.to_owned(),
            outcome,
            limit,
            uas: if aborted {
                None
            } else {
                protocol.uas(limit, n_actions, self.user_steps)
            },
            error: if let End::Aborted(message) = end {
                Some(message)
            } else {
                None
            },
            actions: n_actions,
            user_steps: self.user_steps,
            predictions: tally.predictions,
            accepted: tally.accepted,
            rejected: tally.refused,
            empty: tally.empty,
            errors: tally.errors,
            divergences: tally.divergences,
            calls_with_rejected_proposals: tally.calls_with_rejected,
            rejected_proposals: tally.rejected_proposals,
            dropped_texts: tally.dropped_texts,
            truncated_answers: tally.truncated_answers,
            restarts: tally.restarts,
            failures: tally.failures.clone(),
            counts: tally.counts,
            precision: tally.precision.mean(),
            precision_details: tally.precision_details.mean(),
            ops_saved: tally.ops_saved,
            undo_actions: tally.undo_actions,
            removed_actions: tally.removed_actions,
            final_length: to_u32(self.history.len() + self.judge.future_len()),
            formatting_actions: to_u32(actions.iter().filter(|action| is_formatting(action)).count()),
            user_formatting_steps: self.user_formatting_steps,
            step_limit_reached: given.is_some_and(|limit| self.user_steps >= limit),
            by_property: tally
                .by_property
                .iter()
                .map(|(name, counts)| ((*name).to_owned(), *counts))
                .collect(),
            usage: tally.usage,
            remaining: texts(&self.judge.future()),
        }
    }
}

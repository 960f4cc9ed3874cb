//! A predictor under examination: what it is told is kept in step with its view, and what it does wrong is caught.

use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::time::Duration;

use napsim_sim::predictor::{
    Budget, CurrentWorkbook, Fingerprint, PredictError, Predictor, Proposals, Seed, TrajectoryHead, Usage, View,
};
use napsim_trajectories::Action;

use crate::answer::Answer;
use crate::clock::Clock;
use crate::conversation::{Conversation, Step};
use crate::shown::shown;

/// What went wrong while a predictor was talked to.
#[derive(Clone, Debug)]
pub(crate) enum Trouble {
    /// It panicked.
    Panic {
        /// In which function.
        during: &'static str,
        message: String,
    },
    /// It gave no answer.
    Error(PredictError),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Panic { during, message } => write!(f, "panicked in `{during}`: {}", shown(message)),
            Self::Error(error) => {
                write!(f, "gave no answer: {}", shown(&error.to_string()))?;
                let PredictError::Unanswered(call) = error else {
                    return Ok(());
                };
                write!(f, " (kind `{}`)", shown(&call.kind))?;
                if let Some(raw) = &call.raw {
                    write!(f, "\nwhat came instead: {}", shown(raw))?;
                }
                let last = call.stderr.as_ref().and_then(|stderr| stderr.lines().next_back());
                match last {
                    Some(last) => write!(f, "\nlast line on standard error: {}", shown(last)),
                    None => Ok(()),
                }
            }
        }
    }
}

/// What a panic said.
pub(crate) fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned())
}

/// What the last predictor that panicked while it was dropped said.
pub(crate) type DropPanic = Rc<RefCell<Option<String>>>;

/// A predictor under examination.
pub(crate) struct Subject {
    predictor: Box<dyn Predictor>,
    clock: Clock,
    drop_panic: DropPanic,
    history: Vec<Action>,
    current: CurrentWorkbook,
    user_steps: u32,
    n_calls: u32,
    /// Time spent on what was told since the last question.
    telling: Duration,
    broken: bool,
}

impl Subject {
    pub(crate) fn new(predictor: Box<dyn Predictor>, clock: Clock, drop_panic: DropPanic) -> Self {
        Self {
            predictor,
            clock,
            drop_panic,
            history: Vec::new(),
            current: CurrentWorkbook::default(),
            user_steps: 0,
            n_calls: 0,
            telling: Duration::ZERO,
            broken: false,
        }
    }

    /// Whether it panicked or was given up.
    pub(crate) fn is_broken(&self) -> bool {
        self.broken
    }

    /// Says that it is not to be used any more.
    pub(crate) fn give_up(&mut self) {
        self.broken = true;
    }

    /// Drops the predictor. It may panic then too, even while something else panics already.
    pub(crate) fn retire(&mut self) {
        self.broken = true;
        let predictor = mem::replace(&mut self.predictor, Box::new(Nobody));
        if let Err(payload) = catch_unwind(AssertUnwindSafe(move || drop(predictor))) {
            let message = panic_message(payload.as_ref());
            *self.drop_panic.borrow_mut() = Some(message);
        }
    }

    /// What a rollout needs.
    pub(crate) fn predictor(&mut self) -> &mut dyn Predictor {
        self.predictor.as_mut()
    }

    /// The identity that it gives.
    pub(crate) fn fingerprint(&mut self) -> Result<String, Trouble> {
        self.guarded("fingerprint", |predictor| predictor.fingerprint().0)
    }

    /// Begins a trajectory.
    pub(crate) fn begin(&mut self, conversation: &Conversation) -> Result<(), Trouble> {
        self.history.clear();
        self.current = CurrentWorkbook::default();
        (self.user_steps, self.n_calls, self.telling) = (0, 0, Duration::ZERO);
        let head = TrajectoryHead {
            name: &conversation.trajectory,
            sheet: conversation.sheet(),
        };
        self.guarded("begin", |predictor| predictor.begin(head, Seed(conversation.seed)))
    }

    /// Says one thing; the answer where it was a question.
    pub(crate) fn step(&mut self, step: &Step) -> Result<Option<Answer>, Trouble> {
        match step {
            Step::Tell { actions, by_user } => {
                self.history.extend_from_slice(actions);
                if *by_user {
                    let more = u32::try_from(actions.len()).unwrap_or(u32::MAX);
                    self.user_steps = self.user_steps.saturating_add(more);
                }
                let start = self.clock.now();
                self.guarded("observe", |predictor| predictor.observe(actions))?;
                self.telling += self.clock.now().saturating_sub(start);
                Ok(None)
            }
            Step::Ask(actions_max) => self.ask(*actions_max).map(Some),
            Step::Withdraw => self
                .guarded("withdrawn", |predictor| predictor.withdrawn())
                .map(|()| None),
            Step::Refuse(actions) => {
                let refused = self.guarded("refused", |predictor| predictor.refused(actions));
                refused.map(|()| None)
            }
        }
    }

    fn ask(&mut self, actions_max: Option<u32>) -> Result<Answer, Trouble> {
        let view = View {
            history: &self.history,
            current: &self.current,
            user_steps: self.user_steps,
            call_idx: self.n_calls,
        };
        self.n_calls += 1;
        let mut proposals = Proposals::default();
        let predictor = &mut self.predictor;
        let start = self.clock.now();
        let asked = catch_unwind(AssertUnwindSafe(|| {
            predictor.predict(view, Budget { actions_max }, &mut proposals)
        }));
        let time = self.clock.now().saturating_sub(start) + mem::take(&mut self.telling);
        match asked {
            Ok(Ok(_)) => Ok(Answer { proposals, time }),
            Ok(Err(error)) => Err(Trouble::Error(error)),
            Err(payload) => {
                self.broken = true;
                let message = panic_message(payload.as_ref());
                Err(Trouble::Panic {
                    during: "predict",
                    message,
                })
            }
        }
    }

    fn guarded<T>(&mut self, during: &'static str, call: impl FnOnce(&mut dyn Predictor) -> T) -> Result<T, Trouble> {
        let predictor = self.predictor.as_mut();
        catch_unwind(AssertUnwindSafe(|| call(predictor))).map_err(|payload| {
            self.broken = true;
            let message = panic_message(payload.as_ref());
            Trouble::Panic { during, message }
        })
    }
}

impl Drop for Subject {
    fn drop(&mut self) {
        self.retire();
    }
}

/// Stands where a predictor was.
struct Nobody;

impl Predictor for Nobody {
    fn fingerprint(&self) -> Fingerprint {
        Fingerprint(String::new())
    }

    fn begin(&mut self, _head: TrajectoryHead<'_>, _seed: Seed) {}

    fn observe(&mut self, _actions: &[Action]) {}

    fn predict(&mut self, _view: View<'_>, _budget: Budget, _out: &mut Proposals) -> Result<Usage, PredictError> {
        Err(PredictError::Fatal("it was dropped".to_owned()))
    }
}

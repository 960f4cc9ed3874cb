//! Where a predictor is examined: predictors come from here, conversations are held here, mishaps are remembered.

use std::panic::{AssertUnwindSafe, catch_unwind};

use napsim_sim::predictor::Predictor;

use crate::answer::{Answer, Failure};
use crate::checks::{Check, Found};
use crate::conversation::Conversation;
use crate::histories::Histories;
use crate::shown::shown;
use crate::subject::{DropPanic, Subject, Trouble, panic_message};
use crate::suite::Suite;
use crate::verdict::{Finding, Outcome};

/// A call that failed, and whether the predictor came back after it.
#[derive(Clone, Debug)]
pub(crate) struct Mishap {
    /// During which check.
    pub(crate) check: &'static str,
    pub(crate) error: String,
    /// What went wrong in the next trajectory, if anything did.
    pub(crate) afterwards: Option<String>,
}

/// Where a predictor is examined.
pub(crate) struct Bench<'a> {
    pub(crate) suite: &'a Suite,
    pub(crate) histories: &'a Histories,
    make: &'a mut dyn FnMut() -> Box<dyn Predictor>,
    /// A predictor that was in use and is well.
    spare: Option<Subject>,
    /// Whether a check may get one that was in use.
    reuse: bool,
    /// Whether this check got one.
    reused: bool,
    check: &'static str,
    drop_panic: DropPanic,
    /// What each predictor made so far gave as its identity.
    pub(crate) fingerprints: Vec<Result<String, String>>,
    pub(crate) mishaps: Vec<Mishap>,
    /// Whether it does not even answer an ordinary question.
    pub(crate) is_mute: bool,
    /// Whether two fresh predictors answer differently.
    pub(crate) is_erratic: bool,
}

impl<'a> Bench<'a> {
    pub(crate) fn new(
        suite: &'a Suite,
        histories: &'a Histories,
        make: &'a mut dyn FnMut() -> Box<dyn Predictor>,
    ) -> Self {
        Self {
            suite,
            histories,
            make,
            spare: None,
            reuse: true,
            reused: false,
            check: "",
            drop_panic: DropPanic::default(),
            fingerprints: Vec::new(),
            mishaps: Vec::new(),
            is_mute: false,
            is_erratic: false,
        }
    }

    /// Carries out a check.
    ///
    /// Predictors are slow to start, so one is used again and again. What then fails is tried with fresh ones: what is
    /// left from an earlier trajectory must not be taken for another fault.
    pub(crate) fn examine(&mut self, check: &Check) -> Finding {
        self.check = check.name;
        (self.reuse, self.reused) = (true, false);
        let mut result = self.attempt(check);
        if let (Err(Failure(first)), true) = (&result, self.reused) {
            self.spare = None;
            self.reuse = false;
            // A figure would depend on which lane measured what before, so this is a failure even where the check is not
            // about it.
            let text = format!(
                "a fresh predictor passes, one that was asked before does not: what it does depends on what it did in \
                 earlier trajectories, or on chance\n{first}"
            );
            result = self.attempt(check).and(Err(Failure(text)));
        }
        let (outcome, detail) = match result {
            Ok(found) => found.conclude(),
            Err(Failure(text)) => (Outcome::Failed, text),
        };
        Finding {
            check: check.name,
            about: check.about,
            outcome,
            detail,
        }
    }

    fn attempt(&mut self, check: &Check) -> Result<Found, Failure> {
        let run = catch_unwind(AssertUnwindSafe(|| (check.run)(self)));
        let dropped = self.drop_panic.take();
        match (run, dropped) {
            (Ok(Ok(_)), Some(message)) => Err(Failure(format!("panicked when it was dropped: {}", shown(&message)))),
            (Ok(result), _) => result,
            (Err(payload), _) => {
                let message = panic_message(payload.as_ref());
                Err(Failure(format!("panicked when it was made: {}", shown(&message))))
            }
        }
    }

    /// Replaces a predictor that was in use by a fresh one, where none that was in use may serve.
    pub(crate) fn renew(&mut self, subject: &mut Subject) {
        if !self.reuse {
            subject.retire();
            *subject = self.fresh();
        }
    }

    /// A predictor, in use before where that makes no difference.
    pub(crate) fn subject(&mut self) -> Subject {
        if !self.reuse {
            return self.fresh();
        }
        match self.spare.take() {
            Some(subject) => {
                self.reused = true;
                subject
            }
            None => self.fresh(),
        }
    }

    /// Drops the predictor that is kept.
    pub(crate) fn clear(&mut self) {
        self.spare = None;
    }

    /// A predictor that was never used. One that is kept is given up first, since two may not fit into memory.
    pub(crate) fn fresh(&mut self) -> Subject {
        self.spare = None;
        let mut subject = Subject::new(
            (self.make)(),
            self.suite.clock.clone(),
            DropPanic::clone(&self.drop_panic),
        );
        let fingerprint = subject.fingerprint().map_err(|trouble| trouble.to_string());
        self.fingerprints.push(fingerprint);
        subject
    }

    /// Keeps a predictor for later checks, if it is well.
    pub(crate) fn keep(&mut self, subject: Subject) {
        self.spare = (self.reuse && !subject.is_broken()).then_some(subject);
    }

    /// Holds a conversation from its beginning to its end.
    pub(crate) fn hold(&mut self, subject: &mut Subject, conversation: &Conversation) -> Result<Vec<Answer>, Failure> {
        held(subject, conversation).map_err(|(step, trouble)| self.failure(subject, conversation, step, &trouble))
    }

    /// What a failure in a conversation says, once it was noted.
    pub(crate) fn failure(
        &mut self,
        subject: &mut Subject,
        conversation: &Conversation,
        step: usize,
        trouble: &Trouble,
    ) -> Failure {
        self.note(subject, trouble);
        let mut text = format!("{trouble}\nto reproduce:");
        for line in conversation.reproduction(step) {
            text.push_str("\n  ");
            text.push_str(&line);
        }
        Failure(text)
    }

    /// Remembers a failed call and looks whether the predictor answers in the next trajectory.
    pub(crate) fn note(&mut self, subject: &mut Subject, trouble: &Trouble) {
        if let Trouble::Error(_) = trouble {
            let next = self.histories.plain("after-a-failed-call", self.suite.seed);
            let afterwards = held(subject, &next).err().map(|(_, trouble)| trouble.to_string());
            if afterwards.is_some() {
                subject.give_up();
            }
            self.mishaps.push(Mishap {
                check: self.check,
                error: trouble.to_string(),
                afterwards,
            });
        }
    }
}

/// The answers of a conversation, or the step at which something went wrong.
fn held(subject: &mut Subject, conversation: &Conversation) -> Result<Vec<Answer>, (usize, Trouble)> {
    subject.begin(conversation).map_err(|trouble| (0, trouble))?;
    let mut answers = Vec::new();
    for (idx, step) in conversation.steps.iter().enumerate() {
        answers.extend(subject.step(step).map_err(|trouble| (idx, trouble))?);
    }
    Ok(answers)
}

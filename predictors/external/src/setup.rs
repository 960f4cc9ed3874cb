//! What all lanes share of a predictor.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use napsim_remote::Secret;
use napsim_sim::predictor::Fingerprint;

use crate::activity::Counts;
use crate::failure::{Failure, What, kind};
use crate::message::{Hello, Wants};
use crate::partner::Partner;
use crate::program::{Program, Spoken};
use crate::service::{Service, Session};
use crate::stderr::StderrByTrajectory;
use crate::{ExternalActivity, ExternalError, ExternalSettings, StderrText, fingerprint};

/// A predictor outside of the program that has said hello; all lanes share it.
///
/// Cloning is cheap.
#[derive(Clone)]
pub struct ExternalSetup(Arc<Shared>);

/// What is shared.
pub(crate) struct Shared {
    id: Arc<str>,
    pub(crate) hello: Hello,
    fingerprint: Fingerprint,
    settings: ExternalSettings,
    counts: Counts,
    pub(crate) stderr: StderrByTrajectory,
    place: Place,
}

/// Where the predictor is.
enum Place {
    Program {
        words: Vec<String>,
        /// The program that said hello first, until a lane takes it.
        waiting: Box<Mutex<Option<Program>>>,
    },
    Service(Arc<Service>),
}

impl ExternalSetup {
    /// Starts a program and lets it say hello. The command is split into words as a POSIX shell does it, and no shell is
    /// asked.
    ///
    /// # Errors
    /// [`ExternalError`] where the command cannot be read or the program does not start.
    pub fn program(command: &str, settings: ExternalSettings) -> Result<Self, ExternalError> {
        let words = words(command)?;
        let id = id_of(command);
        let counts = Counts::default();
        let (program, hello) = start(&id, &words, &settings, &counts)?;
        let own = match &hello.fingerprint {
            Some(fingerprint) => fingerprint.clone(),
            None => format!("command sha256:{}", fingerprint::of_command(&words)?),
        };
        let waiting = Box::new(Mutex::new(Some(program)));
        let place = Place::Program { words, waiting };
        Ok(Self::new(id, hello, &own, settings, counts, place))
    }

    /// Lets a service say hello. The token is sent as `Authorization: Bearer`, and over plain HTTP only to this machine.
    ///
    /// # Errors
    /// [`ExternalError`] where the address cannot be used or nobody answers there as a predictor does.
    #[expect(clippy::needless_pass_by_value, reason = "nobody needs a token for anything else")]
    pub fn service(url: &str, token: Option<Secret>, settings: ExternalSettings) -> Result<Self, ExternalError> {
        let (service, hello) = Service::reach(url, token.as_ref(), &settings)?;
        let id: Arc<str> = service.id().into();
        let own = hello.fingerprint.clone().unwrap_or_else(|| id.to_string());
        let place = Place::Service(Arc::new(service));
        Ok(Self::new(id, hello, &own, settings, Counts::default(), place))
    }

    fn new(id: Arc<str>, hello: Hello, own: &str, settings: ExternalSettings, counts: Counts, place: Place) -> Self {
        Self(Arc::new(Shared {
            id,
            fingerprint: Fingerprint(format!("external/1 {} {own}", hello.name)),
            hello,
            settings,
            counts,
            stderr: StderrByTrajectory::default(),
            place,
        }))
    }

    /// What a user types: `exec:` and the command, or the address without what may be secret in it.
    pub fn id(&self) -> &str {
        &self.0.id
    }

    /// What the predictor calls itself.
    pub fn name(&self) -> &str {
        &self.0.hello.name
    }

    /// `external/1`, the predictor's name, and its own fingerprint. Where it has none, that is a hash of the command and
    /// of the contents of the files that it names, or the address.
    pub fn fingerprint(&self) -> Fingerprint {
        self.0.fingerprint.clone()
    }

    /// Whether the predictor says itself what promises the same answers.
    pub fn has_own_fingerprint(&self) -> bool {
        self.0.hello.fingerprint.is_some()
    }

    /// What the predictor wants to be told.
    pub fn wants(&self) -> Wants {
        self.0.hello.wants
    }

    /// Whether it is a service.
    pub fn is_service(&self) -> bool {
        matches!(self.0.place, Place::Service(_))
    }

    /// What has been done so far and what went wrong, over all lanes.
    pub fn activity(&self) -> ExternalActivity {
        let mut activity = self.0.counts.activity();
        if let Place::Service(service) = &self.0.place {
            activity.retries = service.retries();
        }
        activity
    }

    /// What programs wrote to their standard error during a trajectory, if anything; it is then forgotten. Texts of 256
    /// trajectories are kept until they are taken.
    pub fn take_stderr(&self, trajectory: &str) -> Option<StderrText> {
        self.0.stderr.take(trajectory)
    }

    pub(crate) fn settings(&self) -> &ExternalSettings {
        &self.0.settings
    }

    pub(crate) fn counts(&self) -> &Counts {
        &self.0.counts
    }

    /// The program that said hello first, if it is still to be had.
    pub(crate) fn waiting(&self) -> Option<Box<dyn Partner>> {
        let Place::Program { waiting, .. } = &self.0.place else {
            return None;
        };
        let program = waiting.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        Some(Box::new(Spoken::new(program, Arc::clone(&self.0))))
    }

    /// A fresh program that has said the same hello as the first one, or a session.
    pub(crate) fn connect(&self) -> Result<Box<dyn Partner>, Failure> {
        let Shared {
            id,
            hello,
            settings,
            counts,
            place,
            ..
        } = &*self.0;
        match place {
            Place::Service(service) => {
                counts.started();
                Ok(Box::new(Session::new(service, hello.wants)))
            }
            Place::Program { words, .. } => {
                let (mut program, fresh) = start(id, words, settings, counts)?;
                if let Some(difference) = difference(hello, &fresh) {
                    return Err(program.fail(kind::CHANGED, &difference, &[]));
                }
                Ok(Box::new(Spoken::new(program, Arc::clone(&self.0))))
            }
        }
    }
}

/// The words of a command.
pub(crate) fn words(command: &str) -> Result<Vec<String>, ExternalError> {
    let refused = |reason| ExternalError::Command {
        command: command.to_owned(),
        reason,
    };
    let words = shlex::split(command).ok_or_else(|| refused("a quotation mark is not closed"))?;
    if words.first().is_none_or(String::is_empty) {
        return Err(refused("it names no program"));
    }
    Ok(words)
}

/// What a user types for a program.
pub(crate) fn id_of(command: &str) -> Arc<str> {
    format!("exec:{command}").into()
}

/// Starts a program and lets it say hello.
fn start(
    id: &Arc<str>,
    words: &[String],
    settings: &ExternalSettings,
    counts: &Counts,
) -> Result<(Program, Hello), Failure> {
    counts.started();
    let mut program = Program::start(id, words, settings)?;
    match program.hello() {
        Ok(hello) => Ok((program, hello)),
        Err(failure) if failure.what == What::Interrupted => Err(failure),
        // Whatever it did instead, there is no predictor.
        Err(failure) => Err(Failure {
            what: What::Broken,
            kind: kind::CANNOT_START.to_owned(),
            ..failure
        }),
    }
}

/// What is different in the hello of a fresh program.
fn difference(first: &Hello, fresh: &Hello) -> Option<String> {
    let expected =
        |what: &str, first: &str, fresh: &str| Some(format!("its {what} was `{first}` and is now `{fresh}`"));
    if first.name != fresh.name {
        return expected("name", &first.name, &fresh.name);
    }
    if first.fingerprint != fresh.fingerprint {
        let text = |hello: &Hello| hello.fingerprint.clone().unwrap_or_default();
        return expected("fingerprint", &text(first), &text(fresh));
    }
    (first.wants != fresh.wants).then(|| "it wants to be told otherwise than before".to_owned())
}

impl fmt::Debug for ExternalSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExternalSetup")
            .field("id", &self.id())
            .field("hello", &self.0.hello)
            .field("activity", &self.activity())
            .finish_non_exhaustive()
    }
}

//! Actions the user plans to do, with what the engine needs to know of each worked out at most once.

use std::cell::OnceCell;
use std::rc::Rc;

use napsim_trajectories::{Action, RangeError};

use crate::engine::Prepared;
use crate::fingerprint::Fingerprint;

/// An action of the current sequence. It stays a typed object: printing and reading back loses flags and types (Q40).
#[derive(Debug)]
pub struct Planned {
    /// The action.
    pub action: Action,
    text: OnceCell<String>,
    fingerprint: OnceCell<Result<Fingerprint, RangeError>>,
    prepared: OnceCell<Option<Rc<Prepared>>>,
}

impl Planned {
    /// Plans an action.
    pub fn new(action: Action) -> Rc<Self> {
        Rc::new(Self {
            action,
            text: OnceCell::new(),
            fingerprint: OnceCell::new(),
            prepared: OnceCell::new(),
        })
    }

    /// Plans several actions.
    pub fn all(actions: impl IntoIterator<Item = Action>) -> Vec<Rc<Self>> {
        actions.into_iter().map(Self::new).collect()
    }

    /// Canonical text.
    pub fn text(&self) -> &str {
        self.text.get_or_init(|| self.action.to_string())
    }

    /// What the action writes.
    ///
    /// # Errors
    /// [`RangeError`] when its range cannot be walked over.
    pub fn fingerprint(&self) -> Result<&Fingerprint, RangeError> {
        self.fingerprint
            .get_or_init(|| Fingerprint::of(&self.action))
            .as_ref()
            .map_err(|error| *error)
    }

    /// What the fast engine made of the action, in the one rollout that it is planned in.
    pub(crate) fn prepared_cell(&self) -> &OnceCell<Option<Rc<Prepared>>> {
        &self.prepared
    }
}

/// Canonical texts of planned actions.
pub fn texts(planned: &[Rc<Planned>]) -> Vec<String> {
    planned.iter().map(|planned| planned.text().to_owned()).collect()
}

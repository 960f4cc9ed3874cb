//! A film: one recorded rollout with the sheets, the proposals and the futures at each step, told as differences.
//!
//! A film is made by doing the rollout anew with the recorded answers, which needs neither the predictor nor the corpus.
//! As JSON it is what `assets/viewer.js` draws; the keys are short because they occur a hundred thousand times. The head
//! of that file has them in a table.

mod board;
pub(crate) mod change;
pub(crate) mod dictionary;
mod future;
mod look;
mod pack;
mod shoot;
pub(crate) mod step;
pub(crate) mod widths;

use napsim_reports::record::UnitRecord;
use napsim_reports::replay::{ReplayError, measured_actions, replay_into};
use napsim_sim::event::Summary;
use napsim_sim::policy::AcceptancePolicy;
use napsim_sim::protocol::Protocol;
use serde::Serialize;

use dictionary::Dictionaries;
pub use look::{Line, Look};
pub use pack::packed;
use shoot::{Bound, Shoot};
use step::Step;

/// The version of the JSON that the viewer draws.
const VERSION: u32 = 1;

/// One recorded rollout, step by step.
#[derive(Clone, Debug, Serialize)]
pub struct Film {
    #[serde(rename = "v")]
    version: u32,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<String>,
    run: Run,
    end: End,
    #[serde(flatten)]
    pub(crate) names: Dictionaries,
    /// Widths of the columns of each sheet, in pixels.
    pub(crate) widths: Vec<Vec<u32>>,
    /// Numbers of the actions of the trajectory.
    start: Vec<u32>,
    bounds: Vec<Bound>,
    pub(crate) steps: Vec<Step>,
    /// Changed cells that are left out, because no spreadsheet program has room for them.
    #[serde(skip_serializing_if = "is_zero")]
    outside: u64,
}

/// What was measured.
#[derive(Clone, Debug, Serialize)]
struct Run {
    predictor: String,
    policy: String,
    mode: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<String>,
    protocol: String,
}

/// What the rollout came to.
#[derive(Clone, Debug, Serialize)]
struct End {
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    actions: u32,
    user_steps: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    uas: Option<f64>,
    predictions: u32,
    accepted: u32,
    empty: u32,
    errors: u32,
    undo: u32,
    remaining: usize,
}

/// Why a record has no film.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FilmError {
    /// The record does not hold the trajectory that was measured.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// Only the end of the rollout was recorded.
    #[error("replay the rollout: it was lost to a mistake in the program, and only its end was recorded")]
    Lost,
    /// What comes out is not what was recorded, so the film would show something else than was measured.
    #[error("replay the rollout: event {} does not come out as recorded", .event_idx + 1)]
    Different {
        /// Index of the first event that differs, from 0.
        event_idx: usize,
    },
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Film {
    /// The film of a recorded rollout under the policy and the protocol that it was measured with.
    ///
    /// # Errors
    /// [`FilmError`] where the rollout does not come out as recorded.
    pub fn of(record: &UnitRecord, policy: &dyn AcceptancePolicy, protocol: &Protocol) -> Result<Self, FilmError> {
        if record.seal.lost {
            return Err(FilmError::Lost);
        }
        let trajectory = measured_actions(record)?;
        let mut shoot = Shoot::new(&trajectory, &record.events);
        replay_into(record, policy, protocol, &mut shoot)?;
        let shot = shoot.finish()?;
        let (header, setup) = (&record.header.trajectory, &record.header.setup);
        Ok(Self {
            version: VERSION,
            name: header.name.clone(),
            title: header.title.clone(),
            about: header.description.clone(),
            run: Run {
                predictor: setup.predictor.clone(),
                policy: setup.policy.clone(),
                mode: setup.mode.name(),
                context: setup.context.map(|context| context.to_string()),
                protocol: setup.protocol.clone(),
            },
            end: End::of(&record.summary),
            names: shot.names,
            widths: shot.widths,
            start: shot.start,
            bounds: shot.bounds,
            steps: shot.steps,
            outside: shot.n_outside,
        })
    }

    /// The name of the trajectory.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The heading of the trajectory for people, if it has one.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// How many steps there are, the end included.
    pub fn n_steps(&self) -> usize {
        self.steps.len()
    }

    /// The film as JSON for the viewer. Texts in it are as they were found; whoever puts it into a page packs it
    /// ([`packed`](Self::packed)) or escapes it.
    pub fn json(&self) -> String {
        // Texts and numbers always are JSON, and all keys are texts.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The film for a data block of a page: base64 of the compressed JSON, which is safe as it stands.
    pub fn packed(&self) -> String {
        packed(&self.json())
    }
}

impl End {
    fn of(summary: &Summary) -> Self {
        Self {
            outcome: summary.outcome.name(),
            error: summary.error.clone(),
            actions: summary.actions,
            user_steps: summary.user_steps,
            uas: summary.uas,
            predictions: summary.predictions,
            accepted: summary.accepted,
            empty: summary.empty,
            errors: summary.errors,
            undo: summary.undo_actions,
            remaining: summary.remaining.len(),
        }
    }
}

#[cfg(test)]
mod tests;

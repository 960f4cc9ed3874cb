//! A film: one recorded rollout with the sheets, the proposals and the futures at each step, told as differences.
//!
//! A film is made by doing the rollout anew with the recorded answers, which needs neither the predictor nor the corpus.
//! As JSON it is what `assets/viewer.js` draws; keys are short because they occur a hundred thousand times:
//!
//! - `v` version; `name`, `title`, `about`; `run` and `end`: what was measured and what it came to;
//! - `sheets` names; `extents` last row and column by sheet; `widths` of the columns by sheet;
//! - `looks` (see [`Look`]); `shown`: text, kind `n`umber, `t`ext, `b`oolean or `f`ormula, content if it is another text,
//!   colour; `actions`: text, kind, sheet, range; number 0 of looks and of what is shown is the empty cell's;
//! - `start`: numbers of the trajectory's actions; `bounds` of the policy: metric, sign, bound;
//! - `steps`, each with its kind under `k`, see `film/step.rs` and `film/change.rs`.

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
    /// Last row and last column of each sheet that anything changes or would change.
    pub(crate) extents: Vec<[u32; 2]>,
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
            extents: extents(&shot.steps, shot.names.sheets.values().len()),
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

    /// What the rollout came to, in a sentence.
    pub(crate) fn conclusion(&self) -> String {
        let End {
            outcome,
            actions,
            user_steps,
            ..
        } = self.end;
        let saved = self.end.uas.map(|uas| format!(", {:.1} % saved", 100.0 * uas));
        let ended = if outcome == "complete" { "" } else { outcome };
        let words = [
            ended,
            &format!(
                "{user_steps} of {actions} actions by the user{}",
                saved.unwrap_or_default()
            ),
        ];
        words.join(" ").trim().to_owned()
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

/// Last row and last column of each sheet that the changes of some steps have to do with.
fn extents(steps: &[Step], n_sheets: usize) -> Vec<[u32; 2]> {
    let mut extents = vec![[0, 0]; n_sheets];
    for change in steps.iter().flat_map(Step::changes) {
        let place = usize::try_from(change.sheet)
            .ok()
            .and_then(|sheet| extents.get_mut(sheet));
        if let (Some([last_row, last_col]), [row, col]) = (place, change.extent()) {
            *last_row = row.max(*last_row);
            *last_col = col.max(*last_col);
        }
    }
    extents
}

#[cfg(test)]
pub(crate) mod tests;

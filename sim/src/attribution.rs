//! Who did what: the executed sequence with the source of every action (spec chapter 02, section 14.4).

use serde::{Deserialize, Serialize};

use crate::event::Event;

/// Where an action of the executed sequence comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The user carried it out.
    User,
    /// An accepted prediction did it.
    Predicted,
    /// An undo action that an accepted prediction made necessary; the user carries it out later (Q7).
    Undo,
    /// It was left when the rollout ended.
    Remaining,
}

/// One action with its source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attributed {
    /// Where it comes from.
    pub source: Source,
    /// Canonical text.
    pub action: String,
    /// The user step, or the index of the prediction; none for what remained.
    pub step: Option<u32>,
}

/// The executed sequence of a rollout, from its events. Undo actions stand where they were added and again where the
/// user carried them out.
pub fn attribute(events: &[Event]) -> Vec<Attributed> {
    let mut attributed = Vec::new();
    let mut push = |source, actions: &[String], step| {
        attributed.extend(actions.iter().map(|action| Attributed {
            source,
            action: action.clone(),
            step,
        }));
    };
    for event in events {
        match event {
            Event::UserStep(step) => push(Source::User, std::slice::from_ref(&step.action), Some(step.user_steps)),
            Event::Prediction(prediction) if prediction.accepted => {
                push(
                    Source::Predicted,
                    &prediction.predicted,
                    Some(prediction.prediction_idx),
                );
                push(Source::Undo, &prediction.undo, Some(prediction.prediction_idx));
            }
            Event::End(summary) => push(Source::Remaining, &summary.remaining, None),
            _ => {}
        }
    }
    attributed
}

//! The course of one trajectory: what was left to do after each action of the user, and what became of each call.

mod text;

use napsim_reports::record::UnitRecord;
use napsim_sim::event::{Event, Outcome};
use serde::Serialize;

use crate::csv_rows::CsvRows;

pub use text::text;

/// The course of one trajectory. The manual line, for comparison, goes from (0, actions) to (actions, 0).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Progress {
    /// Name of the trajectory.
    pub name: String,
    /// Actions of the trajectory.
    pub actions: u32,
    /// Actions that the user carried out.
    pub user_steps: u32,
    /// How the rollout ended.
    pub outcome: Outcome,
    /// Share of user actions saved; absent where it has no meaning.
    pub uas: Option<f64>,
    /// What was left to do, beginning with (0, actions): a point for each user action and each accepted prediction.
    pub curve: Vec<CurvePoint>,
    /// What became of each call of the predictor, in order.
    pub marks: Vec<Mark>,
}

/// What was left to do at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CurvePoint {
    /// Actions that the user has carried out.
    pub user_steps: u32,
    /// Actions left to do.
    pub left: u32,
}

/// What became of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Mark {
    /// Actions that the user had carried out.
    pub user_steps: u32,
    /// Actions left to do afterwards.
    pub left: u32,
    /// What became of it.
    pub answer: Answer,
    /// The prediction, counted from 1; absent where nothing was proposed.
    pub prediction_idx: Option<u32>,
    /// User actions saved by it, or that would have been.
    pub ops_saved: i64,
}

/// What became of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// A prediction was accepted.
    Accepted,
    /// A prediction was rejected.
    Rejected,
    /// A prediction was accepted, could not be carried out and was taken back.
    Diverged,
    /// Nothing was suggested.
    Empty,
    /// The predictor failed.
    Failed,
}

impl Answer {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Accepted,
        Self::Rejected,
        Self::Diverged,
        Self::Empty,
        Self::Failed,
    ];

    /// In words.
    pub fn label(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::Diverged => "taken back",
            Self::Empty => "no suggestion",
            Self::Failed => "failed",
        }
    }
}

impl Progress {
    /// The course that a record tells.
    pub fn of(record: &UnitRecord) -> Self {
        let summary = &record.summary;
        let mut course = Self {
            name: summary.name.clone(),
            actions: summary.actions,
            user_steps: summary.user_steps,
            outcome: summary.outcome,
            uas: summary.uas,
            curve: vec![CurvePoint {
                user_steps: 0,
                left: summary.actions,
            }],
            marks: Vec::new(),
        };
        let mut left = summary.actions;
        let mut diverges = false;
        for event in &record.events {
            let (user_steps, answer, prediction) = match event {
                Event::UserStep(step) => {
                    left = step.future;
                    course.curve.push(CurvePoint {
                        user_steps: step.user_steps,
                        left,
                    });
                    continue;
                }
                Event::Empty(call) => (call.user_steps, Answer::Empty, None),
                Event::Error(call) => (call.user_steps, Answer::Failed, None),
                Event::Divergence(_) => {
                    diverges = true;
                    continue;
                }
                Event::Prediction(prediction) => {
                    let answer = match (prediction.accepted, std::mem::take(&mut diverges)) {
                        (true, _) => Answer::Accepted,
                        (false, true) => Answer::Diverged,
                        (false, false) => Answer::Rejected,
                    };
                    (prediction.user_steps, answer, Some(prediction))
                }
                Event::End(_) => continue,
            };
            if answer == Answer::Accepted {
                left = prediction
                    .and_then(|prediction| prediction.future_after)
                    .unwrap_or(left);
                course.curve.push(CurvePoint { user_steps, left });
            }
            course.marks.push(Mark {
                user_steps,
                left,
                answer,
                prediction_idx: prediction.map(|prediction| prediction.prediction_idx),
                ops_saved: prediction.map_or(0, |prediction| prediction.metrics.ops_saved),
            });
        }
        course
    }

    /// The same with at most about so many points of the curve: first, last and every k-th stay. Marks stay as they are.
    #[must_use]
    pub fn thinned(mut self, points_max: usize) -> Self {
        let step = self.curve.len().div_ceil(points_max.max(1)).max(1);
        let last = self.curve.len().saturating_sub(1);
        let mut idx = 0;
        self.curve.retain(|_| {
            let stays = idx % step == 0 || idx == last;
            idx += 1;
            stays
        });
        self
    }

    /// How much was left to do after each of `n` equal shares of the manual work, as shares of the trajectory: the curve
    /// for a sparkline. The manual line would go down evenly.
    pub fn shares_left(&self, n: u32) -> Vec<f64> {
        let share = |(_, left): (u32, u32)| f64::from(left) / f64::from(self.actions.max(1));
        self.sampled(n).into_iter().map(share).collect()
    }

    /// How far the user was ahead of the manual line after each of `n` equal shares of the manual work, as shares of the
    /// trajectory; below zero where corrections are still to be made. It ends at the UAS of a complete rollout.
    pub fn shares_saved(&self, n: u32) -> Vec<f64> {
        let share = |(user_steps, left): (u32, u32)| {
            let done = f64::from(user_steps) + f64::from(left);
            (f64::from(self.actions) - done) / f64::from(self.actions.max(1))
        };
        self.sampled(n).into_iter().map(share).collect()
    }

    /// Where the curve is after each of `n` equal shares of the manual work; it stays at its end once it is there.
    fn sampled(&self, n: u32) -> Vec<(u32, u32)> {
        let mut points = self.curve.iter().peekable();
        let mut last = (0, self.actions);
        (0..=n)
            .map(|place| {
                let until = u64::from(self.actions) * u64::from(place) / u64::from(n.max(1));
                while let Some(point) = points.next_if(|point| u64::from(point.user_steps) <= until) {
                    last = (point.user_steps, point.left);
                }
                last
            })
            .collect()
    }

    /// The curve as a table.
    pub fn curve_csv(&self) -> CsvRows {
        let mut rows = CsvRows::new(&["trajectory", "user_steps", "left"]);
        for point in &self.curve {
            rows.push([self.name.as_str().into(), point.user_steps.into(), point.left.into()]);
        }
        rows
    }

    /// The calls as a table.
    pub fn marks_csv(&self) -> CsvRows {
        let header = [
            "trajectory",
            "user_steps",
            "left",
            "answer",
            "prediction_idx",
            "ops_saved",
        ];
        let mut rows = CsvRows::new(&header);
        for mark in &self.marks {
            rows.push([
                self.name.as_str().into(),
                mark.user_steps.into(),
                mark.left.into(),
                mark.answer.label().into(),
                mark.prediction_idx.into(),
                mark.ops_saved.into(),
            ]);
        }
        rows
    }
}

#[cfg(test)]
mod tests;

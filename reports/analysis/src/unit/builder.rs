//! From events to counts.

use std::collections::BTreeMap;

use napsim_reports::RunSetup;
use napsim_reports::record::UnitHeader;
use napsim_sim::event::{Event, Prediction, Summary};

use super::{KindCounts, UnitAnalysis};
use crate::by::{N_SCALES, Step, places};
use crate::confidence::{self, Levels};
use crate::errors::ErrorCounts;
use crate::kind::Kind;
use crate::left_to_do::LeftToDo;
use crate::lines::Line;
use crate::number::count;
use crate::streaks::StreakBuilder;
use crate::tally::{Tallies, Tally};
use crate::work::{Work, WorkBuilder};

/// Takes the events of one record in order and keeps counts of them.
#[derive(Clone, Debug)]
pub struct Builder {
    setup: RunSetup,
    n_actions: u32,
    left: LeftToDo,
    last_step: Option<Step>,
    all: Tally,
    scales: [Tallies; N_SCALES],
    levels: Levels,
    kinds: KindCounts,
    errors: ErrorCounts,
    streaks: StreakBuilder,
    undo: BTreeMap<String, u64>,
    manual: Work,
    assisted: WorkBuilder,
}

impl Builder {
    /// Nothing seen yet of the rollout that begins with that header.
    pub fn new(header: &UnitHeader) -> Self {
        let lines = &header.trajectory.lines;
        let mut kinds = KindCounts::default();
        let mut manual = WorkBuilder::default();
        for line in lines {
            kinds.truth.add(Kind::of_text(line).place(), 1);
            manual.step(line);
        }
        Self {
            setup: header.setup.clone(),
            n_actions: u32::try_from(lines.len()).unwrap_or(u32::MAX),
            left: LeftToDo::of(&header.trajectory),
            last_step: None,
            all: Tally::default(),
            scales: Default::default(),
            levels: Levels::new(),
            kinds,
            errors: ErrorCounts::default(),
            streaks: StreakBuilder::default(),
            undo: BTreeMap::new(),
            manual: manual.finish(),
            assisted: WorkBuilder::default(),
        }
    }

    /// Takes the next event.
    pub fn see(&mut self, event: &Event) {
        match event {
            Event::UserStep(step) => {
                self.left.remove(&step.action);
                self.assisted.step(&step.action);
                self.streaks.user_step();
                self.last_step = Some(Step::of(&step.action));
            }
            Event::Empty(call) => self.errors.add_invalid(count(call.rejected.len())),
            Event::Error(_) => self.streaks.failed_call(),
            Event::Prediction(prediction) => self.prediction(prediction),
            Event::Divergence(_) => self.streaks.divergence(),
            Event::End(_) => {}
        }
    }

    fn prediction(&mut self, prediction: &Prediction) {
        let tally = Tally::of(prediction);
        self.all.add(&tally);
        let places = places(prediction, self.n_actions, self.last_step.as_ref());
        for (scale, place) in self.scales.iter_mut().zip(places) {
            scale.add(place, &tally);
        }
        if let Some(confidence) = prediction.confidence {
            confidence::add(&mut self.levels, confidence, &tally);
        }
        self.errors.add(prediction, &self.left);
        let [kind, trigger, ..] = places;
        self.streaks.prediction(prediction.accepted, kind, trigger);
        self.assisted.prediction(prediction);
        let proposed = if prediction.accepted {
            &mut self.kinds.accepted
        } else {
            &mut self.kinds.rejected
        };
        for action in &prediction.predicted {
            proposed.add(Kind::of_text(action).place(), 1);
        }
        if prediction.accepted {
            self.accepted(prediction);
        }
    }

    fn accepted(&mut self, prediction: &Prediction) {
        for action in &prediction.removed {
            self.kinds.removed.add(Kind::of_text(action).place(), 1);
            self.left.remove(action);
        }
        for action in &prediction.undo {
            self.kinds.undo.add(Kind::of_text(action).place(), 1);
            *self.undo.entry(Line::of(action).keyword.to_owned()).or_default() += 1;
            self.left.add(action);
        }
    }

    /// What is kept of the rollout that ended so.
    pub fn finish(self, summary: &Summary) -> UnitAnalysis {
        UnitAnalysis {
            setup: self.setup,
            summary: Summary {
                remaining: Vec::new(),
                ..summary.clone()
            },
            all: self.all,
            scales: self.scales,
            levels: self.levels,
            kinds: self.kinds,
            errors: self.errors,
            streaks: self.streaks.finish(summary),
            undo: self.undo,
            manual: self.manual,
            assisted: self.assisted.finish(),
        }
    }
}

#[cfg(test)]
mod tests;

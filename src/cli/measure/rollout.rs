//! One rollout, with everyone who takes note of it.

use std::time::Instant;

use napsim_reports::calls::CallLog;
use napsim_reports::record::UnitWriter;
use napsim_reports::times::RolloutTime;
use napsim_reports::{Coverage, Latencies, UnitResult};
use napsim_sim::event::{Event, EventSink, Stage, Summary};
use napsim_sim::rollout::{Task, rollout_with};
use napsim_sim::settings::Settings;
use napsim_trajectories::Trajectory;

use super::progress::UnitProgress;
use super::timed::TimedPredictor;
use super::variant::Variant;

/// What is rolled out.
#[derive(Clone, Copy)]
pub(in crate::cli) struct Rollout<'a> {
    pub(in crate::cli) variant: &'a Variant,
    /// Those of the variant, but for the seed of a repeat.
    pub(in crate::cli) settings: &'a Settings,
    pub(in crate::cli) trajectory: &'a Trajectory,
}

/// What a rollout came to, with the record still to be completed.
pub(in crate::cli) struct Measured {
    pub(in crate::cli) result: UnitResult,
    pub(in crate::cli) writer: Option<UnitWriter>,
    pub(in crate::cli) log: Option<String>,
    pub(in crate::cli) latencies: Latencies,
    time: RolloutTime,
    start: Instant,
    end: Instant,
}

impl Measured {
    /// Where the time went, with what has passed since the end of the rollout as part of taking note.
    pub(in crate::cli) fn time(&self) -> RolloutTime {
        RolloutTime {
            record_s: self.time.record_s + self.end.elapsed().as_secs_f64(),
            total_s: self.start.elapsed().as_secs_f64(),
            ..self.time
        }
    }
}

impl<'a> Rollout<'a> {
    /// Lets the predictor propose from the first action to the last; none where the rollout `broke_off`, which is asked in
    /// the end, because of something that has nothing to do with it.
    pub(in crate::cli) fn measure(
        self,
        predictor: &mut TimedPredictor,
        start: Instant,
        writer: Option<UnitWriter>,
        log: Option<CallLog<'a>>,
        progress: UnitProgress<'a>,
        broke_off: impl FnOnce(&Summary) -> bool,
    ) -> Option<Measured> {
        let mut sink = UnitSink {
            writer,
            coverage: self.trajectory.predictable.as_ref().map(Coverage::new),
            log,
            progress,
            seconds: 0.0,
            stages: StageTimes::default(),
        };
        let task = Task {
            name: &self.trajectory.name,
            actions: &self.trajectory.actions,
            policy: &self.variant.policy,
            protocol: &self.variant.protocol,
            settings: self.settings,
        };
        let starting_s = start.elapsed().as_secs_f64();
        let summary = rollout_with(self.variant.engine, task, predictor, &mut sink);
        if broke_off(&summary) {
            return None;
        }
        sink.progress.finish();
        let end = Instant::now();
        let coverage = sink.coverage.map(|coverage| coverage.counts());
        Some(Measured {
            result: UnitResult { summary, coverage },
            writer: sink.writer,
            log: sink.log.map(CallLog::into_text),
            latencies: predictor.latencies().clone(),
            time: RolloutTime {
                prediction: predictor.time(),
                score_s: sink.stages.score_s,
                rewrite_s: sink.stages.rewrite_s,
                record_s: starting_s + sink.seconds,
                total_s: 0.0,
            },
            start,
            end,
        })
    }
}

/// Everyone who takes note of a rollout's events.
struct UnitSink<'a> {
    writer: Option<UnitWriter>,
    coverage: Option<Coverage<'a>>,
    log: Option<CallLog<'a>>,
    progress: UnitProgress<'a>,
    /// Time spent in taking note.
    seconds: f64,
    stages: StageTimes,
}

/// What the engine spends on its two great tasks.
#[derive(Default)]
struct StageTimes {
    /// The stage that is on, and since when.
    since: Option<(Stage, Instant)>,
    score_s: f64,
    rewrite_s: f64,
}

impl StageTimes {
    fn turn_to(&mut self, stage: Stage) {
        let now = Instant::now();
        if let Some((before, since)) = self.since.replace((stage, now)) {
            let seconds = (now - since).as_secs_f64();
            match before {
                Stage::Score => self.score_s += seconds,
                Stage::Rewrite => self.rewrite_s += seconds,
                Stage::Rest => {}
            }
        }
    }
}

impl EventSink for UnitSink<'_> {
    fn event(&mut self, event: Event) {
        let start = Instant::now();
        if let Some(writer) = &mut self.writer {
            writer.see(&event);
        }
        if let Some(coverage) = &mut self.coverage {
            coverage.see(&event);
        }
        if let Some(log) = &mut self.log {
            log.see(&event);
        }
        self.progress.see(&event);
        drop(event);
        self.seconds += start.elapsed().as_secs_f64();
    }

    fn stage(&mut self, stage: Stage) {
        self.stages.turn_to(stage);
    }
}

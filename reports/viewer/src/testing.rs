//! Records made up for tests.

use std::rc::Rc;

use napsim_reports::record::{Seal, UnitHeader, UnitRecord};
use napsim_reports::setup::{ContextLength, Mode, RunSetup};
use napsim_sim::event::{Event, EventSink, Judged};
use napsim_sim::plan::{Planned, texts};
use napsim_sim::policy::{AcceptancePolicy, Check, Comparison, Evidence, Metric, Verdict};
use napsim_sim::predictor::{
    Budget, Fingerprint, PredictError, Predictor, Proposals, Seed, TrajectoryHead, Usage, View,
};
use napsim_sim::protocol::Protocol;
use napsim_sim::rollout::{Task, rollout};
use napsim_trajectories::{Action, SourceLine, Trajectory};

/// Takes what saves as many actions.
pub(crate) struct Saves(pub(crate) i64);

impl AcceptancePolicy for Saves {
    fn id(&self) -> &str {
        "saves"
    }

    fn decide(&self, evidence: &Evidence) -> Verdict {
        let accepted = evidence.saved >= self.0;
        #[expect(clippy::cast_precision_loss, reason = "small numbers")]
        let check = Check {
            metric: Metric::Saved,
            value: evidence.saved as f64,
            comparison: Comparison::AtLeast,
            bound: self.0 as f64,
            passed: accepted,
        };
        Verdict {
            accepted,
            checks: vec![check],
        }
    }
}

/// Answers each call as the function says.
struct Scripted<F>(F);

impl<F: FnMut(View<'_>, &mut Proposals) -> Result<Usage, PredictError> + Send> Predictor for Scripted<F> {
    fn fingerprint(&self) -> Fingerprint {
        Fingerprint("scripted".to_owned())
    }

    fn begin(&mut self, _head: TrajectoryHead<'_>, _seed: Seed) {}

    fn observe(&mut self, _actions: &[Action]) {}

    fn predict(&mut self, view: View<'_>, _budget: Budget, out: &mut Proposals) -> Result<Usage, PredictError> {
        (self.0)(view, out)
    }
}

/// The record of a rollout, and what a sink hears of it.
pub(crate) fn record_with(
    actions: &[Action],
    policy: &Saves,
    mode: Mode,
    answer: impl FnMut(View<'_>, &mut Proposals) -> Result<Usage, PredictError> + Send,
    sink: &mut Heard,
) -> UnitRecord {
    let setup = RunSetup {
        protocol: "nape-1".to_owned(),
        corpus: "made up".to_owned(),
        predictor: "scripted".to_owned(),
        fingerprint: Fingerprint("scripted".to_owned()),
        policy: "saves".to_owned(),
        mode,
        context: Some(ContextLength::ALL),
        settings: mode.settings(),
    };
    let line = |(line_no, action): (u64, &Action)| SourceLine {
        line_no,
        text: action.to_string(),
    };
    let trajectory = Trajectory {
        name: "made-up".to_owned(),
        title: Some("Made up".to_owned()),
        description: None,
        actions: actions.to_vec(),
        lines: (1..).zip(actions).map(line).collect(),
        predictable: None,
    };
    let task = Task {
        name: &trajectory.name,
        actions,
        policy,
        protocol: &Protocol::NAPE_1,
        settings: &setup.settings,
    };
    let summary = rollout(task, &mut Scripted(answer), sink);
    UnitRecord {
        header: UnitHeader::new(&setup, &trajectory, "0.1.0"),
        events: sink.events.clone(),
        summary,
        seal: Seal {
            events: u64::try_from(sink.events.len()).unwrap_or(u64::MAX),
            coverage: None,
            lost: false,
            sha256: String::new(),
        },
        intact: true,
    }
}

/// What a sink hears: the events, the actions that became history by the end of each, and the futures if accepted.
#[derive(Default)]
pub(crate) struct Heard {
    pub(crate) events: Vec<Event>,
    pub(crate) history: Vec<Action>,
    pub(crate) n_history: Vec<usize>,
    pub(crate) after: Vec<Option<Vec<String>>>,
    next: Option<Action>,
    predicted: Vec<Action>,
    rewritten: Option<Vec<String>>,
}

impl EventSink for Heard {
    fn event(&mut self, event: Event) {
        match &event {
            Event::UserStep(_) => self.history.extend(self.next.take()),
            Event::Prediction(prediction) if prediction.accepted => self.history.append(&mut self.predicted),
            _ => {}
        }
        let is_prediction = matches!(event, Event::Prediction(_));
        self.after.push(self.rewritten.take().filter(|_| is_prediction));
        self.n_history.push(self.history.len());
        self.events.push(event);
    }

    fn wants_actions(&self) -> bool {
        true
    }

    fn user_action(&mut self, planned: &Rc<Planned>) {
        self.next = Some(planned.action.clone());
    }

    fn judged(&mut self, judged: Judged<'_>) {
        self.predicted = judged.predicted.iter().map(|planned| planned.action.clone()).collect();
        self.rewritten = judged.after.map(texts);
    }
}

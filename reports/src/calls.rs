//! The log of calls (`--log-calls`): one JSON object a line, in the field names of the published logs.

use napsim_sim::event::{Event, Metrics, Prediction, Summary};
use serde::Serialize;

use crate::aggregate::acceptance_rate;
use crate::setup::{ContextLength, RunSetup};

/// The log of one rollout's calls: the setting, every call, and a summary.
#[derive(Clone, Debug)]
pub struct CallLog<'a> {
    /// Name of the trajectory where the log is of several.
    trajectory: Option<&'a str>,
    text: String,
}

/// The first line.
#[derive(Serialize)]
struct Setting<'a> {
    setting: &'a str,
    trajectory: &'a str,
    initial: u32,
    policy: &'a str,
    stride: u32,
    repredict: bool,
    max_actions: Option<u32>,
    context: Option<u32>,
    step_limit: Option<u32>,
}

/// The line of a call.
#[derive(Serialize)]
struct Call<'a, T> {
    #[serde(skip_serializing_if = "Option::is_none")]
    trajectory: Option<&'a str>,
    kind: &'static str,
    #[serde(flatten)]
    content: T,
}

/// A call without a suggestion, or one that failed.
#[derive(Serialize)]
struct Unanswered<'a> {
    t: u32,
    user_steps: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
    /// The kind of failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<&'a str>,
}

/// A proposal and what became of it.
#[derive(Serialize)]
struct Proposed<'a> {
    t: u32,
    user_steps: u32,
    predicted: &'a [String],
    metrics: &'a Metrics,
    accepted: bool,
    gt_len_after: Option<u32>,
    future_before: u32,
    future_after: Option<u32>,
    removed: usize,
    inverse: usize,
    future_sha: Option<&'a str>,
}

/// The last line.
#[derive(Serialize)]
struct End {
    user_steps: u32,
    uas: Option<f64>,
    predictions: u32,
    accepted: u32,
    rejected: u32,
    ar: Option<f64>,
    tp: u32,
    fp: u32,
    #[serde(rename = "fn")]
    missing: u32,
    mm: u32,
    ops_saved: i64,
    inverse: u32,
    dedup: u32,
    final_length: u32,
    ufas: i64,
    formatting: u32,
    user_formatting: u32,
    step_limit_reached: bool,
}

impl<'a> CallLog<'a> {
    /// A log that begins with the setting. Where it is one of several, each line names the trajectory.
    pub fn new(setup: &RunSetup, trajectory: &'a str, n_actions: u32, several: bool) -> Self {
        let settings = &setup.settings;
        let context = match setup.context {
            Some(ContextLength::Last(n)) => Some(n),
            Some(ContextLength::All(_)) | None => None,
        };
        let mut log = Self {
            trajectory: several.then_some(trajectory),
            text: String::new(),
        };
        log.line(&Setting {
            setting: &setup.predictor,
            trajectory,
            initial: n_actions,
            policy: &setup.policy,
            stride: settings.stride,
            repredict: settings.repredict,
            max_actions: settings.actions_max,
            context,
            step_limit: settings.step_limit.for_length(n_actions),
        });
        log
    }

    /// Takes note of an event.
    pub fn see(&mut self, event: &Event) {
        match event {
            Event::UserStep(_) | Event::Divergence(_) => {}
            Event::Empty(call) => {
                self.call(
                    "empty",
                    Unanswered {
                        t: call.t,
                        user_steps: call.user_steps,
                        message: None,
                        failure: None,
                    },
                );
            }
            Event::Error(call) => {
                let content = Unanswered {
                    t: call.t,
                    user_steps: call.user_steps,
                    message: Some(&call.message),
                    failure: call.kind.as_deref(),
                };
                self.call("error", content);
            }
            Event::Prediction(prediction) => self.call("prediction", Proposed::new(prediction)),
            Event::End(summary) => self.call("summary", End::new(summary)),
        }
    }

    /// The lines so far, each with its line feed.
    pub fn into_text(self) -> String {
        self.text
    }

    fn call(&mut self, kind: &'static str, content: impl Serialize) {
        let trajectory = self.trajectory;
        self.line(&Call {
            trajectory,
            kind,
            content,
        });
    }

    fn line(&mut self, value: &impl Serialize) {
        // Every value here has texts as keys and can be written.
        self.text.push_str(&serde_json::to_string(value).unwrap_or_default());
        self.text.push('\n');
    }
}

impl<'a> Proposed<'a> {
    fn new(prediction: &'a Prediction) -> Self {
        Self {
            t: prediction.t,
            user_steps: prediction.user_steps,
            predicted: prediction.proposed(),
            metrics: &prediction.metrics,
            accepted: prediction.accepted,
            gt_len_after: prediction.sequence_after.filter(|_| prediction.accepted),
            future_before: prediction.future_before,
            future_after: prediction.future_after,
            removed: prediction.removed.len(),
            inverse: prediction.undo.len(),
            future_sha: prediction.future_sha.as_deref(),
        }
    }
}

impl End {
    fn new(summary: &Summary) -> Self {
        Self {
            user_steps: summary.user_steps,
            uas: summary.uas,
            predictions: summary.predictions,
            accepted: summary.accepted,
            rejected: summary.rejected,
            ar: acceptance_rate(summary),
            tp: summary.counts.tp,
            fp: summary.counts.fp,
            missing: summary.counts.missing,
            mm: summary.counts.mm,
            ops_saved: summary.ops_saved,
            inverse: summary.undo_actions,
            dedup: summary.removed_actions,
            final_length: summary.final_length,
            ufas: i64::from(summary.formatting_actions) - i64::from(summary.user_formatting_steps),
            formatting: summary.formatting_actions,
            user_formatting: summary.user_formatting_steps,
            step_limit_reached: summary.step_limit_reached,
        }
    }
}

#[cfg(test)]
mod tests {
    use napsim_sim::event::EmptyCall;
    use napsim_sim::predictor::Usage;

    use super::*;
    use crate::fixtures::{setup, summary};

    fn log(several: bool) -> String {
        let setup = setup();
        let mut log = CallLog::new(&setup, "t", 80, several);
        log.see(&Event::Empty(EmptyCall {
            t: 1,
            user_steps: 1,
            rejected: Vec::new(),
            remarks: None,
            usage: Usage::default(),
        }));
        let prediction = Prediction {
            t: 5,
            user_steps: 4,
            predicted: vec!["MERGE | Sheet1!A2:G2 | true".to_owned()],
            accepted: true,
            sequence_after: Some(80),
            future_before: 76,
            future_after: Some(75),
            removed: vec!["x".to_owned()],
            future_sha: Some("12f60dbc6e2a8ef1".to_owned()),
            ..Prediction::default()
        };
        log.see(&Event::Prediction(Box::new(prediction)));
        log.see(&Event::End(Box::new(summary("t", 80, 77))));
        log.into_text()
    }

    #[test]
    fn lines_have_the_field_names_of_the_published_logs() {
        insta::assert_snapshot!(log(false), @r#"
        {"setting":"online-ngram","trajectory":"t","initial":80,"policy":"greedy","stride":1,"repredict":true,"max_actions":1,"context":null,"step_limit":96}
        {"kind":"empty","t":1,"user_steps":1}
        {"kind":"prediction","t":5,"user_steps":4,"predicted":["MERGE | Sheet1!A2:G2 | true"],"metrics":{"exact_matches":0,"correct_op_wrong_range":0,"wrong_op":0,"tp":0,"fp":0,"fn":0,"mm":0,"precision":0.0,"recall":0.0,"ops_saved":0,"lookahead_matches":0,"lookahead_accuracy":0.0,"undo_gain_from_final_state":0,"undo_gain_from_dedup":0,"undo_inverse_ops":0,"undo_net_ops_saved":0},"accepted":true,"gt_len_after":80,"future_before":76,"future_after":75,"removed":1,"inverse":0,"future_sha":"12f60dbc6e2a8ef1"}
        {"kind":"summary","user_steps":77,"uas":0.0375,"predictions":0,"accepted":0,"rejected":0,"ar":null,"tp":0,"fp":0,"fn":0,"mm":0,"ops_saved":0,"inverse":0,"dedup":0,"final_length":80,"ufas":0,"formatting":0,"user_formatting":0,"step_limit_reached":false}
        "#);
    }

    #[test]
    fn lines_of_several_trajectories_name_theirs() {
        let text = log(true);
        assert_eq!(
            text.lines()
                .filter(|line| line.contains("\"trajectory\":\"t\""))
                .count(),
            4
        );
        assert_eq!(
            text.lines().nth(1),
            Some(r#"{"trajectory":"t","kind":"empty","t":1,"user_steps":1}"#)
        );
    }
}

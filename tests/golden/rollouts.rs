//! Small whole rollouts with scripted predictions (spec 02, sections 2 and 14).

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use napsim_acceptance::{Policy, parse_policy};
use napsim_predictors::{Playback, RecordedCall};
use napsim_sim::attribution::{Source, attribute};
use napsim_sim::counts::ratio;
use napsim_sim::engine::Engine;
use napsim_sim::event::{Event, Outcome, Prediction, Summary};
use napsim_sim::policy::{AcceptancePolicy, Evidence, Metric, Verdict};
use napsim_sim::predictor::{
    Budget, Fingerprint, PredictError, Predictor, Proposals, Seed, TrajectoryHead, Usage, View,
};
use napsim_sim::protocol::Protocol;
use napsim_sim::rollout::{Task, rollout_with};
use napsim_sim::settings::{Settings, StepLimit};
use napsim_trajectories::{Action, Value};

use super::evaluation::{read_action, read_actions};
use super::vectors::{Vector, check_same, for_each_vector, int, object, texts};

/// The published system takes a proposal when any of several policies does and records the first one's checks.
pub(crate) struct AnyOf(pub(crate) Vec<Policy>);

impl AcceptancePolicy for AnyOf {
    fn id(&self) -> &str {
        self.0.first().map_or("", |policy| policy.id())
    }

    fn decide(&self, evidence: &Evidence) -> Verdict {
        let verdicts: Vec<Verdict> = self.0.iter().map(|policy| policy.decide(evidence)).collect();
        Verdict {
            accepted: verdicts.iter().any(|verdict| verdict.accepted),
            checks: verdicts
                .into_iter()
                .next()
                .map(|verdict| verdict.checks)
                .unwrap_or_default(),
        }
    }
}

/// The policy of a code name of the published system, whose `greedy` is not the paper's (Q36).
pub(crate) fn policy_of(code_name: &str) -> Result<Policy, String> {
    parse_policy(if code_name == "greedy" {
        "non-negative"
    } else {
        code_name
    })
    .map_err(|error| error.to_string())
}

/// Notes what a predictor is shown at each call.
struct Watched {
    inner: Playback,
    context: Option<usize>,
    calls: Arc<Mutex<Vec<Value>>>,
    history: Vec<String>,
}

impl Predictor for Watched {
    fn fingerprint(&self) -> Fingerprint {
        self.inner.fingerprint()
    }

    fn begin(&mut self, head: TrajectoryHead<'_>, seed: Seed) {
        self.inner.begin(head, seed);
    }

    fn observe(&mut self, actions: &[Action]) {
        self.history.extend(actions.iter().map(ToString::to_string));
    }

    fn predict(&mut self, view: View<'_>, budget: Budget, out: &mut Proposals) -> Result<Usage, PredictError> {
        // What was fed action by action must be the history that the view shows.
        let shown: Vec<String> = view.history.iter().map(ToString::to_string).collect();
        assert_eq!(self.history, shown);
        let last = shown.last().cloned().unwrap_or_default();
        let mut calls = self
            .calls
            .lock()
            .map_err(|error| PredictError::Fatal(error.to_string()))?;
        calls.push(object(vec![
            ("step_idx", int(shown.len())),
            ("user_step", int(view.user_steps)),
            (
                "context_len",
                int(self.context.map_or(shown.len(), |context| context.min(shown.len()))),
            ),
            ("last", Value::text(last)),
        ]));
        drop(calls);
        self.inner.predict(view, budget, out)
    }
}

const PREDICTION_FAILURE: &str = "!error";

fn read_call(value: &Value) -> Result<RecordedCall, String> {
    let owned_texts = |items: &[Value]| {
        items
            .iter()
            .filter_map(Value::as_text)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    match value {
        Value::Text(text) if &**text == "!runtime" => Ok(RecordedCall::Fatal(text.to_string())),
        Value::Text(text) => Ok(RecordedCall::Failed(text.to_string())),
        Value::List(items) => Ok(RecordedCall::Lines(owned_texts(items))),
        Value::Object(_) => {
            let meta = value.get("meta").ok_or("no `meta`")?;
            if let Some(Value::Text(reason)) = meta.get("error") {
                // An empty answer with an error behind it is a failed call here.
                return Ok(RecordedCall::Failed(reason.to_string()));
            }
            let mut proposed = match value.get("ops") {
                Some(Value::List(items)) => owned_texts(items),
                _ => Vec::new(),
            };
            if let Some(Value::List(failures)) = meta.get("parse_failures") {
                proposed.extend(
                    failures
                        .iter()
                        .filter_map(|failure| failure.get("symbolic")?.as_text().map(str::to_owned)),
                );
            }
            Ok(RecordedCall::Lines(proposed))
        }
        _ => Err("not a scripted call".to_owned()),
    }
}

fn optional(config: &Value, key: &str) -> Option<u32> {
    match config.get(key) {
        Some(Value::Int(number)) => u32::try_from(*number).ok(),
        _ => None,
    }
}

fn read_settings(config: &Value) -> Settings {
    Settings {
        stride: optional(config, "stride_interval").unwrap_or(1),
        repredict: config.get("repredict_after_accept").is_some_and(Value::is_truthy),
        actions_max: optional(config, "max_predictions_per_step").filter(|actions_max| *actions_max > 0),
        step_limit: StepLimit {
            steps: optional(config, "max_steps"),
            share: None,
        },
        ..Settings::single()
    }
}

fn check(vector: &Vector) -> Result<(), String> {
    Engine::ALL.iter().try_for_each(|engine| {
        check_with(*engine, vector).map_err(|reason| format!("{} engine: {reason}", engine.name()))
    })
}

fn check_with(engine: Engine, vector: &Vector) -> Result<(), String> {
    let config = vector.get("config")?;
    let actions = read_actions(vector, "trajectory")?;
    let script = vector
        .list("script")?
        .iter()
        .map(read_call)
        .collect::<Result<Vec<_>, _>>()?;
    let Some(Value::List(heuristics)) = config.get("heuristics") else {
        return Err("no heuristics".to_owned());
    };
    let policy = AnyOf(
        heuristics
            .iter()
            .filter_map(Value::as_text)
            .map(policy_of)
            .collect::<Result<Vec<_>, _>>()?,
    );
    let calls = Arc::new(Mutex::new(Vec::new()));
    let mut predictor = Watched {
        inner: Playback::new(script),
        context: optional(config, "max_context_ops").map(|context| context as usize),
        calls: Arc::clone(&calls),
        history: Vec::new(),
    };
    let settings = read_settings(config);
    let task = Task {
        name: &vector.id,
        actions: &actions,
        policy: &policy,
        protocol: &Protocol::NAPE_1,
        settings: &settings,
    };
    let mut events: Vec<Event> = Vec::new();
    let summary = rollout_with(engine, task, &mut predictor, &mut events);
    if vector.find("raises").is_some() {
        return if summary.outcome == Outcome::Failed && summary.uas.is_none() {
            Ok(())
        } else {
            Err(format!("expected a failed rollout, got {:?}", summary.outcome))
        };
    }
    check_same(
        Value::list(calls.lock().map_err(|error| error.to_string())?.clone()),
        vector.get("calls")?,
    )?;
    check_events(&events, vector)?;
    check_predictions(&events, vector)?;
    check_same(attributed(&events), &canonical_rows(vector.list("final_trajectory")?)?)?;
    check_summary(&summary, &events, vector)
}

fn check_events(events: &[Event], vector: &Vector) -> Result<(), String> {
    let name = |event: &Event| match event {
        Event::UserStep(_) => Some("user_step"),
        Event::Empty(_) => Some("empty_prediction"),
        // A predictor's exception leaves no event in the published system.
        Event::Error(error) => (error.message != PREDICTION_FAILURE).then_some("errored_prediction"),
        Event::Prediction(_) => Some("prediction"),
        Event::Divergence(_) => Some("divergence"),
        Event::End(_) => None,
    };
    let names: Vec<Value> = events.iter().filter_map(name).map(Value::from).collect();
    check_same(Value::list(names), vector.get("events")?)
}

fn predictions<'a>(events: &'a [Event]) -> Vec<&'a Prediction> {
    let prediction = |event: &'a Event| match event {
        Event::Prediction(prediction) => Some(&**prediction),
        _ => None,
    };
    events.iter().filter_map(prediction).collect()
}

fn published_name(metric: Metric) -> &'static str {
    match metric {
        Metric::Precision => "final_state_precision",
        Metric::Recall => "final_state_recall",
        Metric::F1 => "final_state_f1_score",
        Metric::Saved => "final_state_ops_saved",
        other => other.name(),
    }
}

fn check_predictions(events: &[Event], vector: &Vector) -> Result<(), String> {
    let expected = vector.list("predictions")?;
    let got = predictions(events);
    if got.len() != expected.len() {
        return Err(format!(
            "expected {} predictions\n    got {}",
            expected.len(),
            got.len()
        ));
    }
    for (prediction, expected) in got.into_iter().zip(expected) {
        let metrics = &prediction.metrics;
        let rewritten = prediction.future_after.is_some();
        let checks = prediction.checks.iter().map(|check| {
            let value = if check.metric == Metric::Saved {
                int(metrics.ops_saved)
            } else {
                check.value.into()
            };
            Value::list([published_name(check.metric).into(), value, check.passed.into()])
        });
        let mut got = vec![
            ("index", int(prediction.prediction_idx)),
            ("step_t", int(prediction.t)),
            ("user_step", int(prediction.user_steps)),
            ("accepted", prediction.accepted.into()),
            ("tp", int(metrics.tp)),
            ("fp", int(metrics.fp)),
            ("fn", int(metrics.missing)),
            ("mm", int(metrics.mm)),
            ("precision", metrics.precision.into()),
            ("recall", metrics.recall.into()),
            ("ops_saved", int(metrics.ops_saved)),
            (
                "inverse",
                if rewritten {
                    texts(&prediction.undo)
                } else {
                    Value::Null
                },
            ),
            (
                "removed",
                if rewritten {
                    texts(&prediction.removed)
                } else {
                    Value::Null
                },
            ),
            ("heuristic_checks", Value::list(checks.collect::<Vec<_>>())),
        ];
        // The true segment is an input of scoring and is not part of our events.
        if let Some(segment) = expected.get("gt") {
            got.push(("gt", segment.clone()));
        }
        got.push(("ops", texts(prediction.proposed())));
        check_same(object(got), expected)?;
    }
    Ok(())
}

fn attributed(events: &[Event]) -> Value {
    let line = |attributed: &napsim_sim::attribution::Attributed| {
        let source = match attributed.source {
            Source::User => "user",
            Source::Predicted => "predicted",
            Source::Undo => "inverse",
            Source::Remaining => "original",
        };
        let step = attributed.step.map_or(Value::Null, int);
        Value::list([source.into(), Value::text(&*attributed.action), step])
    };
    Value::list(attribute(events).iter().map(line).collect::<Vec<_>>())
}

/// Rows of a final trajectory with the proposals, which the vectors have as spelled by the script, in canonical spelling.
fn canonical_rows(rows: &[Value]) -> Result<Value, String> {
    let canonical = |row: &Value| match row {
        Value::List(row) => match &**row {
            [source, text, step] if source.as_text() == Some("predicted") => {
                let text = Value::text(read_action(text)?.to_string());
                Ok(Value::list([source.clone(), text, step.clone()]))
            }
            _ => Ok(Value::List(row.clone())),
        },
        _ => Err("a row is not a list".to_owned()),
    };
    Ok(Value::list(rows.iter().map(canonical).collect::<Result<Vec<_>, _>>()?))
}

/// The published summary, less tokens (the script's own) and error samples.
fn check_summary(summary: &Summary, events: &[Event], vector: &Vector) -> Result<(), String> {
    let expected = vector.get("summary")?;
    let counts = summary.counts;
    let total = u64::from(counts.tp) + u64::from(counts.fp) + u64::from(counts.missing);
    let n_errored = events
        .iter()
        .filter(|event| matches!(event, Event::Error(error) if error.message != PREDICTION_FAILURE))
        .count();
    let proposed = |accepted: Option<bool>| -> usize {
        let counted = |p: &&&Prediction| accepted.is_none_or(|accepted| p.accepted == accepted);
        // Divergent predictions never reach the list that these sums are taken over.
        let diverged = Rc::new(RefCell::new(Vec::new()));
        for event in events {
            if let Event::Divergence(divergence) = event {
                diverged.borrow_mut().push(divergence.prediction_idx);
            }
        }
        let all = predictions(events);
        all.iter()
            .filter(counted)
            .filter(|p| !diverged.borrow().contains(&p.prediction_idx))
            .map(|p| p.predicted.len())
            .sum()
    };
    let breakdown = summary.by_property.iter().map(|(name, counts)| {
        let counts = object(vec![
            ("tp", int(counts.tp)),
            ("fp", int(counts.fp)),
            ("fn", int(counts.missing)),
            ("mm", int(counts.mm)),
        ]);
        (Arc::from(&**name), counts)
    });
    let ufas = i64::from(summary.formatting_actions) - i64::from(summary.user_formatting_steps);
    #[expect(clippy::cast_precision_loss, reason = "small counts")]
    let share = |part: i64, whole: u32| {
        if whole == 0 {
            0.0
        } else {
            part as f64 / f64::from(whole)
        }
    };
    let got = vec![
        ("status", "success".into()),
        ("initial_sequence_length", int(summary.actions)),
        ("final_sequence_length", int(summary.final_length)),
        ("user_steps_taken", int(summary.user_steps)),
        ("predictions_attempted", int(summary.predictions)),
        ("predictions_accepted", int(summary.accepted)),
        ("predictions_rejected", int(summary.rejected)),
        ("operations_predicted", int(proposed(None))),
        ("operations_accepted", int(proposed(Some(true)))),
        ("operations_rejected", int(proposed(Some(false)))),
        ("net_operations_saved", int(summary.ops_saved)),
        ("uas_pct", summary.uas.unwrap_or(0.0).into()),
        ("total_formatting_ops", int(summary.formatting_actions)),
        ("user_formatting_steps", int(summary.user_formatting_steps)),
        ("ufas", int(ufas)),
        ("ufas_pct", share(ufas, summary.formatting_actions).into()),
        (
            "acceptance_rate",
            ratio(summary.accepted.into(), summary.predictions.into()).into(),
        ),
        (
            "coverage",
            object(vec![
                ("tp", int(counts.tp)),
                ("fp", int(counts.fp)),
                ("fn", int(counts.missing)),
                ("mm", int(counts.mm)),
                ("total", int(total)),
                ("pct_tp", ratio(counts.tp.into(), total).into()),
            ]),
        ),
        ("property_breakdown", Value::Object(breakdown.collect())),
        ("inverse_ops_added", int(summary.undo_actions)),
        ("ops_removed_via_dedup", int(summary.removed_actions)),
        ("user_step_limit_reached", summary.step_limit_reached.into()),
        ("empty_predictions", int(summary.empty)),
        ("errored_empty_predictions", int(n_errored)),
        ("divergences", int(summary.divergences)),
        ("avg_precision", summary.precision.unwrap_or(0.0).into()),
        (
            "ops_saved_per_prediction",
            share(summary.ops_saved, summary.predictions).into(),
        ),
        (
            "partial_parse",
            object(vec![
                (
                    "predictions_with_parse_failures",
                    int(summary.calls_with_rejected_proposals),
                ),
                ("total_ops_failed_to_parse", int(summary.rejected_proposals)),
            ]),
        ),
    ];
    for (key, got) in got {
        let wanted = expected.get(key).ok_or_else(|| format!("the summary has no `{key}`"))?;
        check_same(got, wanted).map_err(|reason| format!("{key}: {reason}"))?;
    }
    let in_memory = vector
        .get("in_memory")?
        .get("mean_precision_over_details")
        .cloned()
        .unwrap_or(Value::Null);
    check_same(summary.precision_details.unwrap_or(0.0), &in_memory)
}

#[test]
fn golden_small_rollouts() {
    for_each_vector("rollout.jsonl", "", check);
}

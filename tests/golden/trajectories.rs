//! Whole benchmark trajectories, every call (golden/README.md, "rollouts").

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use napsim_predictors::{Playback, PredictorFactory, RecordedCall};
use napsim_sim::engine::Engine;
use napsim_sim::event::{Event, Prediction, Summary};
use napsim_sim::predictor::Predictor;
use napsim_sim::protocol::Protocol;
use napsim_sim::rollout::{Task, rollout_with};
use napsim_sim::settings::{Settings, StepLimit};
use napsim_trajectories::{Action, Value, json};

use super::rollouts::policy_of;
use super::vectors::{check_same, folder, int, object, say, texts};

/// A recorded rollout: its setting, its calls and its summary.
struct Log {
    path: PathBuf,
    setting: Value,
    calls: Vec<Value>,
    summary: Value,
}

impl Log {
    fn read(path: &Path) -> Result<Self, String> {
        let mut text = String::new();
        let file = fs::File::open(path).map_err(|error| error.to_string())?;
        GzDecoder::new(file)
            .read_to_string(&mut text)
            .map_err(|error| error.to_string())?;
        let mut values = text
            .lines()
            .map(|line| json::read(line).map_err(|error| error.to_string()))
            .collect::<Result<Vec<_>, _>>()?;
        let summary = values.pop().ok_or("the log is empty")?;
        let mut values = values.into_iter();
        let setting = values.next().ok_or("the log has no setting")?;
        Ok(Self {
            path: path.to_owned(),
            setting,
            calls: values.collect(),
            summary,
        })
    }

    fn text(&self, key: &str) -> Result<&str, String> {
        self.setting
            .get(key)
            .and_then(Value::as_text)
            .ok_or_else(|| format!("no `{key}` in the setting"))
    }

    fn number(&self, key: &str) -> Option<u32> {
        match self.setting.get(key) {
            Some(Value::Int(number)) => u32::try_from(*number).ok(),
            _ => None,
        }
    }

    fn settings(&self) -> Settings {
        Settings {
            stride: self.number("stride").unwrap_or(1),
            repredict: self.setting.get("repredict").is_some_and(Value::is_truthy),
            actions_max: self.number("max_actions"),
            step_limit: StepLimit {
                steps: self.number("step_limit"),
                share: None,
            },
            digest_future: true,
            ..Settings::single()
        }
    }

    fn playback(&self) -> Playback {
        let recorded = |call: &Value| match call.get("predicted") {
            Some(Value::List(items)) => items.iter().filter_map(Value::as_text).map(str::to_owned).collect(),
            _ => Vec::new(),
        };
        Playback::new(
            self.calls
                .iter()
                .map(|call| RecordedCall::Lines(recorded(call)))
                .collect(),
        )
    }

    fn trajectory(&self) -> Result<Vec<Action>, String> {
        let name = self.text("trajectory")?;
        let path = folder().join("../nape/trajectories").join(format!("{name}.json"));
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let value = json::read(&text).map_err(|error| error.to_string())?;
        let Some(Value::List(operations)) = value.get("operations") else {
            return Err("no operations".to_owned());
        };
        operations
            .iter()
            .map(|line| Action::parse(line.as_text().unwrap_or_default()).map_err(|error| error.to_string()))
            .collect()
    }
}

/// The logs of one setting, in order of their names; says so where there are none.
fn logs(setting: &str) -> Vec<Log> {
    let folder = folder().join("rollouts").join(setting);
    let Ok(entries) = fs::read_dir(&folder) else {
        say(&format!("SKIPPED: no golden rollouts at {}", folder.display()));
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths
        .iter()
        .map(|path| Log::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
        .collect()
}

fn prediction_line(prediction: &Prediction) -> Value {
    let metrics = &prediction.metrics;
    let metrics = object(vec![
        ("exact_matches", int(metrics.exact_matches)),
        ("correct_op_wrong_range", int(metrics.correct_op_wrong_range)),
        ("wrong_op", int(metrics.wrong_op)),
        ("tp", int(metrics.tp)),
        ("fp", int(metrics.fp)),
        ("fn", int(metrics.missing)),
        ("mm", int(metrics.mm)),
        ("precision", metrics.precision.into()),
        ("recall", metrics.recall.into()),
        ("ops_saved", int(metrics.ops_saved)),
        ("lookahead_matches", int(metrics.lookahead_matches)),
        ("lookahead_accuracy", metrics.lookahead_accuracy.into()),
        ("undo_gain_from_final_state", int(metrics.undo_gain_from_final_state)),
        ("undo_gain_from_dedup", int(metrics.undo_gain_from_dedup)),
        ("undo_inverse_ops", int(metrics.undo_inverse_ops)),
        ("undo_net_ops_saved", int(metrics.undo_net_ops_saved)),
    ]);
    let after = prediction.sequence_after.filter(|_| prediction.accepted);
    object(vec![
        ("kind", "prediction".into()),
        ("t", int(prediction.t)),
        ("user_steps", int(prediction.user_steps)),
        ("predicted", texts(prediction.proposed())),
        ("metrics", metrics),
        ("accepted", prediction.accepted.into()),
        ("gt_len_after", after.map_or(Value::Null, int)),
        ("future_before", int(prediction.future_before)),
        ("future_after", prediction.future_after.map_or(Value::Null, int)),
        ("removed", int(prediction.removed.len())),
        ("inverse", int(prediction.undo.len())),
        (
            "future_sha",
            prediction.future_sha.as_deref().map_or(Value::Null, Value::from),
        ),
    ])
}

fn call_line(event: &Event) -> Option<Value> {
    match event {
        Event::Prediction(prediction) => Some(prediction_line(prediction)),
        Event::Empty(call) => Some(object(vec![
            ("kind", "empty".into()),
            ("t", int(call.t)),
            ("user_steps", int(call.user_steps)),
        ])),
        _ => None,
    }
}

fn summary_line(summary: &Summary) -> Vec<(&'static str, Value)> {
    let ratio = napsim_sim::counts::ratio(summary.accepted.into(), summary.predictions.into());
    vec![
        ("user_steps", int(summary.user_steps)),
        ("uas", summary.uas.map_or(Value::Null, Value::from)),
        ("predictions", int(summary.predictions)),
        ("accepted", int(summary.accepted)),
        ("rejected", int(summary.rejected)),
        ("ar", ratio.into()),
        ("tp", int(summary.counts.tp)),
        ("fp", int(summary.counts.fp)),
        ("fn", int(summary.counts.missing)),
        ("mm", int(summary.counts.mm)),
        ("ops_saved", int(summary.ops_saved)),
        ("inverse", int(summary.undo_actions)),
        ("dedup", int(summary.removed_actions)),
        ("final_length", int(summary.final_length)),
        (
            "ufas",
            int(i64::from(summary.formatting_actions) - i64::from(summary.user_formatting_steps)),
        ),
        ("formatting", int(summary.formatting_actions)),
        ("user_formatting", int(summary.user_formatting_steps)),
        ("step_limit_reached", summary.step_limit_reached.into()),
    ]
}

fn check(engine: Engine, log: &Log, predictor: &mut dyn Predictor) -> Result<(), String> {
    let actions = log.trajectory()?;
    let policy = policy_of(log.text("policy")?)?;
    let settings = log.settings();
    let task = Task {
        name: log.text("trajectory")?,
        actions: &actions,
        policy: &policy,
        protocol: &Protocol::NAPE_1,
        settings: &settings,
    };
    let mut events: Vec<Event> = Vec::new();
    let summary = rollout_with(engine, task, predictor, &mut events);
    let calls: Vec<Value> = events.iter().filter_map(call_line).collect();
    for (idx, (got, expected)) in calls.iter().zip(&log.calls).enumerate() {
        check_call(got, expected).map_err(|reason| format!("call {idx}: {reason}"))?;
    }
    if calls.len() != log.calls.len() {
        return Err(format!("expected {} calls\n    got {}", log.calls.len(), calls.len()));
    }
    for (key, got) in summary_line(&summary) {
        let expected = log
            .summary
            .get(key)
            .ok_or_else(|| format!("no `{key}` in the summary"))?;
        check_same(got, expected).map_err(|reason| format!("summary, {key}: {reason}"))?;
    }
    Ok(())
}

/// Compares field by field, so that a failure names the field.
fn check_call(got: &Value, expected: &Value) -> Result<(), String> {
    let (Value::Object(entries), Value::Object(wanted)) = (got, expected) else {
        return check_same(got.clone(), expected);
    };
    if entries.len() != wanted.len() {
        return check_same(got.clone(), expected);
    }
    for (key, got) in entries.iter() {
        let expected = expected.get(key).ok_or_else(|| format!("no `{key}` in the log"))?;
        check_same(got.clone(), expected).map_err(|reason| format!("{key}: {reason}"))?;
    }
    Ok(())
}

/// What a playback proposes is in the log, so both engines can be held against it.
const PLAYED_BACK: &[Engine] = Engine::ALL;

fn check_setting(setting: &str, engines: &[Engine], predictor: impl Fn(&Log) -> Box<dyn Predictor>) {
    let mut report = String::new();
    let logs = logs(setting);
    for (log, engine) in logs
        .iter()
        .flat_map(|log| engines.iter().map(move |engine| (log, *engine)))
    {
        if let Err(reason) = check(engine, log, predictor(log).as_mut()) {
            let name = log.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            report.push_str(&format!("\n{setting}/{name}, {} engine: {reason}", engine.name()));
        }
    }
    assert!(report.is_empty(), "rollouts of {} differ:{report}", logs.len());
}

#[test]
fn golden_rollouts_of_the_online_ngram_played_back() {
    check_setting("ngram_single", PLAYED_BACK, |log| Box::new(log.playback()));
}

#[test]
fn golden_rollouts_of_the_online_ngram_itself() {
    let factory = PredictorFactory::parse("online-ngram", None).unwrap();
    check_setting("ngram_single", &[Engine::Fast], |_| factory.build());
}

#[test]
fn golden_rollouts_of_scripts_under_greedy() {
    check_setting("script_greedy", PLAYED_BACK, |log| Box::new(log.playback()));
}

#[test]
fn golden_rollouts_of_scripts_under_p90() {
    check_setting("script_p90", PLAYED_BACK, |log| Box::new(log.playback()));
}

#[test]
fn golden_rollouts_of_scripts_under_always() {
    check_setting("script_always", PLAYED_BACK, |log| Box::new(log.playback()));
}

//! An MLflow server, by its REST interface (version 2.0).

use std::collections::BTreeMap;

use napsim_remote::transport::Stop;
use serde_json::{Value, json};

use crate::credentials::Credentials;
use crate::error::TrackerError;
use crate::mlflow::client::Client;
use crate::mlflow::content::Content;
use crate::mlflow::{DIGEST, ID, METRICS_PER_REQUEST, PARAMS_PER_REQUEST, TAGS_PER_REQUEST};
use crate::run::{Exported, TrackedRun};

/// Most runs of one id that are looked at; there should be one.
const FOUND_MAX: usize = 100;

/// Sends runs to an MLflow server. What was sent once is not sent again; a run whose contents have changed, or that an
/// earlier export has left unfinished, is sent anew before the old one is deleted. Files are not sent: servers take them
/// in many ways, each with credentials of its own.
///
/// # Errors
/// [`TrackerError`] for names that MLflow does not take, before anything is sent, and for a server that cannot be reached,
/// refuses or is none of MLflow's. Runs before the one that failed are there then; the same call again goes on.
pub fn send(
    address: &str,
    credentials: Option<&Credentials>,
    runs: &[TrackedRun],
    stop: Stop,
) -> Result<Exported, TrackerError> {
    let contents = runs.iter().map(Content::of).collect::<Result<Vec<_>, _>>()?;
    let client = Client::new(address, credentials, stop)?;
    let mut experiments: BTreeMap<&str, String> = BTreeMap::new();
    let mut exported = Exported::default();
    for content in &contents {
        let name = content.run.experiment.as_str();
        if !experiments.contains_key(name) {
            experiments.insert(name, experiment(&client, name)?);
        }
        if let Some(experiment) = experiments.get(name) {
            export(&client, experiment, content, &mut exported)?;
        }
    }
    Ok(exported)
}

/// The id of an experiment; it is made where there is none of that name.
fn experiment(client: &Client, name: &str) -> Result<String, TrackerError> {
    const SEARCH: &str = "experiments/search";
    const CREATE: &str = "experiments/create";
    let question = json!({ "filter": format!("name = '{name}'"), "max_results": 1, "view_type": "ACTIVE_ONLY" });
    let found = client.ask(SEARCH, &question)?;
    if let Some(experiment) = found.get("experiments").and_then(|list| list.get(0)) {
        return text(client, SEARCH, experiment, "experiment_id");
    }
    let created = client.ask(CREATE, &json!({ "name": name }))?;
    text(client, CREATE, &created, "experiment_id")
}

/// A run that a server has.
struct Found {
    id: String,
    is_finished: bool,
    digest: Option<String>,
}

fn export(
    client: &Client,
    experiment: &str,
    content: &Content<'_>,
    exported: &mut Exported,
) -> Result<(), TrackerError> {
    let is_same = |run: &Found| run.is_finished && run.digest.as_deref() == Some(content.digest.as_str());
    let before = find(client, experiment, content)?;
    if let Some(same) = before.iter().find(|run| is_same(run)) {
        exported.unchanged += 1;
        return delete_others(client, &same.id, &before);
    }
    let id = create(client, experiment, content)?;
    log(client, &id, content)?;
    exported.values_cut += content.n_cut;
    exported.artifacts_left_out += content.run.artifacts.len();
    *if before.is_empty() {
        &mut exported.created
    } else {
        &mut exported.replaced
    } += 1;
    // They are looked for again: a request to create that was repeated may have made two.
    delete_others(client, &id, &find(client, experiment, content)?)
}

/// The runs that have the run's id.
fn find(client: &Client, experiment: &str, content: &Content<'_>) -> Result<Vec<Found>, TrackerError> {
    const SEARCH: &str = "runs/search";
    let question = json!({
        "experiment_ids": [experiment],
        "filter": format!("tags.`{ID}` = '{}'", content.run.id),
        "run_view_type": "ACTIVE_ONLY",
        "max_results": FOUND_MAX,
    });
    let answer = client.ask(SEARCH, &question)?;
    let runs = answer.get("runs").and_then(Value::as_array);
    let read = |run: &Value| {
        let info = run.get("info").ok_or_else(|| client.without(SEARCH, "info"))?;
        let tags = run.pointer("/data/tags").and_then(Value::as_array);
        let is_digest = |tag: &&Value| tag.get("key").and_then(Value::as_str) == Some(DIGEST);
        let digest = tags.into_iter().flatten().find(is_digest);
        Ok(Found {
            id: text(client, SEARCH, info, "run_id")?,
            is_finished: info.get("status").and_then(Value::as_str) == Some("FINISHED"),
            digest: digest.and_then(|tag| tag.get("value")?.as_str()).map(str::to_owned),
        })
    };
    runs.into_iter().flatten().map(read).collect()
}

fn create(client: &Client, experiment: &str, content: &Content<'_>) -> Result<String, TrackerError> {
    const CREATE: &str = "runs/create";
    let run = content.run;
    let question = json!({
        "experiment_id": experiment,
        "run_name": run.name,
        "start_time": run.start_ms,
        "tags": [{ "key": ID, "value": run.id }],
    });
    let answer = client.ask(CREATE, &question)?;
    let info = answer.pointer("/run/info").unwrap_or(&Value::Null);
    text(client, CREATE, info, "run_id")
}

/// Tells everything about a run, the digest last.
fn log(client: &Client, id: &str, content: &Content<'_>) -> Result<(), TrackerError> {
    let run = content.run;
    let metric = |(key, step, value): (&str, u64, f64)| json!({ "key": key, "value": value, "timestamp": run.end_ms, "step": step });
    let pair = |(key, value): &(&str, String)| json!({ "key": key, "value": value });
    let metrics: Vec<Value> = run.points().map(metric).collect();
    let params: Vec<Value> = content.params.iter().map(pair).collect();
    let tags: Vec<Value> = content.tags.iter().map(pair).collect();
    let last = [json!({ "key": DIGEST, "value": content.digest })];
    for (kind, values, n_max) in [
        ("params", params.as_slice(), PARAMS_PER_REQUEST),
        ("metrics", &metrics, METRICS_PER_REQUEST),
        ("tags", &tags, TAGS_PER_REQUEST),
        ("tags", &last, TAGS_PER_REQUEST),
    ] {
        for values in values.chunks(n_max) {
            client.ask("runs/log-batch", &json!({ "run_id": id, kind: values }))?;
        }
    }
    let end = json!({ "run_id": id, "status": "FINISHED", "end_time": run.end_ms });
    client.ask("runs/update", &end).map(drop)
}

fn delete_others(client: &Client, kept: &str, runs: &[Found]) -> Result<(), TrackerError> {
    let mut others = runs.iter().filter(|run| run.id != kept);
    others.try_for_each(|run| client.ask("runs/delete", &json!({ "run_id": run.id })).map(drop))
}

/// A field that must be there.
fn text(client: &Client, request: &'static str, value: &Value, field: &'static str) -> Result<String, TrackerError> {
    let text = value.get(field).and_then(Value::as_str);
    text.map(str::to_owned).ok_or_else(|| client.without(request, field))
}

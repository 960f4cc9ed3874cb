//! A tracking server in the manner of MLflow's, with what it was told.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use napsim_test_server::{Answer, Request, TestServer};
use serde_json::{Value, json};

/// What the server holds.
#[derive(Default)]
pub(crate) struct Kept {
    pub(crate) experiments: Vec<String>,
    pub(crate) runs: Vec<KeptRun>,
    /// The names of all requests, in order.
    pub(crate) asked: Vec<String>,
    /// Requests of this name that are refused, and with what.
    pub(crate) refuse: Option<(&'static str, u16, String)>,
}

/// A run as the server holds it.
#[derive(Clone, Default)]
pub(crate) struct KeptRun {
    pub(crate) name: String,
    pub(crate) is_finished: bool,
    pub(crate) is_deleted: bool,
    pub(crate) params: BTreeMap<String, String>,
    pub(crate) tags: BTreeMap<String, String>,
    /// Name, value, time and step.
    pub(crate) metrics: Vec<(String, f64, u64, u64)>,
    pub(crate) times: (u64, u64),
}

/// Starts a server.
pub(crate) fn start() -> (TestServer, Arc<Mutex<Kept>>) {
    let kept = Arc::new(Mutex::new(Kept::default()));
    let shared = Arc::clone(&kept);
    let server = TestServer::start(move |request| shared.lock().unwrap().answer(request));
    (server, kept)
}

impl Kept {
    fn answer(&mut self, request: &Request) -> Answer {
        let name = request
            .path
            .strip_prefix("/api/2.0/mlflow/")
            .unwrap_or_default()
            .to_owned();
        self.asked.push(name.clone());
        if let Some((refused, status, text)) = &self.refuse
            && *refused == name
        {
            return Answer::text(*status, text);
        }
        assert!(request.body.len() <= 1_000_000, "MLflow takes a megabyte");
        Answer::json(200, &self.reply(&name, &request.json()))
    }

    fn reply(&mut self, name: &str, asked: &Value) -> Value {
        let text = |field: &str| asked[field].as_str().unwrap_or_default().to_owned();
        match name {
            "experiments/search" => {
                let found = |(idx, name): (usize, &String)| {
                    (text("filter") == format!("name = '{name}'")).then(|| json!({ "experiment_id": idx.to_string() }))
                };
                let found: Vec<Value> = self.experiments.iter().enumerate().filter_map(found).collect();
                json!({ "experiments": found })
            }
            "experiments/create" => {
                self.experiments.push(text("name"));
                json!({ "experiment_id": (self.experiments.len() - 1).to_string() })
            }
            "runs/search" => self.search(asked),
            "runs/create" => {
                let mut run = KeptRun {
                    name: text("run_name"),
                    ..KeptRun::default()
                };
                run.times.0 = asked["start_time"].as_u64().unwrap();
                run.tags.extend(pairs(&asked["tags"]));
                self.runs.push(run);
                json!({ "run": { "info": { "run_id": (self.runs.len() - 1).to_string() } } })
            }
            "runs/log-batch" => self.log(asked),
            "runs/update" => {
                let run = self.run(asked);
                run.is_finished = asked["status"] == "FINISHED";
                run.times.1 = asked["end_time"].as_u64().unwrap();
                json!({})
            }
            "runs/delete" => {
                self.run(asked).is_deleted = true;
                json!({})
            }
            _ => panic!("nobody asks for {name}"),
        }
    }

    fn search(&self, asked: &Value) -> Value {
        let wanted = asked["filter"].as_str().unwrap();
        let found = |(idx, run): (usize, &KeptRun)| {
            let is_wanted = wanted == format!("tags.`napsim.id` = '{}'", run.tags["napsim.id"]);
            let tags: Vec<Value> = run
                .tags
                .iter()
                .map(|(key, value)| json!({ "key": key, "value": value }))
                .collect();
            let status = if run.is_finished { "FINISHED" } else { "RUNNING" };
            (is_wanted && !run.is_deleted)
                .then(|| json!({ "info": { "run_id": idx.to_string(), "status": status }, "data": { "tags": tags } }))
        };
        let found: Vec<Value> = self.runs.iter().enumerate().filter_map(found).collect();
        if found.is_empty() {
            json!({})
        } else {
            json!({ "runs": found })
        }
    }

    fn log(&mut self, asked: &Value) -> Value {
        let run = self.run(asked);
        let (params, tags) = (pairs(&asked["params"]), pairs(&asked["tags"]));
        let metrics = asked["metrics"].as_array().cloned().unwrap_or_default();
        assert!(params.len() <= 100 && tags.len() <= 100 && metrics.len() <= 1000);
        run.params.extend(params);
        run.tags.extend(tags);
        run.metrics.extend(metrics.iter().map(|metric| {
            let number = |field: &str| metric[field].as_u64().unwrap();
            let name = metric["key"].as_str().unwrap().to_owned();
            (
                name,
                metric["value"].as_f64().unwrap(),
                number("timestamp"),
                number("step"),
            )
        }));
        json!({})
    }

    fn run(&mut self, asked: &Value) -> &mut KeptRun {
        let idx: usize = asked["run_id"].as_str().unwrap().parse().unwrap();
        &mut self.runs[idx]
    }
}

fn pairs(list: &Value) -> Vec<(String, String)> {
    let text = |pair: &Value, field: &str| pair[field].as_str().unwrap().to_owned();
    let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter()
        .map(|pair| (text(pair, "key"), text(pair, "value")))
        .collect()
}

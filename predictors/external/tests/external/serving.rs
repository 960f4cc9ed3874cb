//! The other side: predictors of ours that are served.

use std::io::Cursor;

use napsim_external::{External, OnCrash, Served, serve};
use napsim_sim::event::{Event, EventSink};
use napsim_sim::policy::{AcceptancePolicy, Evidence, Verdict};
use napsim_sim::predictor::{
    Budget, Fingerprint, PredictError, Predictor, Proposals, Seed, TrajectoryHead, Unanswered, Usage, View,
};
use napsim_sim::protocol::Protocol;
use napsim_sim::rollout::{Task, rollout};
use napsim_sim::settings::Settings;
use napsim_trajectories::{Action, Corpus};
use serde_json::{Value, json};

use crate::asking::{Place, settings};
use crate::recall::Recall;
use crate::schema::assert_is_from_predictor;

/// Takes what saves something.
struct Saving;

impl AcceptancePolicy for Saving {
    fn id(&self) -> &str {
        "saving"
    }

    fn decide(&self, evidence: &Evidence) -> Verdict {
        Verdict {
            accepted: evidence.saved > 0,
            checks: Vec::new(),
        }
    }
}

fn events(predictor: &mut dyn Predictor, name: &str, actions: &[Action], settings: &Settings) -> Vec<Event> {
    let task = Task {
        name,
        actions,
        policy: &Saving,
        protocol: &Protocol::NAPE_1,
        settings,
    };
    let mut events: Vec<Event> = Vec::new();
    rollout(task, predictor, &mut events as &mut dyn EventSink);
    events
}

#[test]
fn a_served_predictor_measures_the_same_as_in_process() {
    let corpus = Corpus::embedded().unwrap();
    let place = Place::new();
    for on_crash in [OnCrash::Fail, OnCrash::Resume] {
        let settings = napsim_external::ExternalSettings { on_crash, ..settings() };
        let setup = place.setup("--serve --name recall --fingerprint recall/1", settings);
        let mut external = External::new(setup.clone());
        let mut recall = Recall::default();
        for trajectory in corpus.trajectories.iter().take(4) {
            for rollout in [Settings::single(), Settings::multi()] {
                let rollout = Settings {
                    seed: Seed(u64::MAX),
                    ..rollout
                };
                let (name, actions) = (&trajectory.name, &trajectory.actions);
                let inside = events(&mut recall, name, actions, &rollout);
                let outside = events(&mut external, name, actions, &rollout);
                assert!(inside.len() > actions.len() / 2);
                for (inside, outside) in inside.iter().zip(&outside) {
                    assert_eq!(outside, inside, "{name}");
                }
                assert_eq!(outside.len(), inside.len(), "{name}");
            }
        }
        let activity = setup.activity();
        assert_eq!((activity.starts, activity.failures.len()), (1, 0), "{activity:?}");
    }
}

/// A predictor that takes its answers from its history: the last text typed says what to do.
struct Obedient;

impl Predictor for Obedient {
    fn fingerprint(&self) -> Fingerprint {
        Fingerprint("obedient".to_owned())
    }

    fn begin(&mut self, _head: TrajectoryHead<'_>, _seed: Seed) {}

    fn observe(&mut self, _actions: &[Action]) {}

    fn predict(&mut self, view: View<'_>, _budget: Budget, out: &mut Proposals) -> Result<Usage, PredictError> {
        let Some((first, last)) = view.history.first().zip(view.history.last()) else {
            return Ok(Usage::default());
        };
        let last = last.to_string();
        if last.contains("unsure") {
            out.push(first.clone(), Some(1.5));
        } else if last.contains("two") {
            for action in view.history {
                out.push(action.clone(), Some(0.25));
            }
            out.reject("no action", "for a reason");
            out.reject(first.to_string(), "a line that would be read as a proposal");
        } else if last.contains("call") {
            return Err(PredictError::Call("not now".to_owned()));
        } else if last.contains("refuse") {
            return Err(PredictError::Unanswered(Box::new(Unanswered {
                kind: "Content filter/2".to_owned(),
                message: "refused".to_owned(),
                raw: Some("I cannot".to_owned()),
                stderr: None,
                usage: Usage::default(),
                fatal: true,
            })));
        }
        Ok(Usage::default())
    }
}

/// What is answered to lines, as JSON.
fn answers(lines: &[Value]) -> Vec<Value> {
    let text: Vec<String> = lines
        .iter()
        .map(|line| line.as_str().map_or(line.to_string(), str::to_owned))
        .collect();
    answers_to_bytes(text.join("\n").as_bytes())
}

fn answers_to_bytes(input: &[u8]) -> Vec<Value> {
    let served = Served {
        name: "obedient",
        fingerprint: None,
        wants_feedback: true,
    };
    let mut output = Vec::new();
    serve(served, &mut || Box::new(Obedient), &mut Cursor::new(input), &mut output).unwrap();
    let answers: Vec<Value> = String::from_utf8(output)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    answers.iter().for_each(assert_is_from_predictor);
    answers
}

fn begin(id: u64) -> Value {
    json!({"type": "begin", "id": id, "trajectory": "t", "sheet": "S", "seed": 1})
}

fn observe(from: u64, lines: &[&str]) -> Value {
    json!({"type": "observe", "from": from, "actions": lines})
}

fn predict(id: u64, n_history: u64) -> Value {
    json!({"type": "predict", "id": id, "n_history": n_history, "user_steps": 0, "call_idx": 0, "max_actions": null})
}

const ONE: &str = "INPUT | S!A1 | \"one\"";
const TWO: &str = "INPUT | S!A2 | \"two\"";

#[test]
fn a_conversation_is_answered() {
    let answers = answers(&[
        json!({"type": "hello", "id": 1, "protocol": "napsim-predictor/1", "napsim": "9.0.0", "more": 1}),
        begin(2),
        json!({"type": "a_later_notice"}),
        observe(0, &[ONE]),
        json!({"type": "withdrawn"}),
        json!({"type": "refused", "actions": [ONE]}),
        predict(3, 1),
        observe(0, &[ONE, TWO]),
        predict(4, 2),
        json!({"type": "a_later_question", "id": 5}),
        json!({"type": "bye"}),
        predict(6, 2),
    ]);
    let expected = [
        json!({"type": "hello", "id": 1, "protocol": "napsim-predictor/1", "name": "obedient", "wants": {"history": "new", "feedback": true}}),
        json!({"type": "ready", "id": 2}),
        json!({"type": "prediction", "id": 3, "actions": []}),
        json!({"type": "prediction", "id": 4, "actions": ["no action", {"action": ONE, "confidence": 0.25}, {"action": TWO, "confidence": 0.25}]}),
        json!({"type": "error", "id": 5, "message": "answer `a_later_question`: no such question is known", "kind": "unknown_question"}),
    ];
    assert_eq!(answers, expected);
}

#[test]
fn what_makes_no_sense_is_answered_by_errors() {
    let kind_of_last = |lines: &[Value]| {
        let answers = answers(lines);
        let last = answers.last().unwrap();
        assert_eq!(last["type"], "error", "{last}");
        (
            last["id"].as_u64().unwrap(),
            last["kind"].as_str().unwrap_or_default().to_owned(),
        )
    };
    let kind = |id: u64, kind: &str| (id, kind.to_owned());
    assert_eq!(kind_of_last(&[json!("nonsense")]), kind(0, "unreadable"));
    assert_eq!(kind_of_last(&[json!("[1]")]), kind(0, "unreadable"));
    assert_eq!(
        kind_of_last(&[json!({"type": "begin", "id": 3})]),
        kind(3, "unreadable")
    );
    assert_eq!(kind_of_last(&[predict(4, 0)]), kind(4, "unknown_session"));
    assert_eq!(kind_of_last(&[begin(1), predict(4, 1)]), kind(4, "bad_history"));
    assert_eq!(
        kind_of_last(&[begin(1), observe(1, &[ONE]), predict(4, 1)]),
        kind(4, "bad_history")
    );
    assert_eq!(
        kind_of_last(&[begin(1), observe(0, &[ONE]), observe(0, &[TWO]), predict(4, 1)]),
        kind(4, "bad_history")
    );
    assert_eq!(
        kind_of_last(&[begin(1), observe(0, &["JUMP | A1"]), predict(4, 1)]),
        kind(4, "bad_action")
    );
    assert_eq!(
        kind_of_last(&[begin(1), json!({"type": "observe"}), predict(4, 0)]),
        kind(4, "unreadable")
    );
    assert_eq!(
        kind_of_last(&[begin(1), observe(0, &["INPUT | A1 | \"call\""]), predict(4, 1)]),
        kind(4, "")
    );
    assert_eq!(
        kind_of_last(&[begin(1), observe(0, &["INPUT | A1 | \"unsure\""]), predict(4, 1)]),
        kind(4, "bad_confidence")
    );
    let hello = json!({"type": "hello", "id": 1, "protocol": "napsim-predictor/2", "napsim": "9"});
    assert_eq!(kind_of_last(&[hello]), kind(1, "other_protocol"));
    // An error ends nothing, and a new trajectory forgets the trouble.
    let all = answers(&[
        begin(1),
        observe(5, &[ONE]),
        predict(2, 5),
        predict(3, 0),
        begin(4),
        predict(5, 0),
    ]);
    let types: Vec<&str> = all.iter().map(|answer| answer["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["ready", "error", "error", "ready", "prediction"]);
}

#[test]
fn failures_of_the_predictor_are_reported_whole() {
    let last = answers(&[begin(1), observe(0, &["INPUT | A1 | \"refuse\""]), predict(2, 1)])
        .pop()
        .unwrap();
    let expected = json!({"type": "error", "id": 2, "message": "refused", "kind": "content_filter_2", "fatal": true, "raw": "I cannot"});
    assert_eq!(last, expected);
}

#[test]
fn whole_histories_are_understood_as_well() {
    let with_history = |id: u64, lines: &[&str]| {
        let mut question = predict(id, lines.len() as u64);
        question
            .as_object_mut()
            .unwrap()
            .insert("history".to_owned(), json!(lines));
        question
    };
    let all = answers(&[
        begin(1),
        with_history(2, &[ONE]),
        with_history(3, &[ONE, TWO]),
        with_history(4, &[TWO]),
    ]);
    let n_actions: Vec<usize> = all[1..]
        .iter()
        .map(|answer| answer["actions"].as_array().unwrap().len())
        .collect();
    assert_eq!(n_actions, [0, 3, 2]);
}

#[test]
fn sessions_are_kept_apart() {
    let in_session = |mut message: Value, name: &str| {
        message
            .as_object_mut()
            .unwrap()
            .insert("session".to_owned(), json!(name));
        message
    };
    let all = answers(&[
        in_session(begin(1), "a"),
        in_session(begin(1), "b"),
        in_session(observe(0, &[ONE]), "a"),
        in_session(observe(0, &[TWO, TWO]), "b"),
        in_session(predict(2, 1), "a"),
        in_session(predict(2, 2), "b"),
        json!({"type": "bye", "session": "a"}),
        in_session(predict(3, 1), "a"),
        in_session(predict(3, 2), "b"),
        predict(4, 0),
    ]);
    let types: Vec<&str> = all.iter().map(|answer| answer["type"].as_str().unwrap()).collect();
    assert_eq!(
        types,
        [
            "ready",
            "ready",
            "prediction",
            "prediction",
            "error",
            "prediction",
            "error"
        ]
    );
    // Who begins without end loses the oldest, and nothing else grows.
    let many: Vec<Value> = (0..200).map(|idx| in_session(begin(idx), &format!("s{idx}"))).collect();
    let asked = [in_session(predict(1, 0), "s0"), in_session(predict(1, 0), "s199")];
    let all = answers(&[many, asked.to_vec()].concat());
    assert_eq!(
        (&all[200]["kind"], &all[201]["type"]),
        (&json!("unknown_session"), &json!("prediction"))
    );
}

#[test]
fn bytes_of_any_kind_end_nothing() {
    let mut input = b"\xff\xfe\n\0\0\n\n   \r\n".to_vec();
    input.extend(format!("{}\r\n", begin(1)).into_bytes());
    input.extend(b"{\"type\":\"predict\",\"id\":2,\"n_history\":0,\"user_steps\":0,\"call_idx\":0,\"max_actions\":1}");
    let types: Vec<String> = answers_to_bytes(&input)
        .iter()
        .map(|answer| answer["type"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(types, ["error", "error", "ready", "prediction"]);
}

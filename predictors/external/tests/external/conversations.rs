//! What is said, line by line.

use std::time::Duration;

use napsim_external::{External, ExternalSettings, ExternalSetup};
use napsim_sim::predictor::Predictor as _;
use napsim_test_server::{Answer, TestServer};
use serde_json::{Value, json};

use crate::asking::{Place, ask, ask_for, ask_well, begin, history, settings};
use crate::schema::{assert_is_from_predictor, assert_is_to_predictor};
use crate::service::{self, Echo};

fn log(place: &Place) -> Vec<(char, Value)> {
    let text = std::fs::read_to_string(place.path("log")).unwrap();
    let line = |line: &str| {
        let message: Value = serde_json::from_str(&line[2..]).unwrap();
        let side = line.chars().next().unwrap();
        match side {
            '>' => assert_is_to_predictor(&message),
            _ => assert_is_from_predictor(&message),
        }
        (side, message)
    };
    text.lines().map(line).collect()
}

fn sent(place: &Place) -> Vec<Value> {
    log(place)
        .into_iter()
        .filter(|(side, _)| *side == '>')
        .map(|(_, message)| message)
        .collect()
}

#[test]
fn everything_is_said_as_the_protocol_has_it() {
    let place = Place::new();
    let (setup, mut external) = place.external("--log FILE:log", settings());
    let history = history(4);
    begin(&mut external, "first");
    assert!(ask(&mut external, &[]).unwrap().is_empty());
    external.observe(&history[..1]);
    ask_well(&mut external, &history[..1]);
    ask_well(&mut external, &history[..1]);
    ask_for(&mut external, &history, None).unwrap();
    external.withdrawn();
    external.refused(&history);
    begin(&mut external, "second");
    ask_well(&mut external, &history[..2]);
    drop((setup, external));
    let texts: Vec<String> = history.iter().map(ToString::to_string).collect();
    let predict = |id: u64, n: u64, max: Value| json!({"type": "predict", "id": id, "n_history": n, "user_steps": n, "call_idx": 0, "max_actions": max});
    let begins =
        |id: u64, name: &str| json!({"type": "begin", "id": id, "trajectory": name, "sheet": "Sheet1", "seed": 7});
    let expected = [
        json!({"type": "hello", "id": 1, "protocol": "napsim-predictor/1", "napsim": env!("CARGO_PKG_VERSION")}),
        begins(2, "first"),
        predict(3, 0, json!(1)),
        json!({"type": "observe", "from": 0, "actions": texts[..1]}),
        predict(4, 1, json!(1)),
        predict(5, 1, json!(1)),
        json!({"type": "observe", "from": 1, "actions": texts[1..]}),
        predict(6, 4, Value::Null),
        begins(7, "second"),
        json!({"type": "observe", "from": 0, "actions": texts[..2]}),
        predict(8, 2, json!(1)),
        json!({"type": "bye"}),
    ];
    assert_eq!(sent(&place), expected);
}

#[test]
fn predictors_are_told_what_they_want() {
    let place = Place::new();
    let (setup, mut external) = place.external("--log FILE:log --all-history --workbook --feedback", settings());
    let history = history(2);
    begin(&mut external, "first");
    ask_well(&mut external, &history[..1]);
    external.withdrawn();
    external.refused(&history[..1]);
    ask_well(&mut external, &history);
    drop((setup, external));
    let messages = sent(&place);
    let types: Vec<&str> = messages
        .iter()
        .map(|message| message["type"].as_str().unwrap())
        .collect();
    assert_eq!(
        types,
        ["hello", "begin", "predict", "withdrawn", "refused", "predict", "bye"]
    );
    assert_eq!(messages[2]["history"].as_array().unwrap().len(), 1);
    assert_eq!(messages[5]["history"].as_array().unwrap().len(), 2);
    assert_eq!(messages[4]["actions"], messages[2]["history"]);
    assert_eq!(
        messages[5]["workbook"]["worksheets"]["Sheet1"]["cells"]["A2"]["value"],
        "é 1"
    );
}

#[test]
fn one_may_wait_for_ever() {
    let place = Place::new();
    let settings = ExternalSettings {
        call_timeout: Duration::MAX,
        start_timeout: Duration::MAX,
        ..settings()
    };
    let (_, mut external) = place.external("", settings.clone());
    begin(&mut external, "a");
    ask_well(&mut external, &history(2));
    let echo = Echo::default();
    let server = TestServer::start(move |request| Answer::json(200, &echo.answers(request)));
    let mut external = External::new(service::setup(&server, settings));
    begin(&mut external, "a");
    ask_well(&mut external, &history(2));
}

#[test]
fn a_history_that_grows_shorter_begins_anew() {
    let place = Place::new();
    let setup: ExternalSetup = place.setup("", settings());
    let mut external = External::new(setup);
    let history = history(9);
    begin(&mut external, "first");
    ask_well(&mut external, &history);
    ask_well(&mut external, &history[..3]);
    ask_well(&mut external, &history);
}

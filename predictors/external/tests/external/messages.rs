//! Messages of all kinds, against the schema and back.

use std::borrow::Cow;

use napsim_external::message::{
    Answer, Begin, Bye, ErrorAnswer, Hello, HelloQuestion, Observe, Predict, Prediction, ProposedLine, Ready, Refused,
    ToPredictor, Tokens, Wants, WantsHistory, Withdrawn, WorkbookText,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::schema::{assert_is_from_predictor, assert_is_to_predictor, is_from_predictor};

fn session() -> impl Strategy<Value = Option<Cow<'static, str>>> {
    option::of("\\PC{1,9}".prop_map(Cow::Owned))
}

fn text() -> impl Strategy<Value = Cow<'static, str>> {
    any::<String>().prop_map(Cow::Owned)
}

fn lines(at_least: usize) -> impl Strategy<Value = Cow<'static, [String]>> {
    vec(any::<String>(), at_least..5).prop_map(Cow::Owned)
}

fn questions() -> impl Strategy<Value = ToPredictor<'static>> {
    let begin = (any::<u64>(), session(), text(), text(), any::<u64>());
    let begin = begin.prop_map(|(id, session, trajectory, sheet, seed)| {
        ToPredictor::Begin(Begin {
            id,
            session,
            trajectory,
            sheet,
            seed,
        })
    });
    let observe = (session(), any::<u64>(), lines(1));
    let observe = observe.prop_map(|(session, from, actions)| ToPredictor::Observe(Observe { session, from, actions }));
    let workbook = option::of(Just(r#"{"worksheets":{"S":{"cells":{"A1":{"value":1}}}}}"#));
    let numbers = (
        any::<u64>(),
        any::<u64>(),
        any::<u32>(),
        any::<u32>(),
        option::of(1..u32::MAX),
    );
    let predict = (numbers, session(), option::of(lines(0)), workbook);
    let predict = predict.prop_map(
        |((id, n_history, user_steps, call_idx, max_actions), session, history, workbook)| {
            ToPredictor::Predict(Predict {
                id,
                session,
                n_history,
                user_steps,
                call_idx,
                max_actions,
                history,
                workbook: workbook.map(|text| serde_json::from_str::<WorkbookText>(text).unwrap()),
            })
        },
    );
    let refused = (session(), lines(0));
    prop_oneof![
        any::<u64>().prop_map(|id| ToPredictor::Hello(HelloQuestion::new(id))),
        begin,
        observe,
        predict,
        refused.prop_map(|(session, actions)| ToPredictor::Refused(Refused { session, actions })),
        session().prop_map(|session| ToPredictor::Withdrawn(Withdrawn { session })),
        session().prop_map(|session| ToPredictor::Bye(Bye { session })),
    ]
}

fn answers() -> impl Strategy<Value = Answer> {
    let history = prop_oneof![Just(WantsHistory::New), Just(WantsHistory::All)];
    let wants = (history, any::<bool>(), any::<bool>());
    let wants = wants.prop_map(|(history, workbook, feedback)| Wants {
        history,
        workbook,
        feedback,
    });
    let hello = (any::<u64>(), "\\PC{1,200}", option::of("\\PC{1,99}"), wants);
    let hello = hello.prop_map(|(id, name, fingerprint, wants)| {
        Answer::Hello(Hello {
            fingerprint,
            wants,
            ..Hello::new(id, name)
        })
    });
    let line = (any::<String>(), option::of(0.0..=1.0));
    let line = line.prop_map(|(action, confidence)| ProposedLine { action, confidence });
    let tokens = (any::<u64>(), any::<u64>());
    let tokens = tokens.prop_map(|(input_tokens, output_tokens)| Tokens {
        input_tokens,
        output_tokens,
    });
    let texts = (option::of(any::<String>()), option::of(any::<String>()));
    let prediction = (any::<u64>(), vec(line, 0..9), option::of(tokens), texts, any::<bool>());
    let prediction = prediction.prop_map(|(id, actions, usage, (raw, intent), truncated)| {
        Answer::Prediction(Prediction {
            id,
            actions,
            usage,
            raw,
            intent,
            truncated,
        })
    });
    let error = (
        any::<u64>(),
        any::<String>(),
        option::of("[a-z0-9_]{1,40}"),
        any::<bool>(),
        option::of(any::<String>()),
    );
    let error = error.prop_map(|(id, message, kind, fatal, raw)| {
        Answer::Error(ErrorAnswer {
            id,
            message,
            kind,
            fatal,
            raw,
        })
    });
    prop_oneof![
        hello,
        any::<u64>().prop_map(|id| Answer::Ready(Ready { id })),
        prediction,
        error
    ]
}

proptest! {
    #[test]
    fn questions_keep_to_the_schema_and_come_back(question in questions()) {
        let line = serde_json::to_vec(&question).unwrap();
        prop_assert!(!line.contains(&b'\n'));
        let mut value: Value = serde_json::from_slice(&line).unwrap();
        assert_is_to_predictor(&value);
        prop_assert_eq!(ToPredictor::read(&line).unwrap(), question.clone());
        value.as_object_mut().unwrap().insert("a_later_word".to_owned(), json!({"x": [1]}));
        prop_assert_eq!(ToPredictor::read(value.to_string().as_bytes()).unwrap(), question);
    }

    #[test]
    fn answers_keep_to_the_schema_and_come_back(answer in answers()) {
        let line = serde_json::to_vec(&answer).unwrap();
        prop_assert!(!line.contains(&b'\n'));
        let mut value: Value = serde_json::from_slice(&line).unwrap();
        assert_is_from_predictor(&value);
        prop_assert_eq!(Answer::read(&line).unwrap(), answer);
        value.as_object_mut().unwrap().insert("a_later_word".to_owned(), json!({"x": [1]}));
        prop_assert!(Answer::read(value.to_string().as_bytes()).is_err());
    }
}

#[test]
fn the_reader_and_the_schema_agree_on_what_an_answer_is() {
    let good = [
        json!({"type": "hello", "id": 1, "protocol": "napsim-predictor/1", "name": "n", "fingerprint": null, "wants": {}}),
        json!({"type": "prediction", "id": 0, "actions": [], "usage": null, "raw": null, "intent": null}),
        json!({"type": "prediction", "id": u64::MAX, "actions": ["x", {"action": "y"}, {"action": "z", "confidence": null}]}),
        json!({"type": "prediction", "id": 0, "actions": [{"action": "z", "confidence": 1}], "usage": {"input_tokens": 1}}),
        json!({"type": "error", "id": 0, "message": "", "kind": null, "raw": null, "fatal": false}),
    ];
    for message in &good {
        assert_is_from_predictor(message);
        Answer::read(message.to_string().as_bytes()).unwrap_or_else(|error| panic!("{message}: {error}"));
        // Order makes no difference.
        let mut turned = serde_json::Map::new();
        turned.extend(message.as_object().unwrap().clone().into_iter().rev());
        assert!(Answer::read(Value::Object(turned).to_string().as_bytes()).is_ok());
    }
    let long = "x".repeat(1001);
    let many = vec!["x"; 10_001];
    let bad = [
        json!(null),
        json!([]),
        json!({}),
        json!({"type": "ready"}),
        json!({"id": 1}),
        json!({"type": "ready", "id": -1}),
        json!({"type": "ready", "id": "1"}),
        json!({"type": "ready", "id": 1.5}),
        json!({"type": "bye"}),
        json!({"type": "Ready", "id": 1}),
        json!({"type": "hello", "id": 1, "protocol": "napsim-predictor/2", "name": "n"}),
        json!({"type": "hello", "id": 1, "protocol": "napsim-predictor/1", "name": ""}),
        json!({"type": "hello", "id": 1, "protocol": "napsim-predictor/1", "name": &long[..201]}),
        json!({"type": "hello", "id": 1, "protocol": "napsim-predictor/1", "name": "n", "fingerprint": ""}),
        json!({"type": "hello", "id": 1, "protocol": "napsim-predictor/1", "name": "n", "fingerprint": long}),
        json!({"type": "hello", "id": 1, "protocol": "napsim-predictor/1", "name": "n", "wants": {"history": "some"}}),
        json!({"type": "hello", "id": 1, "protocol": "napsim-predictor/1", "name": "n", "wants": {"money": true}}),
        json!({"type": "hello", "id": 1, "protocol": "napsim-predictor/1", "name": "n", "wants": null}),
        json!({"type": "prediction", "id": 1}),
        json!({"type": "prediction", "id": 1, "actions": "x"}),
        json!({"type": "prediction", "id": 1, "actions": null}),
        json!({"type": "prediction", "id": 1, "actions": [1]}),
        json!({"type": "prediction", "id": 1, "actions": [["x"]]}),
        json!({"type": "prediction", "id": 1, "actions": [{"confidence": 1}]}),
        json!({"type": "prediction", "id": 1, "actions": [{"action": "x", "confidence": -0.1}]}),
        json!({"type": "prediction", "id": 1, "actions": [{"action": "x", "confidence": "1"}]}),
        json!({"type": "prediction", "id": 1, "actions": [{"action": "x", "probability": 1}]}),
        json!({"type": "prediction", "id": 1, "actions": many}),
        json!({"type": "prediction", "id": 1, "actions": [], "truncated": null}),
        json!({"type": "prediction", "id": 1, "actions": [], "usage": {"input_tokens": -1}}),
        json!({"type": "prediction", "id": 1, "actions": [], "usage": {"tokens": 1}}),
        json!({"type": "error", "id": 1}),
        json!({"type": "error", "id": 1, "message": "m", "kind": ""}),
        json!({"type": "error", "id": 1, "message": "m", "kind": "Two Words"}),
        json!({"type": "error", "id": 1, "message": "m", "kind": &long[..41]}),
    ];
    for message in &bad {
        assert!(!is_from_predictor(message), "{message}");
        assert!(Answer::read(message.to_string().as_bytes()).is_err(), "{message}");
    }
    // What is no JSON to begin with.
    for line in [
        "",
        "{",
        "{\"type\":\"ready\",\"id\":1}{}",
        "{\"type\":\"ready\",\"id\":1,\"id\":1}",
        "ready",
    ] {
        assert!(Answer::read(line.as_bytes()).is_err(), "{line}");
    }
    assert!(Answer::read(b"{\"type\":\"ready\",\"id\":1}\r").is_ok());
}

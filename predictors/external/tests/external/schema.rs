//! The schema of the protocol, for tests.

use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::{Value, json};

fn validator(part: &str) -> Validator {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/schemas/napsim-predictor-1.schema.json"
    );
    let mut schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let object = schema.as_object_mut().unwrap();
    object.remove("oneOf");
    object.insert("$ref".to_owned(), json!(format!("#/$defs/{part}")));
    jsonschema::validator_for(&schema).unwrap()
}

static TO_PREDICTOR: LazyLock<Validator> = LazyLock::new(|| validator("toPredictor"));
static FROM_PREDICTOR: LazyLock<Validator> = LazyLock::new(|| validator("fromPredictor"));

fn assert_valid(validator: &Validator, message: &Value) {
    let errors: Vec<String> = validator.iter_errors(message).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{message}: {errors:?}");
}

/// What napsim says is as the schema has it, and in its words alone.
pub(crate) fn assert_is_to_predictor(message: &Value) {
    assert_valid(&TO_PREDICTOR, message);
}

/// What a predictor says is as the schema has it.
pub(crate) fn assert_is_from_predictor(message: &Value) {
    assert_valid(&FROM_PREDICTOR, message);
}

/// Whether a message is an answer as the schema has it.
pub(crate) fn is_from_predictor(message: &Value) -> bool {
    FROM_PREDICTOR.is_valid(message)
}

#[test]
fn the_schema_tells_the_sides_apart() {
    assert_is_from_predictor(&json!({"type": "ready", "id": 1}));
    assert_is_to_predictor(&json!({"type": "bye"}));
    assert!(!is_from_predictor(&json!({"type": "bye"})));
    assert!(!is_from_predictor(&json!({"type": "ready", "id": 1, "x": 1})));
    assert!(!TO_PREDICTOR.is_valid(&json!({"type": "ready", "id": 1})));
}
